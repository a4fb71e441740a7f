//! What the analysis says of the order in random kernels is compared with runs of them in random schedules: what it
//! reports goes wrong in one of them, and what goes wrong in each of them is reported.
//!
//! `PTX_SCHEDULES_CASES` is the number of kernels.

mod kernel;
mod machine;
mod text;

use std::collections::BTreeMap;

use kernel::Kernel;
use machine::{Outcome, Pace};
use ptx_interpreter::{Choices, mixed};
use ptx_text::{Diagnostic, Parsed};

/// The number of schedules of a kernel.
const SCHEDULES: u64 = 5;

/// The most schedules in which a report is looked for.
const MOST_SCHEDULES: u64 = 60;

/// The default without the environment variable.
const CASES: u64 = 150;

/// A kernel, its text, what goes wrong in each schedule, and what is found in the text: the code and the node.
struct Case {
    seed: u64,
    kernel: Kernel,
    changes: usize,
    text: String,
    outcomes: Vec<Outcome>,
    found: Vec<(String, usize, String)>,
}

/// What goes wrong in the schedule of a kernel with this number.
fn schedule(kernel: &Kernel, seed: u64, n: u64) -> Outcome {
    let pace = [Pace::AtRandom, Pace::AtOnce, Pace::Late, Pace::InTurns][(n % 4) as usize];
    machine::run(kernel, pace, &mut Choices::Seeded(mixed(seed ^ mixed(n + 1))))
}

fn case(seed: u64) -> Case {
    let mut choices = Choices::Seeded(mixed(seed));
    let (kernel, changes) = Kernel::random(&mut choices);
    let text = text::text(&kernel, &mut choices);
    let outcomes = (0..SCHEDULES).map(|n| schedule(&kernel, seed, n)).collect();
    let line = |found: &Diagnostic| text.ptx[..found.range.start].matches('\n').count() + 1;
    let found = Parsed::new(&text.ptx).check();
    let found = found.iter().map(|found| {
        let code = found.code.unwrap_or_default().to_owned();
        (code, text.nodes[line(found)], format!("{}: {}", line(found), found.message))
    });
    let found = found.collect();
    Case { seed, kernel, changes, text: text.ptx, outcomes, found }
}

/// Whether a schedule shows that a finding is true.
fn is_true(case: &Case, code: &str, node: usize) -> bool {
    // After a barrier that only part of a warp executes, anything may follow.
    let is_undefined = case.outcomes.iter().any(|outcome| !outcome.doubtful.is_empty());
    let shows = |outcome: &Outcome| match code {
        "A109" if is_undefined => !outcome.is_right(),
        "A109" => {
            outcome.races.iter().any(|(one, other)| *one == node || *other == node)
                || !outcome.stuck.is_empty() && !outcome.executed.contains(&node)
        }
        "A110" | "A112" => !outcome.stuck.is_empty(),
        "A113" => !outcome.is_right() || outcome.doubtful.contains(&node),
        _ => !outcome.is_right(),
    };
    if code == "A130" {
        return is_undecided(case, node);
    }
    case.outcomes.iter().any(shows)
        || (SCHEDULES..MOST_SCHEDULES).any(|n| shows(&schedule(&case.kernel, case.seed, n)))
}

/// Whether two schedules show that it is not decided to which phase an arrival or a wait belongs.
fn is_undecided(case: &Case, node: usize) -> bool {
    let here = |(of, _): &(&(usize, usize, u32), &u32)| of.0 == node;
    let first = &case.outcomes[0];
    let differs = |outcome: &Outcome| {
        // A wait that ends in one schedule may not in the other.
        if first.stuck.contains(&node) != outcome.stuck.contains(&node) {
            return true;
        }
        let mut counted = outcome.counted.iter().filter(here);
        counted.any(|(step, phase)| first.counted.get(step).is_some_and(|first| first != phase))
    };
    case.outcomes.iter().any(&differs)
        || (SCHEDULES..MOST_SCHEDULES).any(|n| differs(&schedule(&case.kernel, case.seed, n)))
}

#[test]
fn reports_are_true_and_faults_are_reported() {
    let cases = std::env::var("PTX_SCHEDULES_CASES").ok().and_then(|cases| cases.parse().ok());
    let (mut right, mut wrong, mut found) = (0, 0, 0);
    let mut problems: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for seed in 0..cases.unwrap_or(CASES) {
        let case = case(seed);
        let is_wrong = case.outcomes.iter().all(|outcome| !outcome.is_right());
        let is_right = case.outcomes.iter().all(Outcome::is_right);
        right += usize::from(is_right);
        wrong += usize::from(is_wrong);
        let mut problem = |about: String| {
            let shown = || {
                format!(
                    "seed {seed}, {} changes: {:?}\n{:?}\n{}",
                    case.changes, case.found, case.outcomes[0], case.text
                )
            };
            problems.entry(about).or_insert_with(|| (0, shown())).0 += 1;
        };
        if case.changes == 0 && !is_right {
            problem("the machine finds fault with what is right".to_owned());
        }
        for (code, node, _) in &case.found {
            if code.is_empty() {
                problem("an error without a code".to_owned());
            } else if !is_true(&case, code, *node) {
                problem(format!("{code} is not true"));
            }
        }
        found += usize::from(is_wrong && !case.found.is_empty());
    }
    println!("{right} right, {wrong} wrong, of which {found} found");
    let shown: Vec<String> = problems
        .iter()
        .map(|(about, (count, first))| format!("{count} x {about}\n{first}"))
        .collect();
    assert!(problems.is_empty(), "{}", shown.join("\n\n"));
    // Of more arrivals than a phase expects, any may be the one that is not waited for: that is not reported.
    assert!(found * 100 >= wrong * 99, "{wrong} are wrong, but only {found} are found");
}
