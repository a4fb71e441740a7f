//! The rules of what instructions take together: a tile and its map, a barrier and what it counts, a
//! matrix descriptor and its tile.

use ptx_types::rules;
use ptx_types::rules::copy::{BarrierCount, Counted};

use super::address::Located;
use super::claim::{self, Condition};
use super::fact::{Cut, Fact, Linear};
use super::flow::{Facts, Resolved};
use super::late::{DeferredCheck, DeferredCopy, DeferredDescriptor, DeferredKind};
use super::names::Resolver;
use super::step::{Matrix, TileCopy};
use super::value::Value;
use super::{Name, evaluate};
use crate::errors::Errors;

impl<'a: 'b, 'b> Resolver<'_, 'a, 'b> {
    /// A tile and its map: what the map is, only rustc knows.
    pub(super) fn judge_copy(
        &mut self,
        copy: &TileCopy,
        resolved: &Resolved<'_>,
        located: &[Option<Located>],
        facts: &Facts,
    ) {
        let Some((tile, map)) = copy.operands else { return };
        let memory = &resolved.step.memory;
        let place = |n: usize| memory.iter().position(|operand| operand.bracket == Some(n));
        let (Some(tile), Some(map)) = (place(tile), place(map)) else { return };
        let (Some(at_tile), Some(at_map)) = (&located[tile], &located[map]) else { return };
        let tile_name = memory[tile].name.clone();
        let allowances = self.allowances_with(&resolved.allowed);
        let first = copy.first.as_ref().and_then(|(value, place)| {
            match evaluate::evaluate(value, resolved, &self.storages, facts) {
                Fact::Number(number) if number.is_exact() => Some((number.base, place.clone())),
                _ => None,
            }
        });
        let (first, value) = first.unzip();
        for of_tile in &self.storages[at_tile.storage].choices {
            for of_map in &self.storages[at_map.storage].choices {
                let kind = DeferredKind::Copy(Box::new(DeferredCopy {
                    tile: (of_tile.at(at_tile.is_pointee).1, at_tile.offset.clone()),
                    map: (of_map.at(at_map.is_pointee).1, at_map.offset.clone()),
                    halo: copy.halo.clone(),
                    first: first.clone(),
                }));
                self.checks.push(DeferredCheck {
                    kind,
                    name: tile_name.clone(),
                    value: value.clone(),
                    allowances: allowances.clone(),
                    conditions: claim::conditions(&facts.claims),
                });
            }
        }
    }

    pub(super) fn judge_count(
        &mut self,
        of: Counted,
        (count, place): (&Value, &Name),
        resolved: &Resolved<'_>,
        facts: &Facts,
        errors: &mut Errors,
    ) {
        let fact = evaluate::evaluate(count, resolved, &self.storages, facts);
        let Fact::Number(Linear { base, steps, .. }) = fact else { return };
        let conditions = claim::conditions(&facts.claims);
        let by_copies = self.is_completed_by_copies;
        match base.value() {
            _ if !steps.is_empty() => {}
            Some(value) if conditions.is_empty() => {
                for violation in rules::check_count(BarrierCount { of, value, by_copies }) {
                    self.report(violation, place, &resolved.allowed, errors);
                }
            }
            Some(_) | None => {
                let kind = DeferredKind::Count { of, count: base, by_copies };
                self.judge_late(kind, place, &resolved.allowed, conditions);
            }
        }
    }

    /// A matrix descriptor and its tile: what the tile is, only rustc knows.
    pub(super) fn judge_descriptor(
        &mut self,
        matrix: &Matrix,
        resolved: &Resolved<'_>,
        facts: &Facts,
    ) {
        let fact = evaluate::held(&matrix.name.text, resolved, &self.storages, facts);
        let Fact::Descriptor(address, Cut::Shifted, bits) = fact else { return };
        let allowances = self.allowances_with(&resolved.allowed);
        for choice in &self.storages[address.storage].choices {
            self.checks.push(DeferredCheck {
                kind: DeferredKind::Descriptor(Box::new(DeferredDescriptor {
                    tile: (choice.at(address.is_pointee).1, address.offset.clone()),
                    bits: bits.clone(),
                    is_transposed: matrix.is_transposed,
                    element: matrix.element.clone().unwrap_or_default(),
                    rows: matrix.rows,
                })),
                name: matrix.name.clone(),
                value: None,
                allowances: allowances.clone(),
                conditions: claim::conditions(&facts.claims),
            });
        }
    }

    /// Notes what only rustc can judge.
    pub(super) fn judge_late(
        &mut self,
        kind: DeferredKind,
        place: &Name,
        own: &[usize],
        conditions: Vec<Condition>,
    ) {
        let allowances = self.allowances_with(own);
        self.checks.push(DeferredCheck {
            kind,
            name: place.clone(),
            value: Some(place.clone()),
            allowances,
            conditions,
        });
    }
}
