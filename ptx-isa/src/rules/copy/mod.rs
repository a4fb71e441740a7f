//! Tests of combinations in copies: a tile and its map, a barrier and the bytes that complete on it, a matrix
//! descriptor and its tile.

mod barrier;
mod matrix;

use super::access::Object;
use super::operand::{Offset, Starts, map_of};
use super::{Arg, Args, NONE};
use crate::ir::{Struct, StructKind, Type};
use crate::reached::Reached;
use crate::rule::Demand;
use crate::tensor::Spec;

pub use barrier::{BarrierCount, Copied, Counted, Transactions, transaction_bytes};
pub(super) use barrier::{
    count_not_whole, count_out_of_range, transactions_differ, transactions_not_expected,
};
pub use matrix::TileDescriptor;
pub(super) use matrix::{descriptor_differs, matrix_of_other_elements, matrix_too_small};

/// A tensor copy to or from shared memory (PTX ISA 9.7.9.27, `cp.async.bulk.tensor`).
#[derive(Clone, Copy, Debug)]
pub struct TensorCopy<'a> {
    /// The location of the tile.
    pub tile: (Offset, Object<'a>),
    /// The location of the map.
    pub map: (Offset, Object<'a>),
    /// The halo in pixels, if the mode has one and it is known.
    pub halo: u32,
    /// The coordinate along the innermost dimension, in elements, if known.
    pub first: Option<i128>,
    /// Single executions that differ from others: the offset in bytes of each one's tile from the start of its
    /// storage.
    pub executions: &'a [(i128, Reached<'a>)],
}

/// The bytes from `at` to the end of the outermost array or field without structs with fields, and of the tiles that
/// directly follow it.
const fn room(ty: &Type<'_>, at: usize) -> Option<usize> {
    match ty {
        Type::Aligned(_, inner) => room(inner, at),
        Type::Array(_, inner) | Type::Family(_, inner)
            if inner.is_fields() && matches!(inner.size(), Some(1..)) =>
        {
            match inner.size() {
                Some(size) => room(inner, at % size),
                None => None,
            }
        }
        Type::Struct(layout) if ty.is_fields() => {
            let mut i = 0;
            while i < layout.fields.len() {
                let field = &layout.fields[i];
                if let Some(size) = field.ty.size()
                    && at >= field.offset
                    && at < field.offset.saturating_add(size)
                {
                    return match room(field.ty, at - field.offset) {
                        Some(room) => Some(room.saturating_add(tiles_after(layout, i))),
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

/// The total size of the tiles that follow field `n`, itself a tile, without gaps.
const fn tiles_after(layout: &Struct<'_>, n: usize) -> usize {
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

const fn map(copy: TensorCopy<'_>) -> Option<&Spec> {
    map_of(copy.map.0, copy.map.1)
}

const fn map_name(copy: TensorCopy<'_>) -> Arg<'_> {
    copy.map.1.arg()
}

pub(super) const fn tile_too_small(copy: TensorCopy<'_>) -> Option<Args<'_>> {
    let (offset, object) = copy.tile;
    let (Some(spec), Some(places)) = (map(copy), Starts::of(offset, object)) else {
        return None;
    };
    let needed = match spec.tile_bytes_with_halo(copy.halo) {
        Some(bytes) => bytes,
        None => spec.tile_bytes(),
    };
    let (mut widest, mut n) = (None, 0);
    while n < places.count {
        let at = places.at(n);
        match (room(object.ty(), at), widest) {
            (Some(room), Some((most, _))) if room <= most => {}
            (Some(room), _) if room < needed => widest = Some((room, at)),
            (_, _) => return None,
        }
        n += 1;
    }
    match widest {
        Some((room, at)) if !object.is_pointee() => {
            Some([map_name(copy), Arg::bytes(needed), object.arg(), Arg::Room(room, at)])
        }
        Some(_) | None => None,
    }
}

pub(super) const fn tile_across_tiles(copy: TensorCopy<'_>) -> Option<Args<'_>> {
    let (offset, object) = copy.tile;
    let (Some(spec), Some(places)) = (map(copy), Starts::of(offset, object)) else {
        return None;
    };
    let needed = match spec.tile_bytes_with_halo(copy.halo) {
        Some(bytes) => bytes,
        None => spec.tile_bytes(),
    };
    let (mut first, mut n) = (None, 0);
    while n < places.count {
        match object.ty().at(places.at(n)) {
            // A copy of part of a tile may start anywhere in it, and a copy of several tiles at the start of one.
            Some((Type::Struct(layout), within))
                if matches!(layout.kind, StructKind::Tile(_))
                    && within > 0
                    && within.saturating_add(needed) > layout.size =>
            {
                if first.is_none() {
                    first = Some((within, layout.name));
                }
            }
            Some(_) | None => return None,
        }
        n += 1;
    }
    match first {
        Some((within, name)) => {
            Some([map_name(copy), Arg::bytes(within), object.arg(), Arg::Str(name)])
        }
        None => None,
    }
}

pub(super) const fn tile_misaligned(copy: TensorCopy<'_>) -> Option<Args<'_>> {
    match swizzle_alignment(copy) {
        // Below that, the rule about the alignment of the copy covers the swizzle as well.
        Some((needed, base)) if base >= Demand::TILE => Some([
            map_name(copy),
            Arg::Int(needed as i128),
            copy.tile.1.arg(),
            Arg::Int(base as i128),
        ]),
        Some(_) | None => None,
    }
}

/// The alignment in bytes that the swizzle of a tile needs of its storage, and the smaller one that the storage has.
pub(super) const fn swizzle_alignment(copy: TensorCopy<'_>) -> Option<(usize, usize)> {
    let (offset, object) = copy.tile;
    let (Some(spec), Some(base)) = (map(copy), object.alignment()) else { return None };
    let needed = spec.tile_alignment();
    // Swizzles act on absolute addresses: a copy of part of a tile may start anywhere in it. An address that an
    // instruction aligned has no better known alignment.
    let is_sufficient = base >= needed || needed <= Demand::TILE;
    if is_sufficient || !offset.settles(Demand::TILE) || may_be_tile(offset, object) {
        return None;
    }
    Some((needed, base))
}

/// Whether an operand may start at a tile whose type is aligned for its swizzle.
const fn may_be_tile(offset: Offset, object: Object<'_>) -> bool {
    match object.ty().element() {
        Type::Scalar(_) | Type::Vector(..) => return false,
        Type::Struct(_)
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Opaque(_)
        | Type::Family(..)
        | Type::Unknown => {}
    }
    let Some(places) = Starts::of(offset, object) else { return true };
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
    let (Some(spec), Some(places)) = (map(copy), Starts::of(offset, object)) else {
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
    // With an interleave, dimension 0 counts slices.
    if spec.slice_bytes().is_some() {
        return None;
    }
    let bits = spec.element.bits() as i128;
    if first.saturating_mul(bits) % 128 == 0 {
        return None;
    }
    Some([Arg::Int(first), map_name(copy), Arg::Int(16 * 8 / bits), NONE])
}
