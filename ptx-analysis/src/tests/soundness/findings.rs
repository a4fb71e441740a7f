//! Checks that findings are real errors.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use ptx_interpreter::{Access, At, NamedBlock, Thread, WINDOWS};
use ptx_isa::rule::Arg;
use ptx_isa::rules::Violation;
use ptx_smith::bodies::ARRAYS;

use super::case::Promise;
use super::checked::Checked;
use super::executed::Chance;
use super::seen::Seen;
use super::values::decides;
use crate::check::module::check_module;

impl Checked<'_, '_> {
    /// Checks that every finding is an access that fails, or a missing block, as its message states.
    pub(super) fn findings(&self, seen: &mut Seen) -> Result<(), String> {
        let mut found = Vec::new();
        for (site, violation) in check_module(&self.module) {
            let Some((number, statement)) = site.statement() else { continue };
            if !matches!(violation.rule.code, "A020" | "A021" | "A059" | "A062") {
                continue;
            }
            let at = (number, self.functions[number].node_of(statement));
            if matches!(violation.rule.code, "A020" | "A021") {
                found.push(at);
            }
            seen.elsewhere += usize::from(violation.rule.code == "A062");
            seen.findings += 1;
            match violation.reached {
                Some(reached) if reached.is_nearest => seen.nearest += 1,
                Some(_) => seen.by_execution += 1,
                None => {}
            }
            seen.of_ranks += usize::from(violation.rule.code == "A059");
            seen.in_callees += usize::from(number > 0);
            if self.done.is_complete && !self.goes_wrong(at, &violation) {
                return Err(format!("at {at:?}, and that does not happen: {violation}"));
            }
        }
        if self.case.promise == Promise::Required && self.done.is_complete {
            self.count(&found, seen)?;
        }
        Ok(())
    }

    /// Whether a violation happens at this place.
    fn goes_wrong(&self, at: At, violation: &Violation<'_>) -> bool {
        let chance = self.case.chance();
        let accesses = self.done.accesses.iter().filter(|access| access.at == at);
        let accesses = accesses
            .filter(|_| violation.rule.code != "A059")
            .map(|access| (access.thread, &access.rounds, is_wrong(access, violation, chance)));
        let named = self.done.named.iter().filter(|named| named.at == at);
        let named = named.filter(|_| violation.rule.code == "A059").map(|named| {
            (named.thread, &named.rounds, is_beyond(named, violation, self.case.cluster.0))
        });
        let mut executed = accesses.chain(named).peekable();
        match violation.reached.filter(|reached| !reached.is_nearest) {
            // Every execution that reaches it violates the rule, under the condition if there is one.
            None => executed.all(|(thread, _, is_wrong)| {
                let special = |of| chance.special(thread, of);
                let is_meant = violation.only_where.is_none_or(|it| decides(&it, &special));
                !is_meant || is_wrong
            }),
            Some(reached) => {
                if executed.peek().is_none() && reached.thread.is_none() {
                    return true;
                }
                let label = |label| self.functions[at.0].node_named(label);
                let is_thread = |thread: Thread| {
                    reached.thread.is_none_or(|it| it == thread.number.map(i128::from))
                };
                let is_round = |rounds: &[(usize, i128)]| {
                    reached.round.is_none_or(|(name, round)| {
                        rounds.iter().any(|it| Some(it.0) == label(name) && it.1 == round)
                    })
                };
                executed.any(|(thread, rounds, is_wrong)| {
                    is_wrong && is_thread(thread) && is_round(rounds)
                })
            }
        }
    }

    /// Counts the statements that fail regardless of loaded values, and how many of them are found.
    fn count(&self, found: &[At], seen: &mut Seen) -> Result<(), String> {
        let chance = self.case.chance();
        let mut sure = outside(&self.done.accesses, chance);
        for seed in [chance.seed ^ 0x5555, chance.seed ^ 0x1234_5678] {
            if sure.is_empty() {
                break;
            }
            let chance = Chance { seed, ..chance };
            let wrong = outside(&chance.all(&self.program)?.accesses, chance);
            sure.retain(|at| wrong.contains(at));
        }
        seen.wrong += sure.len();
        seen.found += sure.iter().filter(|at| found.contains(at)).count();
        Ok(())
    }
}

/// Returns the places of accesses out of bounds of the arrays that they are near.
fn outside(accesses: &[Access], chance: Chance) -> Vec<At> {
    let mut outside: Vec<At> =
        accesses.iter().filter(|it| is_outside(it, chance)).map(|it| it.at).collect();
    outside.sort_unstable();
    outside.dedup();
    outside
}

/// Whether an access fails in the way that a finding states.
fn is_wrong(access: &Access, violation: &Violation<'_>, chance: Chance) -> bool {
    // An address that selects no other block is in this one.
    if violation.rule.code == "A062" {
        let own = access.thread.block[0] % chance.cluster;
        return access.window != 0 && access.window != WINDOWS[own as usize + 1];
    }
    let Some(offset) = chance.offset(access, violation.subject) else { return false };
    // Of several locations, a finding names a representative, or the nearest.
    let is_exact = violation.reached.is_some_and(|reached| !reached.is_nearest);
    let is_nearest = violation.reached.is_some_and(|reached| reached.is_nearest);
    match (violation.rule.code, violation.args) {
        ("A020", [_, Arg::Worded(how, at), has, _]) => {
            let size = match has {
                Arg::Worded(_, size) => size,
                Arg::Str("which has 1 byte") => 1,
                _ => return false,
            };
            let end = offset + i128::from(access.bytes);
            let (reaches, is_beyond) =
                if how.starts_with("ends") { (end, end >= at) } else { (offset, offset <= at) };
            (offset < 0 || end > size) && (!is_exact || reaches == at) && (!is_nearest || is_beyond)
        }
        ("A021", [_, Arg::Int(at), Arg::Int(align), _]) => {
            (!is_exact || offset == at) && align > 0 && offset.rem_euclid(align) != 0
        }
        (_, _) => false,
    }
}

/// Whether a named block does not exist, as a finding states.
fn is_beyond(named: &NamedBlock, violation: &Violation<'_>, blocks: u32) -> bool {
    let [Arg::Int(rank), ..] = violation.args else { return false };
    i128::from(named.rank) == rank & 0xffff_ffff && named.rank >= blocks.into()
}

/// Whether an access is out of bounds of the array that it is near.
fn is_outside(access: &Access, chance: Chance) -> bool {
    ARRAYS.iter().any(|array| {
        let size = i128::try_from(array.bytes).unwrap_or_default();
        chance.offset(access, array.name).is_some_and(|offset| {
            let is_near = (-(1 << 20)..1 << 20).contains(&offset);
            is_near && (offset < 0 || offset + i128::from(access.bytes) > size)
        })
    })
}
