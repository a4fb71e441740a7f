//! Findings, as the protocol has them.

use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    Location, NumberOrString, Uri,
};
use ptx_text::{Following, Launches, Parsed};

use super::lines::Lines;
use super::settings::Settings;
use crate::finding::{Finding, Kind, Level};

/// What the tool finds in a text, as `ptx check` does.
pub(super) fn findings(parsed: &Parsed, settings: &Settings) -> Vec<Finding> {
    findings_in(parsed, Launches::Usual, settings)
}

/// The same, in these launches.
pub(super) fn findings_in(
    parsed: &Parsed,
    launches: Launches<'_>,
    settings: &Settings,
) -> Vec<Finding> {
    let following = Following { is_strict: settings.strict, ..launches.into() };
    let all = parsed.check_launched(following).into_iter();
    let findings = all.map(|diagnostic| Finding::of(parsed, diagnostic));
    let is_allowed = |finding: &Finding| {
        let code = finding.hazard().map(|rule| rule.code);
        code.is_some_and(|code| settings.allow.iter().any(|it| it.eq_ignore_ascii_case(code)))
    };
    findings.filter(|finding| !is_allowed(finding)).collect()
}

/// A finding, as the protocol has it.
pub(super) fn diagnostic(
    finding: &Finding,
    uri: &Uri,
    (text, lines): (&str, &Lines),
) -> Diagnostic {
    let range = finding.place.as_ref().map_or(0..0, |place| place.range.clone());
    let href = finding.page().and_then(|page| page.parse::<Uri>().ok());
    let message = match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    };
    let related = finding.other.as_ref().map(|(other, message)| {
        let location = Location::new(uri.clone(), lines.range(text, other.range.clone()));
        vec![DiagnosticRelatedInformation { location, message: message.clone() }]
    });
    Diagnostic {
        range: lines.range(text, range),
        severity: Some(match finding.level {
            Level::Error => DiagnosticSeverity::ERROR,
            Level::Warning => DiagnosticSeverity::WARNING,
            Level::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: finding.code.map(|code| NumberOrString::String(code.to_owned())),
        code_description: href.map(|href| CodeDescription { href }),
        source: Some("ptx".to_owned()),
        message,
        related_information: related,
        tags: (finding.kind == Kind::Unneeded).then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}
