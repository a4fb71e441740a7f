//! Launches of kernels that load words from one buffer and store words into another, and exchange others in the shared
//! memory of a cluster.

use alloc::collections::BTreeMap;
use core::cell::RefCell;

use ptx_isa::Space;

use super::blocks::block_of;
use super::program::{End, Launch, Load, Program, Store, Thread};

/// The start of the shared window among generic addresses.
const WINDOW: u64 = 1 << 44;

/// The addresses of the parameters `from` and `to`, of the buffers that they point to, and of `S` in shared memory.
const FROM: (u64, u64) = (0x100, 1 << 32);
const TO: (u64, u64) = (0x108, 1 << 40);
const EXCHANGED: u64 = 0x400;

/// A launch of a kernel with the parameters `from` and `to`, which are pointers to words of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Buffers {
    /// The extents of a block.
    pub block: [u32; 3],
    /// The number of blocks, along the first dimension.
    pub blocks: u32,
    /// The number of blocks of a cluster.
    pub cluster: u32,
}

impl Buffers {
    /// Runs all threads, which find `word(n)` in the n-th word of `from`. Returns what they leave in the words of `to`, by
    /// their numbers; a word that was not stored, or only a value that is not defined, is missing.
    ///
    /// # Errors
    /// A thread does not reach its end.
    pub fn run(
        self,
        program: &Program<'_>,
        word: &dyn Fn(u64) -> u64,
    ) -> Result<BTreeMap<u64, u64>, End> {
        let symbols = BTreeMap::from([("from", FROM.0), ("to", TO.0), ("S", EXCHANGED)]);
        let left: RefCell<BTreeMap<u64, u64>> = RefCell::default();
        // Shared memory, by block number and address.
        let memory: RefCell<BTreeMap<(u32, u64), u8>> = RefCell::default();
        let shared = |thread: Thread, address: u64| {
            let address = if address >= WINDOW { address - WINDOW } else { address };
            let own = thread.block[0] % self.cluster;
            let (rank, at) = block_of(address);
            let rank = rank.map_or(own, |rank| u32::try_from(rank).unwrap_or(own));
            (address < 1 << 32).then_some((thread.block[0] - own + rank, at))
        };
        let load = |load: Load| {
            if let Some((_, buffer)) = [FROM, TO].iter().find(|(at, _)| *at == load.address) {
                return *buffer;
            }
            if let Some((block, at)) = shared(load.thread, load.address) {
                let memory = memory.borrow();
                let byte = |n: u32| memory.get(&(block, at + u64::from(n))).copied().unwrap_or(0);
                return (0..load.bytes).rev().fold(0, |all, n| all << 8 | u64::from(byte(n)));
            }
            word(load.address.wrapping_sub(FROM.1) / 8)
        };
        let store = |store: Store| {
            let Some((block, at)) = shared(store.thread, store.address) else {
                left.borrow_mut().insert(store.address.wrapping_sub(TO.1) / 8, store.value);
                return;
            };
            let bytes = store.value.to_le_bytes().into_iter().zip(0..u64::from(store.bytes));
            memory.borrow_mut().extend(bytes.map(|(byte, n)| ((block, at + n), byte)));
        };
        let launch = Launch {
            grid: [self.blocks, 1, 1],
            cluster: self.cluster,
            symbols: &symbols,
            window: &|space| if space == Space::Shared { WINDOW } else { 0 },
            load: &load,
            store: &store,
            steps: 1_000_000,
            ..Launch::of_block(self.block)
        };
        let ends = program.run_together(&launch, self.threads());
        let end = ends.iter().find(|execution| execution.end != End::Done);
        end.map_or(Ok(()), |execution| Err(execution.end))?;
        Ok(left.into_inner())
    }

    fn threads(self) -> impl Iterator<Item = Thread> {
        let [x, y, z] = self.block;
        let at = move |n: u32| [n % x, n / x % y, n / x / y];
        (0..self.blocks).flat_map(move |block| {
            (0..x * y * z).map(move |n| Thread { number: at(n), block: [block, 0, 0] })
        })
    }
}
