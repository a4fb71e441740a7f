//! Modules in a context, compared with their declarations.

use core::ffi::c_int;
use std::boxed::Box;
use std::ffi::CString;
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::{CudaContext, DriverError, result};
use ptx_types::ir::VersionCause;
use ptx_types::{Release, Target, Version};
use thiserror::Error;

use super::calls::{self, Call, CallError, FunctionHandle, ModuleHandle};
use super::compile::{Compiled, compiled};
use super::context::Limits;
use super::difference::Differences;
use super::loader::Loader;
use super::refusal::Refusal;
use crate::Module;
use crate::ptxas::{Diagnostic, Report};

/// A module that can be loaded: the type `Loaded` in the module that `#[ptx::module]` made.
pub trait Load: Sized + Send + Sync + 'static {
    /// The declaration.
    #[doc(hidden)]
    fn __declaration() -> &'static Module<'static>;

    /// The handles, each compared with its declaration.
    #[doc(hidden)]
    fn __load(loader: &mut Loader) -> Self;

    /// The module in its context.
    #[doc(hidden)]
    fn __module(&self) -> &Arc<LoadedModule>;
}

/// How the driver compiles a module. What is not said is the driver's to choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct LoadOptions {
    /// 0 to 4, 4 where nothing is said.
    pub optimization_level: Option<u32>,
    /// Registers of a thread at most.
    pub max_registers: Option<u32>,
    /// Keeps the lines of the text for profilers; where the module has `line_info = true`, it does so
    /// without.
    pub line_info: bool,
    /// Keeps what a debugger needs.
    pub debug: bool,
}

impl LoadOptions {
    /// Nothing is said.
    pub const fn new() -> Self {
        Self { optimization_level: None, max_registers: None, line_info: false, debug: false }
    }

    /// 0 to 4.
    pub const fn optimization_level(mut self, level: u32) -> Self {
        self.optimization_level = Some(level);
        self
    }

    /// Registers of a thread at most.
    pub const fn max_registers(mut self, registers: u32) -> Self {
        self.max_registers = Some(registers);
        self
    }

    /// Keeps the lines of the text for profilers.
    pub const fn line_info(mut self) -> Self {
        self.line_info = true;
        self
    }

    /// Keeps what a debugger needs.
    pub const fn debug(mut self) -> Self {
        self.debug = true;
        self
    }
}

/// Why a module was not loaded.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no driver, or it is too old.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The context cannot be used.
    #[error("the context cannot be used: {0}")]
    Context(#[from] DriverError),
    /// The device does not say what it is.
    #[error("the driver does not say what the device of this context holds")]
    UnknownDevice,
    /// The device does not run code for the module's target.
    #[error(
        "the module `{module}` is for `{target}`, and this device has compute capability {}.{}; \
         {}",
        .arch / 10,
        .arch % 10,
        advice(*.target)
    )]
    Target {
        /// The module.
        module: &'static str,
        /// Its target.
        target: Target,
        /// 90 for a device of compute capability 9.0.
        arch: u16,
    },
    /// The driver is too old for the module's PTX version.
    #[error("{}", version_message(.module, *.needs, .cause, *.takes, *.driver))]
    Version {
        /// The module.
        module: &'static str,
        /// The version of its text.
        needs: Version,
        /// What needs it.
        cause: VersionCause<'static>,
        /// The newest version that the driver takes, if it says.
        takes: Option<Version>,
        /// The release of CUDA that the driver is of, if it says.
        driver: Option<Release>,
    },
    /// The compiler in the driver does not take the module.
    #[error("the driver does not compile the module `{module}`:\n{}", list(.diagnostics))]
    Compile {
        /// The module.
        module: &'static str,
        /// What it says, at the tokens in Rust.
        diagnostics: Vec<Diagnostic>,
    },
    /// The driver does not take the module, and its compiler does not say why.
    #[error("the driver does not take the module `{module}`: {refusal}{}", said(.log))]
    Refused {
        /// The module.
        module: &'static str,
        /// The driver's answer.
        #[source]
        refusal: Refusal,
        /// What its compiler wrote.
        log: String,
    },
    /// There is no such level.
    #[error("there is no optimisation level {level}; they are 0 to 4")]
    OptimizationLevel {
        /// What was asked for.
        level: u32,
    },
    /// What was loaded is not what was declared.
    #[error(transparent)]
    Differs(Box<Differences>),
}

fn advice(target: Target) -> &'static str {
    if target.is_baseline() {
        "declare an older target"
    } else {
        "declare a target without a letter at its end, which later devices run too, or use another device"
    }
}

fn list(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> =
        diagnostics.iter().map(|diagnostic| std::format!("  {diagnostic}")).collect();
    lines.join("\n")
}

