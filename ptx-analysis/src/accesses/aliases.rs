//! Checks for data in dynamic shared memory that a thread stores through one name and loses through another.

use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::instruction::Direction;
use ptx_isa::rules;
use ptx_isa::rules::aliased::AliasedLoad;

use crate::accesses::coherence::{Bytes, Ways, bytes};
use crate::domains::checker::InstructionChecker;
use crate::flow::node::{Node, Resolved};
use crate::flow::place::Place;
use crate::values::claim;
use crate::values::location::Located;
use crate::values::state::State;

/// The maximum number of stores that are compared with one another for each load.
const MOST_STORES: usize = 64;

/// The stores to dynamic shared memory, and the loads from it.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    stores: Vec<Store>,
    loads: Vec<Load>,
    /// Whether something else may store to it.
    is_open: bool,
}

/// A store.
#[derive(Debug)]
struct Store {
    storage: usize,
    node: usize,
    /// The bytes, if every thread that gets there stores to them, the same each time.
    bytes: Option<Bytes>,
}

#[derive(Debug)]
struct Load {
    storage: usize,
    node: usize,
    place: Place,
    allowed: Vec<usize>,
    bytes: Option<Bytes>,
}

impl Aliases {
    /// Records an instruction.
    pub(crate) fn note<'a>(
        &mut self,
        (node, resolved): (usize, &Resolved<'a>),
        located: &[Option<Located<'a>>],
        checker: &InstructionChecker<'_, '_, 'a>,
        state: &State,
    ) {
        let effects = &resolved.effects;
        self.is_open |= effects.calls;
        for (operand, located) in effects.memory.iter().zip(located) {
            let direction = operand.form.direction;
            let writes = matches!(direction, Direction::Write | Direction::ReadWrite);
            let Some(located) = located else {
                let may_be_shared = matches!(operand.form.space, None | Some(Space::Shared));
                self.is_open |= writes && may_be_shared;
                continue;
            };
            let storage = located.storage;
            let [choice] = checker.setting.storages[storage].choices.as_slice() else {
                self.is_open |= writes;
                continue;
            };
            if located.is_pointee || !choice.object.variable().is_dynamic() {
                continue;
            }
            let bytes = bytes(node, operand, located, resolved);
            let bytes = bytes.filter(|bytes| bytes.offset.is_some());
            if writes {
                let is_plain = direction == Direction::Write
                    && operand.form.ty.is_some()
                    && effects.guard.is_none();
                let bytes = bytes.filter(|_| is_plain);
                self.stores.push(Store { storage, node, bytes });
            } else if direction == Direction::Read && claim::conditions(&state.claims).is_empty() {
                let (place, allowed) = (operand.place, resolved.allowed.to_vec());
                self.loads.push(Load { storage, node, place, allowed, bytes });
            }
        }
    }

    /// Checks the loads.
    pub(crate) fn settle<'a>(
        self,
        nodes: &[Node<'a>],
        checker: &mut InstructionChecker<'_, '_, 'a>,
    ) {
        let first = self.stores.first().map(|store| store.storage);
        let is_one = self.stores.iter().all(|store| Some(store.storage) == first);
        if self.is_open || is_one || self.stores.len() > MOST_STORES {
            return;
        }
        let mut ways = Ways::of(nodes);
        let views = self.loads.iter().filter_map(|load| self.viewed(load, &mut ways));
        let views: Vec<[usize; 2]> = views.collect();
        let are_meant =
            |one, other| views.iter().any(|view| *view == [one, other] || *view == [other, one]);
        for load in &self.loads {
            let by = self.overwritten(load, &mut ways);
            if let Some(by) = by.filter(|by| !are_meant(load.storage, *by)) {
                let name = |storage: usize| checker.setting.storages[storage].object().name();
                let aliased = AliasedLoad { lost: name(load.storage), by: name(by) };
                for violation in rules::check_aliased(aliased) {
                    checker.report.report(&violation, load.place, &load.allowed);
                }
            }
        }
    }

    /// The two names of a load that reads what was surely stored through another name, and nothing through its own: they
    /// are meant as one memory.
    fn viewed(&self, load: &Load, ways: &mut Ways<'_, '_>) -> Option<[usize; 2]> {
        let bytes = load.bytes.as_ref()?;
        for store in self.stores.iter().filter(|store| store.storage == load.storage) {
            if ways.leads(store.node, load.node, None)? {
                return None;
            }
        }
        let mut others = self.stores.iter().filter(|store| store.storage != load.storage);
        let store = others.find(|store| {
            store.bytes.as_ref().is_some_and(|stored| stored.covers(bytes))
                && ways.all_over(store.node, load.node) == Some(true)
        })?;
        Some([load.storage, store.storage])
    }

    /// The storage through which a store overwrites all that a load may find of what was stored through its own name.
    fn overwritten(&self, load: &Load, ways: &mut Ways<'_, '_>) -> Option<usize> {
        let mut by = None;
        let mut is_stored = false;
        for store in self.stores.iter().filter(|store| store.storage == load.storage) {
            if ways.leads(store.node, load.node, None)? {
                is_stored |= ways.all_over(store.node, load.node)?;
                let lost = self.stores.iter().find(|other| {
                    other.overwrites(store)
                        && ways.leads(store.node, load.node, Some(other.node)) == Some(false)
                });
                by = Some(lost?.storage);
            }
        }
        by.filter(|_| is_stored)
    }
}

impl Store {
    /// Whether it overwrites all bytes of another store through another name.
    fn overwrites(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (&self.bytes, &other.bytes) else { return false };
        self.storage != other.storage && own.covers(others)
    }
}
