//! Mutation testing: single tokens of the rules, of the analysis and of the code that they use are changed, and
//! tests have to fail.
//!
//! All mutants are built at once into a copy of the workspace, `target/mutants/tree`, in which each place has
//! all its versions, and an environment variable selects one while the tests run. Constant evaluation always
//! uses the original, so code that only constants reach is not tested here. Each mutant is run with the tests
//! that reach it.

mod build;
mod list;
mod plan;
mod results;
mod rewrite;
mod run;
mod sites;
mod tree;

pub use list::List;
pub use sites::{Mutant, mutants};
pub use tree::is_mutated;

use plan::Plan;

/// The list of mutants that are known to survive.
///
/// # Errors
/// If it cannot be read.
pub fn list() -> Result<List, String> {
    List::parse(include_str!("../../mutants.txt"))
}

/// The names of all mutants, including those that do not compile.
///
/// # Errors
/// If a file cannot be read.
pub fn names() -> Result<Vec<String>, String> {
    Ok(build::all()?.iter().map(ToString::to_string).collect())
}

/// `cargo xtask mutants`: builds and runs the mutants, and compares the survivors with the list.
///
/// # Errors
/// If something cannot be built or run, or the list is wrong.
pub fn run(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let mut every = 1;
    let (mut only_builds, mut only_runs, mut only_alive) = (false, false, false);
    let mut package = None;
    let mut paths: Vec<String> = Vec::new();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--build" => only_builds = true,
            "--run" => only_runs = true,
            "--alive" => only_alive = true,
            "--package" => package = Some(arguments.next().ok_or("`--package` takes a package")?),
            "--every" => {
                let number = arguments.next().and_then(|number| number.parse().ok());
                every = number.filter(|every| *every > 0).ok_or("`--every` takes a number")?;
            }
            option if option.starts_with('-') => {
                return Err(format!("unknown option `{option}`"));
            }
            path => paths.push(path.to_owned()),
        }
    }
    let home = tree::home();
    let (plan_path, results_path) = (home.join("plan.json"), home.join("results.txt"));
    if !only_runs {
        build::build(package.as_deref(), &paths)?.write(&plan_path)?;
        if only_builds {
            return Ok(());
        }
    }
    let plan = Plan::read(&plan_path)?;
    let mut known = results::read(&results_path);
    let names: std::collections::BTreeSet<String> = names()?.into_iter().collect();
    known.retain(|name, _| names.contains(name));
    let is_in = |name: &str| build::is_in(name, &paths);
    let is_asked = |name: &str| {
        is_in(name) && !(only_alive && known.get(name).is_some_and(|outcome| !outcome.is_alive()))
    };
    // Results are saved during a long run.
    let keep = |found: &results::Results| {
        let mut all = known.clone();
        all.extend(found.clone());
        results::write(&all, &results_path)
    };
    let found = run::run(&home, &plan, every, keep, is_asked)?;
    known.extend(found);
    results::write(&known, &results_path)?;
    let shown: results::Results = known
        .iter()
        .filter(|(name, _)| is_in(name))
        .map(|(name, outcome)| (name.clone(), outcome.clone()))
        .collect();
    print!("{}", results::summary(&shown));
    let problems = list()?.problems(&shown);
    if problems.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}\n{} problems: kill the mutants, or list them with a reason",
        problems.join("\n"),
        problems.len()
    ))
}
