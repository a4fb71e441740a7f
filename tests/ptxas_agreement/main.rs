//! Compares the rules with the real ptxas on generated declarations: ptxas refuses whatever a rule of the kind
//! *refused* forbids, and accepts everything else.
//!
//! The generator covers the whole grammar of declarations (space, linkage, attributes, alignment, type,
//! extents, initial values, parameters, directives, target, version, texture mode): half of the cases are
//! meant to be legal, a quarter break one rule, and the rest are random. The intention does not count; the
//! rules decide, for the release that is run.
//!
//! `PTX_AGREEMENT_SEED` selects different cases, and `PTX_AGREEMENT_COUNT` their number. Without that number, they are
//! few, and ptxas
//! reads only [`EACH`] of the cases that break the same rules; `.ci/nightly` has it read all.

mod broken;
mod judge;
mod reach;
#[path = "../read_back/mod.rs"]
mod read_back;
#[path = "../instruction_needs/statements.rs"]
mod statements;
mod syntax;
mod words;

use std::collections::BTreeSet;

use ptx_smith::declarations::draft::{Case, Draft};
use ptx_smith::declarations::{legal, misses, wild};
use reach::Reach;

/// The number of cases that are generated and then judged at a time.
const ROUND: usize = 20_000;

/// The number of cases with the same broken rules that each ptxas reads by default.
const EACH: usize = 8;

/// The number of declarations from which on the generator has to reach everything, and the default.
const ENOUGH: usize = 8_000;

/// The most declarations that are generated in addition, to break the rules that few of them break.
const MORE: usize = 400_000;

/// The number of disagreements that are printed.
const PRINTED: usize = 10;

fn number(variable: &str, otherwise: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is {text}, not a number")),
        Err(_) => otherwise,
    }
}

/// The number of cases.
fn declarations() -> usize {
    let enough = u64::try_from(ENOUGH).expect("it fits");
    usize::try_from(number("PTX_AGREEMENT_COUNT", enough)).expect("it fits")
}

/// The case with this number; for a given seed it does not depend on the others.
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

/// Rules about information that PTX text does not contain, none of which ptxas has: about Rust types that become
/// bytes (D006, D016, D066, D068, for textures O004 and O009) or that pointers point to (D021), about initial
/// values that become bits (D014, D029, D032), about one that is omitted (D069), and about extents in dynamic
/// shared memory (D065).
const UNSEEN: &[&str] = &[
    "D006", "D014", "D016", "D021", "D029", "D032", "D065", "D066", "D068", "D069", "O004", "O009",
];

/// Rules that apply only to text: about addresses in declarations of bodies, which are verbatim in the generator's
/// IR (D034).
const OF_TEXT: &[&str] = &["D034"];

/// The codes of the rules that a module breaks, for the release that text is checked for, and of those that its
/// text breaks.
fn codes(module: &ptx::ir::Module<'_>) -> (BTreeSet<&'static str>, BTreeSet<&'static str>) {
    let parsed = ptx::Module::parse(ptx::Module::new(*module).to_string());
    let newest = ptx::ir::Module { release: parsed.module().release, ..*module };
    let emitted = ptx::rules::check_module(&newest).iter().map(|broken| broken.rule.code).collect();
    (emitted, parsed.check().iter().filter_map(|found| found.code).collect())
}

/// What reading modules back has shown.
#[derive(Default)]
struct ReadBack {
    /// The modules that the rules accept.
    accepted: usize,
    /// The accepted modules that do not read back as written.
    differing: usize,
    /// The rules that a module breaks, and not its text.
    unseen: BTreeSet<&'static str>,
    /// The rules that a text breaks, and not its module.
    new: BTreeSet<&'static str>,
}

