//! Modules are valid: nothing is found in them, and every release of ptxas assembles them.
//!
//! `PTX_SMITH` is the number of modules, and `PTX_SMITH_SEED` selects others.

use std::sync::atomic::{AtomicUsize, Ordering};

use ptx_emit::ptxas::{AssembleError, Ptxas};
use ptx_isa::{Release, Version};
use ptx_smith::module::{self, Module, Options};
use ptx_text::Parsed;

/// The number of modules without the variable.
const COUNT: usize = 150;

/// The number of failures that are printed.
const PRINTED: usize = 3;

fn number<T: std::str::FromStr>(variable: &str, otherwise: T) -> T {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is {text}, not a number")),
        Err(_) => otherwise,
    }
}

fn count() -> usize {
    number("PTX_SMITH", COUNT)
}

fn drawn(n: usize) -> Module {
    module::draw(number("PTX_SMITH_SEED", 1), n, Options::default())
}

/// What each of the numbers below `count()` is judged to be wrong, on all cores.
fn wrong(judge: impl Fn(usize) -> Option<String> + Sync) -> Vec<String> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let part = |first: usize| -> Vec<String> {
        (first..count()).step_by(threads).filter_map(&judge).collect()
    };
    let part = &part;
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|first| scope.spawn(move || part(first))).collect();
        handles.into_iter().flat_map(|handle| handle.join().expect("no panic")).collect()
    })
}

fn assert_none(wrong: &[String], who: &str) {
    let shown = &wrong[..wrong.len().min(PRINTED)];
    assert!(wrong.is_empty(), "{who}: {} of {}:\n{}", wrong.len(), count(), shown.join("\n"));
}

#[test]
fn nothing_is_found() {
    let wrong = wrong(|n| {
        let Module { text, .. } = drawn(n);
        let found = Parsed::new(text.as_str()).check();
        let found = found.iter().find(|found| found.kind.is_error())?;
        let line = text[..found.range.start].matches('\n').count();
        let line = text.lines().nth(line).unwrap_or_default().trim();
        Some(format!("module {n}: {:?} {found}\n    {line}", found.code))
    });
    assert_none(&wrong, "the checker");
}

/// The newest version that a release knows.
fn newest(release: Release) -> Version {
    if release.major >= 13 { Version::new(9, 0) } else { Version::new(8, 8) }
}

/// Statements at which a release crashes.
const CRASHES: &[(Release, &str)] = &[(Release::new(12, 9), "multimem.ld_reduce.acquire.")];

/// Why a release refuses a module that it should accept. It counts those that the release has the target and the version of.
fn refusal(ptxas: &Ptxas, n: usize, judged: &AtomicUsize) -> Option<String> {
    let Module { text, target, version, .. } = drawn(n);
    if newest(ptxas.release()).is_below(version) {
        return None;
    }
    let verdict = ptxas.assemble_text(&text, target);
    if let Err(AssembleError::Refused { diagnostics, .. }) = &verdict
        && diagnostics.iter().any(|it| it.message.contains("is not defined for option"))
    {
        return None;
    }
    if let Err(AssembleError::Refused { diagnostics, .. }) = &verdict
        && diagnostics.iter().all(|it| it.message.contains("Internal compiler error"))
        && CRASHES.iter().any(|(release, at)| *release == ptxas.release() && text.contains(at))
    {
        return None;
    }
    judged.fetch_add(1, Ordering::Relaxed);
    match verdict {
        Ok(_) => None,
        Err(AssembleError::Refused { diagnostics, .. }) => {
            let all = diagnostics.iter().map(|it| {
                let line = it.line.and_then(|line| text.lines().nth(line - 1));
                format!("    {}: {}", it.message, line.unwrap_or_default().trim())
            });
            Some(format!("module {n} for {target}:\n{}", all.collect::<Vec<_>>().join("\n")))
        }
        Err(error) => Some(format!("module {n} for {target}: {error}")),
    }
}

#[test]
fn every_ptxas_assembles_them() {
    for ptxas in xtask::oracles() {
        let judged = AtomicUsize::new(0);
        let wrong = wrong(|n| refusal(&ptxas, n, &judged));
        assert_none(&wrong, &format!("ptxas {}", ptxas.release()));
        let judged = judged.into_inner();
        assert!(judged * 2 > count(), "ptxas {}: only {judged} were judged", ptxas.release());
        println!("ptxas {} assembles {judged} modules", ptxas.release());
    }
}

/// What is made depends on the seed, the number and the options alone.
#[test]
fn a_number_makes_the_same_module_again() {
    for n in [0, 7, 3] {
        let module = drawn(n);
        assert_eq!(module.text, drawn(n).text);
        let options = Options {
            target: Some(module.target),
            version: Some(module.version),
            ..Options::default()
        };
        let given = module::draw(1, n, options);
        assert_eq!((given.target, given.version), (module.target, module.version));
        assert!(given.text.contains(&format!(".target {}\n", module.target)));
    }
    assert_ne!(drawn(0).text, drawn(1).text);
}
