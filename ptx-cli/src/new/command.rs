//! The command.

use std::fs;
use std::io;
use std::path::{Path, PathBuf, absolute};

use clap::ValueEnum;

use super::{json, name};
use crate::arguments::{self, OutputFormat};
use crate::terminal::{Status, Terminal};

/// Why a project is not created.
#[derive(Debug, thiserror::Error)]
enum NewError {
    #[error("`{}` has no last part, which would be the name of the package", .0.display())]
    NoName(PathBuf),
    #[error("{0}")]
    Name(String),
    #[error("`{}` exists, and is not an empty folder; nothing is written over it", .0.display())]
    NotEmpty(PathBuf),
    #[error("`{}` is not a checkout of ptx: {why}", path.display())]
    NotACheckout { path: PathBuf, why: &'static str },
    #[error("cannot create `{}`: {source}", path.display())]
    Output { path: PathBuf, source: io::Error },
}

/// Creates a project: all of it, or nothing.
///
/// # Errors
/// The report could not be written.
pub(crate) fn new(command: &arguments::New, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    match create(command) {
        Ok((name, files)) => report(command, &name, &files, terminal),
        Err(error) => terminal.fail(&error),
    }
}

/// The files of a project: their paths and texts.
type Files = Vec<(&'static str, String)>;

/// Creates the project, whose name and files are returned.
fn create(command: &arguments::New) -> Result<(String, Files), NewError> {
    let folder = &command.folder;
    let name = folder.file_name().ok_or_else(|| NewError::NoName(folder.clone()))?;
    let name = name.to_string_lossy().into_owned();
    name::check(&name).map_err(NewError::Name)?;
    let files = command.template.files(&name, &source(command)?);
    let failed = |source| NewError::Output { path: folder.clone(), source };
    if !is_free(folder).map_err(failed)? {
        return Err(NewError::NotEmpty(folder.clone()));
    }
    write(folder, &files).map_err(failed)?;
    Ok((name, files))
}

/// Whether there is nothing at this path but perhaps an empty folder.
fn is_free(folder: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
        Ok(data) if data.is_dir() => Ok(fs::read_dir(folder)?.next().is_none()),
        Ok(_) => Ok(false),
    }
}

/// Where the package takes `ptx` from, as a part of an inline table in TOML.
fn source(command: &arguments::New) -> Result<String, NewError> {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    if let Some(url) = &command.git {
        return Ok(format!("git = {}", quoted(url)));
    }
    let Some(path) = &command.path else {
        let [major, minor] = [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR")];
        return Ok(format!("version = {}", quoted(&format!("{major}.{minor}"))));
    };
    let refused = |why| NewError::NotACheckout { path: path.clone(), why };
    let manifest = fs::read_to_string(path.join("Cargo.toml"));
    let manifest = manifest.map_err(|_| refused("there is no `Cargo.toml` that can be read"))?;
    let manifest: toml::Table =
        manifest.parse().map_err(|_| refused("its `Cargo.toml` is not TOML"))?;
    let package = manifest.get("package").and_then(|package| package.get("name"));
    if package.and_then(toml::Value::as_str) != Some("ptx") {
        return Err(refused("its `Cargo.toml` is not that of the package `ptx`"));
    }
    // The project may be moved, and the checkout is elsewhere.
    let path = absolute(path).map_err(|_| refused("it has no absolute path"))?;
    let path = path.to_str().ok_or_else(|| refused("its path is not UTF-8"))?;
    Ok(format!("path = {}", quoted(path)))
}

/// Writes the files into a new folder beside this one, which then takes its name.
fn write(folder: &Path, files: &[(&str, String)]) -> io::Result<()> {
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !parent.is_dir() {
        let why = format!("the folder `{}` does not exist", parent.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, why));
    }
    let mut beside = tempfile::Builder::new();
    beside.prefix(".ptx-");
    #[cfg(unix)]
    beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    let beside = beside.tempdir_in(parent)?;
    for (path, text) in files {
        let path = beside.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(parent))?;
        fs::write(path, text)?;
    }
    // An empty folder gives way, which Windows does not do by itself; one that is not empty by now stays.
    match fs::remove_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::rename(beside.path(), folder)?;
    // It is no longer there to be removed.
    let _ = beside.keep();
    Ok(())
}

/// Says what was created, and what to do with it.
fn report(
    command: &arguments::New,
    name: &str,
    files: &[(&'static str, String)],
    terminal: &mut Terminal<'_>,
) -> io::Result<Status> {
    let folder = command.folder.to_string_lossy();
    if command.output.format() == OutputFormat::Json {
        let template = command.template.to_possible_value();
        let template = template.as_ref().map_or("", |value| value.get_name());
        let document = json::document(name, template, &folder, files)?;
        writeln!(terminal.out, "{document}")?;
        return Ok(Status::Clean);
    }
    writeln!(terminal.out, "created `{folder}`: {}", command.template.about())?;
    writeln!(terminal.out, "\n  cd {folder}")?;
    writeln!(terminal.out, "  cargo test    # no GPU needed")?;
    writeln!(terminal.out, "  cargo run     # launches it")?;
    if let Some(manifest) = workspace_above(&command.folder) {
        writeln!(
            terminal.err,
            "note: `{}` is that of a workspace; add `{name}` to its members, or exclude it",
            manifest.display()
        )?;
    }
    Ok(Status::Clean)
}

/// The manifest of the workspace that cargo takes the folder for a part of.
fn workspace_above(folder: &Path) -> Option<PathBuf> {
    let folder = absolute(folder).ok()?;
    folder.ancestors().skip(1).map(|above| above.join("Cargo.toml")).find(|manifest| {
        let text = fs::read_to_string(manifest).unwrap_or_default();
        text.parse::<toml::Table>().is_ok_and(|manifest| manifest.contains_key("workspace"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_folder_becomes_the_project_and_another_stays_as_it_is() {
        let home = tempfile::tempdir().expect("there is room");
        let folder = home.path().join("blur");
        fs::create_dir(&folder).expect("there is room");
        assert!(is_free(&folder).expect("it is read"));
        write(&folder, &[("src/main.rs", "fn main() {}\n".to_owned())]).expect("it is written");
        assert!(!is_free(&folder).expect("it is read"));
        let error = write(&folder, &[("other", String::new())]).expect_err("it is not empty");
        assert_eq!(error.kind(), io::ErrorKind::DirectoryNotEmpty);
        let files = |folder: &Path| fs::read_dir(folder).expect("a folder").count();
        assert_eq!((files(home.path()), files(&folder)), (1, 1), "nothing else is left");
        fs::write(home.path().join("file"), "").expect("there is room");
        assert!(!is_free(&home.path().join("file")).expect("it is read"));
        assert!(write(&home.path().join("none/blur"), &[]).is_err());
    }

    #[test]
    fn a_workspace_above_is_found() {
        let home = tempfile::tempdir().expect("there is room");
        let folder = home.path().join("kernels/blur");
        fs::write(home.path().join("Cargo.toml"), "[workspace]\n").expect("there is room");
        assert_eq!(workspace_above(&folder), Some(home.path().join("Cargo.toml")));
    }
}
