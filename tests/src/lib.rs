//! What several tests share.

mod project;
mod ui;

use std::io;
use std::path::Path;
use std::process::Command;

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

/// Asserts that ptxas completes no `wgmma` of this text before the next: it does if it cannot see that control flow is
/// uniform in a warp, and says so.
///
/// # Errors
/// If the files cannot be written, or ptxas does not start.
///
/// # Panics
/// If ptxas serializes `wgmma`, or rejects the text.
pub fn assert_wgmma_is_not_serialized(ptxas: &Path, text: &str) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let [ptx, cubin] = ["module.ptx", "module.cubin"].map(|name| folder.path().join(name));
    std::fs::write(&ptx, text)?;
    let output =
        Command::new(ptxas).arg("-arch=sm_90a").arg(&ptx).arg("-o").arg(&cubin).output()?;
    let messages =
        String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{messages}");
    assert!(!messages.contains("serialized"), "{messages}");
    Ok(())
}
