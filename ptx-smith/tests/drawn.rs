//! What is drawn: every row of the instruction table and of the rule table at least once in 20,000, here in far fewer.

use std::collections::{BTreeMap, BTreeSet};

use ptx_emit::ptxas::Ptxas;
use ptx_isa::instruction::{INSTRUCTIONS, named_types};
use ptx_isa::rules::{Kind as RuleKind, RULES};
use ptx_isa::{Release, Target};
use ptx_smith::fault::{self, Fault, NOT_IN_TEXT};
use ptx_smith::module::{NEWEST, Options, newest};
use ptx_smith::{Kind, Statistics, statement};

/// The number of modules, which is far below 20,000, so that it takes seconds.
const MODULES: usize = 1_000;

/// How many mutants there are to draw all rules from.
const MUTANTS: usize = 20_000;

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
            let mut rng = ptx_smith::Rng::new(3, n);
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
        assert!(fault.found(fault.text).is_some(), "{code} is not found in\n{}", fault.text);
        assert!(fault.found(&case.text).is_some(), "{code} is not found in\n{}", case.text);
        let verdict = case.verdict.expect("it is a mutant");
        assert!(verdict.starts_with(&format!("{code} (")) && !verdict.ends_with(": "), "{verdict}");
        embedded += usize::from(case.text != fault.text);
    }
    assert!(embedded > Fault::all().len() * 9 / 10, "only {embedded} are in a module");
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
    for ptxas in xtask::oracles().iter().filter(|ptxas| ptxas.release() == newest) {
        let wrong: Vec<String> =
            Fault::all().iter().filter_map(|it| disagreement(ptxas, it)).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

fn disagreement(ptxas: &Ptxas, fault: &Fault) -> Option<String> {
    if REFUSED.iter().any(|(code, _)| *code == fault.code) {
        return None;
    }
    let target = fault.text.lines().find_map(|line| line.strip_prefix(".target "))?;
    let target = Target::from_name(target.split([',', ' ']).next()?)?;
    // The release assembles older targets as newer ones.
    let target = if target.arch() < 75 { Target::Sm90 } else { target };
    let options: &[&str] = if fault.text.contains(".unified") { &["--compile-only"] } else { &[] };
    let is_refused = ptxas.assemble_text_with(fault.text, target, options).is_err();
    let kind = ptx_isa::rules::rule(fault.code)?.kind;
    (is_refused != (kind == RuleKind::Refused))
        .then(|| format!("{} is {kind:?}, and ptxas refuses it: {is_refused}", fault.code))
}
