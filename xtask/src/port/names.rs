//! Names and types of PTX in Rust.

use std::collections::{BTreeMap, HashSet};

use ptx_frontend::import::is_keyword;

use super::tokens::{Tokens, is_of_name};

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
pub(super) struct Names {
    /// The Rust names in use.
    taken: HashSet<String>,
    /// The Rust names by PTX name, where the two differ.
    renamed: BTreeMap<String, String>,
    /// As `renamed`, for the parameters of the current function.
    params: BTreeMap<String, String>,
    /// The PTX names of the file's functions.
    functions: HashSet<String>,
    /// Every word of the file.
    words: HashSet<String>,
}

impl Names {
    /// The names before any item of this file.
    pub(super) fn of_file(text: &str) -> Self {
        let words = text.split(|c| !is_of_name(c)).map(str::to_owned).collect();
        Self { functions: function_names(text), words, ..Self::default() }
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
            while self.is_function(&name) || self.words.contains(&name) {
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

    /// A line of a body, with Rust names.
    pub(super) fn rename(&self, line: &str) -> String {
        // The argument of a pragma is a string.
        let is_unchanged = self.renamed.is_empty() && self.params.is_empty();
        if is_unchanged || line.starts_with(".pragma") {
            return line.to_owned();
        }
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(start) = rest.find(is_of_name) {
            let (before, word) = rest.split_at(start);
            let end = word.find(|c| !is_of_name(c)).unwrap_or(word.len());
            let (word, after) = word.split_at(end);
            out.push_str(before);
            let renamed = self.params.get(word).or_else(|| self.renamed.get(word));
            out.push_str(renamed.map_or(word, |name| name));
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

/// The names after `.entry` and `.func`.
fn function_names(text: &str) -> HashSet<String> {
    let (mut found, mut tokens) = (HashSet::new(), Tokens::new(text));
    while let Ok(token) = tokens.take() {
        if !matches!(token, ".entry" | ".func") {
            continue;
        }
        tokens.accept(".noreturn");
        if tokens.accept("(") {
            while !matches!(tokens.take(), Ok(")") | Err(_)) {}
        }
        found.extend(tokens.peek().map(str::to_owned));
    }
    found
}

/// The Rust type, and its size in bytes: `.u32` with 2 lanes is `V2<u32>`.
pub(super) fn scalar(ptx: &str, lanes: u64) -> Result<(String, u64), String> {
    let (name, bytes) = match ptx {
        ".u8" => ("u8", 1),
        ".u16" => ("u16", 2),
        ".u32" => ("u32", 4),
        ".u64" => ("u64", 8),
        ".s8" => ("i8", 1),
        ".s16" => ("i16", 2),
        ".s32" => ("i32", 4),
        ".s64" => ("i64", 8),
        ".b8" => ("B8", 1),
        ".b16" => ("B16", 2),
        ".b32" => ("B32", 4),
        ".b64" => ("B64", 8),
        ".b128" => ("B128", 16),
        ".f16" => ("f16", 2),
        ".f32" => ("f32", 4),
        ".f64" => ("f64", 8),
        other => {
            return Err(format!("expected a type that has a form in Rust, but found `{other}`"));
        }
    };
    let ty = if lanes == 1 { name.to_owned() } else { format!("V{lanes}<{name}>") };
    Ok((ty, bytes * lanes))
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
        assert_eq!(
            names.rename("ld.b32 %r1, [a$b+4], a_S_b, type;"),
            "ld.b32 %r1, [a_S_b+4], a_S_b_, type;"
        );
        assert_eq!(names.rename(".pragma \"a$b\";"), ".pragma \"a$b\";");
    }
}
