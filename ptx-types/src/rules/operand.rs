//! Tests of what an instruction does at an address whose storage is known: the operand names it, or
//! a register holds its address.

use super::access::Object;
use super::instruction::{Direction, Role};
use super::{Arg, Args, NONE};
use crate::ir::{Param, StructKind, Type};
use crate::scalar::{Class, ScalarType};
use crate::space::Space;
use crate::tensor::{Mode, Spec};

/// An operand at an address in known storage: `[NAME + offset]`, `[%register + offset]`.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a> {
    /// What the instruction takes it for.
    pub role: Role,
    /// What it does there.
    pub direction: Direction,
    /// The state space that the instruction goes to; `None` for generic addresses.
    pub space: Option<Space>,
    /// Whether that is said, or a generic address into it does too; of none, whether the address is
    /// taken in whichever space the storage is in.
    pub is_said: bool,
    /// How many bytes it goes to; `None` where that is unknown.
    pub bytes: Option<usize>,
    /// The alignment in bytes that it needs; `None` where that is unknown.
    pub align: Option<usize>,
    /// The type that it takes each element for; `None` where it has none.
    pub ty: Option<ScalarType>,
    /// What the instruction says of the tensor, if it takes a map.
    pub tensor: Option<TensorAccess>,
    /// How it names the storage.
    pub via: Via<'a>,
    /// Where it starts.
    pub offset: Offset,
}

/// How an operand names storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Via<'a> {
    /// By its name.
    Name,
    /// By a register with this name, which holds an address of this kind.
    Register(&'a str, Held),
}

/// What kind of address a register holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Held {
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

    /// The variant's own name.
    pub const fn variant(self) -> &'static str {
        match self {
            Self::Tile => "Tile",
            Self::Gather4 => "Gather4",
            Self::Scatter4 => "Scatter4",
            Self::Im2col => "Im2col",
            Self::Im2colW => "Im2colW",
            Self::Im2colW128 => "Im2colW128",
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

/// What kind of address an operand is.
enum Where {
    In(Space),
    /// A generic one, of storage in this space if that is known.
    Generic(Option<Space>),
    Unknown,
}

const fn address(operand: Operand<'_>, object: Object<'_>) -> Where {
    if let Object::Pointee(Param { pointer: None, .. }) = object {
        return Where::Unknown; // no pointer after all
    }
    match (operand.via, object.space()) {
        (Via::Name | Via::Register(_, Held::Own), Some(space))
        | (Via::Register(_, Held::In(space)), _) => Where::In(space),
        (Via::Register(_, Held::Own), None) => Where::Generic(None),
        (Via::Register(_, Held::Generic), space) => Where::Generic(space),
        (Via::Name, None) | (Via::Register(_, Held::Unsure), _) => Where::Unknown,
    }
}

pub(super) const fn wrong_space<'a>(operand: Operand<'a>, object: Object<'a>) -> Option<Args<'a>> {
    match (operand.via, operand.space, object.space()) {
        (Via::Name, Some(wanted), Some(is)) if wanted as u8 != is as u8 && !is_opaque(object) => {
            Some([
                object.arg(),
                Arg::Str(is.directive()),
                Arg::Str(wanted.directive()),
                Arg::Str(if operand.is_said {
                    "name the space that it is in"
                } else if matches!(is, Space::Param) {
                    "take its address with `mov` and `cvta.param`"
                } else {
                    "name something in that space"
                }),
            ])
        }
        (_, _, _) => None,
    }
}

pub(super) const fn space_not_said<'a>(
    operand: Operand<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match (operand.via, operand.space, object.space()) {
        (Via::Name, None, Some(is @ (Space::Const | Space::Param)))
            if !is_opaque(object) && !matches!(operand.direction, Direction::Taken) =>
        {
            Some([object.arg(), Arg::Str(is.directive()), NONE, NONE])
        }
        (_, _, _) => None,
    }
}

pub(super) const fn address_in_32_bits<'a>(
    operand: Operand<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    // In which space `mov` takes an address, it does not say.
    let is_moved = matches!(operand.direction, Direction::Taken) && operand.space.is_none();
    match (operand.via, operand.ty, object.space()) {
        (Via::Name, Some(ty), Some(Space::Global)) if is_moved && ty.bytes() == 4 => {
            Some([object.arg(), Arg::Str(ty.name()), NONE, NONE])
        }
        (_, _, _) => None,
    }
}

