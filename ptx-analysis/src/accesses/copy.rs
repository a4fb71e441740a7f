//! Checks operands that belong together: a tile and its tensor map, a matrix descriptor and its tile.

use alloc::boxed::Box;

use ptx_isa::ir::Type;
use ptx_isa::ir::body::Amount;
use ptx_isa::rules;
use ptx_isa::rules::access::Object;
use ptx_isa::rules::alignment::Demand;
use ptx_isa::rules::copy::{TensorCopy, TileDescriptor};
use ptx_isa::rules::{Offset, Reached};
use ptx_isa::tensor::Major;

use crate::domains::checker::InstructionChecker;
use crate::domains::tile::CopiedTile;
use crate::findings::deferred::{
    Deferred, DeferredCopy, DeferredDescriptor, DeferredKind, Demanded,
};
use crate::flow::effects::{Matrix, TileCopy};
use crate::flow::node::Resolved;
use crate::values::claim;
use crate::values::location::Located;
use crate::values::number::Sum;
use crate::values::state::State;
use crate::values::value::{AbstractValue, Cut};

/// Returns a tile copy, as far as the locations of tile and map are known.
pub(crate) fn copied_tile<'a>(
    checker: &InstructionChecker<'_, '_, 'a>,
    copy: &TileCopy<'a>,
    resolved: &Resolved<'a>,
    located: &[Option<Located<'a>>],
    state: &State,
) -> Option<CopiedTile<'a>> {
    let (tile, map) = copy.operands?;
    let memory = &resolved.effects.memory;
    let number = |n: usize| memory.iter().position(|operand| operand.bracket == Some(n));
    let (operand, map) = (number(tile)?, number(map)?);
    let first = copy.first.as_ref().and_then(|(value, place)| {
        match checker.setting.evaluator(resolved, state).value(value) {
            AbstractValue::Number(number) if number.is_exact() => Some((number.base, *place)),
            _ => None,
        }
    });
    let (first, value) = first.unzip();
    Some(CopiedTile {
        operand,
        tile: located[operand].clone()?,
        map: located[map].clone()?,
        halo: copy.halo,
        first,
        place: memory[operand].place,
        value,
        conditions: claim::conditions(&state.claims),
    })
}

/// Checks a tile and its map, for every location or in single executions, each with the tile's offset into
/// its storage. The map's type specifies its contents.
pub(crate) fn check_tile<'a>(
    checker: &mut InstructionChecker<'_, '_, 'a>,
    copied: &CopiedTile<'a>,
    resolved: &Resolved<'a>,
    executions: &[(i128, Reached<'a>)],
) {
    let CopiedTile { tile: at_tile, map: at_map, place, value, .. } = copied;
    let storages = checker.setting.storages;
    for of_tile in &storages[at_tile.storage].choices {
        for of_map in &storages[at_map.storage].choices {
            if of_tile.is_foreign || of_map.is_foreign {
                continue;
            }
            let (tile, tile_id) = of_tile.at(at_tile.is_pointee);
            let (map, map_id) = of_map.at(at_map.is_pointee);
            if !checker.unit.defers {
                let copy = TensorCopy {
                    tile: at(at_tile, tile),
                    map: at(at_map, map),
                    halo: halo(copied.halo),
                    first: copied.first.as_ref().and_then(Sum::value),
                    executions: &[],
                };
                checker.report.demands.extend(Demand::of_tile(copy).map(|demand| Demanded {
                    object: tile_id.clone(),
                    demand,
                    accesses: 0,
                    place: *place,
                }));
                let blamed = (*place, value.unwrap_or(*place));
                let alone = executions.iter().map(|(offset, reached)| {
                    let tile = (Offset::exact(*offset), tile);
                    (TensorCopy { tile, ..copy }, Some(*reached))
                });
                let _is_refused =
                    core::iter::once((copy, None)).chain(alone).any(|(copy, reached)| {
                        checker.first(rules::check_copy(copy), blamed, resolved, reached)
                    });
                continue;
            }
            // Where the storage has the alignment of every tile, another rule covers the swizzle.
            let is_aligned = of_tile.is_aligned
                && !at_tile.is_pointee
                && tile.ty().is_known()
                && tile.alignment().is_some_and(|align| align >= Demand::TILE);
            let kind = DeferredKind::Copy(Box::new(DeferredCopy {
                tile: (tile_id, at_tile.offset.clone()),
                map: (map_id, at_map.offset.clone()),
                halo: copied.halo,
                first: copied.first.clone(),
                executions: executions.to_vec(),
                may_be_misaligned: !is_aligned && !matches!(map.ty().element(), Type::Scalar(_)),
            }));
            checker.report.deferred.push(Deferred {
                kind,
                place: *place,
                value: *value,
                allowances: checker.report.allowances_with(&resolved.allowed),
                conditions: copied.conditions.clone(),
            });
        }
    }
}

/// Checks a matrix descriptor and its tile. The tile's type specifies its contents.
pub(crate) fn check_descriptor<'a>(
    checker: &mut InstructionChecker<'_, '_, 'a>,
    matrix: &Matrix<'a>,
    resolved: &Resolved<'a>,
    state: &State,
) {
    let value = checker.setting.evaluator(resolved, state).value_of(matrix.name.text);
    let AbstractValue::Descriptor(address, Cut::Shifted, bits) = value else { return };
    let place = matrix.place;
    let storages = checker.setting.storages;
    for choice in &storages[address.storage].choices {
        if choice.is_foreign {
            continue;
        }
        let (tile, id) = choice.at(address.is_pointee);
        let element = matrix.element.unwrap_or_default();
        if !checker.unit.defers {
            let Some(bits) = bits.value() else { continue };
            let offset = address.offset.offset().unwrap_or(Offset::UNKNOWN);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the lowest 64 bits
            let bits = bits as u64;
            let major = if matrix.is_transposed { Major::Mn } else { Major::K };
            let descriptor =
                TileDescriptor { tile: (offset, tile), bits, major, element, rows: matrix.rows };
            let found = rules::check_descriptor(descriptor);
            checker.first(found, (place, place), resolved, None);
            continue;
        }
        checker.report.deferred.push(Deferred {
            kind: DeferredKind::Descriptor(Box::new(DeferredDescriptor {
                tile: (id, address.offset.clone()),
                bits: Sum::clone(&bits),
                is_transposed: matrix.is_transposed,
                element,
                rows: matrix.rows,
            })),
            place,
            value: None,
            allowances: checker.report.allowances_with(&resolved.allowed),
            conditions: claim::conditions(&state.claims),
        });
    }
}

/// Returns the offset of an operand in an object, and the object.
pub(crate) fn at<'a>(located: &Located<'_>, object: Object<'a>) -> (Offset, Object<'a>) {
    (located.offset.offset().unwrap_or(Offset::UNKNOWN), object)
}

/// Returns the halo, if it is known.
pub(crate) fn halo(amount: Amount) -> u32 {
    amount.known().and_then(|halo| u32::try_from(halo).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
