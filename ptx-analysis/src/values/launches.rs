//! Launches: what the host decides, as far as that is given.

use alloc::string::String;
use alloc::vec::Vec;

/// A launch of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The number of threads of a block along each dimension.
    pub block: [u32; 3],
    /// The number of blocks of the grid along each dimension, if it is given.
    pub grid: Option<[u32; 3]>,
    /// The number of blocks of a cluster along each dimension, if it is given.
    pub cluster: Option<[u32; 3]>,
    /// The number of bytes of dynamic shared memory, if it is given.
    pub dynamic: Option<u32>,
    /// The numbers in parameters: the name of each or its number from 0, and the value.
    pub params: Vec<(String, u64)>,
}

impl Launch {
    /// A launch of blocks with these extents, of which nothing else is given.
    pub const fn of_blocks(block: [u32; 3]) -> Self {
        Self { block, grid: None, cluster: None, dynamic: None, params: Vec::new() }
    }
}

/// The launches in which the threads of a kernel are followed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Launches<'l> {
    /// The one that the directives of the kernel declare: `.reqntid`, and `.reqnctapercluster`.
    #[default]
    Declared,
    /// Without `.reqntid`, blocks of 32, 128 and 1,024 threads, within `.maxntid`: what goes wrong in all of them.
    Usual,
    /// This one, where the directives leave it open.
    Given(&'l Launch),
}
