//! Runs the tests with each mutant in turn.
#![allow(unsafe_code, reason = "processes are signalled through libc")]

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::plan::{Binary, Plan};
use super::results::{Outcome, Results};

/// More memory than any test needs: a mutant may grow a list without bound.
const MOST_MEMORY: u64 = 8 << 30;

/// A number without a mutant.
const NO_MUTANT: &str = "4294967293";

/// Tests that take seconds, by program: they are run only for the mutants of these files, after all other tests
/// have passed.
struct Slow {
    program: &'static str,
    tests: &'static [&'static str],
    files: &'static str,
}

const SLOW: [Slow; 2] = [
    Slow {
        program: "ptx-float-float",
        tests: &[
            "doubles_and_integers_are_rounded_once",
            "every_pattern_there_and_back",
            "every_tie_and_every_exponent_in_every_format",
            "halves_in_every_format",
            "slices_have_the_bits_of_single_values",
            "small_floats_of_small_floats",
        ],
        files: "ptx-float/src/",
    },
    Slow {
        program: "ptx-analysis-ptx_analysis",
        tests: &[
            "values::fixpoint::tests::known_values_are_true",
            "domains::formats::tests::chance::findings_are_wrong_on_every_path",
            "tests::soundness::facts::values_and_places_are_as_exact_as_they_were",
            "tests::soundness::reports_are_true",
        ],
        files: "ptx-analysis/src/",
    },
];

/// A program, with the details of its runs.
struct Runner<'a> {
    binary: &'a Binary,
    path: PathBuf,
    folder: PathBuf,
    /// The duration of its fast tests, and of its slow tests.
    takes: Duration,
    slow: Duration,
    /// Its output, for a program whose output is compared.
    prints: String,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum End {
    Passed,
    Failed,
    Hung,
}

impl Runner<'_> {
    fn command(&self, mutant: &str, threads: usize) -> Command {
        let mut command = Command::new(&self.path);
        command
            .current_dir(&self.folder)
            .env("PTX_MUTANT", mutant)
            .env("RUST_TEST_THREADS", threads.to_string())
            .env("PTX_SOUNDNESS_CASES", "150")
            .env("PROPTEST_CASES", "50")
            .env("PROPTEST_RNG_SEED", "20")
            .env("PROPTEST_MAX_SHRINK_ITERS", "0")
            .env("RUST_BACKTRACE", "0")
            // No ptxas, and no tools to fetch it.
            .env("PTXAS", "/nonexistent")
            .env("PATH", "/nonexistent")
            // As in cargo's environment.
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env_remove("PTX_REQUIRE_PTXAS")
            .env_remove("UPDATE_EXPECT")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // SAFETY: both may be called between fork and exec.
        unsafe {
            command.pre_exec(|| {
                let limit = libc::rlimit { rlim_cur: MOST_MEMORY, rlim_max: MOST_MEMORY };
                libc::setrlimit(libc::RLIMIT_AS, &raw const limit);
                let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
                // Limits a run that never ends.
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                Ok(())
            });
        }
        command
    }

    /// Its output, through a file, because pipes fill up.
    fn printed(&self, mutant: &str, limit: Duration) -> Result<(End, String), String> {
        let path = self.path.with_extension(format!("{mutant}.txt"));
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let file = std::fs::File::create(&path).map_err(failed)?;
        let mut command = self.command(mutant, 1);
        command.stderr(file.try_clone().map_err(failed)?).stdout(file);
        let end = Self::end(&mut command, limit)?;
        let printed = std::fs::read(&path).map_err(failed)?;
        let _ = std::fs::remove_file(&path);
        Ok((end, String::from_utf8_lossy(&printed).into_owned()))
    }

    fn end(command: &mut Command, limit: Duration) -> Result<End, String> {
        let started = Instant::now();
        let mut child = command.spawn().map_err(|error| format!("{command:?}: {error}"))?;
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                return Ok(if status.success() { End::Passed } else { End::Failed });
            }
            if started.elapsed() > limit {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(End::Hung);
            }
            std::thread::sleep(pause);
            pause = (pause * 5 / 4).min(Duration::from_millis(20));
        }
    }

    /// The same, up to the first test that fails.
    fn tests(&self, mutant: &str, threads: usize) -> Command {
        let mut command = self.command(mutant, threads);
        if !self.binary.is_compared {
            // The option is not stable yet.
            command.env("RUSTC_BOOTSTRAP", "1").args(["-Z", "unstable-options", "--fail-fast"]);
        }
        command
    }

    /// All tests but the slow ones.
    fn quick(&self, mutant: &str, threads: usize) -> Command {
        let mut command = self.tests(mutant, threads);
        self.slow_tests().iter().for_each(|test| {
            command.args(["--skip", test]);
        });
        command
    }

    fn slow_tests(&self) -> &'static [&'static str] {
        let slow = SLOW.iter().find(|slow| slow.program == self.binary.name);
        slow.map_or(&[], |slow| slow.tests)
    }

    /// Runs these tests.
    fn only<'t>(&self, mutant: &str, tests: impl Iterator<Item = &'t str>) -> Command {
        let mut command = self.tests(mutant, 1);
        command.arg("--exact").args(tests);
        command
    }

    /// Waits for its result, for at most ten times the expected duration.
    fn outcome(
        &self,
        mutant: &str,
        mut command: Command,
        takes: Duration,
    ) -> Result<Option<Outcome>, String> {
        let limit = Duration::from_secs(3) + takes * 10;
        let name = || self.binary.name.clone();
        let end = if self.binary.is_compared {
            match self.printed(mutant, limit)? {
                (End::Passed, printed) if printed != self.prints => End::Failed,
                (end, _) => end,
            }
        } else {
            Self::end(&mut command, limit)?
        };
        Ok(match end {
            End::Passed => None,
            End::Failed => Some(Outcome::Killed(name())),
            End::Hung => Some(Outcome::Hung(name())),
        })
    }
}

