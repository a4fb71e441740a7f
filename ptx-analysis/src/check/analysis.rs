//! The analysis of one body.

use ptx_isa::rules;

use crate::check::resolve::{self, Resolution};
use crate::check::walk;
use crate::findings::report::BodyReport;
use crate::findings::unit::{Analysis, Unit};

/// Analyses a body: resolves its names, follows the values in its registers, and checks its
/// instructions. It keeps at most `most` findings; if the body contains a statement that is not understood, none.
pub(crate) fn analyse<'a>(unit: Unit<'_, 'a>, most: usize) -> Analysis<'a> {
    checked(unit, most, |resolution, report| {
        walk::check(unit, resolution, report);
        report.report_unneeded();
    })
}

/// The same without following values: each statement is checked by itself.
pub(crate) fn check_statements<'a>(unit: Unit<'_, 'a>, most: usize) -> Analysis<'a> {
    checked(unit, most, |_, _| {})
}

/// Resolves the names of a body, and leaves the rest to `follow`.
fn checked<'a>(
    unit: Unit<'_, 'a>,
    most: usize,
    follow: impl FnOnce(&mut Resolution<'a>, &mut BodyReport<'a>),
) -> Analysis<'a> {
    let mut report = BodyReport::new(unit.index, unit.function.allow, most);
    let Some(mut resolution) = resolve::resolve(unit, &mut report) else {
        return Analysis::default();
    };
    follow(&mut resolution, &mut report);
    for (name, place) in &resolution.specials {
        for violation in rules::check_special(name, unit.environment) {
            report.refuse(&violation, *place);
        }
    }
    Analysis {
        findings: report.findings,
        more: report.more,
        deferred: report.deferred,
        arguments: report.arguments,
        calls: report.calls,
        must_calls: report.must_calls,
        demands: report.demands,
        allowances: report.allowances,
        allowed_by: report.allowed_by,
        since: resolution.since,
        renames: resolution.renames,
    }
}