impl ReadBack {
    fn of(&mut self, seed: u64, n: usize, module: &ptx::ir::Module<'_>) {
        let is_refused = ptx::rules::check_module(module)
            .iter()
            .any(|violation| violation.rule.kind == ptx::rules::Kind::Refused);
        // The reader refuses invalid PTX, such as a name that starts with a digit.
        if is_refused {
            return;
        }
        self.accepted += 1;
        let (emitted, read) = codes(module);
        let text = || ptx::Module::new(*module).to_string();
        for code in emitted.difference(&read) {
            if self.unseen.insert(code) && !UNSEEN.contains(code) {
                println!("case {n} of seed {seed}, {code} not in its text:\n{}", text());
            }
        }
        // Text that lacks what makes a declaration invalid declares something else, about which other rules speak: of
        // a vector of predicates, it has zero bytes.
        let says_the_same = !emitted.iter().any(|code| UNSEEN.contains(code));
        for code in read.difference(&emitted).filter(|_| says_the_same) {
            if self.new.insert(code) && !OF_TEXT.contains(code) {
                println!(
                    "case {n} of seed {seed}, {code} only in its text:\n{module:?}\n{}",
                    text()
                );
            }
        }
        if let Err(why) = read_back::reads_back(module) {
            if self.differing < PRINTED {
                println!("case {n} of seed {seed}: {why}\n{}", text());
            }
            self.differing += 1;
        }
    }

    /// The listed rules that were not broken as they are listed.
    fn lacking(&self) -> Vec<&'static str> {
        let of = |listed: &[&'static str], found: &BTreeSet<&str>| {
            listed.iter().copied().filter(|code| !found.contains(code)).collect::<Vec<_>>()
        };
        [of(UNSEEN, &self.unseen), of(OF_TEXT, &self.new)].concat()
    }
}

#[test]
fn generated_modules_read_back() {
    let seed = number("PTX_AGREEMENT_SEED", 0x5054_5831);
    let count = declarations();
    let mut seen = ReadBack::default();
    for n in 0..count {
        case(seed, n).with(None, |module| seen.of(seed, n, module));
    }
    assert!(seen.accepted * 2 > count, "the rules accept {} of {count} modules", seen.accepted);
    // Random declarations break the rarest of the listed rules, so more of them follow until each was broken.
    let more = if count < ENOUGH { 0 } else { MORE };
    for n in count..count + more {
        if seen.lacking().is_empty() {
            break;
        }
        let mut draft = Draft::new(seed, n);
        wild::declaration(&mut draft);
        draft.case.with(None, |module| seen.of(seed, n, module));
    }
    let unlisted = |found: &BTreeSet<&'static str>, listed: &[&str]| {
        found.iter().copied().filter(|code| !listed.contains(code)).collect::<Vec<_>>()
    };
    assert!(unlisted(&seen.unseen, UNSEEN).is_empty(), "rules that text cannot break");
    assert!(unlisted(&seen.new, OF_TEXT).is_empty(), "rules that only text can break");
    assert!(more == 0 || seen.lacking().is_empty(), "listed without need: {:?}", seen.lacking());
    assert_eq!(seen.differing, 0, "modules of {} that do not read back as written", seen.accepted);
}

#[test]
fn ptxas_accepts_what_the_rules_accept() {
    let oracles = xtask::oracles();
    if oracles.is_empty() {
        return;
    }
    let seed = number("PTX_AGREEMENT_SEED", 0x5054_5831);
    let count = declarations();
    let is_counted = std::env::var_os("PTX_AGREEMENT_COUNT").is_some();
    let most = if is_counted { usize::MAX } else { EACH };
    let (mut reach, mut disagreements) = (Reach::new(), 0);
    for start in (0..count).step_by(ROUND) {
        let cases: Vec<Case> =
            (start..count.min(start + ROUND)).map(|number| case(seed, number)).collect();
        let outcomes = judge::judge(&oracles, &cases, most);
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
    println!("reached too rarely: {lacking:?}");
    println!("{count} declarations, {disagreements} disagreements");
    assert_eq!(disagreements, 0, "the rules and ptxas do not agree");
    assert!(count < ENOUGH || lacking.is_empty(), "reached too rarely: {lacking:?}");
}
