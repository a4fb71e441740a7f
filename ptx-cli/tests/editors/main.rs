//! What editors highlight comes from the tables of `ptx-isa`: the grammar of the extension for VS Code and the syntax
//! file of Vim. `UPDATE_EXPECT=1 cargo test -p ptx-cli --test editors` writes them.

mod textmate;
mod vim;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use ptx_text::{Parsed, PieceKind};

#[test]
fn the_grammar_of_the_extension_is_up_to_date() {
    expect_file!["../../../editors/vscode/syntaxes/ptx.tmLanguage.json"]
        .assert_eq(&textmate::grammar());
}

#[test]
fn the_syntax_file_of_vim_is_up_to_date() {
    expect_file!["../../../editors/vim/syntax/ptx.vim"].assert_eq(&vim::syntax());
}

/// A directive that no table has is missing from `words::directives` until a file that uses it is read here.
#[test]
fn every_word_of_right_files_is_highlighted() {
    let dotted = [words::directives(), words::spaces(), words::types(), words::modifiers()];
    let dotted: BTreeSet<&str> = dotted.into_iter().flatten().collect();
    let colons = &words::submodifiers() | &words::spaces();
    let (mut unknown, mut count) = (BTreeSet::new(), 0);
    for file in right_files() {
        let text = fs::read_to_string(&file).expect("it is UTF-8");
        let parsed = Parsed::new(&text);
        for piece in parsed.pieces() {
            let piece_text = &text[piece.at.range()];
            let is_known = match piece.kind {
                PieceKind::Dotted => {
                    let word = &piece_text[1..];
                    // Numbers, shapes, what ptxas has for itself, selectors, and the sections of debug information.
                    let is_other = word.starts_with(|c: char| c.is_ascii_digit() || c == '_')
                        || word.starts_with("debug_")
                        || word.strip_prefix('h').is_some_and(|rest| rest.len() == 2)
                        || ptx_isa::instruction::WordKind::Modifier.understands(word);
                    is_other || dotted.contains(word)
                }
                PieceKind::Colons => colons.contains(&piece_text[2..]),
                _ => continue,
            };
            count += 1;
            if !is_known {
                unknown.insert(format!("{piece_text} of {}", file.display()));
            }
        }
    }
    assert!(count > 5_000, "only {count} words were read");
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// What is written for a snippet, with its placeholders as they are, is a module without a finding.
#[test]
fn snippets_are_right() {
    let text = include_str!("../../../editors/vscode/snippets/ptx.json");
    let snippets: BTreeMap<String, Snippet> = serde_json::from_str(text).expect("they are");
    for (name, snippet) in snippets {
        let text = filled(&snippet.body.join("\n"));
        let found = Parsed::new(&text).check();
        assert!(found.is_empty(), "{name}: {found:?}\n{text}");
    }
}

#[test]
fn the_extension_has_the_version_of_the_tool() {
    let text = include_str!("../../../editors/vscode/package.json");
    let package: serde_json::Value = serde_json::from_str(text).expect("it is JSON");
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
}

#[derive(serde::Deserialize)]
struct Snippet {
    body: Vec<String>,
}

/// A snippet with its placeholders: `${1:name}` is `name`, and `$0` nothing.
fn filled(body: &str) -> String {
    let mut text = String::new();
    for (n, part) in body.replace("$0", "").split("${").enumerate() {
        let placeholder = part.split_once('}').filter(|_| n > 0);
        let Some((placeholder, rest)) = placeholder else {
            text += part;
            continue;
        };
        text += placeholder.split_once(':').expect("it has a default").1;
        text += rest;
    }
    text
}

/// The PTX files of the repository that are not there for what is wrong with them.
fn right_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders =
        ["ptx-text/tests/verdicts/right", "ptx-text/tests/orders", "tests/by_hand", "examples"];
    let entries =
        folders.into_iter().flat_map(|folder| fs::read_dir(root.join(folder)).expect("it exists"));
    let paths = entries.map(|entry| entry.expect("it is read").path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "ptx")).collect()
}
