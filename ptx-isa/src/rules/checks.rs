//! The results for many accesses to memory at once, and their reports.

use super::access::Object;
use super::alignment::{Alignment, Demand, Demands};
use super::checked::Check;
use super::deferred::{first, refuse, to_u32};
use super::encoded::Accesses;
use super::{Blame, Kind, table};
use crate::expansion::CHECKED_AT_ONCE;
use crate::ir::body::split;

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

/// Checks this many accesses, starting at this byte of the table.
#[allow(clippy::cast_possible_truncation)] // rows, which are few
pub const fn check<'a>(accesses: &'a Accesses<'a>, at: usize, count: usize) -> Checks<'a> {
    let mut checked = Checks {
        accesses,
        at,
        rows: NONE,
        has_demands: false,
        aligns: [0; CHECKED_AT_ONCE],
        are_typed: NONE,
    };
    let mut reader = accesses.from(at);
    let mut i = 0;
    while i < count {
        let Some(check) = accesses.next_suspect(&mut reader) else {
            i += 1;
            continue;
        };
        if let Some(row) = found(&check) {
            checked.rows[i] = row as u8 + 1;
        // The first violation explains the others.
        } else if check.is_reached
            && let Some((demand, rule)) = check.of.demand()
            && !crate::const_str::contains(check.allow, rule.code)
        {
            checked.has_demands = true;
            checked.aligns[i] = demand.align;
            checked.are_typed[i] = demand.is_typed as u8;
        }
        i += 1;
    }
    checked
}

/// The row of the first rule that an access breaks without an allowance.
const fn found(check: &Check<'_>) -> Option<usize> {
    let mut from = 0;
    while let Some((row, violation)) = check.of.violation(from, None) {
        // Code that control never reaches is not a hazard at run time, though ptxas still checks its form.
        let is_idle = !check.is_reached && matches!(violation.rule.kind, Kind::Hazard);
        if !is_idle && !crate::const_str::contains(check.allow, violation.rule.code) {
            return Some(row);
        }
        from = row + 1;
    }
    None
}

/// Panics if the result for access `n` blames `part`.
#[track_caller]
pub const fn require_access(checked: &Checks<'_>, n: usize, part: Blame) {
    if let Some(row) = checked.rows[n].checked_sub(1) {
        let check = checked.accesses.after(checked.at, n);
        let found = check.of.violation(row as usize, None);
        if matches!(&found, Some((_, violation)) if violation.rule.blames as u8 == part as u8) {
            refuse(found);
        }
    }
}

/// Panics if none of these accesses, given by their offsets in the table, breaks the rule with this code, which is
/// allowed.
#[track_caller]
pub const fn require_needed(code: &str, accesses: &Accesses<'_>, among: &[usize]) {
    let mut i = 0;
    while i < among.len() {
        // An access that control does not reach counts as well: other values of the constants may lead there.
        let check = accesses.after(among[i], 0);
        i += 1;
        if let Some((_, rule)) = check.of.demand()
            && crate::const_str::same(code, rule.code)
        {
            return;
        }
        let mut from = 0;
        while let Some((row, violation)) = check.of.violation(from, None) {
            if crate::const_str::same(code, violation.rule.code) {
                return;
            }
            from = row + 1;
        }
    }
    panic!("{}", super::unneeded(code).as_str());
}

/// Accesses to one declaration: the results, and a table that selects some of them. A row has an index into the
/// results, the number of identical accesses, and the line of the first.
pub type Alike<'a> = (&'a [&'a Checks<'a>], &'a [u8]);

/// Panics if a declaration has a lower alignment than the accesses to it need: those whose demands the tokens show,
/// and these.
#[track_caller]
pub const fn require_alignment(object: Object<'_>, mut demands: Demands, accesses: &[Alike<'_>]) {
    let mut of = 0;
    while of < accesses.len() {
        demands = with(demands, accesses[of]);
        of += 1;
    }
    if demands.count != 0 {
        let alignment = Alignment { object, demands };
        refuse(first!(from => table::alignment(alignment, from, None)));
    }
}

/// Adds the demands of these accesses, whose lines change with each edit: the table is not read if there are no
/// demands.
#[allow(clippy::cast_possible_truncation)] // indices, which were written from a `usize`
const fn with(mut demands: Demands, (checked, mut table): Alike<'_>) -> Demands {
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
