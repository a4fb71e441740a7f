//! The path of a PTX file from the Rust file that names it.

use std::path::{Component, Path, PathBuf};

/// The path from the folder of the Rust file, with `/`; as it is without a Rust file.
pub(super) fn from(file: &Path, rust: Option<&Path>) -> String {
    let relative = rust.and_then(|rust| between(rust, file));
    let path = relative.unwrap_or_else(|| file.to_owned());
    let path = path.to_string_lossy();
    if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() }
}

/// The path from the folder of one file to another, if they are on one drive.
fn between(one: &Path, other: &Path) -> Option<PathBuf> {
    let (one, other) = (std::path::absolute(one).ok()?, std::path::absolute(other).ok()?);
    let plain = |path: &Path| path.components().all(|part| part != Component::ParentDir);
    let folder = one.parent()?;
    if !plain(folder) || !plain(&other) {
        return Some(other);
    }
    let (from, to): (Vec<_>, Vec<_>) =
        (folder.components().collect(), other.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return None;
    }
    let up = std::iter::repeat_n(Component::ParentDir, from.len() - common);
    Some(up.chain(to[common..].iter().copied()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_starts_at_the_folder_of_the_rust_file() {
        for (file, rust, expected) in [
            ("a.ptx", "b.rs", "a.ptx"),
            ("kernels/a.ptx", "src/b.rs", "../kernels/a.ptx"),
            ("src/a.ptx", "src/b.rs", "a.ptx"),
        ] {
            assert_eq!(from(Path::new(file), Some(Path::new(rust))), expected);
        }
        assert_eq!(from(Path::new("../a.ptx"), None), "../a.ptx");
    }
}
