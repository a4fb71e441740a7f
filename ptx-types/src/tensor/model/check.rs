//! The checks before anything is copied.

use super::error::{Access, CopyError};
use crate::tensor::Swizzle;
use crate::tensor::{Direction, ElementType};
use crate::tensor::{Mode, Spec, Tensor};

/// The operands of an instruction that select the part of the tensor to copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Operands<'a> {
    /// `tensorCoords`, in PTX's order: one for each dimension of the map, the innermost first; in
    /// `tile::gather4` and `tile::scatter4` the coordinate along the row and then four rows.
    pub coordinates: &'a [i32],
    /// `im2colInfo`: the offsets of an `im2col` load, W first, or `wHalo` and `wOffset` of its `w`
    /// forms; empty in every other case.
    pub info: &'a [u16],
}

impl<'a> Operands<'a> {
    /// Coordinates only.
    pub const fn new(coordinates: &'a [i32]) -> Self {
        Self { coordinates, info: &[] }
    }

    /// Coordinates, and either offsets or a halo and an offset.
    pub const fn with_info(coordinates: &'a [i32], info: &'a [u16]) -> Self {
        Self { coordinates, info }
    }
}

/// Checks that the instruction exists.
pub(super) fn check_access(spec: &Spec, access: Access) -> Result<(), CopyError> {
    let is_load = matches!(access, Access::Load);
    let is_store = matches!(access, Access::Store);
    let (ranks, has_access, has) = match spec.mode {
        Mode::Tiled { .. } => (1..=5, true, "copies of rank 1 to 5"),
        Mode::Gather4 { .. } => (2..=2, is_load, "loads of rank 2"),
        Mode::Scatter4 { .. } => (2..=2, is_store, "stores of rank 2"),
        Mode::Im2col { .. } => (3..=5, true, "copies of rank 3 to 5"),
        Mode::Im2colW { .. } | Mode::Im2colW128 { .. } => (3..=5, is_load, "loads of rank 3 to 5"),
    };
    let (mode, rank) = (spec.mode.name(), spec.rank);
    if !has_access || !ranks.contains(&rank) {
        return Err(CopyError::Mode { mode, access, rank, has });
    }
    let is_interleaved = spec.interleave.driver() != 0;
    let takes_interleave = match spec.mode {
        Mode::Tiled { .. } | Mode::Im2col { .. } => spec.rank >= 3,
        Mode::Gather4 { .. }
        | Mode::Scatter4 { .. }
        | Mode::Im2colW { .. }
        | Mode::Im2colW128 { .. } => false,
    };
    if is_interleaved && !takes_interleave {
        return Err(CopyError::Interleave { mode, interleave: spec.interleave.name(), rank });
    }
    let has_element = match spec.element.direction() {
        Direction::Both => !(spec.element.is_sub_byte() && matches!(access, Access::Reduce)),
        Direction::Load => is_load,
        Direction::Store => is_store,
    };
    if !has_element {
        return Err(CopyError::Element { element: spec.element, access });
    }
    if matches!(spec.swizzle, Swizzle::B128Atom32Flip8) && !is_load {
        return Err(CopyError::Swizzle { swizzle: spec.swizzle.name(), access });
    }
    Ok(())
}

/// Checks that the instruction takes the operands.
pub(super) fn check_operands(
    spec: &Spec,
    tensor: &Tensor,
    operands: &Operands<'_>,
    access: Access,
) -> Result<(), CopyError> {
    let (expected, found) = (coordinates(spec), operands.coordinates.len());
    if expected != found {
        return Err(CopyError::Coordinates { expected, found });
    }
    check_info(spec, operands, access)?;
    let multiple = unit(spec);
    let first = operands.coordinates[0];
    if spec.slice_bytes().is_none() && first.rem_euclid(multiple.cast_signed()) != 0 {
        return Err(CopyError::Unaligned { coordinate: first, multiple });
    }
    if !matches!(access, Access::Load) {
        let mut coordinates = operands.coordinates.iter().enumerate();
        if let Some((dimension, &coordinate)) = coordinates.find(|(_, at)| **at < 0) {
            return Err(CopyError::Negative { dimension, coordinate });
        }
        let (lower, upper) = spec.mode.corners();
        let mut corners = lower.iter().zip(&upper).take(spec.spatial());
        if let Some(dimension) = corners.position(|(lower, upper)| *lower < 0 || *upper > 0) {
            return Err(CopyError::BoxOutside { dimension });
        }
    }
    check_base(spec, tensor, operands)
}

/// The number of coordinates that the instruction takes.
const fn coordinates(spec: &Spec) -> usize {
    match spec.mode {
        Mode::Gather4 { .. } | Mode::Scatter4 { .. } => 5,
        Mode::Tiled { .. }
        | Mode::Im2col { .. }
        | Mode::Im2colW { .. }
        | Mode::Im2colW128 { .. } => spec.dimensions(),
    }
}

