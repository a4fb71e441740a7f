//! Selects one mutant at run time: `PTX_MUTANT` is its number, or `reached`, in which case the numbers of the
//! mutants that are reached are appended to the file `PTX_MUTANTS_REACHED`, each with the thread's name.
//! Constant evaluation always uses the original.
#![feature(core_intrinsics, const_eval_select)]
#![allow(internal_features)]

use std::cell::RefCell;
use std::io::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};

const UNKNOWN: u32 = u32::MAX;
const REACHED: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX - 2;

static CHOSEN: AtomicU32 = AtomicU32::new(UNKNOWN);

/// Whether a mutant is selected.
#[inline(always)]
pub const fn is_on(mutant: u32) -> bool {
    core::intrinsics::const_eval_select((mutant,), never, is_chosen)
}

const fn never(_: u32) -> bool {
    false
}

#[inline(always)]
fn is_chosen(mutant: u32) -> bool {
    let chosen = CHOSEN.load(Ordering::Relaxed);
    chosen == mutant || chosen >= REACHED && is_chosen_at_last(mutant)
}

#[cold]
fn is_chosen_at_last(mutant: u32) -> bool {
    if CHOSEN.load(Ordering::Relaxed) == UNKNOWN {
        let chosen = match std::env::var("PTX_MUTANT") {
            Ok(word) if word == "reached" => REACHED,
            Ok(number) => number.parse().expect("the number of a mutant"),
            Err(_) => NONE,
        };
        CHOSEN.store(chosen, Ordering::Relaxed);
        return is_chosen(mutant);
    }
    record(mutant);
    false
}

thread_local! {
    static SEEN: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

fn record(mutant: u32) {
    let (word, bit) = (mutant as usize / 64, 1_u64 << (mutant % 64));
    let is_new = SEEN.try_with(|seen| {
        let mut seen = seen.borrow_mut();
        if seen.len() <= word {
            seen.resize(word + 1, 0);
        }
        let is_new = seen[word] & bit == 0;
        seen[word] |= bit;
        is_new
    });
    if is_new == Ok(false) {
        return;
    }
    let path = std::env::var_os("PTX_MUTANTS_REACHED").expect("the file for what is reached");
    let mut file =
        std::fs::OpenOptions::new().create(true).append(true).open(path).expect("it can be opened");
    let thread = std::thread::current();
    let line = format!("{mutant} {}\n", thread.name().unwrap_or("?"));
    file.write_all(line.as_bytes()).expect("it can be written");
}
