//! Modules in a context, compared with their declarations.

use core::ffi::c_int;
use std::boxed::Box;
use std::ffi::CString;
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::{CudaContext, DriverError};
use ptx_types::ir::{self, Linkage, VersionCause};
use ptx_types::{Release, StateSpace, Target, Variable, Version};
use thiserror::Error;

use super::calls::{self, Call, CallError, FunctionHandle, ModuleHandle};
use super::compile::{Compiled, compiled};
use super::context::Limits;
use super::difference::{Difference, Differences};
use super::kernel::{Facts, KernelType, LoadedKernel, attribute};
use super::refusal::Refusal;
use super::variable::LoadedVariable;
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
/// # Errors
/// As [`load`]: a cubin of an older declaration differs from this one, and the error says where.
pub fn load_cubin<L: Load>(context: &Arc<CudaContext>, cubin: &[u8]) -> Result<L, LoadError> {
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
    // A cubin says itself how long it is; behind it, nothing is read.
    let image = compiled.cubin.as_ptr().cast();
    if !compiled.cubin.starts_with(b"\x7fELF") {
        return Err(LoadError::Refused {
            module: declaration.name,
            refusal: Refusal { call: Call::ModuleLoadData, code: 200 },
            log: String::from("this is not a cubin"),
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
    let mut loader = Loader { module, declaration, differences: Vec::new() };
    let loaded = L::__load(&mut loader);
    if loader.differences.is_empty() {
        return Ok(loaded);
    }
    Err(LoadError::Differs(Box::new(Differences {
        module: declaration.name,
        all: loader.differences,
    })))
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
        // What runs may still be of this module.
        self.context.record_err(self.context.synchronize());
        if let Ok(unload) = calls::module_unload() {
            // SAFETY: nothing uses the module any more: its handles keep it.
            let _ = unsafe { unload(self.handle) };
        }
    }
}

impl LoadedModule {
    /// A kernel by its name in PTX.
    fn function(&self, name: &str) -> Result<FunctionHandle, Refusal> {
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
    fn global(&self, name: &str) -> Option<(u64, usize)> {
        let name = CString::new(name).ok()?;
        let (mut address, mut bytes) = (0, 0);
        let call = calls::module_global().ok()?;
        // SAFETY: the name ends with a zero, and two numbers are written.
        let code = unsafe { call(&raw mut address, &raw mut bytes, self.handle, name.as_ptr()) };
        (code == 0).then_some((address, bytes))
    }
}

/// Makes the handles of a module, and gathers what differs.
#[doc(hidden)]
#[derive(Debug)]
pub struct Loader {
    module: Arc<LoadedModule>,
    declaration: &'static Module<'static>,
    differences: Vec<Difference>,
}

impl Loader {
    /// The module.
    pub fn module(&self) -> Arc<LoadedModule> {
        Arc::clone(&self.module)
    }

    /// The handle of a kernel.
    pub fn kernel<K: KernelType>(&mut self) -> LoadedKernel<K, K::Safety> {
        let ir = K::declaration();
        let function = match self.module.function(ir.name) {
            Ok(function) => function,
            Err(refusal) => {
                self.differences.push(Difference::NoKernel { kernel: ir.name, refusal });
                return LoadedKernel::new(Facts::absent(Arc::clone(&self.module), ir));
            }
        };
        let facts = Facts::of(Arc::clone(&self.module), ir, function);
        self.compare_kernel(&facts);
        if let Err(difference) = facts.opt_in() {
            self.differences.push(difference);
        }
        LoadedKernel::new(facts)
    }

    fn compare_kernel(&mut self, facts: &Facts) {
        let kernel = facts.ir.name;
        let mut differs = |difference| self.differences.push(difference);
        if let Some(declared) = facts.ir.static_shared_bytes()
            && let Some(loaded) = facts.attribute(attribute::SHARED_BYTES)
            && declared != loaded
            // With dynamic shared memory beside it, it is rounded up to where that starts.
            && self.declaration.dynamic_shared_offset(facts.ir) != Some(loaded)
        {
            differs(Difference::StaticShared { kernel, declared, loaded });
        }
        if let Some(declared) = facts.most_threads()
            && let Some(loaded) = facts.attribute(attribute::MAX_THREADS)
            && loaded < declared as usize
        {
            differs(Difference::Threads { kernel, declared, loaded });
        }
        let Ok(info) = calls::param_info() else { return };
        let mut found = Vec::new();
        for param in facts.ir.params.iter().enumerate() {
            let (mut offset, mut size) = (0, 0);
            // SAFETY: the function is of a loaded module; two numbers are written.
            let code = unsafe { info(facts.function, param.0, &raw mut offset, &raw mut size) };
            // A driver of CUDA 13.0 does not know a last parameter of one byte.
            if code != 0 {
                break;
            }
            found.push((offset, size));
        }
        for (param, (_, loaded)) in facts.ir.params.iter().zip(&found) {
            let parameter = param.variable.name;
            if let Some(declared) = param.variable.bytes()
                && declared != *loaded
            {
                differs(Difference::ParameterSize { kernel, parameter, declared, loaded: *loaded });
            }
        }
        if let Some((n, declared)) = misplaced(facts.ir, &found) {
            let parameter = facts.ir.params[n].variable.name;
            differs(Difference::ParameterOffset {
                kernel,
                parameter,
                declared,
                loaded: found[n].0,
            });
        }
        let declared = facts.ir.params.len();
        let (mut offset, mut size) = (0, 0);
        // SAFETY: as above.
        if unsafe { info(facts.function, declared, &raw mut offset, &raw mut size) } == 0 {
            differs(Difference::MoreParameters { kernel, declared });
        }
    }

    /// The handle of a variable.
    pub fn variable<L, S: StateSpace, T: ?Sized + 'static>(
        &mut self,
        variable: &'static Variable<S, T>,
    ) -> LoadedVariable<L, S, T> {
        let (name, ir) = (variable.name(), variable.ir());
        let found = self.module.global(name);
        let is_one = ir.ty.family().is_none() && ir.ty.opaque().is_none();
        match (found, ir.bytes()) {
            (Some((_, loaded)), Some(declared)) if is_one && declared != loaded => {
                self.differences.push(Difference::VariableSize {
                    variable: name,
                    declared,
                    loaded,
                });
            }
            // The compiler leaves out what is private and unused.
            (None, _) if is_one && ir.linkage != Linkage::Internal => {
                self.differences.push(Difference::NoVariable { variable: name });
            }
            _ => {}
        }
        let address = found.map(|(address, _)| address);
        LoadedVariable::new(Arc::clone(&self.module), variable, address)
    }
}

/// The first parameter that lies elsewhere than declared, and where it was declared. Alignments are
/// those of addresses in constant memory, where the space of the parameters starts at a place that is
/// different from one architecture to the next: at 0x210 of `sm_90`.
fn misplaced(ir: &ir::Function<'_>, found: &[(usize, usize)]) -> Option<(usize, usize)> {
    let offset_from = |start: usize, n: usize| {
        let mut end = start;
        for param in &ir.params[..=n] {
            let (size, align) = (param.variable.bytes()?, param.variable.alignment()?);
            end = end.checked_next_multiple_of(align)?.checked_add(size)?;
        }
        end.checked_sub(ir.params[n].variable.bytes()?)?.checked_sub(start)
    };
    let fits = |start: usize| {
        found.iter().enumerate().all(|(n, (loaded, _))| {
            offset_from(start, n).is_none_or(|declared| declared == *loaded)
        })
    };
    if (0..128).map(|step| 16 * step).any(fits) {
        return None;
    }
    found.iter().enumerate().find_map(|(n, (loaded, _))| {
        let declared = offset_from(0, n)?;
        (declared != *loaded).then_some((n, declared))
    })
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
