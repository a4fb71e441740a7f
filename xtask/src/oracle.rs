//! The real ptxas and disassembler that the tests use, downloaded if necessary.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ptx_emit::ptxas::{FindError, Ptxas};

use crate::not_run::not_run;
use crate::wheel::{Index, NVDISASM, WHEELS, Wheel};

/// The ptxas that the tests use: the one that [`Ptxas::find`] finds, or else the first of [`WHEELS`], downloaded
/// into `target/ptxas/`.
///
/// If there is none, reports that in one line and returns `None`.
///
/// # Panics
/// If there is no ptxas and `PTX_REQUIRE_PTXAS` is set, which makes a missing oracle an error.
pub fn oracle() -> Option<Ptxas> {
    static FOUND: OnceLock<Result<Ptxas, String>> = OnceLock::new();
    let find = || match Ptxas::find() {
        Err(FindError::NotFound { .. }) => ptxas(&WHEELS[0]),
        Err(wrong) => Err(wrong.to_string()),
        Ok(found) => Ok(found),
    };
    accept("ptxas", FOUND.get_or_init(find))
}

/// Every ptxas of [`WHEELS`], downloaded into `target/ptxas/`; missing ones are reported like those of [`oracle`].
///
/// # Panics
/// If one is missing and `PTX_REQUIRE_PTXAS` is set.
pub fn oracles() -> Vec<Ptxas> {
    static FOUND: [OnceLock<Result<Ptxas, String>>; WHEELS.len()] =
        [const { OnceLock::new() }; WHEELS.len()];
    let all = WHEELS.iter().zip(&FOUND);
    all.filter_map(|(wheel, found)| {
        let name = format!("ptxas of {} {}", wheel.project, wheel.version);
        accept(&name, found.get_or_init(|| ptxas(wheel)))
    })
    .collect()
}

/// NVIDIA's disassembler, downloaded into `target/nvdisasm/`; if it is missing, that is reported like a missing ptxas
/// of [`oracle`].
///
/// # Panics
/// If it is missing and `PTX_REQUIRE_PTXAS` is set.
pub fn nvdisasm() -> Option<PathBuf> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    accept("nvdisasm", FOUND.get_or_init(|| program(&NVDISASM)))
}

fn accept<T: Clone>(name: &str, found: &Result<T, String>) -> Option<T> {
    match found {
        Ok(found) => Some(found.clone()),
        Err(why) => {
            assert!(!is_required(), "{name} is required: {why}");
            not_run(&format!("{name} is missing: {}", why.lines().next().unwrap_or_default()));
            None
        }
    }
}

fn is_required() -> bool {
    std::env::var_os("PTX_REQUIRE_PTXAS").is_some()
}

fn ptxas(wheel: &Wheel) -> Result<Ptxas, String> {
    Ptxas::at(program(wheel)?).map_err(|error| error.to_string())
}

fn program(wheel: &Wheel) -> Result<PathBuf, String> {
    let folder = target().join(wheel.program);
    if is_required() { wheel.fetch(&folder, None) } else { wheel.fetch_once(&folder) }
}

/// The ptxas of a wheel, downloaded into `target/ptxas/` if it is missing: from this index, or else as pip is
/// configured.
///
/// # Errors
/// Returns one line that describes the failure.
pub fn fetch(wheel: &Wheel, index: Option<&Index>) -> Result<Ptxas, String> {
    let path = wheel.fetch(&target().join(wheel.program), index)?;
    Ptxas::at(path).map_err(|error| error.to_string())
}

/// The workspace's `target` folder.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"),
    }
}
