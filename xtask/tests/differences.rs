//! `docs/differences.md` is up to date with its files, and the pinned releases of ptxas do what is recorded.

use std::collections::BTreeSet;
use std::path::Path;

use xtask::differences::search::Config;
use xtask::differences::{Entry, READING, compare, document};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace")
}

#[test]
fn the_page_is_that_of_its_files() {
    let written = std::fs::read_to_string(root().join("docs/differences.md")).expect("it exists");
    let expected = document(root()).expect("every outcome is recorded");
    assert!(written == expected, "stale: run `cargo xtask differences --record`");
}

/// The newest release is not downloaded for tests: `cargo xtask differences` runs it, too.
#[test]
fn the_pinned_releases_do_what_is_recorded() {
    let ptxas = xtask::oracles();
    let report = compare(root(), &ptxas).expect("ptxas runs");
    assert!(report.files >= 60, "{} files", report.files);
    assert_eq!(report.versions.len(), if ptxas.is_empty() { 0 } else { ptxas.len() });
    assert!(report.is_clean(), "{report}");
}

/// What an entry says is what a release was seen to do.
#[test]
fn entries_are_differences() {
    let entries = Entry::all(root()).expect("they are well formed");
    let unproven: Vec<String> = entries.iter().filter_map(Entry::is_unproven).collect();
    assert!(unproven.is_empty(), "{unproven:#?}");
    let anchors: BTreeSet<&str> = entries.iter().map(Entry::anchor).collect();
    assert_eq!(anchors.len(), entries.len(), "two entries have one name");
    for entry in &entries {
        let versions: Vec<&String> = entry.recorded.ptxas.keys().collect();
        assert_eq!(versions.len(), 3, "{}: {versions:?}", entry.folder);
    }
}

/// Of what no search finds, the page says why.
#[test]
fn entries_are_found_or_say_why_not() {
    for entry in Entry::all(root()).expect("they are well formed") {
        let (is_read, says_why) = (entry.found == READING, !entry.unfound.is_empty());
        assert_eq!(is_read, says_why, "{}: `unfound` says why no search finds it", entry.folder);
    }
}

/// An entry that names a text is found by it: the text is as different as the file. The numbers of modules that are drawn
/// by the instruction table move with it, and are looked for by `cargo xtask differences find`.
#[test]
fn recorded_searches_find_their_entries() {
    let ptxas = xtask::oracles();
    if ptxas.is_empty() {
        return;
    }
    let entries = Entry::all(root()).expect("they are well formed");
    let (mut searches, mut wrong) = (0, Vec::new());
    for entry in entries.iter().filter(|entry| entry.found != READING) {
        let arguments = entry.found.split(' ').map(str::to_owned);
        let search = Config::read(arguments).expect(&entry.folder);
        assert_eq!(search.count, 1, "{}: one text is enough", entry.folder);
        if search.texts.stay() {
            let finds = search.finds(entry, &ptxas).expect("ptxas runs");
            if finds == Some(false) {
                wrong.push(format!("{}: {search} finds something else", entry.folder));
            }
            searches += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(searches >= 60, "{searches} entries name texts that stay");
}
