//! Broken texts: the reader accepts those that ptxas accepts.
//!
//! The texts are the generator's declarations, a statement for each instruction of the table, and whole files;
//! each is broken once or twice: tokens are deleted, duplicated, swapped and replaced, numbers are set to their
//! limits, spaces and comments are exchanged, bytes are added, and the text is truncated. Where the reader
//! reports an error of grammar, or of a rule of the kind *refused*, ptxas has to refuse the text,
//! too.
//!
//! `PTX_TEXT_SEED` selects different texts, `PTX_TEXT_COUNT` their number, and `PTX_TEXT_FROM` the first.

mod mutant;
mod pool;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ptx::ptxas::{AssembleError, Ptxas};
use ptx::text::{Diagnostic, Kind, Parsed};
use ptx::{Target, Version};

use crate::judge::arch;
use pool::Pool;
use ptx_smith::Rng;

/// The number of disagreements that are printed in full.
const PRINTED: usize = 10;

/// The rules about sizes, which ptxas adds up in 32 or 64 bits: a sum that overflows may look small to it.
const OF_SIZES: &[&str] = &["D009", "F001", "F002"];

/// The rules that are stricter for the newest release than for this one: 13.0 accepts older versions for
/// `sm_88` (T004).
const OF_RELEASES: &[&str] = &["T001"];

/// The rule about names that are declared twice. ptxas misses one case: a register with the number 0 of a
/// family that is declared after it, `.reg .pred %f0; .reg .f32 %f<8>;` (docs/ptxas.md).
const OF_NAMES: &str = "D002";

/// The rule about addresses whose space is not given: ptxas accepts the modifiers of an instruction in any order,
/// and `prefetch.tensormap.param` does give it.
const OF_ORDER: (&str, &str) = ("A019", "prefetch.tensormap.");

/// The result for a text.
enum Outcome {
    /// It has no mistake that ptxas would detect.
    Read,
    /// The reader refuses it, first for this reason, and so does ptxas.
    Refused(Kind),
    /// ptxas does not know its target or its version.
    NotAsked,
    /// ptxas accepts it because its sums overflow, or because only newer releases refuse it.
    Excused,
    /// ptxas accepts it, but the reader reports this.
    Disagreement(String),
}

#[test]
fn whole_texts_are_accepted() {
    let oracles = xtask::oracles();
    let Some(ptxas) = oracles.first() else { return };
    let pool = Pool::new();
    assert!(pool.statements() > 200, "{} statements are left", pool.statements());
    for base in pool.whole() {
        let found = errors(&Parsed::new(base.text.as_str()));
        assert!(found.is_empty(), "{found:?}\n{}", base.text);
        if let Err(message) = ask(ptxas, &base.text, base.target, base.is_for_linker) {
            panic!("{message}\n{}", base.text);
        }
    }
}

#[test]
fn ptxas_refuses_what_cannot_be_read() {
    let oracles = xtask::oracles();
    // A release of CUDA 13 or newer: the reader does not know the limits of older ones.
    let Some(ptxas) = oracles.first() else { return };
    let seed = crate::number("PTX_TEXT_SEED", 0x5054_5832);
    let count = usize::try_from(crate::number("PTX_TEXT_COUNT", 600)).expect("it fits");
    let from = usize::try_from(crate::number("PTX_TEXT_FROM", 0)).expect("it fits");
    let pool = Pool::new();
    let (next, seen) = (AtomicUsize::new(from), Mutex::new(Seen::default()));
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= from + count {
                        break;
                    }
                    let (text, outcome) = judge(ptxas, &pool, seed, number);
                    let mut seen = seen.lock().expect("no thread panics with it");
                    seen.count(&outcome);
                    if let Outcome::Disagreement(why) = outcome {
                        seen.disagree(seed, number, &why, &text);
                    }
                }
            });
        }
    });
    let seen = seen.into_inner().expect("no thread panicked");
    for (why, (times, number)) in &seen.disagreements {
        println!("{times} times, as in text {number} of seed {seed}: {why}");
    }
    let all: usize = seen.disagreements.values().map(|(times, _)| times).sum();
    println!(
        "{count} texts: {} read, {} refused for their grammar, {} for rules, {} that \
        ptxas was not asked about, {} excused, {all} disagreements",
        seen.read, seen.syntax, seen.rules, seen.not_asked, seen.excused
    );
    assert_eq!(all, 0, "ptxas accepts texts that the reader refuses");
    let reached = [seen.read, seen.syntax, seen.rules];
    assert!(count < 1_000 || reached.iter().all(|times| times * 200 >= count), "{reached:?}");
}

/// The results for the texts.
#[derive(Default)]
struct Seen {
    read: usize,
    syntax: usize,
    rules: usize,
    not_asked: usize,
    excused: usize,
    /// The reports of the reader alone: how often, and for which text first.
    disagreements: BTreeMap<String, (usize, usize)>,
    printed: usize,
}

