//! Loops around tests of mbarriers: which of them only wait.

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::sorted::SortedMap;

use crate::order::address;
use crate::order::lanes::{Lanes, Mask, Registers, WARP};
use crate::order::machine::Machine;
use crate::order::step::{Does, Phase};
use crate::order::warp::{Fiber, View, Warp};

/// The most steps that are looked at to find whether threads come back to a test.
const MOST_STEPS: usize = 256;

impl Machine<'_> {
    /// Whether a loop waits until a phase is not over: it tests again when it is.
    pub(super) fn is_inverted(&mut self, w: usize, fiber: &Fiber) -> bool {
        if let Some(is_inverted) = self.inverted.get(&fiber.at) {
            return *is_inverted;
        }
        let is_inverted = self.comes_back(w, fiber, true);
        self.inverted.insert(fiber.at, is_inverted);
        is_inverted
    }

    /// Whether threads that get this answer from a test of an mbarrier always test it again, there or elsewhere, and do
    /// nothing else: on each path that they may take, whatever clocks say, and however often they have tested it.
    pub(super) fn comes_back(&self, w: usize, fiber: &Fiber, is_over: bool) -> bool {
        let Some(first) = self.steps.get(fiber.at) else { return false };
        let real = &self.warps[w];
        let lanes = fiber.lanes;
        let tested = self.tested(&first.does, lanes, real);
        let mut warp = Warp::new(real.number, self.launch, 0);
        warp.live = real.live;
        let mut before: SortedMap<usize, Registers> = SortedMap::new();
        let mut paths = vec![(fiber.at, real.registers.clone())];
        let mut tests = 0;
        for _ in 0..MOST_STEPS {
            let Some((at, registers)) = paths.pop() else { return tests > 1 };
            let registers = match before.get(&at) {
                None => registers,
                Some(old) => match either(old, &registers) {
                    None => {
                        tests += usize::from(self.is_test(at));
                        continue;
                    }
                    Some(both) => both,
                },
            };
            before.insert(at, registers.clone());
            warp.registers = registers;
            let Some(step) = self.steps.get(at) else { return false };
            if let Does::Test(_, _, answer, _) = &step.does {
                let is_same =
                    || tested.is_some() && self.tested(&step.does, lanes, &warp) == tested;
                let Some(answer) = answer.filter(|_| at == fiber.at || is_same()) else {
                    return false;
                };
                tests += 1;
                warp.set(answer, lanes, Lanes::Same(Some(is_over.into())));
                paths.push((at + 1, warp.registers.clone()));
                continue;
            }
            let runs = step.guard.map_or(Some(true), |(register, is_negated)| {
                let numbers = warp.registers.get(register).unwrap_or(&Lanes::UNKNOWN);
                numbers.common(lanes).map(|number| (number != 0) != is_negated)
            });
            if runs != Some(true) {
                paths.push((at + 1, warp.registers.clone()));
            }
            match &step.does {
                _ if runs == Some(false) => {}
                Does::Jump(to) => paths.push((*to, warp.registers.clone())),
                Does::Nothing => {
                    let view = View { warp: &warp, launch: self.launch };
                    let numbers: Vec<Lanes> =
                        step.writes.iter().map(|(_, term)| term.lanes(lanes, &view)).collect();
                    for ((register, _), numbers) in step.writes.iter().zip(numbers) {
                        warp.set(*register, lanes, numbers);
                    }
                    paths.push((at + 1, warp.registers.clone()));
                }
                // A wait that gives up in this way never ends well.
                Does::Traps => {}
                _ => return false,
            }
        }
        false
    }

    fn is_test(&self, at: usize) -> bool {
        matches!(self.steps.get(at).map(|step| &step.does), Some(Does::Test(..)))
    }

    /// Returns the address of the mbarrier that threads test, and the phase that they ask for, if all ask the same.
    fn tested(&self, does: &Does, lanes: Mask, warp: &Warp) -> Option<(u64, u64, bool)> {
        let Does::Test(location, phase, ..) = does else { return None };
        let (Phase::Parity(number) | Phase::State(number)) = phase;
        let view = View { warp, launch: self.launch };
        let [address, number] =
            [&location.address, number].map(|term| term.lanes(lanes, &view).common(lanes));
        // A generic address is that of the same place.
        let address = address::from_generic(Space::Shared, address?).or(address)?;
        Some((address, number?, matches!(phase, Phase::Parity(_))))
    }
}

/// Returns what is known of registers on both paths to a step, if that is less than on the first.
fn either(one: &Registers, other: &Registers) -> Option<Registers> {
    let mut both = one.clone();
    let mut is_less = false;
    for (one, other) in both.iter_mut().zip(other) {
        let same = |lane: usize| one.at(lane).filter(|number| other.at(lane) == Some(*number));
        if (0..WARP).any(|lane| same(lane) != one.at(lane)) {
            *one = Lanes::each(same);
            is_less = true;
        }
    }
    is_less.then_some(both)
}
