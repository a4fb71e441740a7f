//! The entries of the page: directories of `docs/differences/`.

use std::path::{Path, PathBuf};

use super::outcome::{Recorded, Verdict};

const MODULE: &str = "module.ptx";
const ABOUT: &str = "about.md";
/// How an entry was found that no search finds.
pub const READING: &str = "reading";
pub(super) const OUTCOMES: &str = "outcomes.txt";

/// What differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A release of ptxas crashes.
    Crash,
    /// ptxas gives the file another meaning than the PTX ISA.
    Meaning,
    /// ptxas accepts what the PTX ISA forbids.
    Accepted,
    /// ptxas refuses what the PTX ISA allows.
    Refused,
    /// Releases differ, and the PTX ISA does not decide between them.
    Releases,
}

impl Kind {
    /// All of them, in the order of the page.
    pub const ALL: [Self; 5] =
        [Self::Crash, Self::Meaning, Self::Accepted, Self::Refused, Self::Releases];

    /// The word for it in a description.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Meaning => "meaning",
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::Releases => "releases",
        }
    }

    /// The heading of its entries.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Crash => "ptxas crashes",
            Self::Meaning => "ptxas means something else",
            Self::Accepted => "ptxas accepts what the PTX ISA forbids",
            Self::Refused => "ptxas refuses what the PTX ISA allows",
            Self::Releases => "Releases differ",
        }
    }
}

/// A difference, read from its directory.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name of the directory.
    pub folder: String,
    pub(super) path: PathBuf,
    /// The difference, in a sentence.
    pub title: String,
    /// What differs.
    pub kind: Kind,
    /// The section of the PTX ISA.
    pub section: String,
    /// The architecture that ptxas assembles for.
    pub arch: String,
    /// Further options of ptxas.
    pub options: Vec<String>,
    /// The bytes that the PTX ISA gives a variable: `J = 01 00`.
    pub expected: Vec<String>,
    /// The variables to look at after the kernel `k` has run on a GPU, with the bytes that they should have, if it matters.
    pub run: Vec<String>,
    /// How it was found: `reading`, or the arguments of the search that finds it.
    pub found: String,
    /// Why no search finds it, if none does.
    pub unfound: String,
    /// The description.
    pub about: String,
    /// The smallest file that shows it.
    pub module: Vec<u8>,
    /// What is recorded.
    pub recorded: Recorded,
}

impl Entry {
    /// All entries, by number.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn all(root: &Path) -> Result<Vec<Self>, String> {
        let directory = root.join("docs/differences");
        let listed = std::fs::read_dir(&directory)
            .map_err(|error| format!("{}: {error}", directory.display()))?;
        let paths = listed.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
        let mut paths: Vec<PathBuf> = paths.collect();
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }

    fn read(path: &Path) -> Result<Self, String> {
        let read = |name: &str| {
            let path = path.join(name);
            std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let wrong = |why: &str| format!("{}: {why}", path.join(ABOUT).display());
        let text = String::from_utf8(read(ABOUT)?).map_err(|_| wrong("it is not UTF-8"))?;
        let mut parts = text.splitn(3, "\n\n");
        let mut part = || parts.next().unwrap_or_default().trim();
        let title = part().strip_prefix("# ").ok_or_else(|| wrong("there is no title"))?.to_owned();
        let (fields, about) = (part(), part().to_owned());
        let mut entry = Self {
            folder: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            path: path.to_owned(),
            title,
            kind: Kind::Accepted,
            section: String::new(),
            arch: "sm_90a".to_owned(),
            options: Vec::new(),
            expected: Vec::new(),
            run: Vec::new(),
            found: String::new(),
            unfound: String::new(),
            about,
            module: read(MODULE)?,
            recorded: Recorded::default(),
        };
        let mut has_kind = false;
        for line in fields.lines() {
            let field = line.strip_prefix("- ").and_then(|line| line.split_once(": "));
            let (name, value) = field.ok_or_else(|| wrong(&format!("`{line}` is not a field")))?;
            match name {
                "kind" => {
                    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == value);
                    entry.kind = kind.ok_or_else(|| wrong(&format!("`{value}` is not a kind")))?;
                    has_kind = true;
                }
                "section" => value.clone_into(&mut entry.section),
                "arch" => value.clone_into(&mut entry.arch),
                "options" => entry.options = value.split(' ').map(str::to_owned).collect(),
                "expected" => entry.expected.push(value.to_owned()),
                "run" => entry.run.push(value.to_owned()),
                "found" => value.clone_into(&mut entry.found),
                "unfound" => value.clone_into(&mut entry.unfound),
                _ => return Err(wrong(&format!("`{name}` is not a field"))),
            }
        }
        if !has_kind || entry.section.is_empty() || entry.found.is_empty() {
            return Err(wrong("`kind`, `section` or `found` is missing"));
        }
        // A new entry has no outcomes yet.
        if let Ok(outcomes) = read(OUTCOMES) {
            entry.recorded = Recorded::read(&String::from_utf8_lossy(&outcomes))
                .map_err(|why| format!("{}: {why}", path.join(OUTCOMES).display()))?;
        }
        Ok(entry)
    }

    /// The file as text.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.module).into_owned()
    }

    /// Records how it was found.
    ///
    /// # Errors
    /// If the description cannot be read or written.
    pub(super) fn record_found(&self, found: &str) -> Result<(), String> {
        let path = self.path.join(ABOUT);
        let io = |error: std::io::Error| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(io)?;
        let text =
            text.replace(&format!("\n- found: {}\n", self.found), &format!("\n- found: {found}\n"));
        std::fs::write(&path, text).map_err(io)
    }

    /// The variables whose bytes are compared.
    pub fn variables(&self) -> Vec<&str> {
        self.expected.iter().filter_map(|it| Some(it.split_once(" = ")?.0)).collect()
    }

    /// The directory's name without its number, which is the anchor on the page.
    pub fn anchor(&self) -> &str {
        self.folder.split_once('-').map_or(&self.folder, |(_, name)| name)
    }

    /// Why what is recorded does not show a difference of this kind, if so.
    pub fn is_unproven(&self) -> Option<String> {
        let outcomes = || self.recorded.ptxas.values();
        let has = |verdict| outcomes().any(|outcome| outcome.verdict == verdict);
        let is_shown = match self.kind {
            Kind::Crash => has(Verdict::Crashed),
            Kind::Accepted => has(Verdict::Accepted),
            Kind::Refused => has(Verdict::Refused),
            // Without bytes, the description says what the code does.
            Kind::Meaning => outcomes().any(|outcome| {
                let is_expected = |line: &String| outcome.details.contains(line);
                outcome.verdict == Verdict::Accepted
                    && (self.expected.is_empty() || !self.expected.iter().all(is_expected))
            }),
            Kind::Releases => {
                outcomes().zip(outcomes().skip(1)).any(|(one, next)| !one.agrees(next))
            }
        };
        (!is_shown).then(|| format!("{}: no release shows it: {}", self.folder, self.kind.name()))
    }
}
