//! Files that tests write and read again.

extern crate std;

use std::path::Path;
use std::vec::Vec;

/// Does something with each file of a folder of this crate, in the order of their names; there has to be one.
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
