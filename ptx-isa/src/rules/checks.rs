//! The results for many accesses to memory at once, and their reports.

use super::access::Object;
use super::alignment::{Alignment, Demand, Demands};
use super::checked::Check;
use super::deferred::{first, found, to_u32};
use super::encoded::Accesses;
use super::{Blame, Kind, Violation, table};
use crate::const_str::{contains, same};
use crate::expansion::CHECKED_AT_ONCE;
use crate::found::Found;
use crate::ir::body::split;
use crate::text::Text;

/// Accesses, and for each the first rule that it breaks without an allowance.
///
/// It contains only numbers besides the accesses, which rustc does not revisit: it validates what a constant refers
/// to, but not what a static refers to.
#[derive(Clone, Copy, Debug)]
pub struct Checks<'a> {
    accesses: &'a Accesses<'a>,
    /// The offset of the first of them in the table, in bytes.
    at: usize,
    /// The row of the rule that each breaks, from 1; 0 if it breaks none.
    rows: [u8; CHECKED_AT_ONCE],
    /// Whether any of them needs a greater alignment than its declaration guarantees.
    has_demands: bool,
    /// The alignment in bytes that each access needs of its declaration if it breaks no rule, or 0.
    aligns: [usize; CHECKED_AT_ONCE],
    /// Whether each of these accesses elements of a type.
    are_typed: [u8; CHECKED_AT_ONCE],
}

/// No rows, and no accesses of elements of a type.
const NONE: [u8; CHECKED_AT_ONCE] = [0; CHECKED_AT_ONCE];

impl<'a> Accesses<'a> {
    /// Checks this many accesses, starting at this byte of the table.
    #[allow(clippy::cast_possible_truncation)] // rows, which are few
    pub const fn checks(&'a self, at: usize, count: usize) -> Checks<'a> {
        let mut checked = Checks {
            accesses: self,
            at,
            rows: NONE,
            has_demands: false,
            aligns: [0; CHECKED_AT_ONCE],
            are_typed: NONE,
        };
        let mut reader = self.from(at);
        let mut i = 0;
        while i < count {
            let Some(check) = self.next_suspect(&mut reader) else {
                i += 1;
                continue;
            };
            if let Some(row) = first_row(&check) {
                checked.rows[i] = row as u8 + 1;
            // The first violation explains the others.
            } else if check.is_reached
                && let Some((demand, rule)) = check.of.demand()
                && !contains(check.allow, rule.code)
            {
                checked.has_demands = true;
                checked.aligns[i] = demand.align;
                checked.are_typed[i] = demand.is_typed as u8;
            }
            i += 1;
        }
        checked
    }

    /// Checks that one of these accesses, given by their offsets in the table, breaks the rule with this code, which is
    /// allowed.
    pub const fn needed(&self, code: &str, among: &[usize]) -> Found {
        let mut i = 0;
        while i < among.len() {
            // An access that control does not reach counts as well: other values of the constants may lead there.
            let check = self.after(among[i], 0);
            i += 1;
            if let Some((_, rule)) = check.of.demand()
                && same(code, rule.code)
            {
                return Found::NOTHING;
            }
            let mut from = 0;
            while let Some((row, violation)) = check.of.violation(from, None) {
                if same(code, violation.rule.code) {
                    return Found::NOTHING;
                }
                from = row + 1;
            }
        }
        unneeded(code)
    }
}

/// What is found where nothing breaks the rule with this code, which is allowed.
pub const fn unneeded(code: &str) -> Found {
    Found::message(true, super::unneeded(code).as_str())
}

/// The row of the first rule that an access breaks without an allowance.
const fn first_row(check: &Check<'_>) -> Option<usize> {
    let mut from = 0;
    while let Some((row, violation)) = check.of.violation(from, None) {
        // Code that control never reaches is not a hazard at run time, though ptxas still checks its form.
        let is_idle = !check.is_reached && matches!(violation.rule.kind, Kind::Hazard);
        if !is_idle && !contains(check.allow, violation.rule.code) {
            return Some(row);
        }
        from = row + 1;
    }
    None
}

impl Checks<'_> {
    /// What was found at the name of access `n`.
    pub const fn name(&self, n: usize) -> Found {
        self.at(n, Blame::Name)
    }

    /// What was found at the offset of access `n`.
    pub const fn offset(&self, n: usize) -> Found {
        self.at(n, Blame::Offset)
    }

    /// What was found at the value of access `n`.
    pub const fn value(&self, n: usize) -> Found {
        self.at(n, Blame::Value)
    }

    const fn at(&self, n: usize, part: Blame) -> Found {
        match self.violation(n) {
            Some(violation) if violation.rule.blames as u8 == part as u8 => {
                Found::of(violation.text())
            }
            _ => Found::NOTHING,
        }
    }

