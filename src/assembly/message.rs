//! Messages about a module, with their locations.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use std::collections::HashMap;

use ptx_types::Target;
use ptx_types::count::Count;
use ptx_types::ir::Location;

#[cfg(feature = "check")]
use crate::finding::Finding;
use crate::ptxas::{Diagnostic, Severity};

/// A message from the rules, ptxas or a demand. `Display` is one line: `src/kernel.rs:12:17: error: ..`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Message {
    /// How severe it is.
    pub severity: Severity,
    /// The Rust token that it is about; modules that were built by hand have no locations.
    pub place: Option<Location<String>>,
    /// The message.
    pub text: String,
    /// The targets that the message is about, if not all targets that were checked.
    pub targets: Vec<Target>,
}

impl Message {
    pub(super) fn error(place: Option<Location<&str>>, text: String) -> Self {
        Self { severity: Severity::Error, place: place.map(owned), text, targets: Vec::new() }
    }

    /// The message of a finding, without a target: it holds for the module on every target.
    #[cfg(feature = "check")]
    pub(super) fn of_finding(finding: &Finding<'_>) -> Self {
        let message = Self::error(finding.location(), finding.message());
        let severity = if finding.is_error() { Severity::Error } else { Severity::Warning };
        Self { severity, ..message }
    }

    /// The messages of ptxas. What a loop or a fragment repeats is written at one place, where the same message
    /// appears once.
    pub(super) fn of_ptxas<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> Vec<Self> {
        let mut found: Vec<(&Diagnostic, usize)> = Vec::new();
        let mut first = HashMap::new();
        for diagnostic in diagnostics {
            let Diagnostic { severity, place, message, .. } = diagnostic;
            let earlier = place
                .as_ref()
                .map(|place| *first.entry((severity, place, message)).or_insert(found.len()));
            match earlier.and_then(|earlier| found.get_mut(earlier)) {
                Some((_, more)) => *more += 1,
                None => found.push((diagnostic, 0)),
            }
        }
        let message = |(diagnostic, more): (&Diagnostic, usize)| {
            let mut text = diagnostic.words();
            if more > 0 {
                let more = Count(more, "more statement");
                text = format!("{text}; the same holds for {more} expanded from here");
            }
            let Diagnostic { severity, place, .. } = diagnostic;
            Self { severity: *severity, place: place.clone(), text, targets: Vec::new() }
        };
        found.into_iter().map(message).collect()
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}: {}", self.severity, self.text)?;
        for (n, target) in self.targets.iter().enumerate() {
            write!(f, "{}{target}", if n == 0 { " (for " } else { ", " })?;
        }
        f.write_str(if self.targets.is_empty() { "" } else { ")" })
    }
}

fn owned(Location { file, line, column }: Location<&str>) -> Location<String> {
    Location { file: file.to_owned(), line, column }
}

/// The messages without duplicates, each with the targets that it is about if there are others.
pub(super) fn gathered(of_targets: Vec<(Target, Vec<Message>)>) -> Vec<Message> {
    let asked = of_targets.len();
    let mut found: Vec<Message> = Vec::new();
    for (target, messages) in of_targets {
        for message in messages {
            let same = |other: &&mut Message| {
                (other.severity, &other.place, &other.text)
                    == (message.severity, &message.place, &message.text)
            };
            match found.iter_mut().find(same) {
                Some(other) if other.targets.contains(&target) => {}
                Some(other) => other.targets.push(target),
                None => found.push(Message { targets: [target].into(), ..message }),
            }
        }
    }
    for message in &mut found {
        if message.targets.len() == asked {
            message.targets.clear();
        }
    }
    found.sort_by_key(|message| (core::cmp::Reverse(message.severity), message.place.clone()));
    found
}
