//! Shared memory addresses in the blocks of a cluster.

/// The position of the bits in a shared memory address that select the block of the cluster: zero
/// for the thread's own block, and otherwise its rank plus one.
const BLOCK_BITS: u32 = 30;

/// The values that these bits add to an address.
pub const WINDOWS: [u64; 4] = [0, 1 << BLOCK_BITS, 2 << BLOCK_BITS, 3 << BLOCK_BITS];

/// Returns what an address in the block of the cluster with this rank adds, or an address in no block if there
/// is no such block.
pub(super) fn window_of(rank: u64, cluster: u32) -> u64 {
    let rank = usize::try_from(rank).unwrap_or(2).min(2);
    WINDOWS[if rank < cluster as usize { rank + 1 } else { 3 }]
}

/// Returns the rank of the block that a shared memory address selects, if any, and the address in that block.
pub fn block_of(address: u64) -> (Option<u64>, u64) {
    let block = address >> BLOCK_BITS & 3;
    (block.checked_sub(1), address & !WINDOWS[3])
}
