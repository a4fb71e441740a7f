//! Golden files, which tests read and update.

extern crate std;

use std::path::Path;
use std::vec::Vec;

/// Calls `does` with each file in a folder of this crate, sorted by name; panics if there is none.
pub(crate) fn each_file(folder: &str, does: impl Fn(&Path)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(&folder).expect("there is a folder");
    let mut files: Vec<_> = files.map(|entry| entry.expect("it can be read").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{files:?}");
    for path in files {
        does(&path);
    }
}