pub(super) const fn other_space<'a>(operand: Operand<'a>, object: Object<'a>) -> Option<Args<'a>> {
    let (Via::Register(register, _), Some(wanted)) = (operand.via, operand.space) else {
        return None;
    };
    let is = match address(operand, object) {
        // Another rule says so.
        Where::In(Space::Param) if matches!(operand.role, Role::Map) => return None,
        Where::In(is) => is,
        // Maps may lie wherever kernels only read.
        Where::Generic(Some(Space::Param | Space::Const)) if matches!(operand.role, Role::Map) => {
            return None;
        }
        Where::Generic(Some(is)) if !operand.is_said => is,
        Where::Generic(_) | Where::Unknown => return None,
    };
    if wanted as u8 == is as u8 {
        return None;
    }
    Some([Arg::Str(register), object.arg(), Arg::Str(is.directive()), Arg::Str(wanted.directive())])
}

pub(super) const fn not_generic<'a>(operand: Operand<'a>, object: Object<'a>) -> Option<Args<'a>> {
    match (operand.via, operand.space, address(operand, object)) {
        // A global address is a generic one.
        (_, None, Where::In(Space::Global)) => None,
        (_, None, _) if operand.is_said => None,
        (Via::Register(register, _), None, Where::In(is)) => {
            Some([Arg::Str(register), object.arg(), Arg::Str(is.directive()), NONE])
        }
        (_, _, _) => None,
    }
}

pub(super) const fn map_not_generic<'a>(
    operand: Operand<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match (operand.role, operand.via, address(operand, object)) {
        (Role::Map, Via::Register(register, _), Where::In(Space::Param)) => {
            Some([Arg::Str(register), object.arg(), NONE, NONE])
        }
        (_, _, _) => None,
    }
}

pub(super) const fn generic_taken<'a>(
    operand: Operand<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let (Via::Register(register, _), Some(wanted)) = (operand.via, operand.space) else {
        return None;
    };
    let is = match address(operand, object) {
        Where::Generic(is) if operand.is_said => is,
        Where::Generic(_) | Where::In(_) | Where::Unknown => return None,
    };
    match (is, wanted) {
        (Some(Space::Global) | None, Space::Global) => None,
        (_, _) => Some([Arg::Str(register), object.arg(), Arg::Str(wanted.directive()), NONE]),
    }
}

pub(super) const fn read_only_written<'a>(
    operand: Operand<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let Via::Register(register, _) = operand.via else { return None };
    if !matches!(operand.direction, Direction::Write | Direction::ReadWrite) {
        return None;
    }
    let why = match object {
        Object::EntryParam(_) => "a kernel's parameters are read-only",
        Object::Variable(_)
        | Object::Input(_)
        | Object::Return(_)
        | Object::LocalParam(_)
        | Object::Pointee(_) => match object.space() {
            Some(Space::Const) => "constant memory is read-only",
            Some(_) | None => return None,
        },
    };
    Some([Arg::Str(register), object.arg(), Arg::Str(why), NONE])
}

pub(super) const fn opaque_reached<'a>(
    operand: Operand<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match (operand.role, operand.via, object.ty().opaque()) {
        (Role::Data | Role::Barrier | Role::Map, Via::Register(register, _), Some(opaque))
            if !matches!(operand.direction, Direction::Taken) =>
        {
            Some([Arg::Str(register), object.arg(), Arg::Str(opaque.declared()), NONE])
        }
        (_, _, _) => None,
    }
}

pub(super) const fn out_of_bounds<'a>(
    operand: Operand<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let offset = operand.offset.first();
    let ends_at = match object.bytes() {
        Some(bytes) => Arg::Bytes(bytes),
        None => Arg::Str("what the launch says"),
    };
    // How many there are behind a pointer nobody knows, nor what is before it.
    let is_taken = matches!(operand.direction, Direction::Taken);
    if is_taken || is_opaque(object) || matches!(object, Object::Pointee(_)) {
        return None;
    }
    if offset < 0 {
        return Some([object.arg(), Arg::Str("starts"), Arg::Int(offset), ends_at]);
    }
    let least = match operand.bytes {
        Some(bytes) => bytes as i128,
        None => 1,
    };
    let end = offset.saturating_add(least);
    match object.bytes() {
        // Nothing is known of what has no bytes: an array without a length, in other words.
        Some(bytes) if bytes > 0 && end > bytes as i128 => {
            Some([object.arg(), Arg::Str("ends"), Arg::Int(end), ends_at])
        }
        Some(_) | None => None,
    }
}

