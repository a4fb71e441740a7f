//! The verdicts of the rules and of each ptxas on many cases.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ptx::ir::Module;
use ptx::ptxas::{AssembleError, Ptxas};
use ptx::rules::{self, Kind};
use ptx::{Release, Target, TextureMode, Version};

use ptx_smith::declarations::draft::Case;

/// The maximum number of accepted cases in one file.
const BATCH: usize = 64;

/// The outcome of one case.
#[derive(Clone, Default)]
pub(crate) struct Outcome {
    /// The codes of the rules that it breaks, of all kinds, if they are the same for every ptxas that was
    /// run.
    pub(crate) codes: Vec<&'static str>,
    /// Whether the rules refuse it, for each ptxas that was run.
    pub(crate) refused: Vec<bool>,
    /// The verdicts of ptxas and of the rules, if they disagree.
    pub(crate) disagreement: Option<String>,
}

/// One run of ptxas: these cases in one file.
struct Job {
    ptxas: usize,
    arch: Target,
    cases: Vec<usize>,
    is_refused: bool,
}

/// Cases can share a file if all of this is equal.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    ptxas: usize,
    target: &'static str,
    version: Version,
    is_independent: bool,
    is_for_linker: bool,
    is_sociable: bool,
}

/// The codes of the rules that a case breaks for a release, and whether one is a refused rule.
fn verdict(case: &Case, release: Release) -> (Vec<&'static str>, bool) {
    case.with(Some(release), |module| {
        let found = rules::check_module(module);
        let refused = found.iter().any(|violation| violation.rule.kind == Kind::Refused);
        let mut codes: Vec<&str> = found.iter().map(|violation| violation.rule.code).collect();
        codes.dedup();
        (codes, refused)
    })
}

/// The architecture to pass to a release for a target; `None` if it does not know the target or the
/// version.
pub(crate) fn arch(release: Release, target: Target, version: Version) -> Option<Target> {
    let (newest, least) = if release.major >= 13 {
        (Version::new(9, 0), Target::Sm75)
    } else {
        (Version::new(8, 8), Target::Sm50)
    };
    let is_new = newest.is_below(target.since());
    match target {
        _ if newest.is_below(version) || is_new => None,
        // 13.0 has other names for them.
        Target::Sm101 if release.major >= 13 => Some(Target::Sm110),
        Target::Sm101a if release.major >= 13 => Some(Target::Sm110a),
        Target::Sm101f if release.major >= 13 => Some(Target::Sm110f),
        _ if target.arch() < least.arch() => Some(least),
        _ => Some(target),
    }
}

/// The cases as one module, for a release.
fn merged<T>(cases: &[&Case], release: Release, judge: impl FnOnce(&Module<'_>) -> T) -> T {
    let version = cases[0].written_version();
    let mut all = Case { version: Some(version), ..cases[0].clone() };
    for case in &cases[1..] {
        all.variables.extend(&case.variables);
        all.functions.extend(&case.functions);
    }
    all.with(Some(release), judge)
}

/// The errors of ptxas for the cases in one file; `None` if it accepts them.
fn ask(ptxas: &Ptxas, cases: &[&Case], arch: Target) -> Option<String> {
    let text = text(cases, ptxas.release());
    let options: &[&str] = if cases[0].is_for_linker() { &["--compile-only"] } else { &[] };
    match ptxas.assemble_text_with(&text, arch, options) {
        Ok(_) => None,
        Err(error @ (AssembleError::Refused { .. } | AssembleError::Crashed { .. })) => {
            Some(error.to_string())
        }
        Err(other) => panic!("{other}\n{text}"),
    }
}

fn text(cases: &[&Case], release: Release) -> String {
    merged(cases, release, |module| ptx::Module::new(*module).to_string())
}

/// Judges every case with every ptxas that knows its target and version. Of those that break the same rules, each
/// ptxas reads at most `most`.
pub(crate) fn judge(oracles: &[Ptxas], cases: &[Case], most: usize) -> Vec<Outcome> {
    let mut outcomes = vec![Outcome::default(); cases.len()];
    let jobs = jobs(oracles, cases, most, &mut outcomes);
    let outcomes = Mutex::new(outcomes);
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for (case, why) in disagreements(&oracles[job.ptxas], cases, job) {
                        let mut outcomes = outcomes.lock().expect("no thread panics with it");
                        outcomes[case].disagreement = Some(why);
                    }
                }
            });
        }
    });
    outcomes.into_inner().expect("no thread panicked")
}

