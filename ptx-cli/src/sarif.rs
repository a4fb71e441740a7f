//! Findings as a SARIF 2.1.0 log.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use ptx_isa::rules::Rule;
use serde::Serialize;

use crate::checked::Checked;
use crate::finding::{Finding, Kind, Level, Place, meaning};
use crate::site;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The characters that are encoded in the path of a URI.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    column_kind: &'static str,
    invocations: [Invocation<'a>; 1],
    results: Vec<Result<'a>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    name: &'static str,
    short_description: Text<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_description: Option<Text<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Text<String>>,
    help_uri: String,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Serialize)]
struct Text<T> {
    text: T,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Properties {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ptx_isa: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation<'a> {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification<'a>>,
}

#[derive(Serialize)]
struct Notification<'a> {
    level: &'static str,
    message: Text<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Result<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text<String>,
    locations: [Location<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    related_locations: Option<[Location<'a>; 1]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: PhysicalLocation<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text<&'a str>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation<'a> {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region<'a>>,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region<'a> {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
    byte_offset: usize,
    byte_length: usize,
    snippet: Text<&'a str>,
}

/// The log.
pub(crate) fn log(files: &[Checked]) -> serde_json::Result<String> {
    let findings = || files.iter().flat_map(|file| &file.findings);
    let mut described: BTreeMap<&'static str, Descriptor> = BTreeMap::new();
    for finding in findings() {
        described.entry(rule_id(finding)).or_insert_with(|| descriptor(finding));
    }
    let indices = described.keys().enumerate().map(|(index, id)| (*id, index)).collect();
    let results = files
        .iter()
        .flat_map(|file| file.findings.iter().map(|finding| result(&file.name, finding, &indices)));
    let failures = files.iter().filter_map(|file| file.failure.as_deref());
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "ptx",
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    information_uri: site::TOOL,
                    rules: described.into_values().collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            invocations: [Invocation {
                execution_successful: files.iter().all(|file| file.failure.is_none()),
                tool_execution_notifications: failures
                    .map(|text| Notification { level: "error", message: Text { text } })
                    .collect(),
            }],
            results: results.collect(),
        }],
    };
    serde_json::to_string_pretty(&log)
}

/// The code of the rule that is broken, or the kind of the finding if it has no code.
fn rule_id(finding: &Finding) -> &'static str {
    finding.rule().map_or(finding.kind.name(), |rule| rule.code)
}

fn descriptor(finding: &Finding) -> Descriptor {
    match finding.rule() {
        Some(rule) => of_rule(rule),
        None => of_kind(finding.kind),
    }
}

fn of_rule(rule: &'static Rule) -> Descriptor {
    let message = without_values(rule.message);
    let description = match meaning(rule) {
        Some(meaning) => format!("{message} ({meaning})"),
        None => message,
    };
    Descriptor {
        id: rule.code,
        name: rule.name,
        short_description: Text { text: rule.name.replace('_', " ") },
        full_description: Some(Text { text: description }),
        help: help(rule),
        help_uri: site::of_rule(rule.code),
        default_configuration: Configuration {
            level: if rule.kind.is_error() { Level::Error } else { Level::Warning }.name(),
        },
        properties: Properties { kind: Kind::from(rule.kind).name(), ptx_isa: Some(rule.source) },
    }
}

/// The fix, unless it differs for each finding.
fn help(rule: &Rule) -> Option<Text<String>> {
    let text = without_values(rule.fix_in_ptx());
    text.contains(char::is_alphabetic).then_some(Text { text })
}

fn of_kind(kind: Kind) -> Descriptor {
    Descriptor {
        id: kind.name(),
        name: kind.name(),
        short_description: Text { text: kind.meaning().to_owned() },
        full_description: None,
        help: None,
        help_uri: site::TOOL.to_owned(),
        default_configuration: Configuration {
            level: match kind {
                Kind::NotFollowed => Level::Note.name(),
                Kind::Unneeded => Level::Warning.name(),
                _ => Level::Error.name(),
            },
        },
        properties: Properties { kind: kind.name(), ptx_isa: None },
    }
}

/// A message with its values left out.
fn without_values(template: &str) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        text.push_str(before);
        text.push_str("..");
        rest = behind.split_once('}').map_or("", |(_, behind)| behind);
    }
    text.push_str(rest);
    text
}

fn result<'a>(
    file: &str,
    finding: &'a Finding,
    indices: &BTreeMap<&'static str, usize>,
) -> Result<'a> {
    let rule_id = rule_id(finding);
    let parts = [&finding.message].into_iter().chain(&finding.help).chain(&finding.ptxas);
    let text = parts.map(String::as_str).collect::<Vec<_>>().join("; ");
    Result {
        rule_id,
        rule_index: indices.get(rule_id).copied().unwrap_or_default(),
        level: finding.level.name(),
        message: Text { text },
        locations: [location(file, finding.place.as_ref(), None)],
        related_locations: finding
            .other
            .as_ref()
            .map(|(place, message)| [location(file, Some(place), Some(message))]),
    }
}

fn location<'a>(file: &str, place: Option<&'a Place>, message: Option<&'a str>) -> Location<'a> {
    Location {
        physical_location: PhysicalLocation {
            artifact_location: Artifact { uri: uri(file) },
            region: place.map(region),
        },
        message: message.map(|text| Text { text }),
    }
}

fn region(place: &Place) -> Region<'_> {
    Region {
        start_line: place.start.0,
        start_column: place.start.1,
        end_line: place.end.0,
        end_column: place.end.1,
        byte_offset: place.range.start,
        byte_length: place.range.len(),
        snippet: Text { text: place.blamed() },
    }
}

/// The URI of a file: relative where its path is.
fn uri(file: &str) -> String {
    let path = if cfg!(windows) { file.replace('\\', "/") } else { file.to_owned() };
    let encoded = utf8_percent_encode(&path, PATH).to_string();
    if path.starts_with('/') {
        return format!("file://{encoded}");
    }
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    if cfg!(windows) && has_drive { format!("file:///{encoded}") } else { encoded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_uri() {
        assert_eq!(uri("kernels/a b.ptx"), "kernels/a%20b.ptx");
        assert_eq!(uri("/tmp/ü.ptx"), "file:///tmp/%C3%BC.ptx");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }

    #[test]
    fn a_template_has_no_values() {
        assert_eq!(without_values("`{0}` is {1} bytes"), "`..` is .. bytes");
        assert_eq!(without_values("nothing"), "nothing");
    }
}
