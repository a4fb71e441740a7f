//! Matrix descriptors and their tiles.

use super::{Arg, Args, NONE, Object, Offset, Starts, room};
use crate::const_str::{contains, same};
use crate::ir::{StructKind, Type};
use crate::tensor::{Major, Spec, Swizzle, offset_bytes};

/// A matrix descriptor that is made from the address of a tile (PTX ISA 9.7.15, `wgmma`).
#[derive(Clone, Copy, Debug)]
pub struct TileDescriptor<'a> {
    /// The location of the tile.
    pub tile: (Offset, Object<'a>),
    /// The bits other than the address.
    pub bits: u64,
    /// The dimension of the matrix along rows.
    pub major: Major,
    /// The element type that the instruction reads; empty if it is unknown.
    pub element: &'a str,
    /// The number of rows that it reads, or 0 if it is unknown.
    pub rows: usize,
}

/// The values of a message about the first tile that a descriptor can point to, if none of them `fits`; `None` if
/// it can point to anything of unknown content.
macro_rules! no_tile_fits {
    ($descriptor:expr, |$spec:ident, $at:ident, $name:ident| $misfit:expr) => {{
        let (offset, object) = $descriptor.tile;
        let Some(places) = Starts::of(offset, object) else { return None };
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

pub(in crate::rules) const fn descriptor_differs(
    descriptor: TileDescriptor<'_>,
) -> Option<Args<'_>> {
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

pub(in crate::rules) const fn matrix_of_other_elements(
    descriptor: TileDescriptor<'_>,
) -> Option<Args<'_>> {
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

/// The bytes of K in each row that one `wgmma` reads.
const DEPTH: usize = 32;

pub(in crate::rules) const fn matrix_too_small(descriptor: TileDescriptor<'_>) -> Option<Args<'_>> {
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

/// The first field in which a descriptor differs from its tile's: its name, its value, and the expected value.
const fn difference(
    descriptor: TileDescriptor<'_>,
    tile: &Spec,
) -> Option<(&'static str, u64, u64)> {
    let TileDescriptor { bits, major, rows, .. } = descriptor;
    let Ok(right) = tile.matrix_descriptor(major) else { return None };
    let right = right.bits();
    // The offset between patterns is not read if all rows are in one: 8 rows, or, if transposed, one span of the
    // swizzle.
    let span = tile.matrix_row();
    let is_one = rows > 0
        && match major {
            Major::K => rows <= 8,
            Major::Mn => rows.saturating_mul(tile.element.bits() as usize) <= span * 8,
        };
    let is_swizzled = matches!(tile.swizzle, Swizzle::B32 | Swizzle::B64 | Swizzle::B128);
    let (reads_stride, reads_leading) = match (major, is_swizzled) {
        // Within the span of a swizzle, the leading offset is not read.
        (Major::K, true) => (!is_one, false),
        (Major::K | Major::Mn, false) => (!is_one, true),
        (Major::Mn, true) => (true, !is_one),
    };
    let leading_name = match major {
        Major::K => "leading offset in bytes",
        Major::Mn => "leading offset in bytes, with the transpose of the instruction,",
    };
    let stride = (offset_bytes(bits, 32), offset_bytes(right, 32));
    let leading = (offset_bytes(bits, 16), offset_bytes(right, 16));
    if bits >> 62 != right >> 62 {
        Some(("swizzle mode", bits >> 62, right >> 62))
    } else if reads_stride && stride.0 != stride.1 {
        Some(("stride offset in bytes", stride.0, stride.1))
    } else if reads_leading && leading.0 != leading.1 {
        Some((leading_name, leading.0, leading.1))
    } else {
        None
    }
}
