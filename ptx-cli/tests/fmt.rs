//! What ptxas makes of a file is what it makes of its format, and so does rustc.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use ptx_text::{Parsed, format};

/// The files of the repository with this extension, and the compiled ones, if they were made.
fn files(of: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    let mut folders = vec![root.join("target/real/ptx"), root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == of) {
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
    for path in files("ptx") {
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

/// The tokens, as a macro sees them.
fn tokens(stream: TokenStream, found: &mut Vec<String>) {
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                found.push(format!("{:?}", group.delimiter()));
                tokens(group.stream(), found);
                found.push("end".to_owned());
            }
            other => found.push(other.to_string()),
        }
    }
}

#[test]
fn the_tokens_of_rust_are_the_same() {
    let tokens_of = |source: &str| {
        let mut found = Vec::new();
        tokens(source.parse().ok()?, &mut found);
        Some(found)
    };
    let mut compared = 0;
    for path in files("rs") {
        let source = fs::read_to_string(&path).expect("it is readable");
        // Some samples are broken.
        let Ok(formatted) = format::rust(&source) else { continue };
        if formatted == source {
            continue;
        }
        let Some(before) = tokens_of(&source) else { continue };
        assert!(tokens_of(&formatted).as_ref() == Some(&before), "{}", path.display());
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
}
