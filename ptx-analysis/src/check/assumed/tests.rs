//! Tests of what the suggested values of constants add to an analysis without them.

use ptx_isa::ir::Site;
use ptx_isa::ir::body::TokenRange;
use ptx_isa::rules::{self, Reached, Violation, copy::Counted};

use super::*;

/// One constant with a suggested value, another one that equals it, and one that nobody knows.
const SUGGESTED: Constants<'_> = Constants { values: &[Some(5), Some(5)], same: &[0, 0] };
const OPEN: Constants<'_> = Constants { values: &[Some(5), None, Some(-1)], same: &[0, 1, 2] };

fn at(statement: usize) -> Place {
    Place::new(statement, TokenRange::one(1))
}

fn twice() -> Violation<'static> {
    only(rules::check_duplicate("x", "x"))
}

fn name() -> Violation<'static> {
    only(rules::check_name("1"))
}

fn only(mut violations: Vec<Violation<'static>>) -> Violation<'static> {
    assert_eq!(violations.len(), 1);
    violations.remove(0)
}

fn rule(statement: usize, violation: &Violation<'static>) -> Finding<'static> {
    found(statement, Problem::Rule((*violation).into()))
}

fn found(statement: usize, problem: Problem<'static>) -> Finding<'static> {
    let Place { statement, tokens } = at(statement);
    Finding { problem, site: Site::Tokens { function: 0, statement, tokens }, other: None }
}

fn count(statement: usize, allowances: &[usize]) -> Deferred<'static> {
    let (of, count) = (Counted::Arrivals, Sum::known(1));
    let kind = DeferredKind::Count { of, count, by_copies: false };
    let allowances = allowances.to_vec();
    Deferred { kind, place: at(statement), value: None, allowances, conditions: Vec::new() }
}

/// The other kind of check without an operand.
fn transactions(statement: usize) -> Deferred<'static> {
    Deferred {
        kind: DeferredKind::Transactions(Sum::known(1), Vec::new()),
        ..count(statement, &[])
    }
}

#[test]
fn rules_broken_by_the_suggested_values_alone_are_assumed() {
    let value = Deferred { value: Some(at(5)), ..count(9, &[]) };
    let known = || Analysis {
        findings: vec![rule(1, &twice()), rule(2, &name())],
        deferred: vec![count(3, &[]), value.clone()],
        ..Analysis::default()
    };
    let reached = Reached { thread: None, round: None, is_nearest: false };
    let under = Analysis {
        findings: vec![
            rule(0, &twice()),
            rule(1, &twice()),
            rule(2, &twice()),
            rule(3, &twice()),
            rule(4, &Violation { reached: Some(reached), ..name() }),
            rule(5, &twice()),
            found(6, Problem::SideBySide),
        ],
        ..Analysis::default()
    };
    let found = CheckedBody::of(known(), Some(&under), SUGGESTED);
    let assumed: Vec<_> =
        found.assumed.iter().map(|it| (it.place.statement, it.violation.rule.code)).collect();
    assert_eq!(assumed, [(0, "D002"), (2, "D002"), (4, "D001")]);
    assert_eq!(found.analysis.findings.len(), 2);
    assert!(CheckedBody::of(known(), None, SUGGESTED).assumed.is_empty());
}

#[test]
fn checks_deferred_for_the_suggested_values_alone_are_conditional() {
    let known = Analysis {
        findings: vec![rule(1, &twice())],
        deferred: vec![count(2, &[])],
        ..Analysis::default()
    };
    let under = Analysis {
        deferred: vec![count(0, &[]), count(1, &[]), count(2, &[]), transactions(2)],
        ..Analysis::default()
    };
    let of = |constants| {
        let known = Analysis {
            findings: known.findings.clone(),
            deferred: known.deferred.clone(),
            ..Analysis::default()
        };
        let found = CheckedBody::of(known, Some(&under), constants).analysis.deferred;
        let shown = |check: &Deferred<'_>| {
            let conditions = check.conditions.iter();
            let of = |it: &Condition| (it.one.products[0].of[0], it.other.known);
            (check.place.statement, conditions.map(of).collect::<Vec<_>>())
        };
        found.iter().map(shown).collect::<Vec<_>>()
    };
    let (one, some) = (vec![(0, 5)], vec![(0, 5), (2, -1)]);
    assert_eq!(of(SUGGESTED), [(2, vec![]), (0, one.clone()), (2, one)]);
    assert_eq!(of(OPEN), [(2, vec![]), (0, some.clone()), (2, some)]);
}

#[test]
fn allowances_are_unneeded_once_every_value_is_known() {
    let allowance = |is_needed| Allowance { code: "A020", statement: None, is_needed };
    let unneeded = |n| found(n, Problem::Unneeded(n));
    let left = |under: Option<&Analysis<'_>>, constants| {
        let known = Analysis {
            findings: vec![unneeded(0), unneeded(1), unneeded(2)],
            allowances: vec![allowance(false); 3],
            ..Analysis::default()
        };
        let found = CheckedBody::of(known, under, constants).analysis.findings;
        found.iter().filter_map(|finding| Some(finding.site.statement()?.1)).collect::<Vec<_>>()
    };
    let under = Analysis {
        deferred: vec![count(0, &[0])],
        allowances: vec![allowance(false), allowance(true), allowance(false)],
        ..Analysis::default()
    };
    assert_eq!(left(Some(&under), SUGGESTED), [2]);
    assert_eq!(left(None, SUGGESTED), [0, 1, 2]);
    assert_eq!(left(Some(&under), OPEN), [0; 0]);
    assert_eq!(left(None, Constants::NONE), [0, 1, 2]);
}
