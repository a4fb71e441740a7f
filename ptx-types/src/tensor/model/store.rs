//! Copies from shared to global memory.

use super::check::{Operands, check_access, check_memory, check_operands};
use super::error::{Access, CopyError};
use super::shared::Swizzled;
use super::values::runs;
use super::walk::{Line, Walk};
use crate::tensor::ElementType;
use crate::tensor::{Spec, Tensor};

/// Copies like `cp.async.bulk.tensor` from shared to global memory: the elements of the tile that
/// are inside the tensor.
///
/// Memory is passed as to [`load`](super::load). Where strides make elements overlap, the GPU
/// writes them in an unspecified order.
///
/// # Errors
/// If the copy does not exist, or memory is too short; nothing is written then.
pub fn store(
    spec: &Spec,
    tensor: &Tensor,
    operands: &Operands<'_>,
    global: &mut [u8],
    shared: &[u8],
    shared_address: usize,
) -> Result<(), CopyError> {
    let access = Access::Store;
    check_access(spec, access)?;
    let (swizzled, shared) =
        check_tile(spec, tensor, operands, access, global.len(), shared, shared_address)?;
    Walk::new(spec, tensor, operands, access).lines(|line| {
        let Some(to) = line.global.map(super::size) else { return Ok(()) };
        if matches!(spec.element, ElementType::B6P2x16) {
            pack(spec, &line, swizzled, &mut global[to..], shared);
            return Ok(());
        }
        // Stored elements have no other padding: a line is one run.
        runs(spec, &line, |run| {
            swizzled.read(shared, run.shared, &mut global[to..to + run.bytes]);
        });
        Ok(())
    })
}

/// Checks what stores and reductions have in common, and returns the tile.
pub(super) fn check_tile<'a>(
    spec: &Spec,
    tensor: &Tensor,
    operands: &Operands<'_>,
    access: Access,
    global: usize,
    shared: &'a [u8],
    shared_address: usize,
) -> Result<(Swizzled, &'a [u8]), CopyError> {
    check_operands(spec, tensor, operands, access)?;
    let tile_bytes = spec.tile_bytes();
    check_memory(spec, tensor, access, global, shared.len(), shared_address, tile_bytes)?;
    Ok((Swizzled::new(spec.swizzle, shared_address), &shared[..tile_bytes]))
}

/// Packs the lower 6 bits of each byte, the first byte lowest.
fn pack(spec: &Spec, line: &Line, swizzled: Swizzled, global: &mut [u8], shared: &[u8]) {
    let mut wide = <[u8; 16]>::default();
    for group in 0..super::size(line.units / 16) {
        swizzled.read(shared, line.shared + group * wide.len(), &mut wide);
        let places = (0..).step_by(6);
        let packed: u128 = wide.iter().zip(places).map(|(n, at)| u128::from(n & 0x3f) << at).sum();
        let bytes = spec.element.global_bytes_of_16() as usize;
        let to = &mut global[group * bytes..][..bytes];
        to.copy_from_slice(&packed.to_le_bytes()[..bytes]);
    }
}
