//! The page, from the entries and what is recorded.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::entry::{Entry, Kind, READING};
use super::outcome::Outcome;

const HEAD: &str = "\
# Where ptxas and the PTX ISA differ

Each entry is the smallest file that shows a difference, with what the PTX ISA says, what three releases of ptxas and
`ptx check` do with it and, where it can be run, what a GPU does. The files are in `docs/differences/`.
`cargo xtask differences` runs the three releases, which it downloads, and compares; with `--ptxas PATH`, it compares another
release with the newest of them. `cargo xtask differences --record` writes this page.

`cargo xtask differences search --texts near --seed 1 --count 1000` looks for differences in a thousand generated files, for a
minute or a few, and prints the smallest file of each. The files are nearly valid: `ptx_smith::near` draws small modules by a
grammar, and one or two of their choices (a word, a type, a state space, a name, a number at a bound, a token) are unusual.
What an entry is found by is such a search for one file. `cargo xtask differences find --texts near --seed 1 --count 1000` says
which entries a thousand files find.

What ptxas does where the PTX ISA is silent, its limits, its layout, and measurements that need more than a file are in
[ptxas beyond its manual](ptxas.md); programs that ptxas accepts and that go wrong are
[mistakes](mistakes.md).

";

/// The page.
///
/// # Errors
/// If an entry cannot be read, or nothing is recorded about it.
pub fn document(root: &Path) -> Result<String, String> {
    let entries = Entry::all(root)?;
    let gpu = Gpu::read(root)?;
    let mut text = HEAD.to_owned();
    let versions: Vec<&String> =
        entries.first().map(|entry| entry.recorded.ptxas.keys().collect()).unwrap_or_default();
    for kind in Kind::ALL {
        let _ = write!(text, "**{}**\n\n| difference | PTX ISA |", kind.heading());
        for version in &versions {
            let _ = write!(text, " {version} |");
        }
        let _ =
            writeln!(text, " `ptx check` |\n| --- | --- |{}", " --- |".repeat(versions.len() + 1));
        for entry in entries.iter().filter(|entry| entry.kind == kind) {
            let _ = write!(text, "| [{}](#{}) | {} |", entry.title, entry.anchor(), entry.section);
            for version in &versions {
                let outcome = entry.recorded.ptxas.get(*version);
                let outcome = outcome.ok_or_else(|| {
                    format!("{}: run `cargo xtask differences --record`", entry.folder)
                })?;
                let _ = write!(text, " {} |", outcome.verdict.name());
            }
            let _ = writeln!(text, " {} |", rules(entry));
        }
        text.push('\n');
    }
    text.push_str("Found by reading alone:\n\n");
    for entry in entries.iter().filter(|entry| entry.found == READING) {
        let _ = writeln!(text, "- [{}](#{}): {}.", entry.title, entry.anchor(), entry.unfound);
    }
    text.push('\n');
    for kind in Kind::ALL {
        let _ = writeln!(text, "## {}", kind.heading());
        for entry in entries.iter().filter(|entry| entry.kind == kind) {
            write_entry(&mut text, entry, &gpu);
        }
        text.push('\n');
    }
    Ok(text.trim_end().to_owned() + "\n")
}

fn write_entry(text: &mut String, entry: &Entry, gpu: &Gpu) {
    let _ = write!(text, "\n### {}\n\n", entry.anchor().replace('-', " "));
    let _ =
        write!(text, "{}. PTX ISA {}; found by {}.\n\n", entry.title, entry.section, found(entry));
    let _ = write!(text, "```ptx\n{}\n```\n\n{}\n\n", shown(&entry.module), entry.about);
    for line in &entry.expected {
        let _ = writeln!(text, "- PTX ISA: `{line}`");
    }
    // Releases that do the same have one line.
    let mut outcomes: Vec<(Vec<&str>, &Outcome)> = Vec::new();
    for (version, outcome) in &entry.recorded.ptxas {
        match outcomes.iter_mut().find(|(_, other)| *other == outcome) {
            Some((versions, _)) => versions.push(version),
            None => outcomes.push((vec![version], outcome)),
        }
    }
    let options = entry.options.iter().fold(String::new(), |all, option| all + " " + option);
    for (versions, outcome) in outcomes {
        let _ = write!(
            text,
            "- `ptxas -arch {}{options}` {}: {}",
            entry.arch,
            versions.join(", "),
            outcome.verdict.name()
        );
        let details: Vec<String> =
            outcome.details.iter().map(|line| format!("`{}`", line.replace('`', "'"))).collect();
        if !details.is_empty() {
            let _ = write!(text, ", {}", details.join(", "));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "- `ptx check`: {}", rules(entry));
    if let Some(seen) = gpu.seen.get(&entry.folder) {
        let _ = writeln!(text, "- {}: {seen}", gpu.device);
    }
}

/// A module in a block of Markdown: control characters, which would be invisible, as a comment names them.
fn shown(module: &[u8]) -> String {
    let text = String::from_utf8_lossy(module);
    let is_hidden = |c: char| c.is_control() && c != '\n' && c != '\t';
    let shown: String =
        text.trim_end().chars().map(|c| if is_hidden(c) { '\u{241a}' } else { c }).collect();
    shown
}

/// How an entry was found.
fn found(entry: &Entry) -> String {
    match entry.found.as_str() {
        READING => READING.to_owned(),
        arguments => format!("`cargo xtask differences search {arguments}`"),
    }
}

/// The rules that find it, with links.
fn rules(entry: &Entry) -> String {
    let link = |code: &String| match code.as_str() {
        "syntax" => "a syntax error".to_owned(),
        code => format!("[{code}](../ptx-cli/rules/{code}.md)"),
    };
    let rules: Vec<String> = entry.recorded.rules.iter().map(link).collect();
    if rules.is_empty() { "nothing".to_owned() } else { rules.join(", ") }
}

/// What a GPU does with the files: `docs/differences/gpu.txt`, which `gpu.py` there prints.
struct Gpu {
    device: String,
    seen: BTreeMap<String, String>,
}

impl Gpu {
    fn read(root: &Path) -> Result<Self, String> {
        let path = root.join("docs/differences/gpu.txt");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let mut lines = text.lines();
        let device = lines.next().unwrap_or_default().to_owned();
        let seen = lines.filter_map(|line| line.split_once(": "));
        Ok(Self {
            device,
            seen: seen.map(|(name, what)| (name.to_owned(), what.to_owned())).collect(),
        })
    }
}
