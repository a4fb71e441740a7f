//! A page, split into its sections.

use std::path::{Path, PathBuf};

/// The sections that every page has, in order, after the meaning of the rule.
pub(crate) const SECTIONS: [&str; 4] = ["Example", "What the GPU does", "Fix", "When to allow it"];

/// The page of a rule.
#[derive(Debug)]
pub(crate) struct Page {
    /// The code, from the name of the file.
    pub(crate) code: String,
    /// The first line.
    pub(crate) title: String,
    /// The meaning of the rule.
    pub(crate) meaning: String,
    /// The titles and texts of the sections.
    pub(crate) sections: Vec<(String, String)>,
}

/// A listing.
#[derive(Debug)]
pub(crate) struct Block {
    /// The text after the fence: `rust`, `ptx`, `rust,late`, `rust,ui`.
    pub(crate) info: String,
    pub(crate) text: String,
}

impl Page {
    /// All pages in a folder, ordered by code.
    pub(crate) fn all(folder: &Path) -> Vec<Self> {
        let files = std::fs::read_dir(folder).expect("there is a folder");
        let mut files: Vec<PathBuf> =
            files.map(|entry| entry.expect("it can be read").path()).collect();
        files.retain(|path| path.extension().is_some_and(|it| it == "md"));
        files.sort();
        files.iter().map(|path| Self::read(path)).collect()
    }

    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).expect("it is a text");
        let code = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let (title, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let mut parts = rest.split("\n## ");
        let meaning = parts.next().unwrap_or_default().trim().to_owned();
        let sections = parts.map(|part| {
            let (title, text) = part.split_once('\n').unwrap_or((part, ""));
            (title.to_owned(), text.trim().to_owned())
        });
        Self { code, title: title.to_owned(), meaning, sections: sections.collect() }
    }

    /// The text of a section; empty if it does not exist.
    pub(crate) fn section(&self, title: &str) -> &str {
        let found = self.sections.iter().find(|(name, _)| name == title);
        found.map_or("", |(_, text)| text)
    }

    /// The words of a section, on one line.
    pub(crate) fn words(&self, title: &str) -> String {
        self.section(title).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The listings of a section.
    pub(crate) fn blocks(&self, title: &str) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for line in self.section(title).lines() {
            match (&mut open, line.strip_prefix("```")) {
                (None, Some(info)) => {
                    open = Some(Block { info: info.to_owned(), text: String::new() });
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (Some(block), None) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, None) => {}
            }
        }
        blocks
    }
}
