//! Unpacks wheels, which are ZIP archives.

use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;

use sha2::{Digest as _, Sha256};
use zip::ZipArchive;

/// Compares a file's SHA-256 with the pinned one.
pub(super) fn check(file: &Path, expected: &str) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let found = Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    if found == expected {
        return Ok(());
    }
    let name = file.file_name().unwrap_or_default().display();
    Err(format!("the SHA-256 of {name} is {found}, and {expected} is expected"))
}

/// Unpacks a program from a wheel, with the wheel's licence; the rest is large and unused.
pub(super) fn unpack(wheel: &Path, program: &str, to: &Path) -> Result<(), String> {
    let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", wheel.display());
    let opened = File::open(wheel).map_err(|error| fail(&error))?;
    let mut archive = ZipArchive::new(opened).map_err(|error| fail(&error))?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| fail(&error))?;
        // Entries with paths outside the folder are skipped.
        let Some(path) = entry.enclosed_name() else { continue };
        let is_program = path.ends_with(Path::new("bin").join(program));
        let is_licence =
            path.iter().any(|part| Path::new(part).extension().is_some_and(|it| it == "dist-info"));
        if !(entry.is_file() && (is_program || is_licence)) {
            continue;
        }
        let path = to.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(to)).map_err(|error| fail(&error))?;
        let mut file = File::create(&path).map_err(|error| fail(&error))?;
        std::io::copy(&mut entry, &mut file).map_err(|error| fail(&error))?;
        if is_program {
            make_executable(&path).map_err(|error| fail(&error))?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}