    /// What is wrong with access `n`.
    const fn violation(&self, n: usize) -> Option<Violation<'_>> {
        let Some(row) = self.rows[n].checked_sub(1) else { return None };
        let check = self.accesses.after(self.at, n);
        match check.of.violation(row as usize, None) {
            Some((_, violation)) => Some(violation),
            None => None,
        }
    }
}

/// What rustc found in an instance of a generic item, with the places in the source, which are the same in all instances.
#[derive(Debug)]
pub struct Instance<'a> {
    /// How a user names it.
    pub label: &'a str,
    /// The results of its accesses.
    pub checks: &'a [&'a Checks<'a>],
    /// The places of its accesses, each with the index of its result.
    pub accesses: &'a [(&'a str, usize)],
    /// What other checks found, each with its place.
    pub found: &'a [(&'a str, Found)],
}

/// What was found at this place in one of these instances, with the names of those in which it was found, unless it was in
/// all of them: rustc reports the same text at the same tokens once.
pub const fn in_instances(found: Found, place: &str, instances: &[&Instance<'_>]) -> Found {
    let Some(message) = found.text() else { return found };
    let (mut names, mut count) = (Text::<512>::new(), 0);
    let mut n = 0;
    while n < instances.len() {
        if instances[n].says(place, message) {
            names.push_str(if count == 0 { " (in `" } else { ", `" });
            names.push_str(instances[n].label);
            names.push_str("`");
            count += 1;
        }
        n += 1;
    }
    if count == 0 || count == instances.len() {
        return found;
    }
    names.push_str(")");
    found.inside(names.as_str())
}

/// What was found at this place in one of these instances, if it was found in all of them.
pub const fn in_all_instances(found: Found, place: &str, instances: &[&Instance<'_>]) -> Found {
    let Some(message) = found.text() else { return found };
    let mut n = 0;
    while n < instances.len() {
        if !instances[n].says(place, message) {
            return Found::NOTHING;
        }
        n += 1;
    }
    found
}

impl Instance<'_> {
    /// Whether this is what was found at a place.
    const fn says(&self, place: &str, message: &str) -> bool {
        let mut n = 0;
        while n < self.accesses.len() {
            let (other, number) = self.accesses[n];
            if same(other, place)
                && let Some(violation) =
                    self.checks[number / CHECKED_AT_ONCE].violation(number % CHECKED_AT_ONCE)
                && same(violation.text().as_str(), message)
            {
                return true;
            }
            n += 1;
        }
        let mut n = 0;
        while n < self.found.len() {
            let (other, found) = &self.found[n];
            if same(other, place)
                && let Some(text) = found.text()
                && same(text, message)
            {
                return true;
            }
            n += 1;
        }
        false
    }
}

/// Accesses to one declaration: the results, and a table that selects some of them. A row has an index into the
/// results, the number of identical accesses, and the line of the first.
pub type AccessGroup<'a> = (&'a [&'a Checks<'a>], &'a [u8]);

/// Checks that a declaration has the alignment that the accesses to it need: those whose demands the tokens show (their
/// number, the greatest and the least alignment, whether all access elements of a type, and the line of the first), and
/// these.
pub const fn check_alignment(
    object: Object<'_>,
    (count, most, least, are_typed, line): (usize, usize, usize, bool, u32),
    accesses: &[AccessGroup<'_>],
) -> Found {
    let mut demands = Demands { count, most, least, are_typed, line };
    let mut of = 0;
    while of < accesses.len() {
        demands = with(demands, accesses[of]);
        of += 1;
    }
    if demands.count == 0 {
        return Found::NOTHING;
    }
    let alignment = Alignment { object, demands };
    found(&first!(from => table::alignment(alignment, from, None)))
}

/// Adds the demands of these accesses, whose lines change with each edit: the table is not read if there are no
/// demands.
#[allow(clippy::cast_possible_truncation)] // indices, which were written from a `usize`
const fn with(mut demands: Demands, (checked, mut table): AccessGroup<'_>) -> Demands {
    let mut n = 0;
    while n < checked.len() && !checked[n].has_demands {
        n += 1;
    }
    while n < checked.len() && !table.is_empty() {
        let (place, rest) = split(table);
        let (times, rest) = split(rest);
        let (line, rest) = split(rest);
        table = rest;
        let (part, n) =
            (checked[place as usize / CHECKED_AT_ONCE], place as usize % CHECKED_AT_ONCE);
        if part.aligns[n] != 0 {
            let demand = Demand { align: part.aligns[n], is_typed: part.are_typed[n] != 0 };
            demands = demands.with(demand, times as usize, to_u32(line as usize));
        }
    }
    demands
}
