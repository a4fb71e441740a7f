//! Crates that depend on `ptx`, to measure the cost and collect the messages of building them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate in a folder of its own.
#[derive(Debug)]
pub struct Sample {
    folder: PathBuf,
}

impl Sample {
    /// Creates a crate that depends on the library of a checkout, with the locked releases of its
    /// dependencies.
    ///
    /// # Errors
    /// If something cannot be written or fetched.
    pub fn create(folder: PathBuf, library: &Path, features: Features) -> Result<Self, String> {
        let library = library.canonicalize().map_err(|error| failed(library, &error))?;
        let source = folder.join("src");
        fs::create_dir_all(&source).map_err(|error| failed(&source, &error))?;
        let features = match features {
            Features::Default => "",
            Features::None => ", default-features = false",
        };
        let manifest = format!(
            "[package]\nname = \"sample\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nptx = {{ path = \"{}\"{features} }}\n\n[workspace]\n",
            library.display()
        );
        let sample = Self { folder };
        sample.write("Cargo.toml", &manifest)?;
        sample.write("src/lib.rs", "")?;
        let (from, to) = (library.join("Cargo.lock"), sample.folder.join("Cargo.lock"));
        fs::copy(&from, &to).map_err(|error| failed(&from, &error))?;
        let output = sample.cargo(&["fetch", "--quiet"]).output();
        let output = output.map_err(|error| format!("cargo does not run: {error}"))?;
        if output.status.success() {
            return Ok(sample);
        }
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes the source.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_source(&self, text: &str) -> Result<(), String> {
        self.write("src/lib.rs", text)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let file = self.folder.join(name);
        fs::write(&file, text).map_err(|error| failed(&file, &error))
    }

    /// Removes the build artifacts.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn clean(&self) -> Result<(), String> {
        let target = self.folder.join("target");
        if target.exists() {
            fs::remove_dir_all(&target).map_err(|error| failed(&target, &error))?;
        }
        Ok(())
    }

    /// A cargo command in the crate.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(&self.folder).env_remove("CARGO_TARGET_DIR");
        command
    }

    /// `cargo check`, with or without rustc's incremental state.
    pub fn check(&self, is_incremental: bool) -> Command {
        let mut command = self.cargo(&["check", "--offline", "--quiet"]);
        command.env("CARGO_INCREMENTAL", if is_incremental { "1" } else { "0" });
        command
    }
}

/// The features of `ptx` that a crate enables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Features {
    /// The default features.
    Default,
    /// No features.
    None,
}

/// Checks out the library at a commit, in its own folder in `target/checkouts/`.
///
/// # Errors
/// If git has no such commit, or its files cannot be written.
pub fn check_out(workspace: &Path, commit: &str) -> Result<PathBuf, String> {
    let output = |command: &mut Command| match command.output() {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        }
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(format!("{command:?}: {error}")),
    };
    let git = || {
        let mut git = Command::new("git");
        git.current_dir(workspace);
        git
    };
    let name = output(git().args(["rev-parse", "--verify"]).arg(format!("{commit}^{{commit}}")))?;
    let folders = workspace.join("target/checkouts");
    let folder = folders.join(&name);
    if folder.exists() {
        return Ok(folder);
    }
    // Renamed once it is complete.
    let partial = folders.join(format!("{name}.partial"));
    if partial.exists() {
        fs::remove_dir_all(&partial).map_err(|error| failed(&partial, &error))?;
    }
    fs::create_dir_all(&partial).map_err(|error| failed(&partial, &error))?;
    let archive = folders.join(format!("{name}.tar"));
    output(git().args(["archive", "--format=tar", "-o"]).arg(&archive).arg(&name))?;
    output(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&partial))?;
    fs::remove_file(&archive).map_err(|error| failed(&archive, &error))?;
    fs::rename(&partial, &folder).map_err(|error| failed(&partial, &error))?;
    Ok(folder)
}

/// The folder of this workspace.
///
/// # Errors
/// If it no longer exists.
pub fn workspace() -> Result<PathBuf, String> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    workspace.canonicalize().map_err(|error| failed(&workspace, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
