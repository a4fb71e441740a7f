//! Names and types of PTX in Rust.

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

/// The name of a module or Rust file for the name of a PTX file.
pub(super) fn module_name(file: &str) -> String {
    let name = file.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !is_keyword(&name)
        && !TAKEN.contains(&name.as_str());
    if is_name { name } else { format!("ptx_{name}") }
}

/// The names of a module in PTX and in Rust.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// The Rust names in use.
    taken: HashSet<String>,
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
    /// The names before any item of a file with these functions and words.
    pub(super) fn of_file(
        functions: impl Iterator<Item = &'a str>,
        words: impl Iterator<Item = &'a str>,
    ) -> Self {
        Self { functions: functions.collect(), words: words.collect(), ..Self::default() }
    }

    /// Reserves a name for an item, and returns it with the attribute that keeps its PTX name.
    pub(super) fn of_item(&mut self, ptx: &str) -> (String, String) {
        let mut name = rust_name(ptx);
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        if is_same(&name, ptx) {
            return (name, String::new());
        }
        self.renamed.insert(ptx.to_owned(), name.clone());
        (name, format!("    #[unsafe(export_name = \"{ptx}\")]\n"))
    }

    /// As [`Self::of_item`], for a declaration that may be followed by a definition with the same name.
    pub(super) fn of_declaration(&mut self, ptx: &str) -> (String, String) {
        let (name, attribute) = self.of_item(ptx);
        self.taken.remove(&name);
        (name, attribute)
    }

    /// Ends the scope of the current parameters.
    pub(super) fn start_function(&mut self) {
        self.params.clear();
    }

    /// The name of a parameter, which must not be a function's: ptxas would confuse the two (D077).
    pub(super) fn of_param(&mut self, ptx: &str) -> String {
        let mut name = rust_name(ptx);
        if self.is_function(&name) {
            while self.is_function(&name) || self.words.contains(name.as_str()) {
                name = format!("{}_", name.strip_prefix("r#").unwrap_or(&name));
            }
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

    /// The name of a symbol that was declared before.
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
        let mut names = Names::default();
        assert_eq!(names.of_item("a$b").0, "a_S_b");
        assert_eq!(names.of_item("a_S_b").0, "a_S_b_");
        assert_eq!(names.of_item("type"), ("r#type".to_owned(), String::new()));
        assert_eq!(names.of_param("%VAParam"), "_P_VAParam");
        for (ptx, rust) in
            [("a$b", "a_S_b"), ("a_S_b", "a_S_b_"), ("type", "type"), ("%VAParam", "_P_VAParam")]
        {
            assert_eq!(names.of_word(ptx), rust);
        }
    }
}
