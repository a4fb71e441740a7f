//! What several tests share.

mod project;
mod ui;

use std::path::Path;

pub use project::Project;
pub use ui::Ui;

/// The folder of the workspace. Cargo runs a test in the folder of its package, which is `tests/`.
///
/// # Panics
/// Never: a package has a folder.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a package has a folder")
}
