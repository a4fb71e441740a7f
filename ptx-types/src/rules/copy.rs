//! Tests of what a copy takes together: a tile and its map, a barrier and the bytes that complete on
//! it, a matrix descriptor and its tile.

use super::access::Object;
use super::operand::{Offset, Places, map_of};
use super::{Arg, Args, NONE};
use crate::ir::{Struct, StructKind, Type, contains, same};
use crate::tensor::{Major, Spec, Swizzle};

/// A tensor copy to or from shared memory (PTX ISA 9.7.9.27, `cp.async.bulk.tensor`).
#[derive(Clone, Copy, Debug)]
pub struct TensorCopy<'a> {
    /// Where the tile is.
    pub tile: (Offset, Object<'a>),
    /// Where the map is.
    pub map: (Offset, Object<'a>),
    /// The halo in pixels, where the mode has one and it is known.
    pub halo: u32,
    /// The coordinate along the innermost dimension, in elements, where it is known.
    pub first: Option<i128>,
}

/// The bytes that a barrier is told to expect, and those of the copies that complete on it.
#[derive(Clone, Copy, Debug)]
pub struct Transactions<'a> {
    /// The count of `expect_tx`, in bytes.
    pub expected: i128,
    /// What the copies add.
    pub copied: &'a [Copied<'a>],
}

/// A number that a barrier is told to count to (PTX ISA 9.7.13.15, `mbarrier`).
#[derive(Clone, Copy, Debug)]
pub struct BarrierCount {
    /// What it counts.
    pub of: Counted,
    /// The number.
    pub value: i128,
}

/// What a barrier counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counted {
    /// The arrivals of a phase: `mbarrier.init`.
    Arrivals,
    /// The bytes of its transactions: `expect_tx`.
    Bytes,
}

impl Counted {
    /// The variant's own name.
    pub const fn variant(self) -> &'static str {
        match self {
            Self::Arrivals => "Arrivals",
            Self::Bytes => "Bytes",
        }
    }
}

