//! Dependencies and their cycles: between the crates of a workspace, and between the folders and files of a
//! crate.
//!
//! A file depends on another if a path in its code leads to a declaration of the other, in a `use`, a type, an
//! expression or the tokens of a macro. A path through a re-export leads to the original declaration. These do
//! not count:
//!
//! - re-exports from a file's own submodules: it lists their items, and does not use them;
//! - code that is compiled only for tests (`#[cfg(test)]`), and code outside `src`;
//! - links in documentation;
//! - uses without a path: methods, fields, and paths that a macro builds from names;
//! - the expansion of macros; among their tokens, only paths that start with `crate`, `$crate`, `self` or
//!   `super` count.

mod graph;
mod mentions;
mod modules;
mod package;

use std::collections::BTreeMap;

pub use graph::{Cycle, Graph};
pub use modules::Tree;
pub use package::{Package, packages};

/// For each top-level module of a crate, those that it uses, each with the first use.
///
/// # Errors
/// If a file does not exist or is not valid Rust.
pub fn arrows_of_crate(
    root: &std::path::Path,
) -> Result<BTreeMap<String, BTreeMap<String, String>>, String> {
    let mut arrows: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for used in Tree::read(root)?.uses() {
        if let Some((level, from, to)) = used.siblings()
            && level == "crate::"
            && from != to
        {
            let at = format!("{}, {}", used.from_file, used.at);
            arrows.entry(from).or_default().entry(to).or_insert(at);
        }
    }
    Ok(arrows)
}

/// The cycles between the packages of a workspace, by their build dependencies.
pub fn cycles_of_packages(packages: &[Package]) -> Vec<Cycle> {
    let mut graph = Graph::default();
    for package in packages {
        for needed in &package.needs {
            if packages.iter().any(|other| other.name == *needed) {
                graph.add(&package.name, needed, "Cargo.toml");
            }
        }
    }
    graph.cycles()
}

/// The cycles between the files of a crate, and those between the modules at each level, each with all its
/// submodules.
///
/// # Errors
/// If a file does not exist or is not valid Rust.
pub fn cycles_of_crate(root: &std::path::Path) -> Result<Vec<Cycle>, String> {
    let tree = Tree::read(root)?;
    let uses = tree.uses();
    let mut files = Graph::default();
    let mut levels: BTreeMap<String, Graph> = BTreeMap::new();
    for used in &uses {
        files.add(&used.from_file, &used.to_file, &used.at);
        if let Some((level, from, to)) = used.siblings() {
            levels.entry(level).or_default().add(&from, &to, &used.at);
        }
    }
    let mut cycles = files.cycles();
    for graph in levels.values() {
        cycles.extend(graph.cycles());
    }
    Ok(cycles)
}
