//! Files and their names.

use std::path::Path;

/// The name of a file without its folder and its extension.
pub(super) fn stem(path: &Path) -> Result<String, String> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.ok_or_else(|| format!("`{}` names no file; name a PTX file", path.display()))
}

pub(super) fn read(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path);
    text.map_err(|error| format!("cannot read {}: {error}", path.display()))
}
