//! What ptxas makes of a file is what it makes of its format.

use std::fs;
use std::path::{Path, PathBuf};

use ptx_text::{Parsed, format};

/// The PTX files of the repository, and the compiled ones, if they were made.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    let mut folders = vec![root.join("target/real/ptx"), root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ptx") {
                found.push(path);
            }
        }
    }
    found
}

/// What is the same of all files that assemble, which are counted. Without linking, since some call functions of others.
#[test]
fn the_cubin_is_the_same() {
    // The assemblers of all releases read white space alike.
    let Some(ptxas) = xtask::oracles().pop() else { return };
    let assemble = |text: &str, parsed: &Parsed| {
        let target = parsed.module().target;
        ptxas.assemble_text_with(text, target, &["--compile-only"]).ok()
    };
    let mut assembled = 0;
    for path in files() {
        let parsed = Parsed::from_bytes(fs::read(&path).expect("it is readable"));
        let Ok(formatted) = format::parsed(&parsed) else { continue };
        let Some(before) = assemble(parsed.text(), &parsed) else { continue };
        let name = path.display();
        let after = assemble(&formatted, &parsed).unwrap_or_else(|| panic!("{name} is refused"));
        let is_equal = xtask::cubin::are_equal(&before.cubin, &after.cubin);
        assert!(is_equal.expect("cubins"), "{name}");
        assembled += 1;
    }
    println!("the cubins of {assembled} files are the same");
    assert!(assembled > 100, "{assembled}");
}
