use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

/// Reports in one line that the calling test, or a part of it, is not run, and why. The line is visible without
/// `--nocapture`: the harness captures the output of macros, but this writes directly to the standard error.
pub fn not_run(why: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let line = format!("NOT RUN: {}: {why}\n", test());
    let mut printed = SAID.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if printed.insert(line.clone()) {
        // Nothing can be done if the standard error is closed.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

/// The test on this thread: its binary and its name, which the harness gives to the thread.
fn test() -> String {
    let binary = std::env::current_exe().unwrap_or_default();
    let stem = binary.file_stem().unwrap_or_default().to_string_lossy();
    // Cargo appends a hash.
    let binary = stem.rsplit_once('-').map_or(&*stem, |(name, _)| name);
    match thread::current().name() {
        Some(name) if name != "main" => format!("{binary}, {name}"),
        Some(_) | None => Path::new(binary).display().to_string(),
    }
}
