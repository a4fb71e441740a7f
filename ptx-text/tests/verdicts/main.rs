//! Texts that ptxas accepts and that run right, and texts that it refuses, each for one mistake.

use std::path::Path;

use ptx_text::{Kind, Parsed};

/// The files of a folder, with the findings in each.
fn findings(folder: &str) -> Vec<(String, Vec<(Kind, String)>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts").join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder exists").flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.sort();
    let found = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        let found = Parsed::new(text.as_str()).check();
        found.iter().map(|found| (found.kind, found.to_string())).collect()
    };
    files.iter().map(|path| (path.display().to_string(), found(path))).collect()
}

#[test]
fn right_texts_have_no_errors() {
    for (path, found) in findings("right") {
        let is_silent = |kind| matches!(kind, Kind::Warned | Kind::Unenforced);
        assert!(found.iter().all(|(kind, _)| is_silent(*kind)), "{path}: {found:?}");
    }
}

#[test]
fn refused_texts_have_one_error() {
    for (path, found) in findings("refused") {
        let is_refusal = |kind| matches!(kind, Kind::Syntax | Kind::Refused);
        assert!(matches!(&found[..], [(kind, _)] if is_refusal(*kind)), "{path}: {found:?}");
    }
}
