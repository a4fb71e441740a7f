//! Cubins that a build script makes, for a program that embeds them.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use ptx_isa::Target;
use ptx_isa::ir::Module;

use crate::fingerprint::Fingerprint;
use crate::ptxas::{AssembleError, FindError, Ptxas};

/// Cubins of a module or of a PTX file, for several targets, which a build script makes.
///
/// A module is one of another package, which is a dependency and a build-dependency: the build script prints it.
///
/// ```no_run
/// # mod kernels { pub const MODULE: ptx_isa::ir::Module<'static> = ptx_isa::ir::Module::new("blur", ptx_isa::Target::Sm80); }
/// # use ptx_emit as ptx;
/// use ptx::build::Cubins;
/// # use ptx_isa::Target;
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     Cubins::of(&kernels::MODULE).target(Target::Sm80).target(Target::Sm90).write("blur")?;
///     Ok(())
/// }
/// ```
///
/// `ptx::include_cubins!("blur")` embeds what this writes.
#[derive(Clone, Debug)]
pub struct Cubins<'m> {
    source: Source<'m>,
    targets: Vec<Target>,
    ptxas: Option<Ptxas>,
}

#[derive(Clone, Debug)]
enum Source<'m> {
    Module(&'m Module<'m>),
    File(PathBuf),
}

/// What was made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Made {
    /// The file that `ptx::include_cubins!` includes.
    pub file: PathBuf,
    /// The targets of the cubins; none without a ptxas.
    pub targets: Vec<Target>,
    /// Why there are no cubins, if no ptxas was found.
    pub missing: Option<FindError>,
    /// The ptxas that was run.
    pub ptxas: Option<Ptxas>,
}

/// Why cubins were not made.
#[non_exhaustive]
pub enum BuildError {
    /// `OUT_DIR` is not set.
    NoFolder,
    /// The name cannot be that of a file.
    Name {
        /// The name.
        name: String,
    },
    /// No target was given for a PTX file.
    NoTarget {
        /// The file.
        path: PathBuf,
    },
    /// The named ptxas does not work.
    Ptxas(FindError),
    /// A target does not run the code, or ptxas refuses it.
    Assemble {
        /// The target.
        target: Target,
        /// Why.
        source: AssembleError,
    },
    /// A file could not be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

ptx_isa::__debug_as_message!(BuildError);

impl core::fmt::Display for BuildError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NoFolder => f.write_str(
                "`OUT_DIR` is not set, as it is in a build script; call `write_to` with a folder elsewhere",
            ),
            Self::Name { name } => write!(f, "`{name}` cannot be the name of a file; give a name without a folder, such as `kernels`"),
            Self::NoTarget { path } => {
                write!(f, "no target is given for `{}`; add `.target(..)`", path.display())
            }
            Self::Ptxas(error) => error.fmt(f),
            Self::Assemble { target, source } => write!(f, "for `{target}`: {source}"),
            Self::Io { path, source } => {
                write!(f, "cannot read or write `{}`: {source}", path.display())
            },
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoFolder | Self::Name { .. } | Self::NoTarget { .. } => None,
            Self::Ptxas(error) => Some(error),
            Self::Assemble { source, .. } => Some(source),
            Self::Io { source, .. } => Some(source),
        }
    }
}

impl<'m> Cubins<'m> {
    /// Cubins of this module; for its own target, if no [`target`](Self::target) is given.
    pub const fn of(module: &'m Module<'m>) -> Self {
        Self { source: Source::Module(module), targets: Vec::new(), ptxas: None }
    }

    /// Cubins of the PTX file at this path, which is relative to the package of the build script.
    pub fn of_file(path: impl Into<PathBuf>) -> Self {
        Self { source: Source::File(path.into()), targets: Vec::new(), ptxas: None }
    }

    /// Makes one for this target.
    pub fn target(mut self, target: Target) -> Self {
        if !self.targets.contains(&target) {
            self.targets.push(target);
        }
        self
    }

    /// Uses this ptxas instead of the one that is [found](Ptxas::find).
    pub fn ptxas(mut self, ptxas: Ptxas) -> Self {
        self.ptxas = Some(ptxas);
        self
    }

