//! Tests of which findings are kept, and which allowances are needed.

use alloc::vec::Vec;

use ptx_isa::ir::body::TokenRange;
use ptx_isa::rules::copy::Counted;

use super::*;
use crate::values::number::Sum;

fn at(statement: usize) -> Place {
    Place::new(statement, TokenRange::one(0))
}

/// Returns the statements of the findings, and of the first one that is not kept.
fn kept(report: &BodyReport<'_>) -> (Vec<usize>, Option<usize>) {
    let statement = |finding: &Finding<'_>| finding.body().map(|(_, place)| place.statement);
    (
        report.findings.iter().filter_map(statement).collect(),
        report.more.as_ref().and_then(statement),
    )
}

#[test]
fn so_many_findings_are_kept_and_one_more() {
    for (most, expected) in [
        (0, (&[][..], Some(5))),
        (1, (&[5], Some(6))),
        (2, (&[5, 6], Some(7))),
        (3, (&[5, 6, 7], None)),
        (4, (&[5, 6, 7], None)),
    ] {
        let mut report = BodyReport::new(0, &[], most);
        for statement in 5..8 {
            report.find(at(statement), Problem::SideBySide);
        }
        assert_eq!(kept(&report), (expected.0.to_vec(), expected.1), "{most}");
        // This includes findings that are not kept.
        let found = (0..10).filter(|statement| report.has_finding(*statement));
        assert_eq!(found.collect::<Vec<_>>(), [5, 6, 7]);
    }
}

#[test]
fn allowances_count_from_those_of_the_function_on() {
    let mut report = BodyReport::new(0, &["A020", "A021"], 9);
    assert_eq!(report.allow(3, ["A022"].into_iter()), [2]);
    assert!(report.allow(4, [].into_iter()).is_empty());
    assert_eq!(report.allow(5, ["A023", "A020"].into_iter()), [3, 4]);
    let of: Vec<_> = report.allowances.iter().map(|it| (it.code, it.statement)).collect();
    let own = [("A022", Some((3, 0))), ("A023", Some((5, 0))), ("A020", Some((5, 1)))];
    assert_eq!(of, [&[("A020", None), ("A021", None)][..], &own].concat());
    assert_eq!(report.allowances_with(&[]), [0, 1]);
    assert_eq!(report.allowances_with(&[3, 4]), [0, 1, 3, 4]);
    assert!(!report.is_allowed("A020", &[1, 2]));
    assert!(report.allowances.iter().all(|it| !it.is_needed));
    assert!(report.is_allowed("A020", &[1, 0, 2]));
    assert!(report.is_allowed("A020", &[4, 2]));
    let needed = report.allowances.iter().map(|it| it.is_needed);
    assert_eq!(needed.collect::<Vec<_>>(), [true, false, false, false, true]);
}

#[test]
fn unneeded_allowances_are_reported_unless_a_check_waits_or_they_are_not_ours() {
    // `C001` cannot be allowed, and `S002` is not about statements.
    let mut report = BodyReport::new(0, &["A020", "A021", "A022", "C001", "nothing"], 9);
    report.allow(6, ["A023", "A024"].into_iter());
    assert!(report.is_allowed("A020", &[0]));
    let count = Sum::known(1);
    let kind = DeferredKind::Count { of: Counted::Bytes, count, by_copies: false };
    report.defer(kind, at(6), &[5], Vec::new());
    assert_eq!(report.deferred[0].allowances, [0, 1, 2, 3, 4, 5]);
    assert_eq!(report.deferred[0].value, Some(at(6)));
    report.deferred[0].allowances = [5].into();
    report.report_unneeded();
    let unneeded = report.findings.iter().map(|finding| match finding.problem {
        Problem::Unneeded(n) => (n, finding.body().map(|(_, place)| place)),
        _ => panic!("{finding:?}"),
    });
    assert_eq!(
        unneeded.collect::<Vec<_>>(),
        [(1, Some(at(0))), (2, Some(at(0))), (6, Some(at(6)))]
    );
    // The statement itself has no finding.
    assert!(!report.has_finding(6));
}
