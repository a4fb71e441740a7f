//! What is said of a module, at its place.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use ptx_types::Target;
use ptx_types::ir::{self, Location};

use crate::finding::Finding;
use crate::ptxas::{Diagnostic, Severity};

/// What the rules, ptxas or a demand say of a module. `Display` is a line: `src/kernel.rs:12:17: error: ..`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Message {
    /// How bad it is.
    pub severity: Severity,
    /// The Rust token that it is about; modules that were built by hand have no places.
    pub place: Option<Location<String>>,
    /// What is said.
    pub text: String,
    /// Of which targets it is said, where not of all that were asked for.
    pub targets: Vec<Target>,
}

impl Message {
    pub(super) fn error(place: Option<Location<&str>>, text: String) -> Self {
        Self { severity: Severity::Error, place: place.map(owned), text, targets: Vec::new() }
    }

    /// What a rule says, without its target: it is the module's own.
    pub(super) fn of_finding(module: &ir::Module<'_>, finding: &Finding<'_>) -> Self {
        let declared = || declared(module, finding.subject()?);
        Self::error(finding.location().or_else(declared), finding.to_string())
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

/// Where the declaration with this name stands.
fn declared<'a>(module: &ir::Module<'a>, name: &str) -> Option<Location<&'a str>> {
    let functions = || module.functions.iter();
    let of_functions = functions().map(|function| (function.name, function.place));
    let variables = module.variables.iter().map(|variable| (variable.name, variable.place));
    let params = functions().flat_map(|function| function.params.iter().chain(function.returns));
    let params = params.map(|param| (param.variable.name, param.variable.place));
    let mut all = variables.chain(of_functions).chain(params);
    let (_, place) = all.find(|(declared, _)| *declared == name)?;
    place?.location()
}

fn owned(Location { file, line, column }: Location<&str>) -> Location<String> {
    Location { file: file.to_owned(), line, column }
}

/// The messages, each once, with the targets that it is said of where there are others.
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