    /// Makes the cubins in the build script's `OUT_DIR`, and tells cargo when to run the script again.
    ///
    /// Without a ptxas there are none, which a warning of cargo says: the program then loads the PTX.
    ///
    /// # Errors
    /// The targets, the name or the file are wrong, `PTXAS` is, ptxas refuses the text, or a file could not be
    /// written.
    pub fn write(self, name: &str) -> Result<Made, BuildError> {
        let folder = env::var_os("OUT_DIR").ok_or(BuildError::NoFolder)?;
        for variable in ["PTXAS", "CUDA_HOME", "CUDA_PATH", "PATH"] {
            println!("cargo::rerun-if-env-changed={variable}");
        }
        if let Source::File(path) = &self.source {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        let made = self.write_to(folder, name)?;
        match (&made.ptxas, &made.missing) {
            // One that is found in `PATH` by its name alone is not a file here.
            (Some(ptxas), _) if ptxas.path().is_absolute() => {
                println!("cargo::rerun-if-changed={}", ptxas.path().display());
            }
            (None, Some(missing)) => {
                let why = missing.to_string();
                let why = why
                    .lines()
                    .next()
                    .unwrap_or("ptxas was not found")
                    .trim_end_matches("; tried:");
                println!(
                    "cargo::warning={why}: `{name}` has no cubins, and the driver will compile its PTX when it is loaded"
                );
            }
            (Some(_), _) | (None, None) => {}
        }
        Ok(made)
    }

    /// Makes the cubins in this folder, and prints nothing.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_to(self, folder: impl AsRef<Path>, name: &str) -> Result<Made, BuildError> {
        let find = |ptxas: Option<Ptxas>| ptxas.map_or_else(Ptxas::find, Ok);
        self.write_found(folder.as_ref(), name, find)
    }

    /// Makes the cubins with the ptxas that is found, which may be the one that was given.
    fn write_found(
        self,
        folder: &Path,
        name: &str,
        find: impl FnOnce(Option<Ptxas>) -> Result<Ptxas, FindError>,
    ) -> Result<Made, BuildError> {
        let is_name = Path::new(name).file_name() == Some(OsStr::new(name));
        if !is_name || name.contains(['"', '\\', '/', '\0', '\n']) {
            return Err(BuildError::Name { name: name.to_owned() });
        }
        let Self { source, mut targets, ptxas } = self;
        let text = match &source {
            Source::Module(module) => {
                let mut text = String::new();
                // Writing to a `String` cannot fail.
                let _ = crate::write::write(module, &mut text);
                if targets.is_empty() {
                    targets.push(module.target);
                }
                text
            }
            Source::File(path) if targets.is_empty() => {
                return Err(BuildError::NoTarget { path: path.clone() });
            }
            Source::File(path) => fs::read_to_string(path)
                .map_err(|source| BuildError::Io { path: path.clone(), source })?,
        };
        let (ptxas, missing) = match find(ptxas) {
            Ok(ptxas) => (Some(ptxas), None),
            Err(missing @ FindError::NotFound { .. }) => (None, Some(missing)),
            Err(error) => return Err(BuildError::Ptxas(error)),
        };
        let mut entries = String::new();
        for target in ptxas.iter().flat_map(|_| &targets) {
            let file = format!("{name}.{target}.cubin");
            let assembled = match (&source, &ptxas) {
                (Source::Module(module), Some(ptxas)) => ptxas.assemble_for(module, *target),
                (Source::File(_), Some(ptxas)) => ptxas.assemble_text(&text, *target),
                (_, None) => continue,
            };
            let failed = |source| BuildError::Assemble { target: *target, source };
            write_file(&folder.join(&file), &assembled.map_err(failed)?.cubin)?;
            let _ =
                writeln!(entries, "    Cubin::new(Target::{target:?}, include_bytes!({file:?})),");
        }
        let fingerprint = Fingerprint::of_text(&text);
        let file = folder.join(format!("{name}.cubins.rs"));
        let list =
            format!("Cubins::__built(Fingerprint::from_bits(0x{fingerprint}), &[\n{entries}])\n");
        write_file(&file, list.as_bytes())?;
        let targets = if ptxas.is_some() { targets } else { Vec::new() };
        Ok(Made { file, targets, missing, ptxas })
    }
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    fs::write(path, bytes).map_err(|source| BuildError::Io { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The program then loads the text: the list is empty, and has its fingerprint.
    #[test]
    fn without_a_ptxas_there_is_an_empty_list() {
        let folder = env::temp_dir().join(format!("ptx-emit-build-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let module = Module::new("m", Target::Sm90a);
        let nothing = |_| Err(FindError::NotFound { tried: Vec::new() });
        let made = Cubins::of(&module).write_found(&folder, "m", nothing).expect("it is written");
        let list = fs::read_to_string(&made.file).expect("it is there");
        fs::remove_dir_all(&folder).expect("it is mine");
        let fingerprint = Fingerprint::of(&module);
        let expected = format!("Cubins::__built(Fingerprint::from_bits(0x{fingerprint}), &[\n])\n");
        assert_eq!(list, expected);
        assert!(made.targets.is_empty() && made.ptxas.is_none());
        assert!(made.missing.is_some_and(|why| why.to_string().starts_with("ptxas was not found")));
    }
}
