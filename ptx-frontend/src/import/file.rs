//! Locates and reads the imported file.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::Span;

use ptx_isa::near::{list, near};

/// A file that was read.
pub(super) struct File {
    /// Its absolute path.
    pub(super) path: PathBuf,
    /// The path as rustc would write it in its messages.
    pub(super) shown: String,
    /// Its contents.
    pub(super) bytes: Vec<u8>,
}

/// A folder in which to search for a file, and its name in messages.
pub(super) struct Folder {
    path: PathBuf,
    shown: PathBuf,
}

/// The folder of the Rust file that contains a token, as for `include_str!`, followed by the package's folder,
/// for tokens that are in no file or in a generated one, as in a doctest.
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

/// Reads the file at a path, from the one folder that contains it, or returns an error message.
///
/// A file that exists in both folders is rejected: if only the second one had existed, cargo would not notice the
/// creation of the first.
pub(super) fn read(written: &str, folders: &[Folder]) -> Result<File, String> {
    let mut looked: Vec<String> = Vec::new();
    let mut found: Option<File> = None;
    for Folder { path, shown } in folders {
        let shown = shown.join(written).to_string_lossy().into_owned();
        let path = path.join(written);
        if found.as_ref().is_some_and(|first| is_same(&first.path, &path)) {
            continue;
        }
        match fs::read(&path) {
            Ok(bytes) => {
                let path = std::path::absolute(&path).unwrap_or(path);
                match &found {
                    None => found = Some(File { path, shown, bytes }),
                    Some(first) => return Err(ambiguous(written, &first.shown, &shown)),
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if !looked.contains(&shown) {
                    looked.push(shown);
                }
            }
            // An error here means that no file of that name exists in this folder.
            Err(_) if found.is_some() => {}
            Err(error) => return Err(unreadable(&shown, &path, &error)),
        }
    }
    if let Some(file) = found {
        return cubin(written, &file.bytes).map_or(Ok(file), Err);
    }
    let near = beside(written, folders);
    let near: Vec<&str> = near.iter().map(String::as_str).collect();
    let advice = if near.is_empty() {
        "a path starts at the folder of this file, or else at that of the package".to_owned()
    } else {
        format!("did you mean {}?", list(near))
    };
    let looked = looked.join("` or `");
    Err(format!("file `{written}` not found at `{looked}`; {advice}"))
}

/// Whether two paths refer to the same file.
fn is_same(first: &Path, second: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    first == second || real(first).is_some_and(|path| real(second) == Some(path))
}

fn ambiguous(written: &str, first: &str, second: &str) -> String {
    format!(
        "there are two files `{written}`, at `{first}` and `{second}`; rename one of them, or write the whole \
         path: `concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{written}\")` is the second one's"
    )
}

fn unreadable(shown: &str, path: &Path, error: &Error) -> String {
    if path.is_dir() {
        return format!("`{shown}` is a folder; name a file of PTX in it");
    }
    format!("`{shown}` cannot be read: {error}")
}

/// The message about a file that is already compiled.
fn cubin(written: &str, bytes: &[u8]) -> Option<String> {
    let is_elf = bytes.starts_with(b"\x7fELF");
    is_elf.then(|| {
        format!(
            "`{written}` is a cubin, which says nothing of types; import the PTX that it was made of, and \
             load it by `ptx::cuda::load_cubin`"
        )
    })
}

/// The files with similar names next to the missing one.
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
    fn a_path_refers_to_one_file() {
        let root = std::env::temp_dir().join(format!("ptx-import-{}", std::process::id()));
        let folder = |name: &str| Folder { path: root.join(name), shown: PathBuf::from(name) };
        let write = |name: &str| {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        };
        let all = [folder("src"), folder("")];
        write("k.ptx");
        write("src/other.ptx");
        assert_eq!(read("k.ptx", &all).unwrap().shown, "k.ptx");
        assert_eq!(read("other.ptx", &all).unwrap().shown, "src/other.ptx");
        // A file that is created later is not silently preferred.
        write("src/k.ptx");
        let message = read("k.ptx", &all).err().unwrap();
        assert_eq!(
            message,
            "there are two files `k.ptx`, at `src/k.ptx` and `k.ptx`; rename one of them, or write the whole \
             path: `concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/k.ptx\")` is the second one's"
        );
        // Two paths to the same file are not ambiguous, and an absolute path is accepted.
        assert_eq!(
            read("k.ptx", &[folder("src"), folder("src/../src")]).unwrap().shown,
            "src/k.ptx"
        );
        let whole = root.join("src/k.ptx");
        assert_eq!(read(whole.to_str().unwrap(), &all).unwrap().bytes, b"src/k.ptx");
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn similar_names_are_suggested_for_a_missing_file() {
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
            "file `a/none.ptx` not found at `src/a/none.ptx` or `a/none.ptx`; a path starts at \
             the folder of this file, or else at that of the package"
        );
        let message = read("import", &all).err().unwrap();
        assert_eq!(message, "`src/import` is a folder; name a file of PTX in it");
    }
}
