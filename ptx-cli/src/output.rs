//! Files that the tool writes.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::terminal::{Status, Terminal};

/// A file could not be written; what was there before is unchanged.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {source}", path.display())]
pub(crate) struct OutputError {
    path: PathBuf,
    #[source]
    source: io::Error,
}

/// Writes a file as a whole, or leaves what was there: the bytes go into a new file beside it, which then takes its name and
/// permissions. A symbolic link stays one. A device or a pipe, such as `/dev/stdout`, is written to as it is.
///
/// # Errors
/// The file could not be written.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let failed = |source| OutputError { path: path.to_owned(), source };
    let data = match fs::metadata(path) {
        Ok(data) => Some(data),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    match &data {
        Some(data) if data.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
        Some(data) if !data.is_file() => {
            let file = fs::OpenOptions::new().write(true).open(path);
            return file.and_then(|mut file| file.write_all(bytes)).map_err(failed);
        }
        _ => {}
    }
    let target = linked(path).map_err(failed)?;
    let permissions = data.map(|data| data.permissions());
    if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(failed(io::ErrorKind::PermissionDenied.into()));
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        let why = format!("the folder `{}` does not exist", folder.display());
        return Err(failed(io::Error::new(io::ErrorKind::NotFound, why)));
    }
    let mut beside = tempfile::Builder::new();
    beside.prefix(".ptx-");
    #[cfg(unix)]
    beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The name of the new file says nothing to the user.
    let mut file =
        beside.tempfile_in(folder).map_err(|error| failed(io::Error::from(error.kind())))?;
    file.as_file_mut().write_all(bytes).map_err(failed)?;
    if let Some(permissions) = permissions {
        fs::set_permissions(file.path(), permissions).map_err(failed)?;
    }
    file.persist(&target).map_err(|error| failed(error.error))?;
    Ok(())
}

/// The path that symbolic links lead to, whether there is a file or not.
fn linked(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The most symbolic links that lead to a file, as in Linux.
const MOST_LINKS: usize = 40;

/// Writes a file, or prints its text if there is none.
///
/// # Errors
/// It could not be printed.
pub(crate) fn show(
    path: Option<&Path>,
    text: &str,
    terminal: &mut Terminal<'_>,
) -> io::Result<Status> {
    match path.map(|path| write(path, text.as_bytes())) {
        None => terminal.out.write_all(text.as_bytes())?,
        Some(Ok(())) => {}
        Some(Err(error)) => return terminal.fail(&error),
    }
    Ok(Status::Clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.ptx");
        write(&path, b"one").expect("it is written");
        write(&path, b"two").expect("it is written again");
        assert_eq!(fs::read(&path).expect("it is there"), b"two");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_named_and_unchanged() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.ptx");
        write(&path, b"one").expect("it is written");
        let mut permissions = fs::metadata(&path).expect("it is there").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).expect("it is mine");
        let error = write(&path, b"two").expect_err("it is read-only");
        assert!(error.to_string().contains("a.ptx`: permission denied"), "{error}");
        assert_eq!(fs::read(&path).expect("it is there"), b"one");
        let nowhere = folder.path().join("none/a.ptx");
        assert!(write(&nowhere, b"one").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("a.ptx"), folder.path().join("link.ptx"));
        write(&path, b"one").expect("it is written");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        write(&link, b"two").expect("it is written");
        assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
        assert_eq!(fs::read(&path).expect("it is there"), b"two");
        fs::remove_file(&path).expect("it is mine");
        write(&link, b"three").expect("it is written where the link leads");
        assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
        assert_eq!(fs::read(&path).expect("it is there"), b"three");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_stays_one() {
        use std::os::unix::fs::FileTypeExt;
        write(Path::new("/dev/null"), b"one").expect("it is written");
        let data = fs::metadata("/dev/null").expect("it is there");
        assert!(data.file_type().is_char_device());
        let full = write(Path::new("/dev/full"), b"one").expect_err("there is no room");
        assert!(full.to_string().starts_with("cannot write `/dev/full`: "), "{full}");
        let folder = tempfile::tempdir().expect("a folder");
        assert!(write(folder.path(), b"one").is_err());
    }
}
