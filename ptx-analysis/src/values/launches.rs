//! Launches: what the host decides, as far as that is given.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use ptx_isa::count::Count;
use ptx_isa::ir::{self, Directive, DirectiveKind, Function, Param, Passed};

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

    /// Returns the first bound of a kernel that this launch exceeds. No driver starts such a launch (PTX ISA 11.4).
    pub fn excess(&self, kernel: &Function<'_>) -> Option<Excess> {
        let directive = |kind| kernel.directives.iter().find(|it| it.kind == kind);
        [Group::Block, Group::Cluster].into_iter().find_map(|group| {
            let (extents, most, exact) = match group {
                Group::Block => (self.block, DirectiveKind::MaxNTid, DirectiveKind::ReqNTid),
                Group::Cluster => {
                    (self.cluster, DirectiveKind::MaxClusterRank, DirectiveKind::ReqNCtaPerCluster)
                }
            };
            // The exact number wins over the one that is given.
            let most = directive(most).filter(|_| directive(exact).is_none())?;
            let given = product(extents?);
            (given > most.product()).then_some(Excess { group, directive: *most, given })
        })
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

/// What a launch gives the size of, and a device or a kernel bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// A block, in threads.
    Block,
    /// A cluster, in blocks.
    Cluster,
}

impl Group {
    /// Returns these extents if a device has groups of that size: blocks of 1,024 threads, and clusters of 16 blocks.
    ///
    /// # Errors
    /// If they are too large: a sentence that says so.
    pub fn checked(self, extents: [u32; 3]) -> Result<[u32; 3], String> {
        let (name, most) = match self {
            Self::Block => ("block", 1024),
            Self::Cluster => ("cluster", 16),
        };
        match product(extents) {
            count if count > most => {
                let things = self.things();
                Err(format!("a {name} has at most {most} {things}s, and these are {count}"))
            }
            _ => Ok(extents),
        }
    }

    /// What there are several of in the group.
    const fn things(self) -> &'static str {
        match self {
            Self::Block => "thread",
            Self::Cluster => "block",
        }
    }
}

/// A bound of a kernel that a launch exceeds, and by how much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Excess {
    /// What is too large.
    pub group: Group,
    /// The bound.
    pub directive: Directive,
    /// The number of threads or blocks that is given.
    pub given: u64,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { group, directive, given } = self;
        let most = usize::try_from(directive.product()).unwrap_or(usize::MAX);
        let allowed = Count(most, group.things());
        let name = directive.kind.name();
        write!(f, "`.{name}` allows {allowed}: give at most as many, not {given}")
    }
}

/// The number of threads or blocks, or `u64::MAX` if that is greater.
fn product(extents: [u32; 3]) -> u64 {
    extents.into_iter().fold(1, |all, one| all.saturating_mul(one.into()))
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
}

impl<'l> From<Launches<'l>> for Following<'l> {
    fn from(launches: Launches<'l>) -> Self {
        Self { launches, is_strict: false }
    }
}