fn said(log: &str) -> String {
    if log.is_empty() { String::new() } else { std::format!("\n{log}") }
}

fn version_message(
    module: &str,
    needs: Version,
    cause: &VersionCause<'_>,
    takes: Option<Version>,
    driver: Option<Release>,
) -> String {
    let driver = driver.map_or_else(
        || String::from("this driver"),
        |release| std::format!("a driver for CUDA {release}"),
    );
    let takes = takes.map_or_else(
        || String::from("does not take it"),
        |version| std::format!("takes up to {version}"),
    );
    std::format!(
        "the module `{module}` needs PTX {needs} because of {cause}; {driver} {takes}; declare what \
         needs less, or use a newer driver"
    )
}

/// Compiles the module for the device of this context, loads it, and compares it with its declaration.
///
/// A second load in the same process needs no compiler: what was compiled is kept. Each load has its
/// own variables in memory.
///
/// ```no_run
/// use ptx::prelude::*;
///
/// #[ptx::module(target = sm_90a)]
/// pub mod fill {
///     use super::*;
///
///     #[constant]
///     pub static VALUE: f32 = 1.0;
///
///     #[kernel(reqntid = 128)]
///     pub fn fill(to: Ptr<Global, f32>, n: u32) {
///         ptx! { ret; }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = ptx::cuda::context(0)?;
/// let stream = context.default_stream();
/// let fill = ptx::cuda::load::<fill::Loaded>(&context)?;
/// fill.VALUE.set(&stream, &2.0)?;
/// let mut to = stream.alloc_zeros::<f32>(1000)?;
/// unsafe { fill.fill().grid(1000_u32.div_ceil(128)).launch(&stream, (&mut to, 1000_u32))? };
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// There is no driver, or it is too old; the device does not run the target; the compiler refuses the
/// text, with its messages at the tokens in Rust; or what was loaded differs from the declaration, with
/// every difference.
pub fn load<L: Load>(context: &Arc<CudaContext>) -> Result<L, LoadError> {
    load_with(context, LoadOptions::new())
}

/// As [`load`], with options for the compiler.
///
/// # Errors
/// As [`load`].
pub fn load_with<L: Load>(
    context: &Arc<CudaContext>,
    options: LoadOptions,
) -> Result<L, LoadError> {
    let declaration = L::__declaration();
    let limits = enter(declaration, context)?;
    let compiled = compiled(declaration, limits.arch, options)?;
    finish(context, declaration, limits, compiled)
}

/// Loads a cubin of the module that was made before, by [`Ptxas`](crate::ptxas::Ptxas) or a build
/// script, and compares it with the declaration.
///
/// # Safety
/// The cubin was made of this module's text. What can be compared is; that its kernels do what their
/// declarations vouch for is the caller's word.
///
/// # Errors
/// As [`load`]: a cubin of an older declaration differs from this one, and the error says where.
pub unsafe fn load_cubin<L: Load>(
    context: &Arc<CudaContext>,
    cubin: &[u8],
) -> Result<L, LoadError> {
    let declaration = L::__declaration();
    let limits = enter(declaration, context)?;
    let compiled =
        Compiled { cubin: cubin.to_vec(), warnings: Vec::new(), report: Report::default() };
    finish(context, declaration, limits, Arc::new(compiled))
}

/// Makes the context current, and sees whether its device runs the module.
fn enter(
    declaration: &'static Module<'static>,
    context: &CudaContext,
) -> Result<Limits, LoadError> {
    context.bind_to_thread()?;
    let limits = Limits::of(context).ok_or(LoadError::UnknownDevice)?;
    if !declaration.target.runs_on(limits.arch) {
        return Err(LoadError::Target {
            module: declaration.name,
            target: declaration.target,
            arch: limits.arch,
        });
    }
    Ok(limits)
}

fn finish<L: Load>(
    context: &Arc<CudaContext>,
    declaration: &'static Module<'static>,
    limits: Limits,
    compiled: Arc<Compiled>,
) -> Result<L, LoadError> {
    let mut handle = core::ptr::null_mut();
    let image = compiled.cubin.as_ptr().cast();
    // A cubin says itself how long it is, and the driver is not told: it must not be cut.
    if !is_whole(&compiled.cubin) {
        return Err(LoadError::Refused {
            module: declaration.name,
            refusal: Refusal { call: Call::ModuleLoadData, code: 200 },
            log: String::from("this is not a whole cubin"),
        });
    }
    // SAFETY: the image is a cubin, and a module is written.
    let code = unsafe { calls::module_load()?(&raw mut handle, image) };
    Refusal::of(Call::ModuleLoadData, code).map_err(|refusal| LoadError::Refused {
        module: declaration.name,
        refusal,
        log: String::new(),
    })?;
    let module = Arc::new(LoadedModule { handle, context: Arc::clone(context), limits, compiled });
    let mut loader = Loader::new(module, declaration);
    let loaded = L::__load(&mut loader);
    let all = loader.differences();
    if all.is_empty() {
        return Ok(loaded);
    }
    Err(LoadError::Differs(Box::new(Differences { module: declaration.name, all })))
}

