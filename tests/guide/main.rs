//! The README and the guide: every program in them compiles, and runs where it needs no GPU or there is one; what
//! they show of outputs and errors is what is printed; and their links lead somewhere.
//!
//! `UPDATE_EXPECT=1 cargo test --test guide` writes outputs and errors anew.

mod page;
mod project;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use page::{Block, anchors, blocks, links, unhidden};
use project::{Built, Project};
use tests::root;

const GUIDE: &str = "docs/guide/src";
/// Chapters whose blocks have tests of their own.
const ELSEWHERE: &[&str] = &["docs/guide/src/bodies.md", "docs/guide/src/tool.md"];
/// Where links from the guide to the rest of the repository lead, which is not in the book.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The Markdown files of a folder, from the root of the repository.
fn pages_of(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).expect("the folder is there");
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut pages: Vec<String> = names
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "md"))
        .map(|name| if folder == "." { name } else { format!("{folder}/{name}") })
        .collect();
    pages.sort();
    pages
}

/// What is done with a block.
enum Use {
    /// A program that runs everywhere.
    Program,
    /// A program for a GPU.
    Launch,
    /// What the program before prints.
    Output { of: String },
    /// What rustc says of a program; or its head alone, without notes.
    Error { of: String, is_head: bool },
}

/// Puts the programs of a page into a project, and says what each block is.
fn uses(path: &str, page: &str, project: &mut Project) -> Vec<(Block, String, Use)> {
    let stem: String = path.trim_end_matches(".md").to_lowercase();
    let stem = stem.rsplit('/').next().expect("a name").replace('-', "_");
    let mut uses = Vec::new();
    let blocks = blocks(page);
    // An error in front of all programs is one of the first.
    let first = blocks.iter().find(|block| block.info.starts_with("rust"));
    let first = first.map(|block| (String::new(), unhidden(&block.text), ""));
    let mut program: Option<(String, String, &str)> = first;
    for (n, block) in blocks.into_iter().enumerate() {
        let name = format!("{stem}_{n}");
        let at = format!("{path}: block {n}");
        let what = match (block.info.as_str(), block.comment.as_deref()) {
            (info @ ("rust" | "rust,no_run"), _) => {
                let text = unhidden(&block.text);
                project.add_right(&name, text.clone());
                let is_launch = info != "rust";
                program = Some((name.clone(), text, if is_launch { "launch" } else { "" }));
                if is_launch { Use::Launch } else { Use::Program }
            }
            ("rust,compile_fail", _) => {
                project.add_wrong(&name, unhidden(&block.text));
                program = Some((name.clone(), String::new(), "wrong"));
                continue;
            }
            ("text", Some(comment)) if comment.starts_with("output: ") => {
                let edit = comment.strip_prefix("output: ").and_then(|edit| edit.split_once(" =>"));
                let (Some((old, new)), Some((_, text, ""))) = (edit, &program) else {
                    panic!("{at}: what is `{comment}`?")
                };
                project.add_edited(&name, edited(&at, text, old, new));
                Use::Output { of: name.clone() }
            }
            ("text" | "ptx", Some("output")) => match &program {
                Some((of, _, _)) => Use::Output { of: of.clone() },
                None => panic!("{at}: no program stands before"),
            },
            ("text", Some("error")) => match &program {
                Some((of, _, "wrong")) => Use::Error { of: of.clone(), is_head: false },
                _ => panic!("{at}: no program that is wrong stands before"),
            },
            ("text", Some(comment)) => {
                let (is_head, edit) = match comment.strip_prefix("error, its head: ") {
                    Some(edit) => (true, Some(edit)),
                    None => (false, comment.strip_prefix("error: ")),
                };
                let Some((old, new)) = edit.and_then(|edit| edit.split_once(" =>")) else {
                    panic!("{at}: what is `{comment}`?")
                };
                let Some((_, text, _)) = &program else { panic!("{at}: no program before") };
                project.add_wrong(&name, edited(&at, text, old, new));
                Use::Error { of: name.clone(), is_head }
            }
            ("ptx" | "rust,part", Some(comment)) if comment.starts_with("from: ") => {
                let file = comment.trim_start_matches("from: ");
                assert!(has_parts(&read(file), &block.text), "{at}: {file} has other lines");
                continue;
            }
            ("sh" | "toml" | "text" | "cpp" | "python" | "console", None) => continue,
            // Rust that needs the crates or the compiler of another project.
            ("rust,ignore", Some(comment)) if comment.starts_with("with ") => continue,
            (info, comment) => panic!("{at}: what is `{info}` with {comment:?}?"),
        };
        uses.push((block, name, what));
    }
    uses
}

/// Whether a file has these lines in a row, however far they are indented. A line `..` stands for lines that are left out.
fn has_parts(file: &str, parts: &str) -> bool {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    let (file, parts) = (lines(file), lines(parts));
    let mut left = &file[..];
    parts.split(|line| line == "..").filter(|part| !part.is_empty()).all(|part| {
        let Some(at) = left.windows(part.len()).position(|lines| lines == part) else {
            return false;
        };
        left = &left[at + part.len()..];
        true
    })
}

#[test]
fn parts_of_files_are_found_in_order() {
    let file = "a\n  b\n\n    c\nd\n";
    for (parts, expected) in
        [("b\nc", true), ("  a\n..\nc", true), ("c\n..\na", false), ("a\nc", false), ("e", false)]
    {
        assert_eq!(has_parts(file, parts), expected, "{parts}");
    }
}

/// A program after an edit of one place.
fn edited(at: &str, text: &str, old: &str, new: &str) -> String {
    assert_eq!(text.matches(old).count(), 1, "{at}: `{old}` stands there once");
    text.replace(old, new.trim_start())
}

