//! The copy of the workspace with the mutants.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The source of a crate of the copy, which selects a mutant and records which ones a test reaches.
const SWITCH: &str = include_str!("switch.rs");

const SWITCH_MANIFEST: &str = "\
[package]
name = \"mutant-switch\"
version = \"0.0.0\"
edition = \"2024\"
";

/// The mutated folders and files.
const MUTATED: [&str; 11] = [
    "ptx-analysis/src/",
    "ptx-types/src/address.rs",
    "ptx-float/src/format.rs",
    "ptx-float/src/values/",
    "ptx-isa/src/ir/",
    "ptx-isa/src/map/",
    "ptx-isa/src/reached.rs",
    "ptx-isa/src/rules/",
    "ptx-isa/src/scalar/",
    "ptx-isa/src/tensor/",
    "ptx-types/src/tensor/",
];

/// Whether a file, relative to the workspace, is mutated.
pub fn is_mutated(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension == "rs")
        && MUTATED.iter().any(|prefix| file.starts_with(prefix))
        && !file.contains("/tests/")
        && !file.ends_with("/tests.rs")
}

/// The crates whose files are mutated.
pub(super) const CRATES: [&str; 4] = ["ptx-float", "ptx-isa", "ptx-types", "ptx-analysis"];

/// The folder of this workspace.
pub(super) fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The folder for all files of the mutation tests.
pub(super) fn home() -> PathBuf {
    workspace().join("target/mutants")
}

/// Writes a file if its content differs, because cargo rebuilds files that are written.
pub(super) fn write(path: &Path, text: &[u8]) -> Result<(), String> {
    if std::fs::read(path).is_ok_and(|is| is == text) {
        return Ok(());
    }
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(path.parent().unwrap_or(path)).map_err(failed)?;
    std::fs::write(path, text).map_err(failed)
}

/// The files of the workspace that git tracks or would not ignore.
fn files() -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(workspace())
        .output()
        .map_err(|error| format!("git does not run: {error}"))?;
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let names = names.split('\0').filter(|name| workspace().join(name).is_file());
    Ok(names.map(str::to_owned).collect())
}

/// The files with mutants.
pub(super) fn mutated_files() -> Result<Vec<String>, String> {
    let mut files = files()?;
    files.retain(|file| is_mutated(file));
    files.sort();
    Ok(files)
}

/// Copies all files without mutants.
pub(super) fn copy() -> Result<PathBuf, String> {
    let tree = home().join("tree");
    let mutated: BTreeSet<String> = mutated_files()?.into_iter().collect();
    for file in files()? {
        if mutated.contains(&file) {
            continue;
        }
        let mut text = std::fs::read(workspace().join(&file)).map_err(|error| error.to_string())?;
        if CRATES.iter().any(|name| file == format!("{name}/Cargo.toml")) {
            let manifest = String::from_utf8_lossy(&text).replacen(
                "[dependencies]\n",
                "[dependencies]\nmutant-switch = { path = \"../mutant-switch\" }\n",
                1,
            );
            text = manifest.into_bytes();
        }
        // The copy's lock file also has the switch, once cargo has added it.
        if file == "Cargo.lock" && tree.join(&file).is_file() {
            continue;
        }
        write(&tree.join(&file), &text)?;
    }
    write(&tree.join("mutant-switch/Cargo.toml"), SWITCH_MANIFEST.as_bytes())?;
    write(&tree.join("mutant-switch/src/lib.rs"), SWITCH.as_bytes())?;
    Ok(tree)
}
