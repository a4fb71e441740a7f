//! Runs the tests with each mutant in turn.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::plan::{Binary, Plan};
use super::results::Outcome;

/// More memory than any test takes: a mutant may fill a list without an end.
const MOST_MEMORY: u64 = 8 << 30;

/// A number that no mutant has.
const NO_MUTANT: &str = "4294967293";

/// Tests that say nothing of mutants, and why.
const SKIPPED: &[&str] = &[];

/// A program, and how it is run.
struct Runner<'a> {
    binary: &'a Binary,
    path: PathBuf,
    folder: PathBuf,
    /// How long it takes.
    takes: Duration,
}

/// How a run ended.
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
            // No oracle, and nothing to fetch it with.
            .env("PTXAS", "/nonexistent")
            .env("PATH", "/nonexistent")
            .env_remove("PTX_REQUIRE_PTXAS")
            .env_remove("UPDATE_EXPECT")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        for test in SKIPPED {
            command.args(["--skip", test]);
        }
        // SAFETY: `setrlimit` may be called between fork and exec.
        unsafe {
            command.pre_exec(|| {
                let limit = libc::rlimit { rlim_cur: MOST_MEMORY, rlim_max: MOST_MEMORY };
                libc::setrlimit(libc::RLIMIT_AS, &raw const limit);
                let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
                Ok(())
            });
        }
        command
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

    /// Ten times what it takes, and a little for a machine that has much to do.
    fn limit(&self) -> Duration {
        Duration::from_secs(3) + self.takes * 10
    }
}

/// By mutant, the programs that reach it, and their tests; none, where one cannot tell which.
type Reached = BTreeMap<u32, BTreeMap<usize, BTreeSet<String>>>;

/// Runs every program once as it is, and once to see what it reaches.
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
            let patience = Duration::from_secs(600);
            let mut command = runner.command("reached", 2);
            command.env("PTX_MUTANTS_REACHED", &record);
            let end = Runner::end(&mut command, patience)?;
            let started = Instant::now();
            let again = Runner::end(&mut runner.command(NO_MUTANT, 1), patience)?;
            if (end, again) != (End::Passed, End::Passed) {
                return Err(format!("{name} does not pass without a mutant: {end:?}, {again:?}"));
            }
            let takes = started.elapsed();
            println!("{name}: {:.2} s", takes.as_secs_f64());
            let lines = std::fs::read_to_string(&record).unwrap_or_default();
            let mut reached = reached.lock().map_err(|error| error.to_string())?;
            for line in lines.lines() {
                let (id, thread) = line.split_once(' ').unwrap_or((line, "?"));
                let id: u32 = id.parse().map_err(|_| format!("{}: {line}", record.display()))?;
                let tests = reached.entry(id).or_default().entry(index).or_default();
                tests.insert(thread.to_owned());
            }
            drop(reached);
            runner.takes = takes;
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

/// What becomes of one mutant.
fn judge(
    id: u32,
    runners: &[Runner<'_>],
    reached: &BTreeMap<usize, BTreeSet<String>>,
) -> Result<Outcome, String> {
    let mut order: Vec<usize> = reached.keys().copied().collect();
    order.sort_by_key(|index| runners[*index].takes);
    let mutant = id.to_string();
    // First the tests that come to it, then all, for what one test has kept for another.
    for is_all in [false, true] {
        for index in &order {
            let (runner, tests) = (&runners[*index], &reached[index]);
            let is_known = !tests.contains("?") && !tests.contains("main") && tests.len() < 400;
            if is_all && !is_known {
                continue;
            }
            let mut command = runner.command(&mutant, 1);
            if is_known && !is_all {
                command.arg("--exact").args(tests);
            }
            match Runner::end(&mut command, runner.limit())? {
                End::Passed => {}
                End::Failed => return Ok(Outcome::Killed(runner.binary.name.clone())),
                End::Hung => return Ok(Outcome::Hung(runner.binary.name.clone())),
            }
        }
    }
    Ok(Outcome::Alive)
}

/// Runs the tests with each of the mutants that are asked for.
pub(super) fn run(
    home: &Path,
    plan: &Plan,
    is_asked: impl Fn(&str) -> bool + Sync,
) -> Result<BTreeMap<String, Outcome>, String> {
    let tree = home.join("tree");
    let runner = |binary| Runner {
        binary,
        path: home.join("tests").join(&binary.name),
        folder: tree.join(&binary.folder),
        takes: Duration::ZERO,
    };
    let mut runners: Vec<Runner<'_>> = plan.binaries.iter().map(runner).collect();
    let reached = measure(home, &mut runners)?;
    let asked: Vec<&(u32, String)> =
        plan.mutants.iter().filter(|(_, name)| is_asked(name)).collect();
    println!("{} mutants of {}", asked.len(), plan.mutants.len());
    let (next, outcomes) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    in_parallel(|| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((id, name)) = asked.get(index) else { return Ok(()) };
            let outcome = match reached.get(id) {
                None => Outcome::Unreached,
                Some(reached) => judge(*id, &runners, reached)?,
            };
            let mut outcomes = outcomes.lock().map_err(|error| error.to_string())?;
            outcomes.insert(name.clone(), outcome);
            if outcomes.len() % 200 == 0 {
                println!("{} of {}", outcomes.len(), asked.len());
            }
        }
    })?;
    outcomes.into_inner().map_err(|error| error.to_string())
}
