use std::collections::BTreeSet;
use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fmt};

use ptx_isa::Release;

/// The wheel that the advice names: its project on the Python package index, and its version.
pub const WHEEL: (&str, &str) = ("nvidia-cuda-nvcc", "13.0.88");

/// Why ptxas was not found.
#[derive(Clone)]
pub enum FindError {
    /// It is not in any of these places.
    NotFound {
        /// Every place tried, in order.
        tried: Vec<String>,
    },
    /// The named program is not a ptxas that runs.
    NotPtxas {
        /// The variable that named it: `PTXAS`; `None` if a path was given.
        named: Option<&'static str>,
        /// The named path.
        path: PathBuf,
        /// The result of running it to get its version.
        reason: String,
    },
}

ptx_isa::__debug_as_message!(FindError);

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
                match named {
                    Some(variable) => write!(
                        f,
                        "`{variable}` is `{path}`, which is not a working ptxas: {reason}; set it to the path of one, or unset it"
                    ),
                    None => write!(f, "`{path}` is not a working ptxas: {reason}"),
                }
            }
        }
    }
}

impl Error for FindError {}

impl FindError {
    /// Explains how to get ptxas, with a command to run.
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

/// A program whose version output is that of ptxas.
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) release: Release,
}

pub(super) fn find() -> Result<Program, FindError> {
    if let Some(path) = env::var_os("PTXAS") {
        let path = PathBuf::from(path);
        return probe(&path).map_err(|reason| FindError::NotPtxas {
            named: Some("PTXAS"),
            path,
            reason,
        });
    }
    let mut tried = Tried::default();
    tried.note("PTXAS: not set".to_owned());
    for variable in ["CUDA_HOME", "CUDA_PATH"] {
        match env::var_os(variable) {
            Some(home) => {
                if let Some(found) = tried.attempt(&Path::new(&home).join("bin").join(PROGRAM)) {
                    return Ok(found);
                }
            }
            None => tried.note(format!("{variable}: not set")),
        }
    }
    match in_path() {
        Some(path) => {
            if let Some(found) = tried.attempt(&path) {
                return Ok(found);
            }
        }
        None => tried.note(format!("PATH: no {PROGRAM} in it")),
    }
    if !cfg!(windows)
        && let Some(found) = tried.attempt(&Path::new("/usr/local/cuda/bin").join(PROGRAM))
    {
        return Ok(found);
    }
    for folder in target_folders() {
        let wheels = unpacked(&folder);
        if wheels.is_empty() {
            tried.note(format!("{}: no unpacked wheel", folder.display()));
        }
        let found = wheels.iter().filter_map(|path| tried.attempt(path));
        if let Some(newest) = found.max_by_key(|found| found.release) {
            return Ok(newest);
        }
    }
    Err(FindError::NotFound { tried: tried.lines })
}

/// The places without a ptxas.
#[derive(Default)]
struct Tried {
    paths: BTreeSet<PathBuf>,
    /// The descriptions of the places, in order.
    lines: Vec<String>,
}

impl Tried {
    fn note(&mut self, line: String) {
        self.lines.push(line);
    }

    /// The program at `path`, unless it was tried already: one place may have several names.
    fn attempt(&mut self, path: &Path) -> Option<Program> {
        let place = path.canonicalize().unwrap_or_else(|_| path.components().collect());
        if !self.paths.insert(place) {
            return None;
        }
        match probe(path) {
            Ok(found) => Some(found),
            Err(reason) => {
                self.note(format!("{}: {reason}", path.display()));
                None
            }
        }
    }
}

pub(super) fn at(path: PathBuf) -> Result<Program, FindError> {
    probe(&path).map_err(|reason| FindError::NotPtxas { named: None, path, reason })
}

/// The first executable program of this name in `PATH`.
fn in_path() -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    let here = env::current_dir().ok();
    // The program may later be run from another folder.
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

/// The folders `target/ptxas` of this project, without duplicates: in `CARGO_TARGET_DIR`, in this folder, where the
/// advice unpacks a wheel, and in the folders above.
fn target_folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut add = |target: PathBuf| {
        let folder = target.join("ptxas");
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    };
    let here = env::current_dir().ok();
    if let Some(target) = env::var_os("CARGO_TARGET_DIR") {
        // An absolute path replaces the current folder.
        add(here.as_ref().map_or_else(|| PathBuf::from(&target), |here| here.join(&target)));
    }
    if let Some(here) = here {
        add(here.join("target"));
        let above = here.ancestors().map(|folder| folder.join("target"));
        above.filter(|target| target.is_dir()).for_each(add);
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

/// Runs the program at `path` to get its release.
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
