//! Mutants of PTX files: what ptxas refuses for a declaration, a directive, or the types and state spaces that an
//! instruction names is refused here, and what ptxas accepts is not.
//!
//! `PTX_MUTANTS_SEED` selects other mutants (`new` a fresh seed, which is printed), and `PTX_MUTANTS_COUNT` their
//! number. `PTX_MUTANTS_FROM` is the first. `PTX_MUTANTS_FOLDER` is a folder for the texts on which ptxas and the
//! reader do not agree. The test binary runs without cargo, too, in the root of the repository.

mod assembler;
mod bases;
mod refusal;
mod tally;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use ptx_emit::ptxas::Ptxas;
use ptx_isa::{Release, Target};
use ptx_smith::{Rng, mutant};
use ptx_text::{Kind, Parsed};

use assembler::{Assembler, Verdict};
use bases::Bases;
use refusal::{Class, Refusal};
use tally::Tally;

/// The number of mutants without the variable.
const COUNT: usize = 2_000;

/// The release of ptxas that the rules are compared with.
const RELEASE: Release = Release::new(13, 0);

/// What became of a mutant.
enum Outcome {
    /// ptxas accepts it, and no error is reported that ptxas would report.
    Accepted,
    /// ptxas accepts it, but the reader reports this.
    FalselyRefused(String),
    /// ptxas refuses it; whether the reader does, too.
    Refused(Refusal, bool),
    /// ptxas crashes.
    Crash,
    /// ptxas does not assemble for its target.
    NotAsked,
}

fn number(variable: &str, otherwise: usize) -> usize {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is {text}, not a number")),
        Err(_) => otherwise,
    }
}

fn seed() -> u64 {
    match std::env::var("PTX_MUTANTS_SEED").as_deref() {
        Ok("new") => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            now.as_secs() ^ u64::from(now.subsec_nanos()) << 20
        }
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{text} is not a seed")),
        Err(_) => 0x5054_5833,
    }
}

/// The ptxas that `PTXAS` names, or else the pinned one of the release.
fn ptxas() -> Option<Ptxas> {
    if std::env::var_os("PTXAS").is_some() {
        return Some(Ptxas::find().unwrap_or_else(|error| panic!("{error}")));
    }
    xtask::oracles().into_iter().find(|ptxas| ptxas.release() == RELEASE)
}

#[test]
#[ignore = "it asks ptxas about thousands of texts: see CONTRIBUTING.md"]
fn mutants_are_refused_as_ptxas_refuses_them() {
    let Some(ptxas) = ptxas() else { return };
    assert_eq!(ptxas.release(), RELEASE, "the rules are compared with this release");
    let (seed, from) = (seed(), number("PTX_MUTANTS_FROM", 0));
    let count = number("PTX_MUTANTS_COUNT", COUNT);
    let bases = Bases::new();
    let (next, tally) = (AtomicUsize::new(from), Mutex::new(Tally::new(seed)));
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let assembler = Assembler::new(ptxas.path());
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= from + count {
                        break;
                    }
                    let text = text(&bases, &assembler, seed, number);
                    let outcome = outcome(&assembler, &text);
                    tally.lock().expect("no thread panics with it").add(number, &text, &outcome);
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no thread panicked");
    println!("{tally}");
    tally.assert();
}

/// The mutant with this number; for a given seed it does not depend on the others.
fn text(bases: &Bases, assembler: &Assembler, seed: u64, number: usize) -> String {
    let mut rng = Rng::new(seed, number);
    let (base, donor) = (bases.pick(assembler, &mut rng), bases.pick(assembler, &mut rng));
    mutant::of(base, donor, &mut rng)
}

fn outcome(assembler: &Assembler, text: &str) -> Outcome {
    let read = catch_unwind(AssertUnwindSafe(|| {
        let parsed = Parsed::new(text);
        let is_seen = |kind| matches!(kind, Kind::Syntax | Kind::Refused);
        let found = parsed.check().into_iter().find(|found| is_seen(found.kind));
        let found = found.map(|found| {
            let line = parsed.position(found.range.start).line;
            format!("line {line}: {:?} {}: {found}", found.kind, found.code.unwrap_or_default())
        });
        // ptxas counts shared memory in 32 bits with a sign, and accepts what no block has.
        let mut bytes = parsed.module().functions.iter().map(|it| it.static_shared_bytes());
        let is_wrapped = bytes.any(|bytes| bytes.is_some_and(|bytes| bytes >= 1 << 31));
        (parsed.module().target, found, is_wrapped)
    }));
    let Ok((target, found, is_wrapped)) = read else {
        return Outcome::FalselyRefused("the reader panics".to_owned());
    };
    let Some(target) = arch(target) else { return Outcome::NotAsked };
    match (assembler.ask(text, target), found) {
        (Verdict::Crashed, _) => Outcome::Crash,
        (Verdict::Accepted, None) => Outcome::Accepted,
        (Verdict::Accepted, Some(found)) if is_wrapped && found.contains(" F002: ") => {
            Outcome::Accepted
        }
        (Verdict::Accepted, Some(found)) => Outcome::FalselyRefused(found),
        (Verdict::Refused(messages), found) => match Refusal::of(&messages, text) {
            Refusal { class: Class::CommandLine, .. } => Outcome::NotAsked,
            refusal => Outcome::Refused(refusal, found.is_some()),
        },
    }
}

/// The architecture that ptxas assembles for; `None` if it has none for a target.
fn arch(target: Target) -> Option<Target> {
    match target {
        Target::Sm107 | Target::Sm107a | Target::Sm107f => None,
        // They have other names since 13.0.
        Target::Sm101 => Some(Target::Sm110),
        Target::Sm101a => Some(Target::Sm110a),
        Target::Sm101f => Some(Target::Sm110f),
        _ if target.arch() < Target::Sm75.arch() => Some(Target::Sm75),
        _ => Some(target),
    }
}