/// Groups the cases: refused ones alone, accepted ones together as far as the budgets allow.
fn jobs(oracles: &[Ptxas], cases: &[Case], most: usize, outcomes: &mut [Outcome]) -> Vec<Job> {
    let (mut jobs, mut batches) = (Vec::new(), BTreeMap::<Key, Job>::new());
    let mut refused = BTreeMap::<(usize, Vec<&str>), usize>::new();
    for (n, case) in cases.iter().enumerate() {
        for (ptxas, oracle) in oracles.iter().enumerate() {
            let release = oracle.release();
            let version = case.written_version();
            let Some(arch) = arch(release, case.target, version) else { continue };
            let (codes, is_refused) = verdict(case, release);
            let times = refused.entry((ptxas, codes.clone())).or_default();
            *times += usize::from(is_refused);
            let is_enough = *times > most;
            let outcome = &mut outcomes[n];
            if outcome.refused.is_empty() || outcome.codes == codes {
                outcome.codes = codes;
            } else {
                // The releases disagree: it counts for no rule.
                outcome.codes = vec!["?"];
            }
            outcome.refused.push(is_refused);
            let job = Job { ptxas, arch, cases: vec![n], is_refused };
            if is_refused {
                if !is_enough {
                    jobs.push(job);
                }
                continue;
            }
            let key = Key {
                ptxas,
                target: case.target.name(),
                version,
                is_independent: case.mode == TextureMode::Independent,
                is_for_linker: case.is_for_linker(),
                is_sociable: case.is_sociable(),
            };
            match batches.get_mut(&key) {
                Some(batch)
                    if key.is_sociable
                        && batch.cases.len() < BATCH
                        && has_room(cases, batch, n, release) =>
                {
                    batch.cases.push(n);
                }
                Some(batch) => jobs.push(std::mem::replace(batch, job)),
                None => {
                    batches.insert(key, job);
                }
            }
        }
    }
    jobs.extend(batches.into_values());
    jobs
}

/// Whether the budgets of a whole file have room for another case.
fn has_room(cases: &[Case], batch: &Job, another: usize, release: Release) -> bool {
    let members: Vec<&Case> = batch.cases.iter().chain([&another]).map(|n| &cases[*n]).collect();
    merged(&members, release, |module| rules::check_module_alone(module).is_empty())
}

/// The cases of a job on which ptxas and the rules do not agree.
fn disagreements(ptxas: &Ptxas, cases: &[Case], job: &Job) -> Vec<(usize, String)> {
    let members: Vec<&Case> = job.cases.iter().map(|n| &cases[*n]).collect();
    let refusal = ask(ptxas, &members, job.arch);
    let (release, arch) = (ptxas.release(), job.arch);
    match (refusal, job.is_refused) {
        (Some(_), true) | (None, false) => Vec::new(),
        (None, true) => {
            let (codes, _) = verdict(members[0], release);
            let text = text(&members, release);
            let why = format!("{codes:?}, but ptxas {release} accepts it for {arch}:\n{text}");
            vec![(job.cases[0], why)]
        }
        (Some(refusal), false) if job.cases.len() == 1 => {
            let (codes, _) = verdict(members[0], release);
            let text = text(&members, release);
            vec![(job.cases[0], format!("{codes:?}, but for {arch} {refusal}\n{text}"))]
        }
        (Some(refusal), false) => {
            let (first, second) = job.cases.split_at(job.cases.len() / 2);
            let half = |cases: &[usize]| Job { cases: cases.to_vec(), ..*job };
            let mut found = disagreements(ptxas, cases, &half(first));
            found.extend(disagreements(ptxas, cases, &half(second)));
            if found.is_empty() {
                let text = text(&members, release);
                found.push((job.cases[0], format!("together, for {arch}: {refusal}\n{text}")));
            }
            found
        }
    }
}
