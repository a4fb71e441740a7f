//! The launch that is followed: extents, and the numbers in parameters.

use alloc::vec::Vec;

use ptx_isa::ScalarType;
use ptx_isa::ir::{Param, Passed, Type};
use ptx_isa::rules::access::Object;

use crate::flow::storage::Storage;
use crate::order::address::{self, Layout};
use crate::order::joins::Joins;
use crate::order::lanes::WARP;
use crate::order::origins::Part;
use crate::order::step::Step;
use crate::order::term::{Special, lowest};
use crate::order::tried::{BYTES_OF_ADDRESS, IsTried, Tried};
use crate::values::launch::Fixed;
use crate::values::launches;

/// The greatest number of clusters that are tried along the first dimension.
const MOST_TRIED: u64 = 128;

/// The number of a parameter, for all runs or for one.
#[derive(Clone, Copy, Debug)]
enum Parameter {
    /// It is not known.
    Unknown,
    /// An address.
    Address(u64),
    /// A number that each run tries another value of, if it counts rounds of a loop, and otherwise this address.
    Word(u64),
    /// This number of so many bytes.
    Number(u64, usize),
    /// Bytes, in which there may be addresses, and numbers that each run tries another value of: those of 32 bits, and others
    /// that count rounds of a loop.
    Bytes,
    /// A number that each run tries another value of, of this many bytes.
    Tried(usize),
}

/// A launch of one cluster, whose blocks have numbers from 0.
#[derive(Debug)]
pub(super) struct Launch {
    /// The threads of a block along each dimension.
    pub(super) block: [u64; 3],
    /// The blocks of a cluster along each dimension.
    pub(super) cluster: [u64; 3],
    /// The blocks of the grid along each dimension, if that is given.
    grid: Option<[u64; 3]>,
    /// The indices of the blocks that are followed, if they are in clusters of their own.
    apart: Vec<[u64; 3]>,
    /// For each storage, its number if it is a parameter.
    parameters: Vec<Parameter>,
    /// The contents of buffers, by the address of each.
    contents: Vec<(u64, Vec<u32>)>,
    /// The bytes of dynamic shared memory, if they are given.
    dynamic: Option<u64>,
    /// The value of all numbers in parameters, and of the first in each buffer.
    pub(super) tried: u64,
    /// What depends on it.
    pub(super) of_tried: Tried,
    /// Whether lockstep does not count, nor that threads store the same number, and reads of what nothing writes do.
    pub(super) is_strict: bool,
}

impl Launch {
    pub(super) fn new(
        block: [u64; 3],
        cluster: [u64; 3],
        (storages, params): (&[Storage<'_>], &[Param<'_>]),
        (given, is_strict): (Option<&launches::Launch>, bool),
    ) -> Self {
        let parameter = |(n, storage): (usize, &Storage<'_>)| {
            let Some(param) = entry_param(storage) else { return Parameter::Unknown };
            let pointee = Layout::pointee(n);
            let scalar = match param.variable.ty {
                Type::Scalar(scalar) => Some(*scalar),
                _ => None,
            };
            let passed = passed(given, params, param);
            if let (Some(Passed::Number(value)), Some(scalar)) = (passed, scalar) {
                return Parameter::Number(value, scalar.bytes());
            }
            match scalar {
                _ if param.pointer.is_some() => Parameter::Address(pointee),
                None => Parameter::Bytes,
                Some(scalar) if scalar.is_float() => Parameter::Unknown,
                Some(scalar) if scalar.bytes() == BYTES_OF_ADDRESS => match passed {
                    Some(_) => Parameter::Address(pointee),
                    None => Parameter::Word(pointee),
                },
                Some(scalar) if scalar.bytes() <= ScalarType::U32.bytes() => {
                    Parameter::Tried(scalar.bytes())
                }
                Some(_) => Parameter::Unknown,
            }
        };
        let grid = given.and_then(|launch| launch.grid).map(|grid| grid.map(u64::from));
        let dynamic = given.and_then(|launch| launch.dynamic).map(u64::from);
        let parameters = storages.iter().enumerate().map(parameter).collect();
        let filled = |(n, storage): (usize, &Storage<'_>)| {
            let index = index_of(params, entry_param(storage)?)?;
            Some((Layout::pointee(n), given?.contents(params, index)?.to_vec()))
        };
        let contents = storages.iter().enumerate().filter_map(filled).collect();
        let apart = Vec::new();
        let (tried, of_tried) = (0, Tried::default());
        Self {
            block,
            cluster,
            grid,
            apart,
            parameters,
            contents,
            dynamic,
            tried,
            of_tried,
            is_strict,
        }
    }