/// Whether bytes are an ELF file whose tables and sections are all there.
fn is_whole(bytes: &[u8]) -> bool {
    let number = |at: usize, size: usize| {
        let bytes = bytes.get(at..at.checked_add(size)?)?;
        Some(bytes.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte)))
    };
    let ends_inside = |start: u64, size: u64| {
        start.checked_add(size).is_some_and(|end| end <= bytes.len() as u64)
    };
    let whole = || {
        let (programs, sections) = (number(32, 8)?, number(40, 8)?);
        let (program_bytes, program_count) = (number(54, 2)?, number(56, 2)?);
        let (section_bytes, section_count) = (number(58, 2)?, number(60, 2)?);
        let tables = ends_inside(programs, program_bytes * program_count)
            && ends_inside(sections, section_bytes * section_count);
        let mut is_whole = tables && section_bytes >= 64;
        for n in (0..section_count).take_while(|_| tables) {
            let at = usize::try_from(sections + n * section_bytes).ok()?;
            let (kind, start, size) =
                (number(at + 4, 4)?, number(at + 24, 8)?, number(at + 32, 8)?);
            // What has no bits in the file (`SHT_NOBITS`) takes none.
            is_whole &= kind == 8 || ends_inside(start, size);
        }
        Some(is_whole)
    };
    bytes.starts_with(b"\x7fELF\x02\x01") && whole() == Some(true)
}

/// A module in a context, which it keeps alive; unloaded when the last of its handles is dropped.
#[doc(hidden)]
#[derive(Debug)]
pub struct LoadedModule {
    handle: ModuleHandle,
    pub(super) context: Arc<CudaContext>,
    pub(super) limits: Limits,
    pub(super) compiled: Arc<Compiled>,
}

// SAFETY: the handle is the driver's, which any thread may use.
unsafe impl Send for LoadedModule {}
// SAFETY: as above.
unsafe impl Sync for LoadedModule {}

impl Drop for LoadedModule {
    fn drop(&mut self) {
        // What runs may still be of this module. An error of earlier work must not keep it from ending.
        // SAFETY: the context lives as long as the module.
        let entered = unsafe { result::ctx::set_current(self.context.cu_ctx()) };
        self.context.record_err(entered.and_then(|()| result::ctx::synchronize()));
        if let Ok(unload) = calls::module_unload() {
            // SAFETY: nothing uses the module any more: its handles keep it.
            let _ = unsafe { unload(self.handle) };
        }
    }
}

impl LoadedModule {
    /// A kernel by its name in PTX.
    pub(super) fn function(&self, name: &str) -> Result<FunctionHandle, Refusal> {
        let refused = |code| Refusal { call: Call::ModuleGetFunction, code };
        let name = CString::new(name).map_err(|_| refused(1))?;
        let call = calls::module_function().map_err(|_| refused(1))?;
        let mut function = core::ptr::null_mut();
        // SAFETY: the name ends with a zero, and a handle is written.
        let code = unsafe { call(&raw mut function, self.handle, name.as_ptr()) };
        Refusal::of(Call::ModuleGetFunction, code)?;
        Ok(function)
    }

    /// Where a variable is, and its size in bytes.
    pub(super) fn global(&self, name: &str) -> Option<(u64, usize)> {
        let name = CString::new(name).ok()?;
        let (mut address, mut bytes) = (0, 0);
        let call = calls::module_global().ok()?;
        // SAFETY: the name ends with a zero, and two numbers are written.
        let code = unsafe { call(&raw mut address, &raw mut bytes, self.handle, name.as_ptr()) };
        (code == 0).then_some((address, bytes))
    }
}

/// What the driver's compiler warned about when it compiled the module, at the tokens in Rust. It warns
/// once: nothing of a cubin, nor of what the driver compiled in an earlier process and kept.
pub fn warnings<L: Load>(loaded: &L) -> &[Diagnostic] {
    &loaded.__module().compiled.warnings
}

/// The context of a loaded module.
pub fn context_of<L: Load>(loaded: &L) -> &Arc<CudaContext> {
    &loaded.__module().context
}

/// A number that the driver takes as its `int`.
pub(super) fn int(number: usize) -> c_int {
    c_int::try_from(number).unwrap_or(c_int::MAX)
}
