//! The PTX files of the repository, which mutants are made of.

use std::path::{Path, PathBuf};

/// The folders with PTX files.
const FOLDERS: &[&str] = &[
    "docs",
    "examples",
    "ptx-analysis",
    "ptx-cli",
    "ptx-macros",
    "ptx-smith",
    "ptx-text",
    "tests",
    "ui-tests",
];

/// The root of the repository: the first folder with all of `FOLDERS` among the current one and those that contain
/// it, so that a test that was built elsewhere finds its files.
///
/// # Panics
/// If there is none.
pub fn root() -> PathBuf {
    let current = std::env::current_dir().expect("the current folder");
    let is_root = |folder: &&Path| FOLDERS.iter().all(|name| folder.join(name).is_dir());
    let root = current.ancestors().find(is_root);
    root.unwrap_or_else(|| panic!("{} is not in the repository", current.display())).to_owned()
}

/// The paths and the texts of all PTX files of the repository, ordered by path.
///
/// # Panics
/// If a folder or a file cannot be read.
pub fn all() -> Vec<(String, String)> {
    let root = root();
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = FOLDERS.iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("an entry of the folder").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ptx") {
                let bytes = std::fs::read(&path).expect("a file of the repository");
                let name = path.strip_prefix(&root).expect("it is in the root");
                let text = String::from_utf8_lossy(&bytes).into_owned();
                found.push((name.to_string_lossy().into_owned(), text));
            }
        }
    }
    found.sort();
    found
}