/// What a copy adds to the transaction of its barrier.
#[derive(Clone, Copy, Debug)]
pub enum Copied<'a> {
    /// This many bytes.
    Bytes(i128),
    /// A tile of the map there, with so many pixels of halo.
    Tile((Offset, Object<'a>), u32),
}

/// A matrix descriptor that is made from the address of a tile (PTX ISA 9.7.15, `wgmma`).
#[derive(Clone, Copy, Debug)]
pub struct TileDescriptor<'a> {
    /// Where the tile is.
    pub tile: (Offset, Object<'a>),
    /// The bits, but for the address.
    pub bits: u64,
    /// Which dimension of the matrix lies along rows.
    pub major: Major,
    /// The type that the instruction takes its elements for; none if nobody knows.
    pub element: &'a str,
    /// The rows that it reads, or 0.
    pub rows: usize,
}

/// The bytes from `at` to the end of the outermost array or field that has nothing but its like.
const fn room(ty: &Type<'_>, at: usize) -> Option<usize> {
    match ty {
        Type::Aligned(_, inner) => room(inner, at),
        Type::Array(_, inner) | Type::Family(_, inner)
            if is_fields(inner) && matches!(inner.size(), Some(1..)) =>
        {
            match inner.size() {
                Some(size) => room(inner, at % size),
                None => None,
            }
        }
        Type::Struct(layout) if is_fields(ty) => {
            let mut i = 0;
            while i < layout.fields.len() {
                let field = &layout.fields[i];
                if let Some(size) = field.ty.size()
                    && at >= field.offset
                    && at < field.offset.saturating_add(size)
                {
                    return match room(field.ty, at - field.offset) {
                        Some(room) => Some(room.saturating_add(tiles_behind(layout, i))),
                        None => None,
                    };
                }
                i += 1;
            }
            None
        }
        Type::Scalar(_)
        | Type::Vector(..)
        | Type::Struct(_)
        | Type::Array(..)
        | Type::Family(..)
        | Type::Opaque(_)
        | Type::Unknown => match ty.size() {
            Some(size) => Some(size.saturating_sub(at)),
            None => None,
        },
    }
}

/// The bytes of the tiles that follow field `n`, a tile itself, without a gap.
const fn tiles_behind(layout: &Struct<'_>, n: usize) -> usize {
    let (mut bytes, mut i) = (0_usize, n);
    while i + 1 < layout.fields.len() && is_tiles(layout.fields[i].ty) {
        let (field, next) = (&layout.fields[i], &layout.fields[i + 1]);
        match (field.ty.size(), next.ty.size()) {
            (Some(size), Some(more))
                if is_tiles(next.ty) && next.offset == field.offset.saturating_add(size) =>
            {
                bytes = bytes.saturating_add(more);
            }
            (_, _) => return bytes,
        }
        i += 1;
    }
    bytes
}

/// Whether a type is a tile, or an array of tiles.
const fn is_tiles(ty: &Type<'_>) -> bool {
    match ty.element() {
        Type::Struct(layout) => matches!(layout.kind, StructKind::Tile(_)),
        Type::Scalar(_)
        | Type::Vector(..)
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Opaque(_)
        | Type::Family(..)
        | Type::Unknown => false,
    }
}

/// Whether a type is a struct that a user declared, aligned or not.
pub(super) const fn is_fields(ty: &Type<'_>) -> bool {
    match ty {
        Type::Aligned(_, inner) => is_fields(inner),
        Type::Struct(layout) => matches!(layout.kind, StructKind::Fields),
        Type::Scalar(_)
        | Type::Vector(..)
        | Type::Array(..)
        | Type::Family(..)
        | Type::Opaque(_)
        | Type::Unknown => false,
    }
}

const fn map(copy: TensorCopy<'_>) -> Option<&Spec> {
    map_of(copy.map.0, copy.map.1)
}

const fn map_name(copy: TensorCopy<'_>) -> Arg<'_> {
    copy.map.1.arg()
}

pub(super) const fn tile_too_small(copy: TensorCopy<'_>) -> Option<Args<'_>> {
    let (offset, object) = copy.tile;
    let (Some(spec), Some(places)) = (map(copy), Places::of(offset, object)) else {
        return None;
    };
    let needed = match spec.tile_bytes_with_halo(copy.halo) {
        Some(bytes) => bytes,
        None => spec.tile_bytes(),
    };
    let (mut most, mut n) = (0, 0);
    while n < places.count {
        match room(object.ty(), places.at(n)) {
            Some(room) if room < needed => most = if room > most { room } else { most },
            Some(_) | None => return None,
        }
        n += 1;
    }
    if n == 0 || matches!(object, Object::Pointee(_)) {
        return None;
    }
    Some([map_name(copy), Arg::Bytes(needed), object.arg(), Arg::Bytes(most)])
}

pub(super) const fn tile_misaligned(copy: TensorCopy<'_>) -> Option<Args<'_>> {
    let (offset, object) = copy.tile;
    let (Some(spec), Some(base)) = (map(copy), object.alignment()) else { return None };
    let needed = spec.tile_alignment();
    // Another rule asks for 128, and an address that an instruction aligned is known no better.
    if base >= needed || needed <= 128 || !offset.settles(128) || is_perhaps_tile(offset, object) {
        return None;
    }
    // A swizzle is one of absolute addresses: a piece of a tile may start anywhere in it.
    Some([map_name(copy), Arg::Int(needed as i128), object.arg(), Arg::Int(base as i128)])
}

/// Whether there may be a tile where an operand can start, whose type is aligned for its swizzle.
const fn is_perhaps_tile(offset: Offset, object: Object<'_>) -> bool {
    match object.ty().element() {
        Type::Scalar(_) | Type::Vector(..) => return false,
        Type::Struct(_)
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Opaque(_)
        | Type::Family(..)
        | Type::Unknown => {}
    }
    let Some(places) = Places::of(offset, object) else { return true };
    let mut n = 0;
    while n < places.count {
        match object.ty().at(places.at(n)) {
            Some((ty, _)) if !is_tiles(ty) => {}
            Some(_) | None => return true,
        }
        n += 1;
    }
    places.count == 0
}

pub(super) const fn tile_of_another(copy: TensorCopy<'_>) -> Option<Args<'_>> {
    let (offset, object) = copy.tile;
    let (Some(spec), Some(places)) = (map(copy), Places::of(offset, object)) else {
        return None;
    };
    let (mut other, mut n) = (None, 0);
    while n < places.count {
        match object.ty().at(places.at(n)) {
            Some((Type::Struct(layout), _)) => match layout.kind {
                StructKind::Tile(of)
                    if of.swizzle as u8 == spec.swizzle as u8
                        && of.element as u8 == spec.element as u8
                        && of.interleave as u8 == spec.interleave as u8 =>
                {
                    return None;
                }
                StructKind::Tile(_) if other.is_none() => other = Some(layout.name),
                StructKind::Tile(_) | StructKind::Mbarrier | StructKind::TensorMap(_) => {}
                StructKind::Fields => return None,
            },
            Some(_) | None => return None,
        }
        n += 1;
    }
    match other {
        Some(other) => Some([map_name(copy), object.arg(), Arg::Str(other), NONE]),
        None => None,
    }
}

pub(super) const fn coordinate_misaligned(copy: TensorCopy<'_>) -> Option<Args<'_>> {
    let (Some(spec), Some(first)) = (map(copy), copy.first) else { return None };
    // With an interleave dimension 0 counts slices.
    if spec.slice_bytes().is_some() {
        return None;
    }
    let bits = spec.element.bits() as i128;
    if first.saturating_mul(bits) % 128 == 0 {
        return None;
    }
    Some([Arg::Int(first), map_name(copy), Arg::Int(128 / bits), NONE])
}

pub(super) const fn transactions_differ(transactions: Transactions<'_>) -> Option<Args<'_>> {
    let (mut copied, mut i) = (0_i128, 0);
    while i < transactions.copied.len() {
        let bytes = match transactions.copied[i] {
            Copied::Bytes(bytes) => bytes,
            Copied::Tile((offset, object), halo) => match map_of(offset, object) {
                Some(spec) => match spec.transaction_bytes_with_halo(halo) {
                    Some(bytes) => bytes as i128,
                    None => spec.transaction_bytes() as i128,
                },
                None => return None,
            },
        };
        copied = copied.saturating_add(bytes);
        i += 1;
    }
    if copied == transactions.expected {
        return None;
    }
    let what = if copied < transactions.expected {
        "waits for ever"
    } else {
        "completes too early, or never"
    };
    Some([Arg::Int(transactions.expected), Arg::Int(copied), Arg::Str(what), NONE])
}

pub(super) const fn transactions_not_expected(
    barrier: &str,
    is_expected: bool,
) -> Option<Args<'_>> {
    if is_expected { None } else { Some([Arg::Str(barrier), NONE, NONE, NONE]) }
}

/// The most that a barrier counts to.
const MOST: i128 = (1 << 20) - 1;

/// The fewest bytes that a copy brings, of which all bring a multiple.
const WORD: i128 = 4;

pub(super) const fn count_out_of_range(count: BarrierCount) -> Option<Args<'static>> {
    let (what, least) = match count.of {
        Counted::Arrivals => ("arrivals", 1),
        Counted::Bytes => ("bytes", 0),
    };
    if least <= count.value && count.value <= MOST {
        return None;
    }
    Some([Arg::Int(count.value), Arg::Str(what), Arg::Int(least), Arg::Int(MOST)])
}

pub(super) const fn count_not_whole(count: BarrierCount) -> Option<Args<'static>> {
    match (count.of, count.value) {
        (Counted::Bytes, 0..=MOST) if count.value % WORD != 0 => {
            Some([Arg::Int(count.value), Arg::Int(WORD), NONE, NONE])
        }
        (Counted::Bytes | Counted::Arrivals, _) => None,
    }
}

/// The values of a message about the first tile that a descriptor can lead to, if none of them `fits`;
/// nothing where something else is, of which nobody knows.
macro_rules! no_tile_fits {
    ($descriptor:expr, |$spec:ident, $at:ident, $name:ident| $misfit:expr) => {{
        let (offset, object) = $descriptor.tile;
        let Some(places) = Places::of(offset, object) else { return None };
        let (mut found, mut n) = (None, 0);
        while n < places.count {
            let $at = places.at(n);
            match object.ty().at($at) {
                Some((Type::Struct(layout), _)) => match layout.kind {
                    StructKind::Tile($spec) => {
                        let $name = layout.name;
                        match $misfit {
                            Some(_) if found.is_some() => {}
                            Some(args) => found = Some(args),
                            None => return None,
                        }
                    }
                    StructKind::Mbarrier | StructKind::TensorMap(_) => {}
                    StructKind::Fields => return None,
                },
                Some(_) | None => return None,
            }
            n += 1;
        }
        found
    }};
}

pub(super) const fn descriptor_differs(descriptor: TileDescriptor<'_>) -> Option<Args<'_>> {
    no_tile_fits!(descriptor, |spec, _at, name| {
        match difference(descriptor, spec) {
            Some((what, is, right)) => Some([
                Arg::Str(what),
                Arg::Int(is as i128),
                Arg::Str(name),
                Arg::Int(right as i128),
            ]),
            None => None,
        }
    })
}

pub(super) const fn matrix_of_other_elements(descriptor: TileDescriptor<'_>) -> Option<Args<'_>> {
    const KNOWN: &[&str] = &["f16", "bf16", "tf32", "f32"];
    no_tile_fits!(descriptor, |spec, _at, name| {
        let (is, taken) = (spec.element.name(), descriptor.element);
        let fits = same(is, taken) || same(is, "f32") && same(taken, "tf32");
        if fits || !contains(KNOWN, is) || !contains(KNOWN, taken) {
            None
        } else {
            Some([Arg::Str(taken), Arg::Str(name), Arg::Str(is), NONE])
        }
    })
}

/// The bytes of K that one `wgmma` reads of each row.
const DEPTH: usize = 32;

pub(super) const fn matrix_too_small(descriptor: TileDescriptor<'_>) -> Option<Args<'_>> {
    let object = descriptor.tile.1;
    no_tile_fits!(descriptor, |spec, at, name| {
        let span = spec.swizzle.span() as usize;
        let is_flat = matches!(descriptor.major, Major::K)
            && matches!(spec.swizzle, Swizzle::B32 | Swizzle::B64 | Swizzle::B128);
        match room(object.ty(), at) {
            Some(room)
                if is_flat
                    && descriptor.rows > 0
                    && (descriptor.rows - 1).saturating_mul(span) + DEPTH > room =>
            {
                Some([
                    Arg::Int(descriptor.rows as i128),
                    Arg::Str(name),
                    Arg::Int(room.div_ceil(span) as i128),
                    NONE,
                ])
            }
            Some(_) | None => None,
        }
    })
}

/// The first field in which a descriptor is not that of a tile: what is there, and what should be.
const fn difference(
    descriptor: TileDescriptor<'_>,
    tile: &Spec,
) -> Option<(&'static str, u64, u64)> {
    let TileDescriptor { bits, major, rows, .. } = descriptor;
    let Some(right) = tile.matrix_descriptor(major) else { return None };
    let right = right.bits();
    // The offset along the rows is not read where all of them are in one pattern: 8 rows, or with
    // the transpose a span of the swizzle.
    let span = if tile.swizzle.span() == 0 { 16 } else { tile.swizzle.span() as usize };
    let is_one = rows > 0
        && match major {
            Major::K => rows <= 8,
            Major::Mn => rows.saturating_mul(tile.element.bits() as usize) <= span * 8,
        };
    let is_swizzled = matches!(tile.swizzle, Swizzle::B32 | Swizzle::B64 | Swizzle::B128);
    let (reads_stride, reads_leading) = match (major, is_swizzled) {
        // Within the span of a swizzle the leading offset is not read.
        (Major::K, true) => (!is_one, false),
        (Major::K | Major::Mn, false) => (!is_one, true),
        (Major::Mn, true) => (true, !is_one),
    };
    let leading = match major {
        Major::K => "leading offset in bytes",
        Major::Mn => "leading offset in bytes, with the transpose that the instruction says,",
    };
    if bits >> 62 != right >> 62 {
        Some(("swizzle mode", bits >> 62, right >> 62))
    } else if reads_stride && bits >> 32 & 0x3fff != right >> 32 & 0x3fff {
        Some(("stride offset in bytes", (bits >> 32 & 0x3fff) * 16, (right >> 32 & 0x3fff) * 16))
    } else if reads_leading && bits >> 16 & 0x3fff != right >> 16 & 0x3fff {
        Some((leading, (bits >> 16 & 0x3fff) * 16, (right >> 16 & 0x3fff) * 16))
    } else {
        None
    }
}