/// The alignment that all possible offsets have to agree with.
const fn needed(operand: Operand<'_>) -> Option<usize> {
    match operand.align {
        Some(align) if operand.offset.settles(align) => Some(align),
        #[allow(clippy::cast_possible_truncation)] // no more than the alignment
        Some(align) => Some(gcd(align as u64, operand.offset.step) as usize),
        None => None,
    }
}

pub(super) const fn offset_misaligned<'a>(
    operand: Operand<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let offset = operand.offset.base;
    match (needed(operand), operand.align) {
        (Some(needed), Some(align))
            if needed > 0 && offset % needed as i128 != 0 && !is_opaque(object) =>
        {
            let offset = operand.offset.first();
            Some([object.arg(), Arg::Int(offset), Arg::Int(align as i128), NONE])
        }
        (_, _) => None,
    }
}

pub(super) const fn base_misaligned<'a>(
    operand: Operand<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match object {
        Object::Pointee(_) => None,
        Object::Variable(_)
        | Object::EntryParam(_)
        | Object::Input(_)
        | Object::Return(_)
        | Object::LocalParam(_) => aligned_below(operand, object),
    }
}

pub(super) const fn promise_too_low<'a>(
    operand: Operand<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match object {
        Object::Pointee(param) => match aligned_below(operand, object) {
            Some([_, is, needed, _]) => Some([Arg::Str(param.variable.name), is, needed, NONE]),
            None => None,
        },
        Object::Variable(_)
        | Object::EntryParam(_)
        | Object::Input(_)
        | Object::Return(_)
        | Object::LocalParam(_) => None,
    }
}

/// Where the alignment of storage is below that of an access whose offset is right.
const fn aligned_below<'a>(operand: Operand<'a>, object: Object<'a>) -> Option<Args<'a>> {
    match (object.alignment(), operand.align) {
        (Some(is), Some(align))
            if is < align
                && operand.offset.settles(align)
                && !is_opaque(object)
                && offset_misaligned(operand, object).is_none() =>
        {
            Some([object.arg(), Arg::Int(is as i128), Arg::Int(align as i128), NONE])
        }
        (_, _) => None,
    }
}

/// Whether bytes `from` up to `to` of a type have a byte of a barrier among them.
const fn has_barrier(ty: &Type<'_>, from: usize, to: usize) -> bool {
    if from >= to {
        return false;
    }
    match ty {
        Type::Array(_, inner) | Type::Family(_, inner) => match inner.size() {
            Some(0) | None => false,
            Some(size) => {
                let (at, length) = (from % size, to - from);
                if at + length <= size {
                    has_barrier(inner, at, at + length)
                } else {
                    // The end of one, the start of the next, and perhaps a whole one.
                    has_barrier(inner, at, size)
                        || has_barrier(
                            inner,
                            0,
                            if at + length >= 2 * size { size } else { at + length - size },
                        )
                }
            }
        },
        Type::Aligned(_, inner) => has_barrier(inner, from, to),
        Type::Struct(layout) => match layout.kind {
            StructKind::Mbarrier => from < layout.size,
            StructKind::TensorMap(_) | StructKind::Tile(_) => false,
            StructKind::Fields => {
                let mut i = 0;
                while i < layout.fields.len() {
                    let field = &layout.fields[i];
                    if let Some(size) = field.ty.size() {
                        let start = from.saturating_sub(field.offset);
                        let end = to.saturating_sub(field.offset);
                        if has_barrier(field.ty, start, if end < size { end } else { size }) {
                            return true;
                        }
                    }
                    i += 1;
                }
                false
            }
        },
        Type::Scalar(_) | Type::Vector(..) | Type::Opaque(_) | Type::Unknown => false,
    }
}

