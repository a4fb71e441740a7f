//! What the first `cargo check` of a crate with one declaration costs, with all that it depends on, from
//! nothing: the CPU time of cargo and of every rustc, and the time on the clock. Other checkouts take
//! turns with this one, so that a busy machine is busy for all.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::cpu;

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
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let here = here.parent().unwrap_or(here);
    let folder = here.join("target/first-build");
    let mut libraries = vec![Library::new(here, &folder.join("0"))?];
    for (i, other) in others.iter().enumerate() {
        libraries.push(Library::new(other.as_ref(), &folder.join((i + 1).to_string()))?);
    }
    for _ in 0..RUNS {
        for library in &mut libraries {
            library.check()?;
        }
    }
    for library in &mut libraries {
        println!("{}", library.report());
    }
    Ok(())
}

/// A checkout, and the crate that depends on it.
struct Library {
    path: PathBuf,
    krate: PathBuf,
    /// CPU time and time on the clock of each check.
    times: Vec<(Duration, Duration)>,
}

impl Library {
    fn new(path: &Path, krate: &Path) -> Result<Self, String> {
        let failed = |path: &Path, error| format!("{}: {error}", path.display());
        let path = path.canonicalize().map_err(|error| failed(path, error))?;
        fs::create_dir_all(krate.join("src")).map_err(|error| failed(krate, error))?;
        let manifest = format!(
            "[package]\nname = \"first-build\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nptx = {{ path = \"{}\" }}\n\n[workspace]\n",
            path.display()
        );
        for (name, text) in [("Cargo.toml", &*manifest), ("src/lib.rs", SOURCE)] {
            let file = krate.join(name);
            fs::write(&file, text).map_err(|error| failed(&file, error))?;
        }
        // The releases that the checkout was tested with.
        let (from, to) = (path.join("Cargo.lock"), krate.join("Cargo.lock"));
        fs::copy(&from, &to).map_err(|error| failed(&from, error))?;
        let library = Self { path, krate: krate.to_owned(), times: Vec::new() };
        // Downloads are not measured.
        library.cargo(&["fetch", "--quiet"])?;
        Ok(library)
    }

    fn check(&mut self) -> Result<(), String> {
        let target = self.krate.join("target");
        if target.exists() {
            let removed = fs::remove_dir_all(&target);
            removed.map_err(|error| format!("{}: {error}", target.display()))?;
        }
        let (start, before) = (Instant::now(), cpu::of_children()?);
        self.cargo(&["check", "--offline", "--quiet", "--timings"])?;
        let clock = start.elapsed();
        let cpu = cpu::of_children()?.saturating_sub(before);
        eprintln!(
            "{}: {:.1} s of CPU, {:.1} s on the clock",
            self.path.display(),
            cpu.as_secs_f64(),
            clock.as_secs_f64()
        );
        self.times.push((cpu, clock));
        Ok(())
    }

    fn cargo(&self, arguments: &[&str]) -> Result<(), String> {
        let output = Command::new("cargo")
            .args(arguments)
            .current_dir(&self.krate)
            .env_remove("CARGO_TARGET_DIR")
            .output()
            .map_err(|error| format!("cargo does not run: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }

    fn report(&mut self) -> String {
        let mut median = |of: fn(&(Duration, Duration)) -> Duration| {
            self.times.sort_unstable_by_key(of);
            of(&self.times[self.times.len() / 2]).as_secs_f64()
        };
        let (cpu, clock) = (median(|times| times.0), median(|times| times.1));
        format!(
            "{}: {cpu:.1} s of CPU, {clock:.1} s on the clock, medians of {RUNS}; the last in {}",
            self.path.display(),
            self.krate.join("target/cargo-timings/cargo-timing.html").display(),
        )
    }
}
