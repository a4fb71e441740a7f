//! What `CONTRIBUTING.md` promises.

use std::path::{Path, PathBuf};

/// The Rust files of the tests below a folder.
fn tests(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                tests(&path, found);
            }
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
}

/// A test that is ignored is run by a command that is written down.
#[test]
fn ignored_tests_have_a_command() {
    let root = xtask::sample::workspace().expect("the workspace");
    let contributing = std::fs::read_to_string(root.join("CONTRIBUTING.md")).expect("it is there");
    let mut files = Vec::new();
    tests(&root, &mut files);
    let (mut ignored, mut missing) = (0, Vec::new());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("it is UTF-8");
        if !text.lines().any(|line| line.trim_start().starts_with("#[ignore")) {
            continue;
        }
        ignored += 1;
        // A test of several files is a folder of its name, with a `main.rs`.
        let of_folder = file.parent().filter(|folder| folder.join("main.rs").is_file());
        let name = of_folder.unwrap_or(&file).file_stem().expect("a name").to_string_lossy();
        let is_run = contributing
            .lines()
            .any(|line| line.contains(&format!("--test {name} ")) && line.contains("-- --ignored"));
        if !is_run {
            missing.push(file);
        }
    }
    assert!(missing.is_empty(), "CONTRIBUTING.md has no command for {missing:?}");
    assert!(ignored >= 2, "no ignored test was found");
}
