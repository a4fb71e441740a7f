//! What depends on what, and circles in it: between the crates of a workspace, and inside a crate
//! between folders and files.
//!
//! A file depends on another if a path in its code leads to what the other declares, be it in a
//! `use`, in a type, in an expression or among the tokens of a macro. A path through a re-export leads
//! to what is re-exported. These do not count:
//!
//! - what a file re-exports of its own submodules: it lists them, and does not use them;
//! - what is compiled for tests alone (`#[cfg(test)]`), and what stands outside `src`;
//! - links in documentation;
//! - what no path names: methods, fields, and what a macro makes out of names;
//! - of macros, what they expand to; among their tokens, paths that start with `crate`, `$crate`,
//!   `self` or `super` alone.

mod graph;
mod mentions;
mod modules;
mod package;

pub use graph::{Circle, Graph};
pub use modules::Tree;
pub use package::{Package, packages};

/// The circles between the packages of a workspace, by what they need to be built.
pub fn circles_of_packages(packages: &[Package]) -> Vec<Circle> {
    let mut graph = Graph::default();
    for package in packages {
        for needed in &package.needs {
            if packages.iter().any(|other| other.name == *needed) {
                graph.add(&package.name, needed, "Cargo.toml");
            }
        }
    }
    graph.circles()
}

/// The circles between the files of a crate, and those between the modules at each of its levels,
/// each with all that lies below it.
///
/// # Errors
/// If a file is not there, or no Rust.
pub fn circles_of_crate(root: &std::path::Path) -> Result<Vec<Circle>, String> {
    let tree = Tree::read(root)?;
    let uses = tree.uses();
    let mut files = Graph::default();
    let mut levels: std::collections::BTreeMap<String, Graph> = std::collections::BTreeMap::new();
    for used in &uses {
        files.add(&used.from_file, &used.to_file, &used.at);
        if let Some((level, from, to)) = used.siblings() {
            levels.entry(level).or_default().add(&from, &to, &used.at);
        }
    }
    let mut circles = files.circles();
    for graph in levels.values() {
        circles.extend(graph.circles());
    }
    Ok(circles)
}
