//! Tests of what an instruction does at an address whose storage is known: the operand names it, or
//! a register holds its address.

mod content;
mod extent;
mod named;
mod space;

use super::access::{Object, SubSpace};

use super::{Arg, Args, Blame, NONE};
use crate::instruction::{Direction, Role};
use crate::launch_condition::LaunchCondition;
use crate::reached::Reached;
use crate::scalar::ScalarType;
use crate::space::Space;
use crate::tensor::Mode;

pub(super) use content::*;
pub(super) use extent::*;
pub(super) use named::*;
pub(super) use space::*;

/// What an instruction does at an address, whatever is there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AccessForm {
    /// What the instruction takes it for.
    pub role: Role,
    /// What it does there.
    pub direction: Direction,
    /// The state space that the instruction goes to; `None` for generic addresses.
    pub space: Option<Space>,
    /// Whether that is said, or a generic address into it does too; of none, whether the address is
    /// taken in whichever space the storage is in.
    pub names_space: bool,
    /// The part of a state space that the instruction names.
    pub sub_space: Option<SubSpace>,
    /// The type that it takes each element for; `None` where it has none.
    pub ty: Option<ScalarType>,
    /// Whether it compares what is there with another number of this type: the least or the greatest of
    /// signed numbers is not that of unsigned ones.
    pub is_ordered: bool,
    /// Whether another operand may have it go to fewer bytes, or none.
    pub is_perhaps_nothing: bool,
    /// Whether the operand says `.unified`; `None` where the instruction cannot.
    pub unified: Option<bool>,
    /// What the instruction says of the tensor, if it takes a map.
    pub tensor: Option<TensorAccess>,
}

impl AccessForm {
    /// Whether it goes to the shared memory of the block that runs it: `.shared` and `.shared::cta`.
    pub const fn goes_to_own_block(self) -> bool {
        let is_cta = matches!(self.sub_space, None | Some(SubSpace::Cta));
        let goes_there = !matches!(self.direction, Direction::Taken);
        is_cta && goes_there && self.names_space && matches!(self.space, Some(Space::Shared))
    }

    /// Whether rules that blame this are asked of single executions, where others go elsewhere: how far
    /// those go is never meant, but what is copied whole is gone through whatever is there.
    pub const fn is_judged_alone(self, blames: Blame) -> bool {
        matches!(blames, Blame::Offset) || matches!(self.role, Role::Barrier)
    }
}

/// An operand at an address in known storage: `[NAME + offset]`, `[%register + offset]`.
#[derive(Clone, Copy, Debug)]
pub struct StorageAccess<'a> {
    /// What the instruction does there.
    pub form: AccessForm,
    /// How many bytes it goes to; `None` where that is unknown.
    pub bytes: Option<usize>,
    /// The alignment in bytes that it needs; `None` where that is unknown.
    pub align: Option<usize>,
    /// How it names the storage.
    pub via: Via<'a>,
    /// Where it starts.
    pub offset: Offset,
    /// What else is known of it, which settles some rules.
    pub settled: Settled,
    /// The condition under which alone control gets there, as far as one is known.
    pub only_where: Option<&'a LaunchCondition>,
    /// Which execution is judged, where others go elsewhere.
    pub reached: Option<&'a Reached<'a>>,
}

/// An operand but for where it starts, which is all that most rules ask of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    pub(super) form: AccessForm,
    pub(super) align: Option<usize>,
    pub(super) via: Via<'a>,
    pub(super) settled: Settled,
}

impl<'a> StorageAccess<'a> {
    /// It, but for where it starts.
    pub(super) const fn shape(&self) -> Shape<'a> {
        Shape { form: self.form, align: self.align, via: self.via, settled: self.settled }
    }
}

/// What is known of an operand that settles some rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Settled {
    /// Another rule compares what is copied with the tile that its map says.
    pub is_tile: bool,
    /// A test at run time has proven the address to be aligned as the access needs.
    pub is_aligned: bool,
    /// Zero is written, which is the same in every type.
    pub is_zero: bool,
}

impl Settled {
    /// Nothing is settled.
    pub const NOTHING: Self = Self { is_tile: false, is_aligned: false, is_zero: false };
}

/// How an operand names storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Via<'a> {
    /// By its name.
    Name,
    /// By a register with this name, which holds an address of this kind.
    Register(&'a str, AddressKind),
}

/// What kind of address a register holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressKind {
    /// One in the state space that the storage is in, or of the kind that a pointer says.
    Own,
    /// One in this state space, as an instruction says.
    In(Space),
    /// A generic one.
    Generic,
    /// One or the other.
    Unsure,
}

/// A number of bytes from the start of storage, as far as it is known: `base` plus any multiple of
/// `step`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Offset {
    /// The offset for no steps; of an unknown number of steps any of them.
    pub base: i128,
    /// What is added any number of times: 0 where the offset is known, 1 where nothing is.
    pub step: u64,
}

impl Offset {
    /// This many bytes.
    pub const fn exact(base: i128) -> Self {
        Self { base, step: 0 }
    }

    /// Nothing is known.
    pub const UNKNOWN: Self = Self { base: 0, step: 1 };

    /// The greatest number of positions that are looked at.
    const MOST: i128 = 256;

    /// The least offset that is not negative, of several.
    pub(super) const fn first(self) -> i128 {
        if self.step == 0 { self.base } else { self.base.rem_euclid(self.step as i128) }
    }

    /// Whether all possible offsets leave the same rest when divided by `by`.
    pub(super) const fn settles(self, by: usize) -> bool {
        by == 0 || self.step.is_multiple_of(by as u64)
    }
}

/// The greatest number that divides both; the other one of 0.
pub const fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// What an instruction says of the tensor that it copies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TensorAccess {
    /// The number of dimensions: `.2d`.
    pub rank: u32,
    /// The mode: `.tile` where it says none.
    pub mode: TensorMode,
    /// What it does to the tensor; the map itself it reads.
    pub direction: Direction,
}

/// A mode of tensor copies (PTX ISA 5.5.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TensorMode {
    /// `.tile`
    Tile,
    /// `.tile::gather4`
    Gather4,
    /// `.tile::scatter4`
    Scatter4,
    /// `.im2col`, and `.im2col_no_offs` of stores.
    Im2col,
    /// `.im2col::w`
    Im2colW,
    /// `.im2col::w::128`
    Im2colW128,
}

impl TensorMode {
    /// The name as declarations have it: `tile::gather4`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tile => "tile",
            Self::Gather4 => "tile::gather4",
            Self::Scatter4 => "tile::scatter4",
            Self::Im2col => "im2col",
            Self::Im2colW => "im2col::w",
            Self::Im2colW128 => "im2col::w::128",
        }
    }

    const fn is_of(self, mode: &Mode) -> bool {
        matches!(
            (self, mode),
            (Self::Tile, Mode::Tiled { .. })
                | (Self::Gather4, Mode::Gather4 { .. })
                | (Self::Scatter4, Mode::Scatter4 { .. })
                | (Self::Im2col, Mode::Im2col { .. })
                | (Self::Im2colW, Mode::Im2colW { .. })
                | (Self::Im2colW128, Mode::Im2colW128 { .. })
        )
    }
}

const fn is_opaque(object: Object<'_>) -> bool {
    object.ty().opaque().is_some() // another rule says so
}

#[cfg(test)]
mod tests;