    /// Notes which numbers in registers depend on those that runs try: of those in global memory, none if contents are given.
    pub(super) fn note_tried(&mut self, steps: &[Step], joins: &Joins) {
        let is_tried = |(storage, from, bytes): Part| match self.parameters.get(storage) {
            Some(Parameter::Tried(size)) if from == 0 && bytes == *size => IsTried::Always,
            Some(Parameter::Word(_)) if from == 0 && bytes == BYTES_OF_ADDRESS => IsTried::AsCount,
            Some(Parameter::Bytes) if bytes == ScalarType::U32.bytes() => IsTried::Always,
            Some(Parameter::Bytes) => IsTried::AsCount,
            _ => IsTried::Never,
        };
        let of_memory = self.contents.is_empty().then_some(joins);
        self.of_tried = Tried::of(steps, of_memory, is_tried);
    }

    /// Follows the first block of the grid, its neighbour and the last one, if the grid is given, and clusters are blocks.
    pub(super) fn follow_grid(&mut self) {
        let Some(grid) = self.grid.filter(|_| self.blocks() == 1) else { return };
        let count: u64 = grid.iter().fold(1, |all, n| all.saturating_mul(*n));
        let mut numbers = alloc::vec![0, 1, count.saturating_sub(1)];
        numbers.retain(|number| *number < count);
        numbers.dedup();
        self.apart =
            numbers.into_iter().map(|number| [0, 1, 2].map(|n| along(grid, number, n))).collect();
    }

    /// Returns the number of blocks that are followed.
    pub(super) fn followed(&self) -> u64 {
        if self.apart.is_empty() { self.blocks() } else { self.apart.len() as u64 }
    }

    /// Returns the number of a block in the grid, or its rank in the cluster; `None` if there is only one.
    pub(super) fn number(&self, block: u64) -> Option<u64> {
        let apart = usize::try_from(block).ok().and_then(|block| self.apart.get(block));
        match (apart, self.grid) {
            (Some(index), Some(grid)) => {
                let row = grid[1].saturating_mul(index[2]).saturating_add(index[1]);
                Some(grid[0].saturating_mul(row).saturating_add(index[0]))
            }
            (_, _) => (self.blocks() > 1).then_some(block),
        }
    }

    /// Returns the number of threads of a block.
    pub(super) fn threads(&self) -> u64 {
        self.block.iter().product()
    }

    /// Returns the number of blocks of the cluster.
    pub(super) fn blocks(&self) -> u64 {
        self.cluster.iter().product()
    }

    /// Returns the number of warps of a block.
    pub(super) fn warps(&self) -> u64 {
        self.threads().div_ceil(WARP as u64)
    }

    /// Returns bytes of a parameter.
    pub(super) fn parameter(&self, storage: usize, from: u64, bytes: usize) -> Option<u64> {
        if self.of_tried.tries((storage, from, bytes)) {
            return Some(lowest(self.tried, u32::try_from(bytes).ok()? * 8));
        }
        match self.parameters.get(storage)? {
            Parameter::Address(address) | Parameter::Word(address)
                if from == 0 && bytes == BYTES_OF_ADDRESS =>
            {
                Some(*address)
            }
            Parameter::Number(value, size) if from == 0 && bytes == *size => {
                Some(lowest(*value, u32::try_from(bytes).ok()? * 8))
            }
            Parameter::Bytes => {
                let address = Layout::member(storage, from, bytes);
                Some(address.unwrap_or_else(|| address::symbol(storage, from, bytes)))
            }
            Parameter::Unknown
            | Parameter::Address(_)
            | Parameter::Word(_)
            | Parameter::Number(..)
            | Parameter::Tried(_) => Some(address::symbol(storage, from, bytes)),
        }
    }

