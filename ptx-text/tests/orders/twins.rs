//! The kernels of this folder, and each with one line changed as its comments say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a comment that adds a line, or replaces one, starts with.
const MORE: &str = "//+ ";
const INSTEAD: &str = "//= ";
/// What stands before the codes behind a line that is left out.
const LESS: &str = "//~ ";

/// A kernel with one line changed.
pub(crate) struct Twin<'t> {
    /// The line of the comment that asks for it, from 1.
    pub(crate) line: usize,
    /// The comment, with the code before it.
    pub(crate) marker: &'t str,
    /// What is wrong with it.
    pub(crate) codes: BTreeSet<String>,
    /// Its text, in which each line has the number that it has in the file.
    pub(crate) text: String,
}

impl<'t> Twin<'t> {
    /// What the comments of a file ask for.
    pub(crate) fn all(text: &'t str) -> Vec<Self> {
        let lines: Vec<&str> = text.lines().collect();
        let mut all = Vec::new();
        for (at, line) in lines.iter().map(|line| line.trim()).enumerate() {
            let changed = if line.starts_with(INSTEAD) {
                let is_code = |line: &&str| !line.trim_start().starts_with("//");
                lines[..at].iter().rposition(is_code)
            } else {
                Some(at)
            };
            let added = line.strip_prefix(MORE).or_else(|| line.strip_prefix(INSTEAD));
            let (codes, with) = match (added, line.split_once(LESS)) {
                (Some(added), _) => added.split_once(": ").unwrap_or((added, "")),
                (None, Some((_, codes))) => (codes, ""),
                (None, None) => continue,
            };
            let mut lines = lines.clone();
            lines[changed.expect("a line is above")] = with;
            let codes = codes.split_whitespace().map(str::to_owned).collect();
            all.push(Self { line: at + 1, marker: line, codes, text: lines.join("\n") + "\n" });
        }
        all
    }
}

/// The names and texts of the files in a folder, in order.
pub(crate) fn kernels(folder: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).expect("the folder exists").flatten();
    let is_kernel = |path: &PathBuf| path.extension().is_some_and(|it| it == "ptx");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_kernel).collect();
    files.sort();
    let read = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let text = std::fs::read_to_string(path).expect("the file can be read");
        (name.expect("a file has a name"), text)
    };
    files.iter().map(read).collect()
}
