//! Reductions from shared memory into global memory.

use super::check::{Operands, check_access};
use super::error::{Access, CopyError};
use super::reduction::Reduction;
use super::store::check_tile;
use super::values::runs;
use super::walk::Walk;
use crate::float::{Cvt, Format};
use crate::tensor::ElementType;
use crate::tensor::{Spec, Tensor};

/// Reduces like `cp.reduce.async.bulk.tensor` from shared to global memory.
///
/// Memory is passed as to [`load`](super::load).
///
/// # Errors
/// If the reduction does not exist, or memory is too short; nothing is written then.
pub fn reduce(
    spec: &Spec,
    tensor: &Tensor,
    operands: &Operands<'_>,
    reduction: Reduction,
    global: &mut [u8],
    shared: &[u8],
    shared_address: usize,
) -> Result<(), CopyError> {
    let access = Access::Reduce;
    check_access(spec, access)?;
    if !reduction.takes(spec.element) {
        return Err(CopyError::Reduction { reduction, element: spec.element });
    }
    let (swizzled, shared) =
        check_tile(spec, tensor, operands, access, global.len(), shared, shared_address)?;
    Walk::new(spec, tensor, operands, access).lines(|line| {
        let Some(to) = line.global.map(super::size) else { return Ok(()) };
        // Reduced elements have no padding: a line is one run.
        runs(spec, &line, |run| {
            swizzled.pieces(run.shared, run.bytes, |at, range| {
                let bytes = range.len();
                let to = to + range.start;
                combine(
                    reduction,
                    spec.element,
                    &mut global[to..to + bytes],
                    &shared[at..at + bytes],
                );
            });
        });
        Ok(())
    })
}

/// Combines each old value with the tile's.
fn combine(reduction: Reduction, element: ElementType, old: &mut [u8], tile: &[u8]) {
    match element {
        ElementType::U32 => each(old, tile, |a, b| {
            integer(reduction, u32::from_le_bytes(a), u32::from_le_bytes(b)).to_le_bytes()
        }),
        ElementType::I32 => each(old, tile, |a, b| {
            let (a, b) = (i32::from_le_bytes(a), i32::from_le_bytes(b));
            match reduction {
                Reduction::Min => a.min(b),
                Reduction::Max => a.max(b),
                Reduction::Add
                | Reduction::Inc
                | Reduction::Dec
                | Reduction::And
                | Reduction::Or
                | Reduction::Xor => {
                    integer(reduction, a.cast_unsigned(), b.cast_unsigned()).cast_signed()
                }
            }
            .to_le_bytes()
        }),
        ElementType::U64 => each(old, tile, |a, b| {
            let (a, b) = (u64::from_le_bytes(a), u64::from_le_bytes(b));
            match reduction {
                Reduction::Add => a.wrapping_add(b),
                Reduction::Min => a.min(b),
                Reduction::Max => a.max(b),
                Reduction::And => a & b,
                Reduction::Or => a | b,
                Reduction::Xor => a ^ b,
                // These reductions do not exist.
                Reduction::Inc | Reduction::Dec => a,
            }
            .to_le_bytes()
        }),
        ElementType::I64 => each(old, tile, |a, b| {
            let (a, b) = (i64::from_le_bytes(a), i64::from_le_bytes(b));
            if matches!(reduction, Reduction::Min) { a.min(b) } else { a.max(b) }.to_le_bytes()
        }),
        ElementType::F16 => each(old, tile, |a, b| half(reduction, &Format::F16, a, b)),
        ElementType::Bf16 => each(old, tile, |a, b| half(reduction, &Format::BF16, a, b)),
        ElementType::F32 | ElementType::Tf32 => each(old, tile, |a, b| {
            single(f32::from_le_bytes(a) + f32::from_le_bytes(b)).to_le_bytes()
        }),
        ElementType::F32Ftz | ElementType::Tf32Ftz => each(old, tile, |a, b| {
            let (a, b) = (flush(f32::from_le_bytes(a)), flush(f32::from_le_bytes(b)));
            single(flush(a + b)).to_le_bytes()
        }),
        ElementType::F64 => each(old, tile, |a, b| {
            let (a, b) = (f64::from_le_bytes(a), f64::from_le_bytes(b));
            double(a, b).to_le_bytes()
        }),
        // These types have no reductions.
        ElementType::U8
        | ElementType::U16
        | ElementType::B4x16
        | ElementType::B4x16P64
        | ElementType::B6x16P32
        | ElementType::B6P2x16 => {}
    }
}

