//! NVIDIA's assembler: finds it, runs it, and parses its messages.
//!
//! ptxas needs no GPU. It is part of the CUDA toolkit and of the Python wheels
//! `nvidia-cuda-nvcc` (13.x) and `nvidia-cuda-nvcc-cu12` (12.x).

mod diagnostic;
mod find;
mod folder;
mod in_text;
mod markers;
mod quoted;
mod report;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};
use std::{fmt, io};

use ptx_isa::ir::Module;
use ptx_isa::{Release, Target};

use self::diagnostic::Language;
use self::find::Program;
use self::folder::Folder;

pub use diagnostic::{Diagnostic, Severity, Source};
pub use find::{FindError, WHEEL};
pub use report::{Report, Resources};

/// An assembler that was found and runs.
#[derive(Clone, Debug)]
pub struct Ptxas {
    path: PathBuf,
    release: Release,
}

/// The result of assembling a module.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// The cubin: an ELF file that the driver loads.
    pub cubin: Vec<u8>,
    /// The resources it uses: registers, shared and constant bytes.
    pub report: Report,
    /// The warnings of ptxas.
    pub warnings: Vec<Diagnostic>,
    /// The remarks of ptxas about the code, such as that it had to serialise `wgmma`.
    pub remarks: Vec<Diagnostic>,
}

/// Why a module was not assembled.
pub enum AssembleError {
    /// ptxas rejects the text.
    Refused {
        /// The release of the ptxas that was run.
        release: Release,
        /// Its messages, errors first.
        diagnostics: Vec<Diagnostic>,
    },
    /// ptxas ended without a message, as it does when it crashes.
    Crashed {
        /// The release of the ptxas that was run.
        release: Release,
        /// Its exit status.
        status: ExitStatus,
        /// Its output.
        output: String,
    },
    /// ptxas could not be run, or its files could not be written or read.
    Io {
        /// The program or file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The cubin could not be parsed.
    Cubin(elf::ParseError),
}

ptx_isa::__debug_as_message!(AssembleError);

impl fmt::Display for AssembleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { release, diagnostics } => {
                write!(f, "ptxas {release} refuses the module:\n{}", list(diagnostics))
            }
            Self::Crashed { release, status, output } => {
                write!(f, "ptxas {release} ended with {status} and without an error message")?;
                if output.trim().is_empty() {
                    Ok(())
                } else {
                    write!(f, "; its output is: {output}")
                }
            }
            Self::Io { path, source } => {
                write!(f, "ptxas was not run: `{}`: {source}", path.display())
            }
            Self::Cubin(error) => write!(f, "ptxas wrote a cubin that cannot be read: {error}"),
        }
    }
}

impl Error for AssembleError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Refused { .. } | Self::Crashed { .. } => None,
            Self::Io { source, .. } => Some(source),
            Self::Cubin(error) => Some(error),
        }
    }
}

impl From<elf::ParseError> for AssembleError {
    fn from(error: elf::ParseError) -> Self {
        Self::Cubin(error)
    }
}

/// The messages that ptxas, or the assembler in the driver, printed about the text of `module`,
/// each with its location in Rust.
pub fn messages(output: &str, module: &Module<'_>) -> Vec<Diagnostic> {
    let mut text = String::new();
    // Writing to a `String` cannot fail.
    let _ = crate::write::write(module, &mut text);
    let mut diagnostics = diagnostic::parse(output, &text, Language::of(module));
    locate(&mut diagnostics, module);
    diagnostics
}

/// Adds to each message the declaration or statement of the module that it is about.
fn locate(diagnostics: &mut [Diagnostic], module: &Module<'_>) {
    if diagnostics.is_empty() {
        return;
    }
    let source = Source::of(module);
    let functions = module.source.map(|_| in_text::Functions::of(module));
    for diagnostic in diagnostics {
        diagnostic.locate(&source);
        if let Some(functions) = &functions {
            functions.locate(diagnostic);
        }
    }
}

fn list(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| format!("  {diagnostic}")).collect::<Vec<_>>().join("\n")
}

impl From<Program> for Ptxas {
    fn from(Program { path, release }: Program) -> Self {
        Self { path, release }
    }
}

impl Ptxas {
    /// Finds ptxas: the variable `PTXAS` (which must then be right), `CUDA_HOME/bin`,
    /// `CUDA_PATH/bin`, `PATH`, the toolkit's default folder, and `target/ptxas/`, where a wheel
    /// can be unpacked.
    ///
    /// # Errors
    /// `PTXAS` is set and wrong, or ptxas was not found: the error lists every place tried and explains
    /// how to get it.
    pub fn find() -> Result<Self, FindError> {
        find::find().map(Self::from)
    }

