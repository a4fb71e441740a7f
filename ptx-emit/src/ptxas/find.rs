use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fmt};

use ptx_types::Release;

/// The wheel that the advice names: a project on the Python package index, and its version.
pub const WHEEL: (&str, &str) = ("nvidia-cuda-nvcc", "13.0.88");

/// Why there is no ptxas.
#[derive(Clone, Debug)]
pub enum FindError {
    /// It is in none of these places.
    NotFound {
        /// Every place tried, in order.
        tried: Vec<String>,
    },
    /// What was named is no ptxas that runs.
    NotPtxas {
        /// Who named it: `PTXAS`, or `the path`.
        named: &'static str,
        /// What it names.
        path: PathBuf,
        /// What happened when it was asked for its version.
        reason: String,
    },
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { tried } => {
                f.write_str("ptxas was not found; tried:\n")?;
                for place in tried {
                    writeln!(f, "  {place}")?;
                }
                f.write_str(&Self::how_to_get_it())
            }
            Self::NotPtxas { named, path, reason } => {
                let path = path.display();
                write!(f, "{named} is {path}, and that is no working ptxas: {reason}")
            }
        }
    }
}

impl Error for FindError {}

impl FindError {
    /// Says how to get ptxas, with a line to run.
    pub fn how_to_get_it() -> String {
        let (name, version) = WHEEL;
        format!(
            "to get it, install the CUDA toolkit, or run here:\n  \
             python3 -m pip download --no-deps --dest target/ptxas {name}=={version} && \
             python3 -m zipfile -e target/ptxas/*.whl target/ptxas/wheel && \
             chmod +x target/ptxas/wheel/nvidia/*/bin/ptxas"
        )
    }
}

const PROGRAM: &str = if cfg!(windows) { "ptxas.exe" } else { "ptxas" };

/// A program that answers as ptxas does.
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) release: Release,
}

pub(super) fn find() -> Result<Program, FindError> {
    if let Some(path) = env::var_os("PTXAS") {
        let path = PathBuf::from(path);
        return probe(&path).map_err(|reason| FindError::NotPtxas { named: "PTXAS", path, reason });
    }
    let mut tried = Vec::new();
    for variable in ["CUDA_HOME", "CUDA_PATH"] {
        match env::var_os(variable) {
            Some(home) => {
                if let Some(found) =
                    attempt(&Path::new(&home).join("bin").join(PROGRAM), &mut tried)
                {
                    return Ok(found);
                }
            }
            None => tried.push(format!("{variable}: not set")),
        }
    }
    match in_path() {
        Some(path) => {
            if let Some(found) = attempt(&path, &mut tried) {
                return Ok(found);
            }
        }
        None => tried.push(format!("PATH: no {PROGRAM} in it")),
    }
    if !cfg!(windows) {
        let path = Path::new("/usr/local/cuda/bin").join(PROGRAM);
        if let Some(found) = attempt(&path, &mut tried) {
            return Ok(found);
        }
    }
    for folder in target_folders() {
        let wheels = unpacked(&folder);
        if wheels.is_empty() {
            tried.push(format!("{}: no unpacked wheel", folder.display()));
        }
        let found = wheels.iter().filter_map(|path| attempt(path, &mut tried));
        if let Some(newest) = found.max_by_key(|found| found.release) {
            return Ok(newest);
        }
    }
    Err(FindError::NotFound { tried })
}

pub(super) fn at(path: PathBuf) -> Result<Program, FindError> {
    probe(&path).map_err(|reason| FindError::NotPtxas { named: "the path", path, reason })
}

fn attempt(path: &Path, tried: &mut Vec<String>) -> Option<Program> {
    match probe(path) {
        Ok(found) => Some(found),
        Err(reason) => {
            tried.push(format!("{}: {reason}", path.display()));
            None
        }
    }
}

/// The first program of this name that `PATH` leads to and that may be run.
fn in_path() -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    let here = env::current_dir().ok();
    // What is run later may run elsewhere.
    let absolute = |folder: PathBuf| match &here {
        Some(here) => here.join(folder),
        None => folder,
    };
    let mut named = env::split_paths(&folders).map(|folder| absolute(folder).join(PROGRAM));
    named.find(|path| may_be_run(path))
}

#[cfg(unix)]
fn may_be_run(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;

    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn may_be_run(path: &Path) -> bool {
    path.is_file()
}

/// `target/ptxas` of this project: of `CARGO_TARGET_DIR`, or of a folder here or above.
fn target_folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Some(target) = env::var_os("CARGO_TARGET_DIR") {
        folders.push(PathBuf::from(target).join("ptxas"));
    }
    if let Ok(here) = env::current_dir() {
        let above = here.ancestors().map(|folder| folder.join("target"));
        let found: Vec<PathBuf> = above.filter(|target| target.is_dir()).collect();
        folders.extend(found.into_iter().map(|target| target.join("ptxas")));
    }
    folders
}

/// Every ptxas under a folder of unpacked wheels.
fn unpacked(folder: &Path) -> Vec<PathBuf> {
    let children = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    };
    let wheels = children(folder);
    let homes = wheels.iter().flat_map(|wheel| {
        let nvidia = children(&wheel.join("nvidia"));
        nvidia.into_iter().map(|home| home.join("bin").join(PROGRAM))
    });
    homes.filter(|path| path.is_file()).collect()
}

/// Asks the program at `path` for its release.
fn probe(path: &Path) -> Result<Program, String> {
    let output = Command::new(path).arg("--version").output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let name = path.file_name().unwrap_or(OsStr::new(PROGRAM)).to_string_lossy();
    let release = text.split("release ").nth(1).and_then(|rest| rest.split(',').next());
    match release.and_then(Release::parse) {
        Some(release) if text.contains("Ptx optimizing assembler") => {
            Ok(Program { path: path.to_owned(), release })
        }
        Some(_) | None => Err(format!("{name} --version does not answer as ptxas does")),
    }
}