/// For each mutant, the programs that reach it, and their tests; `None` if the tests are unknown.
type Reached = BTreeMap<u32, BTreeMap<usize, BTreeSet<String>>>;

/// Runs every program once unchanged, and once to record the mutants that it reaches.
fn measure(home: &Path, runners: &mut [Runner<'_>]) -> Result<Reached, String> {
    let reached = Mutex::new(Reached::new());
    let next = AtomicUsize::new(0);
    let runners = runners.iter_mut().map(Mutex::new).collect::<Vec<_>>();
    in_parallel(|| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(runner) = runners.get(index) else { return Ok(()) };
            let mut runner = runner.lock().map_err(|error| error.to_string())?;
            let name = &runner.binary.name;
            let record = home.join(format!("reached-{name}.txt"));
            let _ = std::fs::remove_file(&record);
            let patience = Duration::from_mins(10);
            let mut command = runner.quick("reached", 2);
            command.env("PTX_MUTANTS_REACHED", &record);
            let end = Runner::end(&mut command, patience)?;
            if runner.binary.is_compared {
                runner.prints = runner.printed(NO_MUTANT, patience)?.1;
            }
            let started = Instant::now();
            let quick = Runner::end(&mut runner.quick(NO_MUTANT, 1), patience)?;
            let takes = started.elapsed();
            let slow = match runner.slow_tests() {
                [] => End::Passed,
                tests => Runner::end(&mut runner.only(NO_MUTANT, tests.iter().copied()), patience)?,
            };
            if [end, quick, slow] != [End::Passed; 3] {
                return Err(format!(
                    "{name} does not pass without a mutant: {end:?}, {quick:?}, {slow:?}"
                ));
            }
            let slow = started.elapsed().saturating_sub(takes);
            println!("{name}: {:.2} s, {:.2} s", takes.as_secs_f64(), slow.as_secs_f64());
            let lines = std::fs::read_to_string(&record).unwrap_or_default();
            let mut reached = reached.lock().map_err(|error| error.to_string())?;
            for line in lines.lines() {
                let (id, thread) = line.split_once(' ').unwrap_or((line, "?"));
                let id: u32 = id.parse().map_err(|_| format!("{}: {line}", record.display()))?;
                let tests = reached.entry(id).or_default().entry(index).or_default();
                tests.insert(thread.to_owned());
            }
            drop(reached);
            (runner.takes, runner.slow) = (takes, slow);
        }
    })?;
    reached.into_inner().map_err(|error| error.to_string())
}

fn in_parallel(work: impl Fn() -> Result<(), String> + Sync) -> Result<(), String> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(&work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err("a worker has panicked".to_owned()))
        })
    })
}

/// The outcome of one mutant.
fn judge(
    (id, name): &(u32, String),
    runners: &[Runner<'_>],
    reached: &BTreeMap<usize, BTreeSet<String>>,
) -> Result<Outcome, String> {
    let mut order: Vec<usize> = reached.keys().copied().collect();
    order.sort_by_key(|index| runners[*index].takes);
    let mutant = id.to_string();
    for index in order {
        let (runner, tests) = (&runners[index], &reached[&index]);
        let command = if tests.contains("?") || tests.contains("main") || tests.len() > 400 {
            runner.quick(&mutant, 1)
        } else {
            runner.only(&mutant, tests.iter().map(String::as_str))
        };
        if let Some(outcome) = runner.outcome(&mutant, command, runner.takes)? {
            return Ok(outcome);
        }
    }
    for slow in SLOW.iter().filter(|slow| name.starts_with(slow.files)) {
        for runner in runners.iter().filter(|runner| runner.binary.name == slow.program) {
            let command = runner.only(&mutant, slow.tests.iter().copied());
            if let Some(outcome) = runner.outcome(&mutant, command, runner.slow)? {
                return Ok(outcome);
            }
        }
    }
    if reached.is_empty() {
        return Ok(Outcome::Unreached);
    }
    Ok(Outcome::Alive)
}

/// Runs the tests with each of the requested mutants.
pub(super) fn run(
    home: &Path,
    plan: &Plan,
    every: usize,
    keep: impl Fn(&Results) -> Result<(), String> + Sync,
    is_asked: impl Fn(&str) -> bool + Sync,
) -> Result<Results, String> {
    let tree = home.join("tree");
    let runner = |binary| Runner {
        binary,
        path: home.join("tests").join(&binary.name),
        folder: tree.join(&binary.folder),
        takes: Duration::ZERO,
        slow: Duration::ZERO,
        prints: String::new(),
    };
    let mut runners: Vec<Runner<'_>> = plan.binaries.iter().map(runner).collect();
    let reached = measure(home, &mut runners)?;
    let asked: Vec<&(u32, String)> =
        plan.mutants.iter().filter(|(_, name)| is_asked(name)).step_by(every).collect();
    println!("{} mutants of {}", asked.len(), plan.mutants.len());
    let nothing = BTreeMap::new();
    let (next, outcomes) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    in_parallel(|| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(mutant) = asked.get(index) else { return Ok(()) };
            let outcome = judge(mutant, &runners, reached.get(&mutant.0).unwrap_or(&nothing))?;
            let mut outcomes = outcomes.lock().map_err(|error| error.to_string())?;
            outcomes.insert(mutant.1.clone(), outcome);
            if outcomes.len() % 100 == 0 {
                println!("{} of {}", outcomes.len(), asked.len());
                keep(&outcomes)?;
            }
        }
    })?;
    outcomes.into_inner().map_err(|error| error.to_string())
}
