//! The cost of the first `cargo check` of a crate with one declaration and all its dependencies, from scratch:
//! the CPU time of cargo and of every rustc, the wall-clock time, and instructions. The library without its
//! features and other checkouts take turns with this one, so that the load of the machine affects all alike.

use std::time::Duration;

use xtask::sample::{Features, Sample, workspace};
use xtask::usage::{Usage, instructions};

const RUNS: usize = 3;

const SOURCE: &str = "\
//! One declaration.

#[ptx::module(target = sm_90a)]
pub mod storage {
    #[global]
    pub static X: u32 = 1;
}
";

pub(crate) fn run(others: &[String]) -> Result<(), String> {
    let here = workspace()?;
    let folder = here.join("target/first-build");
    let mut builds = Vec::new();
    let features = [("this library", Features::Default), ("without features", Features::None)];
    for (name, features) in features {
        builds.push((name, here.as_path(), features));
    }
    for other in others {
        builds.push((other, other.as_ref(), Features::Default));
    }
    let mut builds = builds
        .into_iter()
        .enumerate()
        .map(|(i, (name, library, features))| {
            let sample = Sample::create(folder.join(i.to_string()), library, features)?;
            sample.write_source(SOURCE)?;
            Ok(Build { name: name.to_owned(), sample, usages: Vec::new() })
        })
        .collect::<Result<Vec<_>, String>>()?;
    for _ in 0..RUNS {
        for build in &mut builds {
            build.check()?;
        }
    }
    for build in &builds {
        println!("{}", build.report()?);
    }
    Ok(())
}

/// A crate that is checked repeatedly.
struct Build {
    name: String,
    sample: Sample,
    usages: Vec<Usage>,
}

impl Build {
    fn check(&mut self) -> Result<(), String> {
        self.sample.clean()?;
        let mut command = self.sample.cargo(&["check", "--offline", "--quiet", "--timings"]);
        let usage = Usage::of(&mut command)?;
        eprintln!(
            "{}: {:.1} s of CPU time, {:.1} s of wall-clock time",
            self.name,
            usage.cpu.as_secs_f64(),
            usage.clock.as_secs_f64()
        );
        self.usages.push(usage);
        Ok(())
    }

    /// The medians, and the instructions of one more check, which do not vary.
    fn report(&self) -> Result<String, String> {
        let median = |of: fn(&Usage) -> Duration| {
            let mut times: Vec<Duration> = self.usages.iter().map(of).collect();
            times.sort_unstable();
            times[times.len() / 2].as_secs_f64()
        };
        let (cpu, clock) = (median(|usage| usage.cpu), median(|usage| usage.clock));
        let timings = self.sample.folder().join("target/cargo-timings/cargo-timing.html");
        let kept = self.sample.folder().join("timings.html");
        std::fs::copy(&timings, &kept)
            .map_err(|error| format!("{}: {error}", timings.display()))?;
        self.sample.clean()?;
        let counted = instructions(&self.sample.cargo(&["check", "--offline", "--quiet"]))?;
        #[allow(clippy::cast_precision_loss)] // of billions
        let counted = counted.map_or_else(
            || "instructions not counted".to_owned(),
            |count| format!("{:.1} G instructions", count as f64 / 1e9),
        );
        Ok(format!(
            "{}: {cpu:.1} s of CPU time, {clock:.1} s of wall-clock time, medians of {RUNS}; {counted}; {}",
            self.name,
            kept.display()
        ))
    }
}
