//! Names of PTX in Rust.

use std::collections::{BTreeMap, HashSet};

use ptx_frontend::import::is_keyword;

/// Words that are not Rust identifiers even in raw form, or that have a meaning in a module.
const TAKEN: &[&str] = &["self", "Self", "super", "crate", "_", "MODULE"];

/// The Rust name for a PTX name.
fn rust_name(ptx: &str) -> String {
    if is_keyword(ptx) {
        return format!("r#{ptx}");
    }
    let name = ptx.replace('$', "_S_").replace('%', "_P_");
    if TAKEN.contains(&ptx) { format!("{name}_") } else { name }
}

/// Whether a symbol has the same name in PTX and in Rust.
fn is_same(rust: &str, ptx: &str) -> bool {
    rust.strip_prefix("r#").unwrap_or(rust) == ptx
}

/// The name of a module for the name of a PTX file without its extension.
pub fn module_name(file: &str) -> String {
    let name = file.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !is_keyword(&name)
        && !TAKEN.contains(&name.as_str());
    if is_name { name } else { format!("ptx_{name}") }
}

/// The names of a module in PTX and in Rust.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// The Rust names by PTX name, where the two differ.
    renamed: BTreeMap<String, String>,
    /// As `renamed`, for the parameters of the current function.
    params: BTreeMap<String, String>,
    /// The PTX names of the file's functions.
    functions: HashSet<&'a str>,
    /// Every word of the file.
    words: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    /// The names of a file with these items, functions and words.
    pub(super) fn of_items(
        items: impl Iterator<Item = &'a str>,
        functions: impl Iterator<Item = &'a str>,
        words: impl Iterator<Item = &'a str>,
    ) -> Self {
        let (functions, words) = (functions.collect(), words.collect());
        let mut names = Self { functions, words, ..Self::default() };
        let mut taken = HashSet::new();
        for ptx in items.filter(|ptx| !is_same(&rust_name(ptx), ptx)) {
            if names.renamed.contains_key(ptx) {
                continue;
            }
            let mut name = rust_name(ptx);
            while names.words.contains(name.as_str()) || !taken.insert(name.clone()) {
                name.push('_');
            }
            names.renamed.insert(ptx.to_owned(), name);
        }
        names
    }

    /// The name of an item, and the attribute that keeps its PTX name.
    pub(super) fn of_item(&self, ptx: &str) -> (String, String) {
        match self.renamed.get(ptx) {
            Some(name) => (name.clone(), format!("    #[unsafe(export_name = \"{ptx}\")]\n")),
            None => (rust_name(ptx), String::new()),
        }
    }

    /// Ends the scope of the current parameters.
    pub(super) fn start_function(&mut self) {
        self.params.clear();
    }

    /// The name of a parameter, which must not be a function's: ptxas would confuse the two (D077).
    pub(super) fn of_param(&mut self, ptx: &str) -> String {
        let mut name = rust_name(ptx);
        let is_taken = |names: &Self, name: &str| {
            let is_other = !is_same(name, ptx)
                && (names.words.contains(name) || names.params.values().any(|it| it == name));
            is_other || names.is_function(name)
        };
        while is_taken(self, &name) {
            name = format!("{}_", name.strip_prefix("r#").unwrap_or(&name));
        }
        if !is_same(&name, ptx) {
            self.params.insert(ptx.to_owned(), name.clone());
        }
        name
    }

    /// Whether a Rust name is the PTX name of a function.
    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.contains(name.strip_prefix("r#").unwrap_or(name))
    }

    /// The name of a symbol.
    pub(super) fn of_symbol(&self, ptx: &str) -> String {
        self.renamed.get(ptx).cloned().unwrap_or_else(|| rust_name(ptx))
    }

    /// The name in a body: that of a parameter, a symbol, or something else.
    pub(super) fn of_word<'n>(&'n self, ptx: &'n str) -> &'n str {
        self.params.get(ptx).or_else(|| self.renamed.get(ptx)).map_or(ptx, |name| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_become_modules() {
        for (file, module) in
            [("nvcc-sm_80-reduce", "nvcc_sm_80_reduce"), ("2d", "ptx_2d"), ("match", "ptx_match")]
        {
            assert_eq!(module_name(file), module);
        }
    }

    #[test]
    fn bodies_follow_their_names() {
        let all = ["a$b", "a_S_b", "type", "%VAParam"];
        let mut names =
            Names::of_items(all[..3].iter().copied(), std::iter::empty(), all.into_iter());
        assert_eq!(names.of_item("a$b").0, "a_S_b_");
        assert_eq!(names.of_item("a_S_b"), ("a_S_b".to_owned(), String::new()));
        assert_eq!(names.of_item("type"), ("r#type".to_owned(), String::new()));
        assert_eq!(names.of_param("%VAParam"), "_P_VAParam");
        for (ptx, rust) in
            [("a$b", "a_S_b_"), ("a_S_b", "a_S_b"), ("type", "type"), ("%VAParam", "_P_VAParam")]
        {
            assert_eq!(names.of_word(ptx), rust);
        }
    }
}
