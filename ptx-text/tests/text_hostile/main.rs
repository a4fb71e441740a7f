//! Any bytes can be parsed and checked: without a panic, in linear time, and in at most 60 bytes of
//! memory for each byte of text; checking takes more for a few texts.
//!
//! Each text is parsed in a process of its own, whose memory the system counts, which may overflow its stack, and
//! which can be killed.

// Sizes and rates are only printed, and do not need more digits than an `f64` has.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]

mod cost;
mod texts;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use cost::{Cost, Failure};
use texts::TEXTS;

/// The maximum number of bytes of memory for each byte of text, including the text.
const MOST: usize = 60;

/// The memory that the process uses besides, in bytes: most of it is code that a small text does not reach, which is
/// not optimized here.
const BEFORE: usize = 1 << 20;

/// The sizes in bytes of a text that is parsed without optimization, of one whose checking is measured, and of one that
/// is checked.
const READ: usize = 1 << 17;
const MEASURED: usize = 1 << 16;
const JUDGED: usize = 1 << 14;

/// The additional memory for parsing one statement with many tokens, in bytes, whatever the size of the text. The texts
/// that consist of such a statement follow.
const STATEMENT: usize = 40 << 20;
const LONG: &[&str] =
    &["declarators", "families", "members", "the same parameter", "variables in one statement"];

/// Texts of many statements or functions, which are checked within the memory limit for parsing.
const MANY: &[&str] = &[
    "the same label",
    "labels",
    "registers",
    "families of registers",
    "the same register",
    "shared variables",
    "instructions",
    "short instructions",
    "jumps",
    "jumps to the start",
    "loads",
    "sums",
    "names that nothing declares",
    "names near many",
    "lines without an end",
    "kernels",
    "kernels that call a chain",
    "extents of nothing",
    "the same variable",
    "blocks of statements",
    "blocks that are closed",
];

/// Texts whose checking takes more memory, and the limit for each: the data kept about an instruction or a function
/// exceeds the limit for its few bytes of text.
const DENSE: &[(&str, usize)] = &[
    ("short instructions with names", 112),
    ("short instructions of registers", 85),
    ("returns", 85),
    ("guarded returns", 68),
    ("functions", 68),
    ("functions with names", 68),
    ("kernels that use all", 68),
];

/// The time limit for a text of one megabyte, without optimization and on a busy machine: an algorithm with quadratic
/// running time takes hours.
const LIMIT: Duration = Duration::from_mins(2);

#[test]
fn hostile_texts_cost_little() {
    let next = AtomicUsize::new(0);
    let each = || {
        let mut wrong = Vec::new();
        while let Some(text) = TEXTS.get(next.fetch_add(1, Ordering::Relaxed)) {
            let of = |table: &[(&str, usize)]| {
                table.iter().find(|(name, _)| *name == text.name).map(|(_, most)| *most)
            };
            let before = BEFORE + if LONG.contains(&text.name) { STATEMENT } else { 0 };
            let judged = match of(DENSE).or(MANY.contains(&text.name).then_some(MOST)) {
                Some(most) => (MEASURED, most, true),
                None => (JUDGED, usize::MAX / JUDGED / 4, true),
            };
            for (bytes, most, is_judged) in [(READ, MOST, false), judged] {
                match cost::of(text.name, (bytes, is_judged), LIMIT) {
                    Ok(Cost { judging: Some(memory), bytes, .. })
                        if memory > most * bytes + before =>
                    {
                        let verb = if is_judged { "judging" } else { "reading" };
                        let each = memory / bytes;
                        wrong.push(format!("{verb} {}: {each} bytes of memory a byte", text.name));
                    }
                    Ok(_) => {}
                    Err(failure) => wrong.push(format!("{}: {failure}", text.name)),
                }
            }
        }
        wrong
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    let wrong: Vec<String> = thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(each)).collect();
        all.into_iter().flat_map(|one| one.join().unwrap_or_default()).collect()
    });
    assert!(next.into_inner() >= TEXTS.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The cost of parsing is linear in the text: ten times the bytes take about ten times as long. This takes minutes in a
/// release build: `PTX_HOSTILE=100000000 cargo test --release -p ptx-text --test text_hostile -- --ignored
/// --nocapture costs`.
#[test]
#[ignore = "it takes minutes: see CONTRIBUTING.md"]
fn costs() {
    let number = |name| std::env::var(name).ok().and_then(|bytes| bytes.parse().ok());
    let bytes: usize = number("PTX_HOSTILE").unwrap_or(10_000_000);
    let only = std::env::var("PTX_HOSTILE_ONLY").unwrap_or_default();
    println!("{:40} read, MB/s of a tenth and of all; memory; judged, MB/s", "text");
    for text in TEXTS.iter().filter(|text| text.name.contains(&only)) {
        let limit = Duration::from_secs(number("PTX_HOSTILE_SECONDS").unwrap_or(600) as u64);
        let all = cost::of(text.name, (bytes / 10, true), limit)
            .and_then(|few| Ok::<_, Failure>((few, cost::of(text.name, (bytes, true), limit)?)));
        match all {
            Ok((few, many)) => {
                let rate =
                    |cost: &Cost, time: Duration| cost.bytes as f64 / time.as_secs_f64() / 1e6;
                let memory = many.memory.unwrap_or_default() as f64 / many.bytes as f64;
                println!(
                    "{:40} {:7.1} {:7.1}   {memory:5.1} B/B   {:7.1} {:7.1}   {:5.1} B/B",
                    text.name,
                    rate(&few, few.read),
                    rate(&many, many.read),
                    rate(&few, few.judged),
                    rate(&many, many.judged),
                    many.judging.unwrap_or_default() as f64 / many.bytes as f64,
                );
            }
            Err(failure) => println!("{:40} {failure}", text.name),
        }
    }
}

/// The other tests run this one in a process of its own.
#[test]
#[ignore = "the other tests of this file run it, each in a process of its own"]
fn one_text() {
    let name = std::env::var(cost::TEXT).expect("the name of a text");
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let bytes = number(cost::BYTES).expect("a number of bytes");
    let is_judged = number(cost::JUDGED).expect("a number") == 1;
    let text = TEXTS.iter().find(|text| text.name == name).expect("a text of this name");
    println!("{}", Cost::measured(text.write, bytes, is_judged));
}
