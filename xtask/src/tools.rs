//! The real ptxas and disassembler, fetched if need be.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use ptx_emit::ptxas::{FindError, Ptxas, WHEEL};

/// The releases of ptxas that the tests ask: the wheel's project and version on the Python package
/// index. The first is the one that the advice of [`FindError`] names.
pub const WHEELS: [(&str, &str); 2] = [WHEEL, ("nvidia-cuda-nvcc-cu12", "12.9.86")];

/// The ptxas that the tests use: the one that [`Ptxas::find`] finds, or else the first of
/// [`WHEELS`], fetched into `target/ptxas/`.
///
/// Without one, says so in one line and gives nothing; panics if `PTX_REQUIRE_PTXAS` is set, as it
/// is where a missing oracle must not go unseen.
///
/// # Panics
/// If there is no ptxas and `PTX_REQUIRE_PTXAS` is set.
pub fn oracle() -> Option<Ptxas> {
    static FOUND: OnceLock<Option<Ptxas>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            let found = match Ptxas::find() {
                Err(FindError::NotFound { .. }) => fetch(WHEELS[0]),
                Err(wrong) => Err(wrong.to_string()),
                Ok(found) => Ok(found),
            };
            accept("ptxas", found)
        })
        .clone()
}

/// Every ptxas of [`WHEELS`], fetched into `target/ptxas/`; what is missing is reported as by
/// [`oracle`].
///
/// # Panics
/// If one is missing and `PTX_REQUIRE_PTXAS` is set.
pub fn oracles() -> Vec<Ptxas> {
    static FOUND: OnceLock<Vec<Ptxas>> = OnceLock::new();
    let find = || WHEELS.iter().filter_map(|wheel| accept("ptxas", fetch(*wheel))).collect();
    FOUND.get_or_init(find).clone()
}

fn accept<T>(name: &str, found: Result<T, String>) -> Option<T> {
    match found {
        Ok(found) => Some(found),
        Err(why) => {
            assert!(std::env::var_os("PTX_REQUIRE_PTXAS").is_none(), "{name} is required: {why}");
            eprintln!("NOT RUN, {name} is missing: {}", why.lines().next().unwrap_or_default());
            None
        }
    }
}

/// The disassembler that the tests ask: the wheel's project and version on the Python package index.
pub const NVDISASM: (&str, &str) = ("nvidia-cuda-nvdisasm", "13.5.37");

/// NVIDIA's disassembler, fetched into `target/nvdisasm/`; if it is missing, that is reported as by
/// [`oracle`].
///
/// # Panics
/// If it is missing and `PTX_REQUIRE_PTXAS` is set.
pub fn nvdisasm() -> Option<PathBuf> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(|| accept("nvdisasm", fetch_program(NVDISASM, "nvdisasm"))).clone()
}

/// Unpacks a wheel of ptxas into `target/ptxas/`, fetching it with pip if it is not there yet.
///
/// # Errors
/// A line that says what failed.
pub fn fetch(wheel: (&str, &str)) -> Result<Ptxas, String> {
    Ptxas::at(fetch_program(wheel, "ptxas")?).map_err(|error| error.to_string())
}

/// As [`fetch`], for any program of a wheel: its path below `target/PROGRAM/`.
fn fetch_program((project, version): (&str, &str), name: &str) -> Result<PathBuf, String> {
    let folder = target().join(name);
    let home = folder.join(format!("{project}-{version}"));
    if let Some(path) = program(&home, name) {
        return Ok(path);
    }
    // Unpacked beside its place and then renamed, so that two at a time do not meet.
    let work = folder.join(format!(".fetch-{}", std::process::id()));
    let result = download(project, version, name, &work).and_then(|()| {
        let _ = std::fs::create_dir_all(&folder);
        match std::fs::rename(work.join("wheel"), &home) {
            Err(error) if program(&home, name).is_none() => Err(error.to_string()),
            Ok(()) | Err(_) => Ok(()),
        }
    });
    let _ = std::fs::remove_dir_all(&work);
    result?;
    program(&home, name).ok_or_else(|| format!("there is no {name} in {project} {version}"))
}

fn download(project: &str, version: &str, name: &str, work: &Path) -> Result<(), String> {
    let python = |arguments: &[&str]| {
        let output = Command::new("python3").args(arguments).output();
        let output = output.map_err(|error| format!("python3 does not run: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().last().unwrap_or_default().to_owned();
        Err(format!("python3 {} failed: {last}", arguments.join(" ")))
    };
    let (dest, requirement) = (work.to_string_lossy(), format!("{project}=={version}"));
    python(&["-m", "pip", "download", "--quiet", "--no-deps", "--dest", &dest, &requirement])?;
    let entries = std::fs::read_dir(work).map_err(|error| error.to_string())?;
    let wheel = entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| format!("pip left no wheel of {project}"))?;
    let unpacked = work.join("wheel");
    python(&["-m", "zipfile", "-e", &wheel.to_string_lossy(), &unpacked.to_string_lossy()])?;
    let path = program(&unpacked, name)
        .ok_or_else(|| format!("there is no {name} in {}", wheel.display()))?;
    make_executable(&path).map_err(|error| error.to_string())
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

/// A program of an unpacked wheel.
fn program(wheel: &Path, name: &str) -> Option<PathBuf> {
    let homes = std::fs::read_dir(wheel.join("nvidia")).ok()?.flatten();
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    homes.map(|home| home.path().join("bin").join(&name)).find(|path| path.is_file())
}

/// The workspace's `target` folder.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"),
    }
}
