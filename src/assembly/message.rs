//! Messages about a module, with their locations.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use ptx_types::Target;
use ptx_types::ir::Location;

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
    pub(super) fn of_finding(finding: &Finding<'_>) -> Self {
        Self::error(finding.location(), finding.message())
    }

    pub(super) fn of_ptxas(diagnostic: &Diagnostic) -> Self {
        Self {
            severity: diagnostic.severity,
            place: diagnostic.place.clone(),
            text: diagnostic.words(),
            targets: Vec::new(),
        }
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
                Some(said) if said.targets.contains(&target) => {}
                Some(said) => said.targets.push(target),
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
