//! The rules against the real ptxas, on generated declarations: what a rule of the kind *refused*
//! forbids, ptxas refuses, and everything else it takes.
//!
//! The generator goes over the whole grammar of declarations (space, linkage, attributes,
//! alignment, type, extents, initial values, parameters, directives, target, version, texture
//! mode): one case in two is meant to be legal, one in four breaks one rule, the rest is drawn
//! freely. What a case is meant to be decides nothing; the rules do, for the release that is asked.
//!
//! `PTX_AGREEMENT_SEED` and `PTX_AGREEMENT_COUNT` choose other cases and more of them.

mod broken;
mod draft;
mod grammar;
mod judge;
mod legal;
mod misses;
mod reach;
#[path = "../read_back/mod.rs"]
mod read_back;
mod rng;
#[path = "../instruction_needs/statements.rs"]
mod statements;
mod syntax;
mod wild;
mod words;

use std::collections::BTreeSet;

use draft::{Case, Draft};
use reach::Reach;

/// How many cases are made, and then judged, at a time.
const ROUND: usize = 20_000;

/// From how many declarations on the generator has to prove its reach.
const ENOUGH: usize = 20_000;

/// How many disagreements are printed.
const PRINTED: usize = 10;

fn number(variable: &str, otherwise: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is {text}, no number")),
        Err(_) => otherwise,
    }
}

/// The case with this number: the same for a seed whatever else is made.
fn case(seed: u64, number: usize) -> Case {
    let mut draft = Draft::new(seed, number);
    let turn = number / 8;
    match number % 8 {
        0 | 1 => {
            let misses = misses::MISSES;
            let (rule, make) = misses[(turn * 2 + number % 8) % misses.len()];
            make(&mut draft);
            misses::settle(&mut draft, rule);
        }
        2 => wild::declaration(&mut draft),
        other => {
            legal::FORMS[(turn * 5 + other) % legal::FORMS.len()](&mut draft);
            legal::settle(&mut draft);
        }
    }
    draft.case
}

/// Rules about what text does not say, none of which ptxas has: of the types of Rust that are bytes there
/// (D006, D016, D066, D068, of textures O004 and O009) or that pointers lead to (D021), of initial values that
/// are written as bits (D014, D029, D032), and of one that is not written at all (D069).
const UNSEEN: &[&str] =
    &["D006", "D014", "D016", "D021", "D029", "D032", "D066", "D068", "D069", "O004", "O009"];

/// Rules about what text alone says: of addresses in what bodies declare, which are verbatim in the generator's
/// IR (D034), and of integers that a type of Rust aligns (F009).
const OF_TEXT: &[&str] = &["D034", "F009"];

/// The codes of the rules that a module breaks, for the release that text is judged for, and of those that
/// its text does.
fn codes(module: &ptx::ir::Module<'_>) -> (BTreeSet<&'static str>, BTreeSet<&'static str>) {
    let parsed = ptx::Module::parse(ptx::Module::new(*module).to_string());
    let newest = ptx::ir::Module { release: parsed.module().release, ..*module };
    let emitted = ptx::rules::check_module(&newest).iter().map(|broken| broken.rule.code).collect();
    (emitted, parsed.check().iter().filter_map(|found| found.code).collect())
}

#[test]
fn what_is_generated_reads_back() {
    let seed = number("PTX_AGREEMENT_SEED", 0x5054_5831);
    let count = usize::try_from(number("PTX_AGREEMENT_COUNT", 20_000)).expect("it fits");
    let (mut differing, mut taken) = (0, 0);
    let (mut unseen, mut new) = (BTreeSet::new(), BTreeSet::new());
    for n in 0..count {
        case(seed, n).with(None, |module| {
            let is_refused = ptx::rules::check_module(module)
                .iter()
                .any(|violation| violation.rule.kind == ptx::rules::Kind::Refused);
            // What is no PTX is not read as such: a name that starts with a digit, say.
            if is_refused {
                return;
            }
            taken += 1;
            let (emitted, read) = codes(module);
            unseen.extend(emitted.difference(&read).copied());
            for code in read.difference(&emitted) {
                if new.insert(*code) && !OF_TEXT.contains(code) {
                    println!("case {n}, {code}:\n{}", ptx::Module::new(*module));
                }
            }
            if let Err(why) = read_back::reads_back(module) {
                if differing < PRINTED {
                    let text = ptx::Module::new(*module).to_string();
                    println!("case {n} of seed {seed}: {why}\n{text}");
                }
                differing += 1;
            }
        });
    }
    assert_eq!(unseen.iter().copied().collect::<Vec<_>>(), UNSEEN, "text does not show these");
    assert_eq!(new.iter().copied().collect::<Vec<_>>(), OF_TEXT, "text alone shows these");
    assert!(taken * 2 > count, "the rules take {taken} of {count} modules");
    assert_eq!(differing, 0, "of {taken} modules these are read otherwise than they were written");
}

#[test]
fn ptxas_takes_what_the_rules_take() {
    let oracles = xtask::oracles();
    if oracles.is_empty() {
        return;
    }
    let seed = number("PTX_AGREEMENT_SEED", 0x5054_5831);
    let count = usize::try_from(number("PTX_AGREEMENT_COUNT", 20_000)).expect("it fits");
    let (mut reach, mut disagreements) = (Reach::new(), 0);
    for start in (0..count).step_by(ROUND) {
        let cases: Vec<Case> =
            (start..count.min(start + ROUND)).map(|number| case(seed, number)).collect();
        let outcomes = judge::judge(&oracles, &cases);
        for (n, (case, outcome)) in cases.iter().zip(&outcomes).enumerate() {
            match &outcome.disagreement {
                Some(why) => {
                    if disagreements < PRINTED {
                        println!("case {} of seed {seed} breaks {why}\n", start + n);
                    }
                    disagreements += 1;
                }
                None => reach.count(case, outcome),
            }
        }
    }
    let lacking = reach.lacking();
    if count >= ENOUGH {
        println!("{}", reach.table());
    }
    println!("reached too seldom: {lacking:?}");
    println!("{count} declarations, {disagreements} disagreements");
    assert_eq!(disagreements, 0, "the rules and ptxas do not agree");
    assert!(count < ENOUGH || lacking.is_empty(), "reached too seldom: {lacking:?}");
}
