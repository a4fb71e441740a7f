//! Errors are short: the lines of the messages in all goldens of compile errors are counted.

use std::path::{Path, PathBuf};

use tests::root;

/// The most lines of an error besides lines of source, and of one about the host's side, whose arguments are checked
/// by traits: rustc says which bound of which function is not met.
const MOST: usize = 6;
const MOST_OF_HOST: usize = 10;

/// Errors that rustc makes longer: a part of the first line, the lines, and the reason.
const LONGER: &[(&str, usize, &str)] = &[
    ("evaluation panicked", 7, "rustc notes where a constant that cannot be evaluated is used"),
    ("cannot be PTX storage", 17, "rustc lists types with the trait, which users' types have, too"),
    ("is not a PTX scalar", 17, "likewise"),
    ("is not a tensor map", 17, "likewise"),
    ("aligned to 64 or 128 bytes", 9, "rustc shows the implementation that leads to the bound"),
    ("is not a state space", 8, "likewise"),
    ("does not hold the address", 9, "likewise"),
    ("has no elements", 7, "rustc shows the user's struct, which takes a line for the file"),
];

/// The errors and warnings of a golden: the first line, and the number of lines besides those of source, that is, with
/// a line's number or in the margin of one.
fn errors(golden: &str) -> Vec<(&str, usize)> {
    let mut errors: Vec<(&str, usize)> = Vec::new();
    for line in golden.lines() {
        let start = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        let start = start.trim_start();
        let is_numbered = start.len() < line.trim_start().len();
        let is_source = start.starts_with('|')
            || is_numbered && start.starts_with(['+', '-', '~'])
            || line == "..."
            || line.is_empty();
        if ["error", "warning"].iter().any(|word| line.starts_with(word)) {
            errors.push((line, 1));
        } else if let Some((_, lines)) = errors.last_mut()
            && !is_source
        {
            *lines += 1;
        }
    }
    errors
}

fn goldens(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("the folder exists");
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "stderr") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn errors_are_short() {
    let is_of_host = |path: &Path| path.ends_with("host.stderr");
    let (mut long, mut used) = (Vec::new(), vec![false; LONGER.len()]);
    for (folder, all_of_host) in
        [("ui-tests", false), ("tests/launch/ui", true), ("docs/diagnostics", false)]
    {
        let paths = goldens(folder);
        assert!(paths.len() >= 7, "{folder} has goldens");
        for path in paths {
            let most = if all_of_host || is_of_host(&path) { MOST_OF_HOST } else { MOST };
            let golden = std::fs::read_to_string(&path).expect("it can be read");
            for (error, lines) in errors(&golden).into_iter().filter(|(_, lines)| *lines > most) {
                let known = LONGER
                    .iter()
                    .position(|(part, most, _)| error.contains(part) && lines <= *most);
                match known {
                    Some(known) => used[known] = true,
                    None => long.push(format!("{}: {lines} lines: {error}", path.display())),
                }
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
    let unused = LONGER.iter().zip(used).find(|(_, used)| !used);
    assert_eq!(unused.map(|((part, ..), _)| part), None, "no error is longer that has this");
}