    /// Uses the assembler at `path`, and runs it to get its release.
    ///
    /// # Errors
    /// It cannot be run, or is not ptxas.
    pub fn at(path: impl Into<PathBuf>) -> Result<Self, FindError> {
        find::at(path.into()).map(Self::from)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its release.
    pub fn release(&self) -> Release {
        self.release
    }

    /// Assembles a module for its own target. Line information is kept if the module has it.
    ///
    /// # Errors
    /// ptxas rejects it or cannot be run.
    pub fn assemble(&self, module: &Module<'_>) -> Result<Assembled, AssembleError> {
        self.assemble_for(module, module.target)
    }

    /// Does the same as [`Self::assemble`], for another target than the module's own: for a later device, as the
    /// driver does when it loads the text.
    ///
    /// # Errors
    /// ptxas rejects it, as it does for a target that the code does
    /// [not run on](Target::runs_on), or cannot be run.
    pub fn assemble_for(
        &self,
        module: &Module<'_>,
        target: Target,
    ) -> Result<Assembled, AssembleError> {
        // Unified symbols are for the linker (PTX ISA 5.4.8).
        let links = module.variables.iter().any(|variable| variable.unified.is_some())
            || module.functions.iter().any(|function| function.unified.is_some());
        self.assemble_part(module, target, links)
    }

    /// Does the same as [`Self::assemble_for`], for a linker (`--compile-only`): the module may name functions that
    /// are defined elsewhere.
    ///
    /// # Errors
    /// ptxas rejects it or cannot be run.
    pub fn assemble_for_linking(
        &self,
        module: &Module<'_>,
        target: Target,
    ) -> Result<Assembled, AssembleError> {
        self.assemble_part(module, target, true)
    }

    fn assemble_part(
        &self,
        module: &Module<'_>,
        target: Target,
        links: bool,
    ) -> Result<Assembled, AssembleError> {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = crate::write::write(module, &mut text);
        let options = [
            (links, "--compile-only"),
            // ptxas keeps `.loc` without this option, but that is not documented.
            (module.line_info.is_some(), "--generate-line-info"),
        ];
        let options: Vec<&str> = options
            .into_iter()
            .filter_map(|(is_needed, option)| is_needed.then_some(option))
            .collect();
        let mut outcome = self.run(text.as_bytes(), target, &options, Language::of(module));
        match &mut outcome {
            Ok(assembled) => {
                locate(&mut assembled.warnings, module);
                locate(&mut assembled.remarks, module);
            }
            Err(AssembleError::Refused { diagnostics, .. }) => locate(diagnostics, module),
            Err(_) => {}
        }
        outcome
    }

    /// Assembles PTX text from anywhere for `target`.
    ///
    /// # Errors
    /// ptxas rejects it or cannot be run.
    pub fn assemble_text(
        &self,
        ptx: impl AsRef<[u8]>,
        target: Target,
    ) -> Result<Assembled, AssembleError> {
        self.assemble_text_with(ptx, target, &[])
    }

    /// Does the same as [`Self::assemble_text`], with additional options of ptxas, such as `["--compile-only"]`.
    ///
    /// # Errors
    /// ptxas rejects it or cannot be run.
    pub fn assemble_text_with(
        &self,
        ptx: impl AsRef<[u8]>,
        target: Target,
        options: &[&str],
    ) -> Result<Assembled, AssembleError> {
        self.run(ptx.as_ref(), target, options, Language::Ptx)
    }

    fn run(
        &self,
        ptx: &[u8],
        target: Target,
        options: &[&str],
        language: Language,
    ) -> Result<Assembled, AssembleError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| AssembleError::Io { path, source }
        };
        let folder = Folder::new().map_err(io(&std::env::temp_dir()))?;
        let (input, cubin) = (folder.path().join("module.ptx"), folder.path().join("module.cubin"));
        let call = |ptx: &[u8], cubin: &Path| -> Result<(ExitStatus, String), AssembleError> {
            std::fs::write(&input, ptx).map_err(io(&input))?;
            let Output { status, stdout, stderr } = Command::new(&self.path)
                .arg(format!("-arch={target}"))
                .args(options)
                .args(["-v", "-o"])
                .args([cubin, &input])
                .output()
                .map_err(io(&self.path))?;
            // Messages quote the text as bytes and are not always UTF-8.
            let output = [stderr, stdout].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            // Some messages quote the path, which is useless once the folder is gone.
            Ok((status, output.concat().replace(&*input.to_string_lossy(), "module.ptx")))
        };
        let (status, output) = call(ptx, &cubin)?;
        let text = String::from_utf8_lossy(ptx);
        let mut diagnostics = diagnostic::parse(&output, &text, language);
        if diagnostics.iter().any(|diagnostic| diagnostic.line.is_some())
            && let Some(blanked) = markers::blanked(ptx)
        {
            let (_, unmarked) = call(&blanked, &folder.path().join("unmarked.cubin"))?;
            diagnostics = diagnostic::parse_marked(&output, &unmarked, &text, language);
        }
        let (refusals, rest): (Vec<_>, Vec<_>) =
            diagnostics.into_iter().partition(|diagnostic| diagnostic.severity >= Severity::Error);
        let (warnings, remarks) =
            rest.into_iter().partition(|diagnostic| diagnostic.severity >= Severity::Warning);
        if !status.success() {
            let release = self.release;
            return Err(if refusals.is_empty() {
                AssembleError::Crashed { release, status, output }
            } else {
                AssembleError::Refused { release, diagnostics: refusals }
            });
        }
        let cubin = std::fs::read(&cubin).map_err(io(&cubin))?;
        let report = Report::read(&output, &cubin)?;
        Ok(Assembled { cubin, report, warnings, remarks })
    }
}