/// The places at which an operand can start: position `n` of them, from 0, while there is one.
pub(super) struct Places {
    first: i128,
    step: i128,
    /// Where they come back to the start: behind a pointer there is one pointee after the other.
    round: Option<i128>,
    pub(super) count: i128,
}

impl Places {
    /// All of them, if they are few enough to look at.
    pub(super) const fn of(offset: Offset, object: Object<'_>) -> Option<Self> {
        let (first, step) = (offset.first(), offset.step as i128);
        let size = match object.ty().size() {
            Some(size) if size > 0 => Some(size as i128),
            Some(_) | None => None,
        };
        let round = if matches!(object, Object::Pointee(_)) { size } else { None };
        let count = match (step, round, size) {
            (0, None, _) if first < 0 => 0,
            (0, _, _) => 1,
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a size
            (_, Some(round), _) => round / gcd(round as u64, offset.step) as i128,
            (_, None, Some(size)) => (size - first + step - 1) / step,
            (_, None, None) => return None,
        };
        if count > Offset::MOST { None } else { Some(Self { first, step, round, count }) }
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // inside the object
    pub(super) const fn at(&self, n: i128) -> usize {
        let at = self.first + n * self.step;
        match self.round {
            Some(round) => at.rem_euclid(round) as usize,
            None => at as usize,
        }
    }
}

/// What lies where an operand can start: the first that `fits`, else the first.
enum Found<'a> {
    /// One fits, or nobody knows.
    Fits,
    /// None does; this is one of them, at this byte.
    Misfit(&'a Type<'a>, usize),
}

macro_rules! find {
    ($operand:expr, $object:expr, |$ty:ident, $within:ident| $fits:expr) => {{
        let mut found = Found::Fits;
        if let Some(places) = Places::of($operand.offset, $object) {
            let mut n = 0;
            while n < places.count {
                let at = places.at(n);
                let Some(($ty, $within)) = $object.ty().at(at) else {
                    found = Found::Fits;
                    break;
                };
                if $fits {
                    found = Found::Fits;
                    break;
                }
                if n == 0 {
                    found = Found::Misfit($ty, at);
                }
                n += 1;
            }
        }
        found
    }};
}

pub(super) const fn barrier_touched<'a>(
    operand: Operand<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let is_exact = operand.offset.step == 0 && operand.offset.base >= 0;
    let is_data = matches!(operand.role, Role::Data | Role::Map);
    if !is_exact || !is_data || matches!(operand.direction, Direction::Taken) {
        return None;
    }
    let Some(places) = Places::of(operand.offset, object) else { return None };
    let at = places.at(0);
    let bytes = match operand.bytes {
        Some(bytes) => bytes,
        None => 1,
    };
    if has_barrier(object.ty(), at, at.saturating_add(bytes)) {
        Some([object.arg(), NONE, NONE, NONE])
    } else {
        None
    }
}

/// Whether a type can be taken for a barrier.
const fn is_barrier(ty: &Type<'_>) -> bool {
    match ty {
        Type::Struct(layout) => matches!(layout.kind, StructKind::Mbarrier),
        Type::Scalar(scalar) => {
            matches!(scalar.class(), Class::Bits)
                || matches!(scalar.bytes(), 1 | 8) && !matches!(scalar.class(), Class::Float)
        }
        Type::Vector(..)
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Opaque(_)
        | Type::Family(..)
        | Type::Unknown => false,
    }
}

pub(super) const fn not_a_barrier<'a>(
    operand: Operand<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    if !matches!(operand.role, Role::Barrier) {
        return None;
    }
    match find!(operand, object, |ty, _within| is_barrier(ty)) {
        Found::Misfit(found, _) => Some([object.arg(), Arg::Type(found), NONE, NONE]),
        Found::Fits => None,
    }
}

/// Whether a type can be taken for a tensor map.
const fn is_map(ty: &Type<'_>) -> bool {
    match ty {
        Type::Struct(layout) => matches!(layout.kind, StructKind::TensorMap(_)),
        Type::Scalar(scalar) => !matches!(scalar.class(), Class::Float),
        Type::Vector(..)
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Opaque(_)
        | Type::Family(..)
        | Type::Unknown => false,
    }
}

