//! What is drawn: every row of the instruction table and of the rule table at least once in 20,000, here in far fewer.
//!
//! `PTX_FAULTS` is the number of files of each fault that are looked at, and `PTX_SMITH_SEED` selects others.

use std::collections::{BTreeMap, BTreeSet};

use ptx_emit::ptxas::Ptxas;
use ptx_isa::instruction::{INSTRUCTIONS, named_types};
use ptx_isa::rules::{Kind as RuleKind, RULES};
use ptx_isa::{Release, Target, tensor};
use ptx_smith::fault::{self, Fault, NOT_IN_TEXT};
use ptx_smith::module::{NEWEST, Options, newest};
use ptx_smith::{Kind, Rng, Statistics, statement};
use ptx_text::Parsed;

/// The number of modules, which is far below 20,000, so that it takes seconds.
const MODULES: usize = 1_000;

/// How many mutants, and how many maps, there are to draw all rules from.
const MUTANTS: usize = 20_000;

fn number<T: std::str::FromStr>(variable: &str, otherwise: T) -> T {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is {text}, not a number")),
        Err(_) => otherwise,
    }
}

#[test]
fn every_row_of_the_instruction_table_is_drawn() {
    let mut statistics = Statistics::default();
    for n in 0..MODULES {
        statistics.add(&Kind::Modules.draw(1, n, Options::default()));
    }
    // The rows of versions that the table does not have completely are drawn where they are asked for.
    let version = Some(newest());
    for n in 0..MODULES / 10 {
        let options = Options { target: Some(Target::Sm100a), version, ..Options::default() };
        statistics.add(&Kind::Modules.draw(2, n, options));
    }
    let missing = statistics.missing();
    let missing: Vec<&str> = missing.iter().map(|row| INSTRUCTIONS[*row].opcode).collect();
    assert!(missing.is_empty(), "not drawn: {missing:?}\n{statistics}");
}

/// A row without a form is drawn by the table alone, with every type that it has.
#[test]
fn the_table_is_enough_for_plain_rows() {
    let plain: Vec<usize> =
        (0..INSTRUCTIONS.len()).filter(|row| !statement::has_form(*row)).collect();
    assert!(plain.len() >= 15, "{}", plain.len());
    let goal = statement::Goal { target: Target::Sm100a, newest: NEWEST };
    for row in plain {
        let mut drawn = BTreeSet::new();
        for n in 0..300 {
            let mut rng = Rng::new(3, n);
            let statement = statement::draw(&mut rng, row, goal).expect("the target has the row");
            let pairs: Vec<(&str, &str)> = statement.pairs().collect();
            drawn.extend(named_types(&pairs).iter().map(|named| named.word.to_owned()));
        }
        let types = INSTRUCTIONS[row].types.iter().flat_map(|(_, sets)| *sets);
        let types: BTreeSet<String> = types
            .flat_map(|set| set.split(' '))
            .filter(|ty| !ty.is_empty())
            .map(str::to_owned)
            .collect();
        assert_eq!(drawn, types, "{}", INSTRUCTIONS[row].opcode);
    }
}

/// Each rule has a file or a reason.
#[test]
fn every_rule_has_a_fault_or_a_reason() {
    let faults: BTreeSet<&str> = Fault::all().iter().map(|fault| fault.code).collect();
    let reasons: BTreeSet<&str> =
        NOT_IN_TEXT.iter().flat_map(|(codes, _)| *codes).copied().collect();
    let rules: BTreeSet<&str> = RULES.iter().map(|rule| rule.code).collect();
    let both: Vec<&&str> = faults.intersection(&reasons).collect();
    assert!(both.is_empty(), "a fault and a reason: {both:?}");
    let known: BTreeSet<&str> = faults.union(&reasons).copied().collect();
    assert_eq!(known, rules);
}

#[test]
fn every_rule_is_drawn_and_is_all_that_is_found() {
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for n in 0..MUTANTS {
        first.entry(fault::drawn(1, n, Options::default()).code).or_insert(n);
    }
    assert_eq!(first.len(), Fault::all().len(), "a rule is not drawn");
    let mut embedded = 0;
    for (code, n) in first {
        let case = Kind::Mutants.draw(1, n, Options::default());
        let fault = case.fault.expect("it is a mutant");
        assert_eq!(fault.code, code);
        assert!(fault.found(&fault.text).is_some(), "{code} is not found in\n{}", fault.text);
        assert!(fault.found(&case.text).is_some(), "{code} is not found in\n{}", case.text);
        let verdict = case.verdict.expect("it is a mutant");
        assert!(verdict.starts_with(&format!("{code} (")) && !verdict.ends_with(": "), "{verdict}");
        embedded += usize::from(case.text != fault.text);
    }
    assert!(embedded > Fault::all().len() * 9 / 10, "only {embedded} are in a module");
}