/// The number of elements that the innermost coordinate must be a multiple of.
fn unit(spec: &Spec) -> u32 {
    match spec.element {
        // The unpadded types follow PTX ISA 5.5.3.1, the padded ones the driver's manual.
        ElementType::B4x16P64 | ElementType::B6x16P32 => 128,
        // Its box may be 64 elements.
        ElementType::B6P2x16 => 64,
        ElementType::U8
        | ElementType::U16
        | ElementType::U32
        | ElementType::I32
        | ElementType::U64
        | ElementType::I64
        | ElementType::F16
        | ElementType::F32
        | ElementType::F64
        | ElementType::Bf16
        | ElementType::F32Ftz
        | ElementType::Tf32
        | ElementType::Tf32Ftz
        | ElementType::B4x16 => 16 * 8 / spec.element.bits(),
    }
}

/// Checks the offsets, or the halo and the offset.
fn check_info(spec: &Spec, operands: &Operands<'_>, access: Access) -> Result<(), CopyError> {
    let offset = u16::MAX >> (16 - spec.corner_bits());
    let most: &[u16] = match spec.mode {
        Mode::Tiled { .. } | Mode::Gather4 { .. } | Mode::Scatter4 { .. } => &[],
        Mode::Im2col { .. } if !matches!(access, Access::Load) => &[],
        Mode::Im2col { .. } => &[offset; 3][..spec.spatial()],
        Mode::Im2colW { .. } => &[511, 31],
        Mode::Im2colW128 { .. } => &[31, 31],
    };
    let (expected, found) = (most.len(), operands.info.len());
    if expected != found {
        return Err(CopyError::Info { expected, found });
    }
    for (index, (&value, &most)) in operands.info.iter().zip(most).enumerate() {
        if value > most {
            return Err(CopyError::InfoTooLarge { index, value, most });
        }
    }
    Ok(())
}

/// Checks that the base of the filter is in the bounding box.
fn check_base(spec: &Spec, tensor: &Tensor, operands: &Operands<'_>) -> Result<(), CopyError> {
    let dimensions = match spec.mode {
        Mode::Tiled { .. } | Mode::Gather4 { .. } | Mode::Scatter4 { .. } => return Ok(()),
        Mode::Im2col { .. } => spec.spatial(),
        Mode::Im2colW { .. } | Mode::Im2colW128 { .. } => 1,
    };
    for i in 0..dimensions {
        let dimension = i + spec.first_spatial();
        let (first, last) = bounding_box(spec, tensor, i);
        let coordinate = i64::from(operands.coordinates[dimension]);
        // The `w` modes may start to the left of the box.
        if coordinate < first && !spec.mode.is_wide() || coordinate > last {
            return Err(CopyError::OutsideBox { dimension, coordinate, first, last });
        }
    }
    Ok(())
}

/// The first and the last position of the bounding box along a spatial dimension, where 0 is W.
pub(super) fn bounding_box(spec: &Spec, tensor: &Tensor, spatial: usize) -> (i64, i64) {
    let (lower, upper) = spec.mode.corners();
    let extent = i64::try_from(tensor.dims[spatial + spec.first_spatial()]).unwrap_or(i64::MAX);
    (i64::from(lower[spatial]), extent.saturating_sub(1).saturating_add(i64::from(upper[spatial])))
}

/// Checks that the memory holds all that is copied.
pub(super) fn check_memory(
    spec: &Spec,
    tensor: &Tensor,
    access: Access,
    global: usize,
    shared: usize,
    shared_address: usize,
    tile: usize,
) -> Result<(), CopyError> {
    if !shared_address.is_multiple_of(128) {
        return Err(CopyError::SharedAddress { address: shared_address });
    }
    // No window of shared memory is larger than its 32-bit addresses.
    match (shared_address as u64).checked_add(tile as u64) {
        Some(end) if end <= 1 << 32 => {}
        Some(_) | None => return Err(CopyError::SharedWindow { address: shared_address, tile }),
    }
    if shared < tile {
        return Err(CopyError::SharedTooShort { needed: tile, found: shared });
    }
    let needed = extent(spec, tensor, access);
    if (global as u64) < needed {
        return Err(CopyError::GlobalTooShort { needed, found: global });
    }
    Ok(())
}

/// The bytes from the first element of a tensor to the end of the last, with the bytes that are
/// written after it.
fn extent(spec: &Spec, tensor: &Tensor, access: Access) -> u64 {
    if tensor.dims[..spec.dimensions()].contains(&0) {
        return 0;
    }
    let mut written = *tensor;
    if spec.slice_bytes().is_none() {
        let row = written.dims[0];
        written.dims[0] = row.checked_next_multiple_of(chunk(spec, access)).unwrap_or(row);
    }
    spec.extent_bytes(&written)
}

/// The units that a copy writes to global memory together: units that start inside the tensor are
/// written in whole chunks of 16 bytes, even past the end of the row.
pub(super) fn chunk(spec: &Spec, access: Access) -> u64 {
    match access {
        Access::Store | Access::Reduce if spec.slice_bytes().is_none() => {
            if spec.element.is_padded() { 1 } else { u64::from(16 * 8 / spec.element.bits()) }
        }
        Access::Load | Access::Store | Access::Reduce => 1,
    }
}
