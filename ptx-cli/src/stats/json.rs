//! Statistics as one JSON document.

use std::collections::BTreeMap;

use serde::Serialize;

use super::bounds::{Exceeded, word};
use super::count::{Counted, CountedFile, Counts, Moved};
use super::kind::Kind;
use super::outcome::Outcome;
use super::text::differences;
use crate::json::{self, Mistake};

#[derive(Serialize)]
struct Document<'s> {
    files: Vec<File<'s>>,
    exceeded: &'s [Exceeded],
}

#[derive(Serialize)]
struct File<'s> {
    #[serde(rename = "file")]
    name: &'s str,
    /// Why it could not be read, or not be assembled with `--ptxas`; `null` if it was.
    failure: Option<&'s str>,
    /// Its errors of syntax, because of which nothing is counted.
    errors: Vec<Mistake<'s>>,
    functions: Vec<Function<'s>>,
    /// `null` if nothing is counted.
    total: Option<Statistics>,
}

#[derive(Serialize)]
struct Function<'s> {
    name: &'s str,
    kind: &'static str,
    line: u32,
    #[serde(flatten)]
    statistics: Statistics,
}

#[derive(Serialize)]
struct Statistics {
    statements: usize,
    kinds: BTreeMap<&'static str, usize>,
    accesses: Vec<Access>,
    declared_registers: usize,
    /// `null` if the launch decides.
    declared_bytes: BTreeMap<&'static str, Option<usize>>,
    /// `null` without `--ptxas`, and for what is not a kernel.
    ptxas: Option<Resources>,
}

#[derive(Serialize)]
struct Access {
    space: &'static str,
    /// Of each access; `null` if it is not known.
    bytes: Option<usize>,
    loads: usize,
    stores: usize,
    atomics: usize,
}

#[derive(Serialize)]
struct Resources {
    registers: usize,
    spill_bytes: usize,
    stack_bytes: usize,
    shared_bytes: usize,
}

#[derive(Serialize)]
struct Difference<'s> {
    old: &'s str,
    new: &'s str,
    differences: Vec<Property>,
    exceeded: &'s [Exceeded],
}

#[derive(Serialize)]
struct Property {
    of: String,
    key: String,
    /// `null` if the file does not have it.
    old: Option<usize>,
    new: Option<usize>,
}

/// The statistics of files.
pub(super) fn document(files: &[Outcome], exceeded: &[Exceeded]) -> serde_json::Result<String> {
    json::document(&Document { files: files.iter().map(file).collect(), exceeded })
}

fn file(outcome: &Outcome) -> File<'_> {
    let without = |name, failure, findings| File {
        name,
        failure,
        errors: json::mistakes(findings),
        functions: Vec::new(),
        total: None,
    };
    match outcome {
        Outcome::Counted(file) => File {
            name: &file.name,
            failure: None,
            errors: Vec::new(),
            functions: file.functions.iter().map(function).collect(),
            total: Some(statistics(&file.total)),
        },
        Outcome::Syntax(name, findings) => without(name, None, findings),
        Outcome::Refused(name, why) | Outcome::Failed(name, why) => without(name, Some(why), &[]),
    }
}

/// What differs between two files.
pub(super) fn difference(
    old: &CountedFile,
    new: &CountedFile,
    exceeded: &[Exceeded],
) -> serde_json::Result<String> {
    let all = differences(old, new).into_iter();
    let differences = all.map(|(of, key, [old, new])| Property { of, key, old, new }).collect();
    let (old, new) = (&*old.name, &*new.name);
    json::document(&Difference { old, new, differences, exceeded })
}

fn function(function: &Counted) -> Function<'_> {
    Function {
        name: &function.name,
        kind: word(function.kind),
        line: function.line,
        statistics: statistics(&function.counts),
    }
}

fn statistics(counts: &Counts) -> Statistics {
    let accesses = counts.moved.iter();
    Statistics {
        statements: counts.statements(),
        kinds: Kind::ALL
            .iter()
            .map(|kind| (kind.name(), counts.kinds.get(kind).copied().unwrap_or(0)))
            .collect(),
        accesses: accesses
            .map(|((space, bytes), Moved { loads, stores, atomics })| Access {
                space,
                bytes: *bytes,
                loads: *loads,
                stores: *stores,
                atomics: *atomics,
            })
            .collect(),
        declared_registers: counts.declared,
        declared_bytes: counts.storage.clone(),
        ptxas: counts.ptxas.map(|it| Resources {
            registers: it.registers,
            spill_bytes: it.spills,
            stack_bytes: it.stack,
            shared_bytes: it.shared,
        }),
    }
}
