//! The facts about a rule from the tables.

use std::fmt::Write as _;

use ptx_isa::rule::{AllowanceSites, Rule, Table};
use ptx_isa::rules::{self, AllowanceSite};
use ptx_isa::tensor::rules::{self as maps, Observed, Targets};

use super::row::Row;
use crate::finding::meaning;

/// The characters of a line.
const WIDTH: usize = 100;

/// The places where a rule can be allowed, with their names.
const SITES: &[(AllowanceSite, &str)] = &[
    (AllowanceSite::Statement, "a statement"),
    (AllowanceSite::Local, "a declaration in a body"),
    (AllowanceSite::Param, "a parameter"),
    (AllowanceSite::Variable, "a variable"),
    (AllowanceSite::Function, "a function"),
    (AllowanceSite::Map, "a tensor map"),
];

/// The facts about a rule from the tables, one item per line.
pub(super) fn of(row: Row) -> String {
    match row {
        Row::Declarations(rule) => of_declarations(rule),
        Row::Maps(rule) => of_maps(rule),
    }
}

fn of_declarations(rule: &rules::Rule) -> String {
    let mut text = String::new();
    push_message(&mut text, rule);
    if let Some(meaning) = meaning(rule) {
        push_item(&mut text, &format!("{:?}: {meaning}.", rule.kind));
    }
    push_item(&mut text, &format!("Source: PTX ISA, section {}.", rule.source));
    push_sites(&mut text, rule.allowed);
    let subject = rule.subject.replace('_', " ");
    let silence = [
        (format!("Rules of `{subject}` are"), rule.silence.subject),
        ("It is".to_owned(), rule.silence.rule),
    ];
    for (who, when) in silence.iter().filter(|(_, when)| !when.is_empty()) {
        push_item(&mut text, &format!("{who} silent {when}."));
    }
    text
}

fn of_maps(rule: &maps::Rule) -> String {
    let mut text = String::new();
    push_message(&mut text, rule);
    let does = match rule.kind {
        Observed::Refused("") => "refuses it".to_owned(),
        Observed::Refused(how) => format!("refuses it, {how}"),
        Observed::Taken => "accepts it".to_owned(),
        Observed::Unseen => "was not tried".to_owned(),
    };
    push_item(&mut text, &format!("The driver {does} ({}).", maps::OBSERVED));
    let manual = rule.source.manual.map(|name| format!("driver manual, parameter `{name}`"));
    let ptx = rule.source.ptx.map(|place| {
        if place.starts_with(|c: char| c.is_ascii_digit()) {
            format!("PTX ISA, section {place}")
        } else {
            format!("PTX ISA, instruction `{place}`")
        }
    });
    let sources: Vec<String> = manual.into_iter().chain(ptx).collect();
    match &sources[..] {
        [] => push_item(&mut text, "Source: the driver alone; no document has this rule."),
        sources => push_item(&mut text, &format!("Source: {}.", sources.join("; "))),
    }
    let targets = match rule.source.targets {
        Targets::All => None,
        Targets::Below(arch) => Some(format!("below sm_{arch}")),
        Targets::AllBut(target) => Some(format!("all but {}", target.name())),
        Targets::Only(target) => Some(format!("{} alone", target.name())),
        Targets::OutsideFamilies => Some("outside the families of sm_100f and sm_110f".to_owned()),
    };
    if let Some(targets) = targets {
        push_item(&mut text, &format!("Targets: {targets}."));
    }
    push_sites(&mut text, rule.allowed);
    text
}

/// Appends the message and the fix, with `..` for the values.
fn push_message<T: Table>(text: &mut String, rule: &Rule<T>) {
    push_item(text, &format!("Message: {}", without_values(rule.message)));
    let (rust, ptx) = (rule.fix, rule.fix_in_ptx());
    push_item(text, &format!("Fix: {}", without_values(rust)));
    if rust != ptx {
        push_item(text, &format!("Fix in PTX: {}", without_values(ptx)));
    }
}

fn push_sites(text: &mut String, allowed: AllowanceSites) {
    let sites = SITES.iter().filter(|(site, _)| allowed.has(*site));
    let sites: Vec<&str> = sites.map(|(_, name)| *name).collect();
    let sentence = match &sites[..] {
        [] => "It cannot be allowed.".to_owned(),
        [site] => format!("It can be allowed on {site}."),
        [sites @ .., last] => format!("It can be allowed on {} or {last}.", sites.join(", ")),
    };
    push_item(text, &sentence);
}

/// A message template with `..` for the values.
fn without_values(template: &str) -> String {
    let mut parts = template.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.split_once('}').map_or(part, |(_, rest)| rest);
        let _ = write!(text, "..{rest}");
    }
    text
}

/// Appends a list item, wrapped into lines.
fn push_item(text: &mut String, item: &str) {
    let mut length = 1;
    text.push('-');
    for word in item.split(' ') {
        if length > 1 && length + 1 + word.len() > WIDTH {
            text.push_str("\n ");
            length = 1;
        }
        let _ = write!(text, " {word}");
        length += 1 + word.chars().count();
    }
    text.push('\n');
}
