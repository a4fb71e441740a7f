//! Runs the corpus of the fuzz targets on every change; `fuzz/README.md` describes its origin.

use std::fs;

#[allow(unreachable_pub, reason = "it is also a separate crate")]
#[path = "../fuzz/src/lib.rs"]
mod targets;

/// Runs a target on every file of its corpus, and names a file that fails.
fn run(name: &str, target: fn(&[u8])) {
    let folder = tests::root().join("fuzz/corpus").join(name);
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("the corpus is in the repository") {
        let path = entry.expect("it can be listed").path();
        let bytes = fs::read(&path).expect("it can be read");
        let result = std::panic::catch_unwind(|| target(&bytes));
        assert!(result.is_ok(), "`{name}` fails on {}", path.display());
        count += 1;
    }
    assert!(count > 0, "{} is empty", folder.display());
}

#[test]
fn lexer() {
    run("lexer", targets::lexer);
}

#[test]
fn parser() {
    run("parser", targets::parser);
}

#[test]
fn analysis() {
    run("analysis", targets::analysis);
}

/// The corpus stays small.
#[test]
fn the_corpus_is_small() {
    let folder = tests::root().join("fuzz/corpus");
    let targets = fs::read_dir(folder).expect("the corpus is in the repository");
    let files = targets.flat_map(|target| fs::read_dir(target.expect("a folder").path())).flatten();
    let bytes: u64 =
        files.map(|file| file.expect("a file").metadata().map_or(0, |it| it.len())).sum();
    assert!(bytes < 300_000, "{bytes} bytes; `cargo fuzz cmin` makes it smaller");
}