    /// Returns a number in the given contents of a buffer that nothing writes, if it lies there.
    pub(super) fn contents(&self, address: u64, bytes: u64) -> Option<u64> {
        let within = |(start, words): &(u64, Vec<u32>)| {
            let first = usize::try_from(address.checked_sub(*start)?).ok()?;
            let mut number = [0; 8];
            for (n, byte) in number.get_mut(..usize::try_from(bytes).ok()?)?.iter_mut().enumerate()
            {
                let at = first.checked_add(n)?;
                *byte = words.get(at / 4)?.to_le_bytes()[at % 4];
            }
            Some(u64::from_le_bytes(number))
        };
        self.contents.iter().find_map(within)
    }

    /// Returns a special register of a thread of a block.
    pub(super) fn special(&self, special: Special, block: u64, thread: u64) -> Option<u64> {
        let rank = if self.apart.is_empty() { block } else { 0 };
        Some(match special {
            Special::InCluster(n) => along(self.cluster, rank, n),
            Special::AlongCluster(n) => self.cluster[n],
            Special::Cluster(n) => {
                self.special(Special::Fixed(Fixed::Block(n)), block, thread)?
                    / self.cluster[n].max(1)
            }
            Special::Clusters(n) => {
                self.special(Special::Fixed(Fixed::Blocks(n)), block, thread)?
                    / self.cluster[n].max(1)
            }
            Special::Lanes(_) => return None,
            Special::Dynamic => self.dynamic?,
            Special::Fixed(fixed) => match fixed {
                Fixed::Thread(n) => along(self.block, thread, n),
                Fixed::Threads(n) => self.block[n],
                Fixed::Block(n) => {
                    match usize::try_from(block).ok().and_then(|at| self.apart.get(at)) {
                        Some(index) => index[n],
                        None => along(self.cluster, block, n),
                    }
                }
                // A grid of as many clusters as a parameter says, along the first dimension, or of one that does the work
                // of many.
                Fixed::Blocks(n) => match (self.grid, n) {
                    (Some(grid), _) => grid[n],
                    (None, 0) if self.tried > MOST_TRIED => self.cluster[0],
                    (None, 0) => self.cluster[0] * self.tried.max(1),
                    (None, _) => self.cluster[n],
                },
                Fixed::Lane => thread % WARP as u64,
                Fixed::Rank => rank,
                Fixed::OfCluster => self.blocks(),
                Fixed::InCluster | Fixed::AlongCluster | Fixed::Round(_) => return None,
            },
        })
    }
}

/// Returns the parameter of the kernel that a storage is, if it is one.
fn entry_param<'s, 'a>(storage: &'s Storage<'a>) -> Option<&'s Param<'a>> {
    match storage.choices.as_slice() {
        [choice] => match choice.object {
            Object::EntryParam(param) => Some(param),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the number of a parameter among all.
fn index_of(params: &[Param<'_>], param: &Param<'_>) -> Option<usize> {
    params.iter().position(|it| core::ptr::eq(it, param))
}

/// Returns what a launch passes in a parameter, if that is given.
fn passed(
    given: Option<&launches::Launch>,
    params: &[Param<'_>],
    param: &Param<'_>,
) -> Option<Passed> {
    given?.passed(params, index_of(params, param)?)
}

/// Returns the number of bytes of the buffer that a launch passes in a parameter, if that is given.
pub(super) fn buffer(
    given: Option<&launches::Launch>,
    params: &[Param<'_>],
    storage: &Storage<'_>,
) -> Option<u64> {
    match passed(given, params, entry_param(storage)?)? {
        Passed::Buffer(bytes) => Some(bytes),
        Passed::Number(_) | Passed::Elements(_) => None,
    }
}

/// Returns the index along a dimension of a number.
fn along(extents: [u64; 3], number: u64, n: usize) -> u64 {
    let before = extents[..n].iter().fold(1_u64, |all, n| all.saturating_mul(*n));
    number / before.max(1) % extents[n].max(1)
}
