//! Where the file stands that is imported.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::Span;

use crate::near::{list, near};

/// A file as it was read.
pub(super) struct File {
    /// Where it stands, from the root.
    pub(super) path: PathBuf,
    /// The same as rustc would name it in its messages.
    pub(super) shown: String,
    /// What is in it.
    pub(super) bytes: Vec<u8>,
}

/// A folder in which a file is looked for, and how messages name it.
pub(super) struct Folder {
    path: PathBuf,
    shown: PathBuf,
}

/// The folder of the Rust file that a token stands in, as for `include_str!`, and then that of the package,
/// for tokens that stand in no file or in one that was made, as of a documentation's example.
pub(super) fn folders(span: Span) -> Vec<Folder> {
    let mut found = Vec::new();
    for span in [span, Span::call_site()] {
        let file = span.local_file();
        if let Some(path) = file.as_deref().and_then(Path::parent) {
            let name = span.file();
            let shown = Path::new(&name).parent().unwrap_or(Path::new("")).to_owned();
            found.push(Folder { path: path.to_owned(), shown });
            break;
        }
    }
    if let Some(path) = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from) {
        found.push(Folder { shown: path.clone(), path });
    }
    found
}

/// Reads the file at a path, from the first of these folders that has it; or says what is wrong.
pub(super) fn read(written: &str, folders: &[Folder]) -> Result<File, String> {
    let mut looked: Vec<String> = Vec::new();
    for Folder { path, shown } in folders {
        let shown = shown.join(written).to_string_lossy().into_owned();
        let path = path.join(written);
        match fs::read(&path) {
            Ok(bytes) => {
                let path = std::path::absolute(&path).unwrap_or(path);
                return cubin(written, &bytes).map_or(Ok(File { path, shown, bytes }), Err);
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if !looked.contains(&shown) {
                    looked.push(shown);
                }
            }
            Err(error) => return Err(unreadable(&shown, &path, &error)),
        }
    }
    let near = beside(written, folders);
    let near: Vec<&str> = near.iter().map(String::as_str).collect();
    let advice = if near.is_empty() {
        "a path starts at the folder of this file, or else at that of the package".to_owned()
    } else {
        format!("did you mean {}?", list(near))
    };
    let looked = looked.join("` and `");
    Err(format!("there is no file `{written}`, at `{looked}`; {advice}"))
}

fn unreadable(shown: &str, path: &Path, error: &Error) -> String {
    if path.is_dir() {
        return format!("`{shown}` is a folder; name a file of PTX in it");
    }
    format!("`{shown}` cannot be read: {error}")
}

/// What is said of a file that was compiled already.
fn cubin(written: &str, bytes: &[u8]) -> Option<String> {
    let is_elf = bytes.starts_with(b"\x7fELF");
    is_elf.then(|| {
        format!(
            "`{written}` is a cubin, which says nothing of types; import the PTX that it was made of, and \
             load it by `ptx::cuda::load_cubin`"
        )
    })
}

/// The files beside the one that is not there that have a name like it.
fn beside(written: &str, folders: &[Folder]) -> Vec<String> {
    let written = Path::new(written);
    let Some(name) = written.file_name().map(|name| name.to_string_lossy()) else {
        return Vec::new();
    };
    let mut found: Vec<String> = Vec::new();
    for folder in folders {
        let folder = folder.path.join(written);
        let entries = folder.parent().and_then(|folder| fs::read_dir(folder).ok());
        let names = entries.into_iter().flatten().flatten().map(|entry| entry.file_name());
        found.extend(names.filter_map(|name| name.into_string().ok()));
        found
            .retain(|name| Path::new(name).extension().is_some_and(|extension| extension == "ptx"));
    }
    found.sort();
    found.dedup();
    let near = near(&name, found.iter().map(String::as_str));
    let beside = |name: &str| written.with_file_name(name).to_string_lossy().into_owned();
    near.into_iter().map(beside).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Folder, read};

    #[test]
    fn a_file_that_is_not_there_is_looked_for_by_name() {
        let folder = |path: &str| Folder {
            path: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path),
            shown: PathBuf::from(path),
        };
        let all = [folder("src"), folder("")];
        assert_eq!(read("lib.rs", &all).unwrap().shown, "src/lib.rs");
        let found = read("Cargo.toml", &all).unwrap();
        assert_eq!(found.shown, "Cargo.toml");
        assert!(found.path.is_absolute());
        assert_eq!(
            read("a/none.ptx", &all).err().unwrap(),
            "there is no file `a/none.ptx`, at `src/a/none.ptx` and `a/none.ptx`; a path starts at \
             the folder of this file, or else at that of the package"
        );
        let said = read("import", &all).err().unwrap();
        assert_eq!(said, "`src/import` is a folder; name a file of PTX in it");
    }
}