pub(super) const fn not_a_map<'a>(operand: Operand<'a>, object: Object<'a>) -> Option<Args<'a>> {
    if !matches!(operand.role, Role::Map) {
        return None;
    }
    match find!(operand, object, |ty, _within| is_map(ty)) {
        Found::Misfit(found, _) => Some([object.arg(), Arg::Type(found), NONE, NONE]),
        Found::Fits => None,
    }
}

/// The map that an operand names.
pub(super) const fn map_of(offset: Offset, object: Object<'_>) -> Option<&Spec> {
    let Some(places) = Places::of(offset, object) else { return None };
    if offset.step != 0 || places.count == 0 {
        return None;
    }
    match object.ty().at(places.at(0)) {
        Some((Type::Struct(layout), _)) => match layout.kind {
            StructKind::TensorMap(spec) => Some(spec),
            StructKind::Fields | StructKind::Tile(_) | StructKind::Mbarrier => None,
        },
        Some(_) | None => None,
    }
}

pub(super) const fn wrong_rank<'a>(operand: Operand<'a>, object: Object<'a>) -> Option<Args<'a>> {
    match (map_of(operand.offset, object), operand.tensor) {
        (Some(spec), Some(tensor)) if spec.rank != tensor.rank => {
            Some([object.arg(), Arg::Int(spec.rank as i128), Arg::Int(tensor.rank as i128), NONE])
        }
        (_, _) => None,
    }
}

pub(super) const fn wrong_mode<'a>(operand: Operand<'a>, object: Object<'a>) -> Option<Args<'a>> {
    match (map_of(operand.offset, object), operand.tensor) {
        (Some(spec), Some(tensor)) if !tensor.mode.is_of(&spec.mode) => {
            Some([object.arg(), Arg::Name(spec.mode.name()), Arg::Name(tensor.mode.name()), NONE])
        }
        (_, _) => None,
    }
}

/// Whether an instruction may take an element for this type: of the same size and a compatible
/// class (PTX ISA 5.2.1). Bits take anything, and bytes are taken for anything.
const fn is_compatible(ty: &Type<'_>, within: usize, taken: ScalarType) -> bool {
    let is = match ty {
        Type::Scalar(scalar) | Type::Vector(_, scalar) => *scalar,
        // Bytes that other rules are about.
        Type::Struct(_)
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Opaque(_)
        | Type::Family(..)
        | Type::Unknown => return true,
    };
    if matches!(taken.class(), Class::Bits) && taken.is_fundamental()
        || matches!(is, ScalarType::U8 | ScalarType::B8)
        || is.bytes() == 0
        // A rule of alignment is about that.
        || !within.is_multiple_of(is.bytes())
        || is_packed_of(taken, is)
        || is_packed_of(is, taken)
    {
        return true;
    }
    is.bytes() == taken.bytes()
        && match (is.class(), taken.class()) {
            (Class::Bits, _)
            | (_, Class::Bits)
            | (Class::Signed | Class::Unsigned, Class::Signed | Class::Unsigned) => true,
            (Class::Float, Class::Float) => is as u8 == taken as u8,
            (Class::Float | Class::Signed | Class::Unsigned | Class::Predicate, _) => false,
        }
}

/// Whether `packed` is several of `one`: `f16x2` of `f16`.
const fn is_packed_of(packed: ScalarType, one: ScalarType) -> bool {
    let (packed, one) = (packed.name().as_bytes(), one.name().as_bytes());
    if packed.len() != one.len() + 2 || packed[one.len()] != b'x' {
        return false;
    }
    let mut i = 0;
    while i < one.len() {
        if packed[i] != one[i] {
            return false;
        }
        i += 1;
    }
    true
}

pub(super) const fn wrong_type<'a>(operand: Operand<'a>, object: Object<'a>) -> Option<Args<'a>> {
    let Some(taken) = operand.ty else { return None };
    let is_taken = matches!(operand.direction, Direction::Taken);
    if is_taken || out_of_bounds(operand, object).is_some() {
        return None; // another rule says so
    }
    match find!(operand, object, |ty, within| is_compatible(ty, within, taken)) {
        Found::Misfit(found, at) => {
            Some([object.arg(), Arg::Type(found), Arg::Int(at as i128), Arg::Str(taken.name())])
        }
        Found::Fits => None,
    }
}
