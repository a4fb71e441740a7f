//! What the analysis says of the order in random kernels is compared with runs of them in random schedules: what it
//! reports goes wrong in one of them, and what goes wrong in each of them is reported.
//!
//! `PTX_SCHEDULES_CASES` is the number of kernels, and `PTX_SCHEDULES_FIRST` the first of them.

mod machine;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use machine::{Outcome, Pace};
use ptx_smith::Rng;
use ptx_smith::barriers::{self, Kernel};
use ptx_smith::bodies::{Choices, mixed};
use ptx_text::{Diagnostic, Parsed};

/// The number of schedules of a kernel.
const SCHEDULES: u64 = 5;

/// The most schedules in which a report is looked for.
const MOST_SCHEDULES: u64 = 600;

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
    let mut rng = Rng::new(seed, 0);
    let (kernel, changes) = Kernel::random(&mut rng);
    let text = barriers::text(&kernel, &mut rng);
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
        "A041" => !outcome.is_right() || outcome.unsettled.contains(&node),
        // Bytes that come when nobody waits for them may come after the end of the block.
        "A053" => !outcome.is_right() || outcome.unawaited.contains(&node),
        "A085" => !outcome.is_right() || !outcome.unawaited.is_empty(),
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
    let first = &case.outcomes[0];
    let differs = |outcome: &Outcome| {
        // A wait that ends in one schedule may not in the other.
        if first.stuck.contains(&node) != outcome.stuck.contains(&node) {
            return true;
        }
        let mut counted = outcome.counted.iter().filter(|(step, _)| step.0 == node);
        counted.any(|(step, phase)| first.counted.get(step).is_some_and(|first| first != phase))
    };
    case.outcomes.iter().any(&differs)
        || (SCHEDULES..MOST_SCHEDULES).any(|n| differs(&schedule(&case.kernel, case.seed, n)))
}

/// What cases show: how many kernels are right and wrong, how many of those are found, and what should not be, with how
/// often it is and the first case.
#[derive(Default)]
struct Seen {
    right: usize,
    wrong: usize,
    found: usize,
    problems: BTreeMap<String, (usize, u64, String)>,
}

impl Seen {
    fn note(&mut self, case: &Case) {
        let is_wrong = case.outcomes.iter().all(|outcome| !outcome.is_right());
        let is_right = case.outcomes.iter().all(Outcome::is_right);
        self.right += usize::from(is_right);
        self.wrong += usize::from(is_wrong);
        self.found += usize::from(is_wrong && !case.found.is_empty());
        let mut problem = |about: String| {
            let Case { seed, changes, text, outcomes, found, .. } = case;
            let shown =
                format!("seed {seed}, {changes} changes: {found:?}\n{:?}\n{text}", outcomes[0]);
            self.problems.entry(about).or_insert_with(|| (0, *seed, shown)).0 += 1;
        };
        if case.changes == 0 && !is_right {
            problem("the machine finds fault with what is right".to_owned());
        }
        for (code, node, _) in &case.found {
            if code.is_empty() {
                problem("an error without a code".to_owned());
            } else if !is_true(case, code, *node) {
                problem(format!("{code} is not true"));
            }
        }
    }

    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.found += other.found;
        for (about, (count, seed, shown)) in other.problems {
            let known = self.problems.entry(about).or_insert((0, seed, shown.clone()));
            known.0 += count;
            if seed < known.1 {
                (known.1, known.2) = (seed, shown);
            }
        }
    }
}

#[test]
fn reports_are_true_and_faults_are_reported() {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let first = number("PTX_SCHEDULES_FIRST").unwrap_or(0);
    let end = first + number("PTX_SCHEDULES_CASES").unwrap_or(CASES);
    let next = AtomicU64::new(first);
    let run = || {
        let mut seen = Seen::default();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                return seen;
            }
            seen.note(&case(seed));
        }
    };
    let mut seen = Seen::default();
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        for thread in threads {
            seen.add(thread.join().expect("no case panics"));
        }
    });
    let Seen { right, wrong, found, problems } = seen;
    println!("{right} right, {wrong} wrong, of which {found} found");
    let shown: Vec<String> = problems
        .iter()
        .map(|(about, (count, _, first))| format!("{count} x {about}\n{first}"))
        .collect();
    assert!(problems.is_empty(), "{}", shown.join("\n\n"));
    // Of more arrivals than a phase expects, any may be the one that is not waited for: that is not reported.
    assert!(found * 100 >= wrong * 99, "{wrong} are wrong, but only {found} are found");
}