impl Seen {
    fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Read => self.read += 1,
            Outcome::Refused(Kind::Syntax) => self.syntax += 1,
            Outcome::Refused(_) => self.rules += 1,
            Outcome::NotAsked => self.not_asked += 1,
            Outcome::Excused => self.excused += 1,
            Outcome::Disagreement(_) => {}
        }
    }

    fn disagree(&mut self, seed: u64, number: usize, why: &str, text: &str) {
        if self.printed < PRINTED {
            self.printed += 1;
            println!("text {number} of seed {seed}: {why}\n{text}\n");
        }
        self.disagreements.entry(why.to_owned()).or_insert((0, number)).0 += 1;
    }
}

/// The text with this number, and its result; for a given seed they do not depend on the other texts.
fn judge(ptxas: &Ptxas, pool: &Pool, seed: u64, number: usize) -> (String, Outcome) {
    let mut rng = Rng::new(seed, number);
    let base = pool.pick(&mut rng, seed, number);
    let text = mutant::of(&base.text, &mut rng);
    let read = catch_unwind(AssertUnwindSafe(|| {
        let parsed = Parsed::new(text.as_str());
        assert_eq!(parsed.to_string(), text, "the text is printed as it was read");
        let mut end = 0;
        for piece in parsed.pieces() {
            assert_eq!(piece.at.range().start, end, "the pieces tile the text");
            end = piece.at.range().end;
        }
        assert_eq!(end, text.len(), "the pieces tile the text");
        let (module, first) = (parsed.module(), errors(&parsed).into_iter().next());
        let reported = first.as_ref().map(|first| {
            // Text is checked for the newest release, which refuses more than this one.
            let module = ptx::ir::Module { release: Some(ptxas.release()), ..*module };
            let is_newer = first.code.is_some_and(|code| {
                OF_RELEASES.contains(&code)
                    && !ptx::rules::check_module(&module).iter().any(|it| it.rule.code == code)
            });
            let is_ordered = first.code == Some(OF_ORDER.0) && text.contains(OF_ORDER.1);
            let is_excused =
                is_overflow(first) || is_newer || is_ordered || is_number_zero(first, &text);
            (first.kind, is_excused, format!("{:?} {:?}: {first}", first.kind, first.code))
        });
        (module.target, module.version, reported)
    }));
    let Ok((target, version, reported)) = read else {
        return (text, Outcome::Disagreement("the reader panics".to_owned()));
    };
    let Some((kind, is_excused, reported)) = reported else { return (text, Outcome::Read) };
    let version = version.unwrap_or(Version::new(9, 0));
    let outcome = match arch(ptxas.release(), target, version) {
        None => Outcome::NotAsked,
        Some(arch) => match ask(ptxas, &text, arch, base.is_for_linker) {
            Ok(()) if is_excused => Outcome::Excused,
            Ok(()) => Outcome::Disagreement(reported),
            Err(_) => Outcome::Refused(kind),
        },
    };
    (text, outcome)
}

/// Whether a rule about sizes refuses one that overflows in ptxas.
fn is_overflow(found: &Diagnostic) -> bool {
    let message = found.message.replace(',', "");
    let mut numbers = message.split(|c: char| !c.is_ascii_digit());
    let is_too_large = |number: &str| number.parse().is_ok_and(|number: u128| number >= 1 << 31);
    found.code.is_some_and(|code| OF_SIZES.contains(&code)) && numbers.any(is_too_large)
}

/// Whether a family of registers hides an earlier register with the number 0.
fn is_number_zero(found: &Diagnostic, text: &str) -> bool {
    let name = found.message.split('`').nth(1).unwrap_or_default();
    found.code == Some(OF_NAMES)
        && text.contains(&format!("{name}0"))
        && text.contains(&format!("{name}<"))
}

/// The mistake in a text that ptxas has to detect, too.
fn errors(parsed: &Parsed) -> Vec<Diagnostic> {
    let is_seen = |kind| matches!(kind, Kind::Syntax | Kind::Refused);
    parsed.check().into_iter().filter(|found| is_seen(found.kind)).collect()
}

/// The verdict of ptxas on a text.
fn ask(ptxas: &Ptxas, text: &str, target: Target, is_for_linker: bool) -> Result<(), String> {
    let options: &[&str] = if is_for_linker { &["--compile-only"] } else { &[] };
    match ptxas.assemble_text_with(text, target, options) {
        Ok(_) => Ok(()),
        Err(error @ (AssembleError::Refused { .. } | AssembleError::Crashed { .. })) => {
            Err(error.to_string())
        }
        Err(other) => panic!("{other}\n{text}"),
    }
}
