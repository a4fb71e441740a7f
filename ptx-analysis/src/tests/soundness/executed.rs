//! Executes the threads of a program with the interpreter.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use ptx_interpreter::{Access, End, Execution, Launch, Load, Moment, NamedBlock, Program, Thread};
use ptx_isa::Space;
use ptx_isa::rules::signed_in;
use ptx_smith::bodies::{ARRAYS, mixed};

use crate::values::launch::Fixed;

/// The maximum number of statements that a thread may execute.
const STEPS: usize = 6_000;

/// The generic windows of state spaces: disjoint from the addresses in the spaces.
const SHARED_WINDOW: u64 = 0x7f00_0000_0000;
const LOCAL_WINDOW: u64 = 0x7e00_0000_0000;

/// Returns the window of the state space of an array.
fn window(name: &str) -> u64 {
    let array = ARRAYS.iter().find(|array| array.name == name);
    match array.map(|array| array.space) {
        Some("local") => LOCAL_WINDOW,
        _ => SHARED_WINDOW,
    }
}

/// A launch, with everything that varies among launches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance {
    pub(crate) block: [u32; 3],
    /// The block whose threads run, or the first block of the cluster.
    pub(crate) number_of_block: [u32; 3],
    pub(crate) grid: [u32; 3],
    /// The number of blocks of a cluster.
    pub(crate) cluster: u32,
    /// The seed for loaded values and for the addresses of storage.
    pub(crate) seed: u64,
}

impl Chance {
    /// Returns the address of an array, which is not aligned more than declared.
    pub(crate) fn base(self, name: &str) -> Option<u64> {
        let (array, n) = ARRAYS.iter().zip(1..).find(|(array, _)| array.name == name)?;
        let apart = 2 * (mixed(self.seed ^ n) % 512) + 1;
        Some((n << 26) + apart * array.align as u64)
    }

    pub(crate) fn threads(self) -> impl Iterator<Item = Thread> {
        let [x, y, z] = self.block;
        let [first, rest @ ..] = self.number_of_block;
        let blocks = (first..first + self.cluster).map(move |block| [block, rest[0], rest[1]]);
        blocks.flat_map(move |block| {
            let at = move |n: u32| [n % x, n / x % y, n / x / y];
            (0..x * y * z).map(move |n| Thread { number: at(n), block })
        })
    }

    /// Returns the value of a special register for a thread.
    pub(crate) fn special(self, thread: Thread, of: Fixed) -> Option<i128> {
        let [x, y, z] = thread.number;
        Some(match of {
            Fixed::Thread(n) => thread.number[n].into(),
            Fixed::Threads(n) => self.block[n].into(),
            Fixed::Block(n) => thread.block[n].into(),
            Fixed::Blocks(n) => self.grid[n].into(),
            Fixed::Lane => ((x + self.block[0] * (y + self.block[1] * z)) % 32).into(),
            Fixed::Rank | Fixed::InCluster => (thread.block[0] % self.cluster).into(),
            // Of the first dimension: programs read no other.
            Fixed::OfCluster | Fixed::AlongCluster => self.cluster.into(),
            Fixed::Round(_) => return None,
        })
    }

    /// Executes a program as one thread.
    pub(crate) fn run(
        self,
        program: &Program<'_>,
        thread: Thread,
        observe: impl FnMut(Moment<'_>),
    ) -> Execution {
        let symbols: BTreeMap<&str, u64> =
            ARRAYS.iter().filter_map(|array| Some((array.name, self.base(array.name)?))).collect();
        // Small numbers are the interesting ones.
        let load = |load: Load| {
            let [x, y, z] = load.thread.number;
            let of =
                u64::from(x + 64 * (y + 64 * z)) << 40 ^ load.address ^ (load.step as u64) << 20;
            let number = mixed(mixed(of) ^ self.seed);
            if number >> 63 == 0 { number & 15 } else { number }
        };
        let window = |space: Space| match space {
            Space::Shared => SHARED_WINDOW,
            Space::Local => LOCAL_WINDOW,
            _ => 0,
        };
        let launch = Launch {
            block: self.block,
            grid: self.grid,
            cluster: self.cluster,
            symbols: &symbols,
            window: &window,
            load: &load,
            store: &|_| {},
            steps: STEPS,
        };
        program.run(&launch, thread, observe)
    }

    /// Executes all threads and returns their record.
    pub(crate) fn all(self, program: &Program<'_>) -> Result<Done, String> {
        let mut done = Done { accesses: Vec::new(), named: Vec::new(), is_complete: true };
        for thread in self.threads() {
            let execution = self.run(program, thread, |_| {});
            match execution.end {
                End::Done => {}
                End::Limit => done.is_complete = false,
                End::Undefined | End::Unknown(_) => {
                    return Err(alloc::format!("{thread:?} ends as {:?}", execution.end));
                }
            }
            done.accesses.extend(execution.accesses);
            done.named.extend(execution.named);
        }
        Ok(done)
    }

    /// Returns the offset of an access into an array; negative if its address wraps. The array may be in any block of
    /// the cluster.
    pub(crate) fn offset(self, access: &Access, name: &str) -> Option<i128> {
        let address = i128::from(access.address) - i128::from(access.window);
        let apart = address - i128::from(self.base(name)?);
        let generic = apart - i128::from(window(name));
        let is_generic = access.width == 64 && generic.abs() < 1 << 39;
        Some(signed_in(if is_generic { generic } else { apart }, access.width))
    }
}

/// The record of all threads.
pub(crate) struct Done {
    pub(crate) accesses: Vec<Access>,
    pub(crate) named: Vec<NamedBlock>,
    /// Whether all of them terminated.
    pub(crate) is_complete: bool,
}
