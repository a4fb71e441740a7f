//! Tests of the effect of an instruction at an address whose storage is known: the operand names it, or a register
//! holds its address.

mod content;
mod extent;
mod named;
mod space;

use super::access::{Object, SubSpace};

use super::{Arg, Args, Blame, NONE};
use crate::instruction::{Direction, Role};
use crate::launch_condition::LaunchCondition;
use crate::number_format::NumberFormat;
use crate::reached::Reached;
use crate::scalar::ScalarType;
use crate::space::{Space, Spaces};
use crate::tensor::Mode;

pub(super) use content::*;
pub(super) use extent::*;
pub(super) use named::*;
pub(super) use space::*;

/// The effect of an instruction at an address, regardless of the storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AccessForm {
    /// The kind of object that the instruction expects there.
    pub role: Role,
    /// The kind of access.
    pub direction: Direction,
    /// The state space of the address; `None` for generic addresses.
    pub space: Option<Space>,
    /// Whether the instruction specifies that space, rather than also accepting generic addresses into it. If `space`
    /// is `None`: whether the address is taken in the storage's own space.
    pub names_space: bool,
    /// The state spaces that the instruction could name there.
    pub nameable: Spaces,
    /// The sub-qualifier of the state space, if any.
    pub sub_space: Option<SubSpace>,
    /// The type of each element; `None` if the instruction has none.
    pub ty: Option<ScalarType>,
    /// Whether another operand may reduce the number of bytes, even to 0.
    pub may_be_nothing: bool,
    /// Whether the operand has `.unified`; `None` if the instruction does not support it.
    pub unified: Option<bool>,
    /// The tensor that the instruction specifies, if it takes a map.
    pub tensor: Option<TensorAccess>,
    /// The alignment in bytes that the PTX ISA asks for, if the access runs with less.
    pub isa_align: Option<usize>,
}

impl AccessForm {
    /// Whether it accesses the shared memory of the executing block: `.shared` and `.shared::cta`.
    pub const fn is_own_block(self) -> bool {
        let is_cta = matches!(self.sub_space, None | Some(SubSpace::Cta));
        let is_accessed = !matches!(self.direction, Direction::Taken);
        is_cta && is_accessed && self.names_space && matches!(self.space, Some(Space::Shared))
    }

    /// Whether rules that blame this part also apply to single executions whose offsets differ from those of others:
    /// an offset out of bounds is never intended, but a copy of a whole object visits any content.
    pub const fn is_checked_alone(self, blames: Blame) -> bool {
        matches!(blames, Blame::Offset) || matches!(self.role, Role::Barrier)
    }
}

/// An operand at an address in known storage: `[NAME + offset]`, `[%register + offset]`.
#[derive(Clone, Copy, Debug)]
pub struct StorageAccess<'a> {
    /// The effect of the instruction there.
    pub form: AccessForm,
    /// The number of bytes that it accesses; `None` if unknown.
    pub bytes: Option<usize>,
    /// The alignment in bytes that it needs; `None` if unknown.
    pub align: Option<usize>,
    /// How it refers to the storage.
    pub via: Via<'a>,
    /// Its start in the storage.
    pub offset: Offset,
    /// Further facts that settle some rules.
    pub settled: Settled,
    /// The only condition under which control reaches it, if one is known.
    pub only_where: Option<&'a LaunchCondition>,
    /// The execution that is checked, if others differ.
    pub reached: Option<&'a Reached<'a>>,
}

/// An operand without its offset; most rules need only this.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    pub(super) form: AccessForm,
    pub(super) align: Option<usize>,
    pub(super) via: Via<'a>,
    pub(super) settled: Settled,
}

impl<'a> StorageAccess<'a> {
    /// The operand without its offset.
    pub(super) const fn shape(&self) -> Shape<'a> {
        Shape { form: self.form, align: self.align, via: self.via, settled: self.settled }
    }
}

/// Facts about an operand that settle some rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Settled {
    /// Another rule compares the copied bytes with the tile of the map.
    pub is_tile: bool,
    /// A test at run time has proven that the address has the alignment that the access needs.
    pub is_aligned: bool,
    /// How the program computes with the data, where every execution of the access does.
    pub computed: Option<Computed>,
    /// Control gets there only where a parameter, a loaded number or the launch is larger than it has to be, as in the
    /// body of an unrolled loop: no launch may be like that.
    pub is_conditional: bool,
}

/// How the program computes with the data that it loads, stores or updates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Computed {
    /// As numbers in this format: an arithmetic instruction takes what is loaded, has computed what is stored, or
    /// updates it in memory.
    Numbers(NumberFormat),
    /// As a whole address of 64 bits, whose upper half is zero.
    Address,
}

impl Settled {
    /// Nothing is settled.
    pub const NOTHING: Self =
        Self { is_tile: false, is_aligned: false, computed: None, is_conditional: false };
}

/// How an operand refers to storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Via<'a> {
    /// By name.
    Name,
    /// By a register with this name, which holds an address of this kind.
    Register(&'a str, AddressKind),
}

/// The kind of address in a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressKind {
    /// One in the storage's own state space, or of the kind that a pointer declares.
    Own,
    /// One in this state space, as the instruction specifies.
    In(Space),
    /// A generic one.
    Generic,
    /// Either of them.
    Unsure,
}

/// A byte offset from the start of storage, as far as it is known: `base` plus any multiple of `step`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Offset {
    /// The offset without any steps; if the number of steps is unknown, any possible offset.
    pub base: i128,
    /// The step, which may be added any number of times: 0 if the offset is known, 1 if it is unknown.
    pub step: u64,
}

impl Offset {
    /// An offset of this many bytes.
    pub const fn exact(base: i128) -> Self {
        Self { base, step: 0 }
    }

    /// An unknown offset.
    pub const UNKNOWN: Self = Self { base: 0, step: 1 };

    /// The maximum number of positions that are enumerated.
    const MOST: i128 = 256;

    /// The least non-negative offset if there are several, or else the only one.
    pub(super) const fn first(self) -> i128 {
        if self.step == 0 { self.base } else { self.base.rem_euclid(self.step as i128) }
    }

    /// Whether all possible offsets have the same remainder modulo `by`.
    pub(super) const fn settles(self, by: usize) -> bool {
        by == 0 || self.step.is_multiple_of(by as u64)
    }
}

/// The greatest common divisor; if one number is 0, the other.
pub const fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The tensor access that an instruction specifies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TensorAccess {
    /// The number of dimensions, `.2d`; `None` if the number of coordinates contradicts it.
    pub rank: Option<u32>,
    /// The mode; `.tile` by default.
    pub mode: TensorMode,
    /// The access to the tensor; the map itself is read.
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
    /// The name in declarations: `tile::gather4`.
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
    object.ty().opaque().is_some() // another rule reports these
}

#[cfg(test)]
mod tests;