/// Whether programs for a GPU can run.
#[cfg(feature = "cuda")]
fn has_gpu() -> bool {
    ptx::cuda::context(0).inspect_err(|why| eprintln!("NOT RUN on a GPU: {why}")).is_ok()
}

#[cfg(not(feature = "cuda"))]
fn has_gpu() -> bool {
    eprintln!("NOT RUN on a GPU: build it with `--features cuda`");
    false
}

/// What a block should be, if that is known on this machine.
fn expected(what: &Use, built: &Built, printed: &BTreeMap<String, String>) -> Option<String> {
    match what {
        Use::Output { of } => printed.get(of).cloned(),
        Use::Error { of, is_head: false } => Some(built.errors(of).to_owned()),
        Use::Error { of, is_head: true } => {
            let is_note = |line: &&str| {
                ["= help:", "= note:", "help:", "note:"]
                    .iter()
                    .any(|start| line.trim_start().starts_with(start))
            };
            let lines = built.errors(of).lines().take_while(|line| !is_note(line));
            let text = lines.collect::<Vec<_>>().join("\n");
            Some(text.trim_end_matches(|c: char| c == '|' || c.is_whitespace()).to_owned())
        }
        Use::Program | Use::Launch => None,
    }
}

/// Has the modules of a program assembled by every ptxas, and counts them.
fn assemble(name: &str, modules: &[String]) -> usize {
    for text in modules {
        let target = ptx::Module::parse(text.as_str()).module().target;
        for ptxas in xtask::oracles() {
            if let Err(refused) = ptxas.assemble_text(text, target) {
                panic!("a module of {name}: {refused}");
            }
        }
    }
    modules.len()
}

#[test]
fn programs_do_what_the_pages_show() {
    let mut project = Project::default();
    let paths = [vec!["README.md".to_owned()], pages_of(GUIDE)].concat();
    let pages: Vec<_> = paths
        .iter()
        .filter(|path| !ELSEWHERE.contains(&path.as_str()))
        .map(|path| {
            let page = read(path);
            let uses = uses(path, &page, &mut project);
            (path, page, uses)
        })
        .collect();
    let Some(built) = project.build() else { return };
    let has_gpu = has_gpu();
    let (mut programs, mut wrong, mut compiling) = (0, Vec::new(), Vec::new());
    let assembled: usize = pages
        .iter()
        .flat_map(|(_, _, uses)| uses)
        .filter(|(_, _, what)| matches!(what, Use::Program | Use::Launch))
        .map(|(_, name, _)| assemble(name, &built.modules(name)))
        .sum();
    assert!(assembled >= 15, "{assembled} modules assemble");
    for (path, page, uses) in pages {
        let mut printed = BTreeMap::new();
        for (_, name, what) in &uses {
            let is_edited = matches!(what, Use::Output { of } if of == name);
            if is_edited || matches!(what, Use::Program) || has_gpu && matches!(what, Use::Launch) {
                printed.insert(name.clone(), built.run(name));
                programs += usize::from(!is_edited);
            }
        }
        let mut updated = page.clone();
        for (block, _, what) in uses.iter().rev() {
            let Some(text) = expected(what, &built, &printed) else { continue };
            let text = format!("{}\n", text.trim_end());
            let is_local =
                [&*root().to_string_lossy(), "/registry/"].iter().any(|path| text.contains(path));
            assert!(!is_local, "{path} would show where this machine has its files:\n{text}");
            if text.trim().is_empty() {
                compiling.push(format!("{path}: {}", block.comment.as_deref().unwrap_or_default()));
            }
            if text != block.text {
                wrong.push(format!(
                    "{path}: this is shown:\n{}\nand this is it:\n{text}",
                    block.text
                ));
                updated.replace_range(block.range.clone(), &text);
            }
        }
        if updated != page && std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(root().join(path), updated).expect("it can be written");
            wrong.clear();
        }
    }
    assert!(compiling.is_empty(), "what these should be is nothing: {compiling:#?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(programs >= 5, "{programs} programs ran");
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for folder in [".", "docs", GUIDE] {
        for path in pages_of(folder) {
            let page = read(&path);
            broken.extend(
                links(&page)
                    .into_iter()
                    .filter(|link| !leads_somewhere(Path::new(folder), &path, link))
                    .map(|link| format!("{path}: {link}")),
            );
        }
    }
    assert!(broken.is_empty(), "these links lead nowhere:\n{}", broken.join("\n"));
}

fn leads_somewhere(folder: &Path, path: &str, link: &str) -> bool {
    let (file, anchor) = link.split_once('#').map_or((link, None), |(f, a)| (f, Some(a)));
    let file: PathBuf = match file.strip_prefix(REPOSITORY) {
        Some(file) => file.into(),
        None if file.contains("://") => return true,
        None if file.is_empty() => path.into(),
        None => folder.join(file),
    };
    match anchor {
        None => root().join(file).exists(),
        Some(_) if file.extension().is_none_or(|extension| extension != "md") => true,
        Some(anchor) => {
            let page = std::fs::read_to_string(root().join(file));
            page.is_ok_and(|page| anchors(&page).iter().any(|known| known == anchor))
        }
    }
}

/// The book has all chapters, and the README stays short.
#[test]
fn the_pages_are_as_they_are_meant() {
    let summary = read(format!("{GUIDE}/SUMMARY.md"));
    for path in pages_of(GUIDE) {
        let name = path.rsplit('/').next().expect("a name");
        assert!(name == "SUMMARY.md" || links(&summary).contains(&name), "{name} is in no table");
    }
    let lines = read("README.md").lines().count();
    assert!(lines <= 120, "the README has {lines} lines, and a stranger reads 120");
}