/// Tensor maps have rules of their own, which are counted like those of PTX.
#[test]
fn every_rule_of_tensor_maps_is_drawn() {
    let mut statistics = Statistics::default();
    for n in 0..MUTANTS {
        // Some rules are about targets.
        let target = match n % 8 {
            0 => Target::Sm103a,
            1 => Target::Sm80,
            _ => Target::Sm90a,
        };
        let options = Options { target: Some(target), ..Options::default() };
        statistics.add(&Kind::Maps.draw(1, n, options));
    }
    let missing: Vec<&str> = tensor::rules::RULES
        .iter()
        .map(|rule| rule.code)
        .filter(|code| !statistics.rules.contains_key(code))
        .collect();
    assert!(missing.is_empty(), "not drawn: {missing:?}\n{statistics}");
}

/// How many files of each fault are looked at, and for how many of them ptxas is asked about one.
const FILES: usize = 20;
const EACH: usize = 10;

/// Faults whose files only differ in the names of registers, each with the reason.
const ALIKE: &[(&str, &str)] = &[
    ("A131", "the wait for another block's barrier is all that it says"),
    ("O003", "there is one type of samplers"),
];

/// The files of a fault.
fn files(fault: &Fault, count: usize) -> impl Iterator<Item = String> {
    let seed = number("PTX_SMITH_SEED", 1);
    (0..count).map(move |n| fault.draw(&mut Rng::new(seed, n)))
}

#[test]
fn every_file_of_a_fault_breaks_its_rule_alone() {
    let count = number("PTX_FAULTS", FILES);
    let mut wrong = Vec::new();
    for fault in Fault::all() {
        let all: BTreeSet<String> = files(fault, count).collect();
        wrong.extend(all.iter().find(|text| fault.found(text).is_none()).map(|text| {
            let found = Parsed::new(text.as_str()).check();
            let found: Vec<String> = found.iter().map(|it| format!("{:?} {it}", it.code)).collect();
            format!("{} is not all that is found: {found:?}\n{text}", fault.code)
        }));
        let is_alike = ALIKE.iter().any(|(code, _)| *code == fault.code);
        assert_eq!(fault.varies(), !is_alike, "{}", fault.code);
        assert!(is_alike || all.len() > 1, "{} has one file", fault.code);
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

/// Mutants are for the target that is asked for, and still have one fault.
#[test]
fn mutants_are_for_a_target() {
    let target = Some(Target::Sm100a);
    let options = Options { target, ..Options::default() };
    let mut rules = BTreeSet::new();
    for n in 0..60 {
        let case = Kind::Mutants.draw(1, n, options);
        assert!(case.text.contains(".target sm_100a"), "{n}: {}", case.text);
        let fault = case.fault.expect("it is a mutant");
        assert!(fault.found(&case.text).is_some(), "{}: {}", fault.code, case.text);
        rules.insert(fault.code);
    }
    assert!(rules.len() > 30, "{rules:?}");
    // A file for this target has the special register, whatever its version.
    let options = Options { rule: Some("S002"), ..options };
    let case = Kind::Mutants.draw(1, 0, options);
    assert!(case.fault.is_some_and(|fault| fault.found(&case.text).is_some()), "{}", case.text);
}

/// Faults that ptxas refuses although the rule is a hazard, each with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("A030", "its PTX version is newer than the releases"),
    ("A052", "it refuses addresses of 32 bits where it would take them in older releases"),
    ("A084", "it does not know the word either"),
];

#[test]
fn ptxas_agrees_with_the_kinds_of_faults() {
    let newest = Release::new(13, 0);
    let count = number("PTX_FAULTS", FILES).div_ceil(EACH);
    for ptxas in xtask::oracles().iter().filter(|ptxas| ptxas.release() == newest) {
        let wrong: Vec<String> = Fault::all()
            .iter()
            .flat_map(|fault| files(fault, count).map(move |text| (fault, text)))
            .filter_map(|(fault, text)| disagreement(ptxas, fault, &text))
            .collect();
        assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
    }
}

fn disagreement(ptxas: &Ptxas, fault: &Fault, text: &str) -> Option<String> {
    if REFUSED.iter().any(|(code, _)| *code == fault.code) {
        return None;
    }
    let target = text.lines().find_map(|line| line.strip_prefix(".target "))?;
    let target = Target::from_name(target.split([',', ' ']).next()?)?;
    // The release assembles older targets as newer ones.
    let target = if target.arch() < 75 { Target::Sm90 } else { target };
    let options: &[&str] = if text.contains(".unified") { &["--compile-only"] } else { &[] };
    let is_refused = ptxas.assemble_text_with(text, target, options).is_err();
    let kind = ptx_isa::rules::rule(fault.code)?.kind;
    (is_refused != (kind == RuleKind::Refused))
        .then(|| format!("{} is {kind:?}, and ptxas refuses it: {is_refused}\n{text}", fault.code))
}
