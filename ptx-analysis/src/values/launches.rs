//! Launches: what the host decides, as far as that is given.

use alloc::string::String;
use alloc::vec::Vec;

use ptx_isa::ir::{self, Param, Passed};

/// A launch of a kernel.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Launch {
    /// The number of threads of a block along each dimension, if it is given: where neither this nor `.reqntid` says it,
    /// those of [`Launches::Usual`] count.
    pub block: Option<[u32; 3]>,
    /// The number of blocks of the grid along each dimension, if it is given.
    pub grid: Option<[u32; 3]>,
    /// The number of blocks of a cluster along each dimension, if it is given.
    pub cluster: Option<[u32; 3]>,
    /// The number of bytes of dynamic shared memory, if it is given.
    pub dynamic: Option<u32>,
    /// What is passed in parameters: the name of each or its number from 0, and what is passed.
    pub params: Vec<(String, Passed)>,
    /// The contents of buffers that `ld.global.nc` reads: the name of the parameter that points to each or its number from 0,
    /// and its words of 32 bits.
    pub contents: Vec<(String, Vec<u32>)>,
}

/// Whether this is the name of a parameter with this index, or the index.
fn is_name_of(name: &str, index: usize, param: &Param<'_>) -> bool {
    name == param.variable.name || name.parse() == Ok(index)
}

impl From<&ir::ExampleLaunch<'_>> for Launch {
    fn from(example: &ir::ExampleLaunch<'_>) -> Self {
        let ir::ExampleLaunch { block, grid, cluster, dynamic, params, contents } = *example;
        let params = params.iter().map(|(name, passed)| (String::from(*name), *passed)).collect();
        let contents = contents.iter().map(|(name, words)| (String::from(*name), words.to_vec()));
        Self { block, grid, cluster, dynamic, params, contents: contents.collect() }
    }
}

impl Launch {
    /// Returns the names of the parameters that something is passed in, or their numbers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.params.iter().map(|(name, _)| name);
        names.chain(self.contents.iter().map(|(name, _)| name)).map(String::as_str)
    }

    /// Returns the names of those of these parameters for which [`contents`](field@Self::contents) are given, and which are not of the size
    /// of an address.
    pub fn without_contents(&self, params: &[Param<'_>]) -> impl Iterator<Item = &str> {
        let is_address = |index: usize, param: &Param<'_>, name: &str| {
            !is_name_of(name, index, param) || param.variable.ty.size() == Some(8)
        };
        let fits = move |name: &str| {
            params.iter().enumerate().all(|(index, param)| is_address(index, param, name))
        };
        self.contents.iter().map(|(name, _)| name.as_str()).filter(move |name| !fits(name))
    }

    /// Returns what is passed in one of these parameters, by its index, if that is given.
    pub(crate) fn passed(&self, params: &[Param<'_>], index: usize) -> Option<Passed> {
        let param = params.get(index)?;
        if let Some(words) = self.contents(params, index) {
            return Some(Passed::Buffer(size_of_val(words) as u64));
        }
        let found = self.params.iter().find(|(name, _)| is_name_of(name, index, param));
        match found?.1 {
            Passed::Elements(count) => {
                let size = param.pointer?.pointee.size().filter(|size| *size > 0)?;
                Some(Passed::Buffer(count.saturating_mul(size as u64)))
            }
            passed => Some(passed),
        }
    }

    /// Returns the contents of the buffer that one of these parameters points to, by its index, if they are given.
    pub(crate) fn contents(&self, params: &[Param<'_>], index: usize) -> Option<&[u32]> {
        let param = params.get(index)?;
        let found = self.contents.iter().find(|(name, _)| is_name_of(name, index, param));
        found.map(|(_, words)| words.as_slice())
    }

    /// Returns the names in [`params`](Self::params) and [`contents`](field@Self::contents) of which none is one of these parameters.
    pub fn unknown_params(&self, params: &[Param<'_>]) -> impl Iterator<Item = &str> {
        let is_there = |name: &str| {
            params.iter().enumerate().any(|(index, param)| is_name_of(name, index, param))
        };
        self.names().filter(move |name| !is_there(name))
    }

    /// A launch of blocks with these extents, of which nothing else is given.
    pub const fn of_blocks(block: [u32; 3]) -> Self {
        Self {
            block: Some(block),
            grid: None,
            cluster: None,
            dynamic: None,
            params: Vec::new(),
            contents: Vec::new(),
        }
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

/// How the threads of kernels are followed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Following<'l> {
    /// In which launches.
    pub launches: Launches<'l>,
    /// Whether accesses are reported, too, that the memory model does not order, but today's machines do: those of
    /// threads of one warp without `bar.warp.sync` between them, and of threads that store the same number; and reads of
    /// shared memory that nothing writes.
    pub is_strict: bool,
    /// The names of the kernels that are followed in these launches; the others are followed in the usual ones. All are if
    /// there is no name.
    pub kernels: &'l [String],
}

impl Following<'_> {
    /// Returns how the threads of the kernel with this name are followed.
    #[must_use]
    pub fn of(self, kernel: &str) -> Self {
        let is_meant = self.kernels.is_empty() || self.kernels.iter().any(|name| name == kernel);
        if is_meant { self } else { Self { launches: Launches::Usual, ..self } }
    }
}

impl<'l> From<Launches<'l>> for Following<'l> {
    fn from(launches: Launches<'l>) -> Self {
        Self { launches, is_strict: false, kernels: &[] }
    }
}