/// The NaN of a sum.
const NAN_16: u16 = 0x7fff;
/// The NaN of a sum.
const NAN_32: u32 = 0x7fff_ffff;
/// The NaN of a sum of opposite infinities; other NaNs pass through unchanged.
const NAN_64: u64 = 0xfff8_0000_0000_0000;

/// Combines elements of this many bytes, one by one.
fn each<const N: usize>(old: &mut [u8], tile: &[u8], one: impl Fn([u8; N], [u8; N]) -> [u8; N]) {
    let (old, _) = old.as_chunks_mut::<N>();
    let (tile, _) = tile.as_chunks::<N>();
    for (old, tile) in old.iter_mut().zip(tile) {
        *old = one(*old, *tile);
    }
}

fn integer(reduction: Reduction, old: u32, tile: u32) -> u32 {
    match reduction {
        Reduction::Add => old.wrapping_add(tile),
        Reduction::Min => old.min(tile),
        Reduction::Max => old.max(tile),
        Reduction::Inc => {
            if old >= tile {
                0
            } else {
                old + 1
            }
        }
        Reduction::Dec => {
            if old == 0 || old > tile {
                tile
            } else {
                old - 1
            }
        }
        Reduction::And => old & tile,
        Reduction::Or => old | tile,
        Reduction::Xor => old ^ tile,
    }
}

/// A reduction of 16-bit floats.
#[allow(clippy::cast_possible_truncation)] // the format has 16 bits
fn half(reduction: Reduction, format: &Format, old: [u8; 2], tile: [u8; 2]) -> [u8; 2] {
    let (old, tile) = (u16::from_le_bytes(old), u16::from_le_bytes(tile));
    let [old_value, tile_value] = [old, tile].map(|bits| format.decode_f32(bits.into()));
    let bits = match reduction {
        Reduction::Min | Reduction::Max => match (old_value.is_nan(), tile_value.is_nan()) {
            (true, true) => NAN_16,
            (false, true) => old,
            // -0 is below +0.
            (false, false)
                if old_value.total_cmp(&tile_value).is_lt()
                    == matches!(reduction, Reduction::Min) =>
            {
                old
            }
            (true | false, false) => tile,
        },
        Reduction::Add
        | Reduction::Inc
        | Reduction::Dec
        | Reduction::And
        | Reduction::Or
        | Reduction::Xor => {
            let sum = old_value + tile_value;
            if sum.is_nan() { NAN_16 } else { format.encode_f32(sum, Cvt::RN) as u16 }
        }
    };
    bits.to_le_bytes()
}

fn single(sum: f32) -> u32 {
    if sum.is_nan() { NAN_32 } else { sum.to_bits() }
}

/// The sum; a NaN passes through unchanged, the tile's first.
fn double(old: f64, tile: f64) -> u64 {
    let sum = old + tile;
    if tile.is_nan() {
        tile.to_bits()
    } else if old.is_nan() {
        old.to_bits()
    } else if sum.is_nan() {
        NAN_64
    } else {
        sum.to_bits()
    }
}

/// Flushes subnormal numbers to zero, with their sign.
fn flush(value: f32) -> f32 {
    if value.is_subnormal() { f32::from_bits(value.to_bits() & 0x8000_0000) } else { value }
}
