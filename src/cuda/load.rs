//! Loads modules into a context, and compares them with their declarations.

use std::boxed::Box;
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::CudaContext;
use ptx_types::Target;

use super::borrows::Borrows;
use super::calls::{self, Call, ModuleHandle};
use super::compile::{self, Messages};
use super::context::{ContextError, Limits, context};
use super::difference::Differences;
use super::entered::{enter, enter_alone};
use super::environment::are_launches_checked;
use super::launch_log::Log;
use super::load_error::{LoadError, LoadOptions};
use super::loader::Loader;
use super::module::{LoadedModule, Origin};
use super::order::Order;
use super::refusal::Refusal;
use crate::Module;
use crate::ptxas::Diagnostic;

/// A module that can be loaded: `#[ptx::module]` defines the type `Loaded` in its module.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a module that can be loaded",
    label = "the module is not named",
    note = "name the type `Loaded` of the module, as in `ptx::cuda::load::<filter::Loaded>(&context)`"
)]
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

/// Compiles the module for the device of this context, loads it, and compares it with its declaration.
///
/// A second load needs no compiler, unless the driver's cache is off or full (`CUDA_CACHE_DISABLE`, `CUDA_CACHE_MAXSIZE`). Each
/// load has its own variables in memory.
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
/// Each call makes a module of its own, with variables of its own: what is set through one is not what the kernels of another
/// read. Load a module once, and share it; the handles can be cloned, and used by several threads.
///
/// # Errors
/// There is no driver, or it is too old; the device does not run the target; nothing defines what the module declares
/// `extern` and uses ([`load_linked`] links it with modules that do); the compiler refuses the
/// text, with its messages at the Rust tokens; or the loaded module differs from the declaration, with
/// every difference.
pub fn load<L: Load>(context: &Arc<CudaContext>) -> Result<L, LoadError> {
    load_with(context, LoadOptions::new())
}

/// Does the same as [`load`], with options for the compiler.
///
/// # Errors
/// The same as [`load`].
pub fn load_with<L: Load>(
    context: &Arc<CudaContext>,
    options: LoadOptions,
) -> Result<L, LoadError> {
    load_linked(context, &[], options)
}

/// Compiles a module together with others, which define what it declares `extern`, links them, loads the result into
/// this context, and compares it with the module's declaration. The others may use each other's functions and
/// variables, too; [`linked`] returns their handles.
///
/// The driver's compiler then makes code that others may call, which can be slower than that of [`load`]: among others, it
/// ignores `setmaxnreg`.
///
/// ```no_run
/// use ptx::prelude::*;
///
/// #[ptx::module(target = sm_80)]
/// pub mod noise {
///     use super::*;
///
///     #[device]
///     pub fn noise(seed: Reg<u32>) -> Reg<u32> {
///         ptx! { mad.lo.u32 returned, seed, 1664525, 1013904223; ret; }
///     }
/// }
///
/// #[ptx::module(target = sm_80)]
/// pub mod fill {
///     use super::*;
///
///     #[device(extern)]
///     fn noise(seed: Reg<u32>) -> Reg<u32>;
///
///     #[kernel(reqntid = 32)]
///     pub fn fill(to: Ptr<Global, u32>) {
///         ptx! {
///             .reg .b32 %x;
///             .reg .b64 %to;
///             ld.param.u64 %to, [to];
///             call (%x), noise, (1);
///             st.global.u32 [%to], %x;
///             ret;
///         }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = ptx::cuda::context(0)?;
/// let options = ptx::cuda::LoadOptions::new();
/// let fill = ptx::cuda::load_linked::<fill::Loaded>(&context, &[&noise::MODULE], options)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of [`load`](super::load), and [`LoadError::Link`]: nothing defines what a module uses, or the definition is
/// of another type.
pub fn load_linked<L: Load>(
    context: &Arc<CudaContext>,
    with: &[&'static Module<'static>],
    options: LoadOptions,
) -> Result<L, LoadError> {
    let loaded = try_load_linked(context, with, options);
    loaded.map_err(|error| error.explained(L::__declaration().name, context))
}

fn try_load_linked<L: Load>(
    context: &Arc<CudaContext>,
    with: &[&'static Module<'static>],
    options: LoadOptions,
) -> Result<L, LoadError> {
    let entered = enter(L::__declaration(), with, context)?;
    let (declaration, limits, all) = (entered.declaration, entered.limits, entered.all());
    if let [module] = all[..] {
        let (handle, messages) = compile::load_alone(module, limits.arch, options)?;
        return finish(context, all, limits, (handle, Origin::Text, messages));
    }
    let linked = compile::linked(&all, limits.arch, options)?;
    let handle = load_image(declaration, &linked.cubin)?;
    finish(context, all, limits, (handle, Origin::Text, linked.messages.clone()))
}

/// The handles of a module that another one was [linked](load_linked) with, which has its kernels and variables.
///
/// # Errors
/// [`LoadError::NotLinked`] if it was not; or what was loaded differs from its declaration.
pub fn linked<L: Load>(loaded: &impl Load) -> Result<L, LoadError> {
    let (module, declaration) = (loaded.__module(), L::__declaration());
    let Some(declaration) = loaded_of(declaration, module) else {
        let with = module.linked.first().map_or("", |module| module.name);
        return Err(LoadError::NotLinked { module: declaration.name, with });
    };
    let loaded = load_module(module, declaration);
    loaded.map_err(|error: LoadError| error.explained(declaration.name, &module.context))
}

/// Loads a cubin that was made earlier from the module, by [`Ptxas`](crate::ptxas::Ptxas) or a build
/// script, and compares it with the declaration.
///
/// # Safety
/// The cubin was made from this module's text; of a module for several targets, from that for the target that
/// [suits the device best](Module::for_arch). What can be compared is compared; the caller guarantees that its
/// kernels do what their declarations vouch for.
///
/// # Errors
/// The same as [`load`]: a cubin of an older declaration differs from this one, and the error shows where.
pub unsafe fn load_cubin<L: Load>(
    context: &Arc<CudaContext>,
    cubin: &[u8],
) -> Result<L, LoadError> {
    let load = || {
        let (declaration, limits) = enter_alone(L::__declaration(), context)?;
        let handle = load_image(declaration, cubin)?;
        let made = (handle, Origin::Cubin(None), Messages::default());
        finish(context, std::vec![declaration], limits, made)
    };
    load().map_err(|error: LoadError| error.explained(L::__declaration().name, context))
}

/// Loads a cubin into the current context.
pub(super) fn load_image(
    declaration: &'static Module<'static>,
    cubin: &[u8],
) -> Result<ModuleHandle, LoadError> {
    let refused = |refusal, log| LoadError::Refused { module: declaration.name, refusal, log };
    // The driver takes the length from the cubin itself, so a truncated cubin must be rejected here.
    if !is_whole(cubin) {
        let refusal = Refusal { call: Call::ModuleLoadData, code: 200 };
        return Err(refused(refusal, String::from("this is not a whole cubin")));
    }
    let mut handle = core::ptr::null_mut();
    // SAFETY: the image is a whole cubin, and one handle is written.
    let code = unsafe { calls::module_load()?(&raw mut handle, cubin.as_ptr().cast()) };
    Refusal::of(Call::ModuleLoadData, code).map_err(|refusal| refused(refusal, String::new()))?;
    Ok(handle)
}

/// Compares what was made of these modules and loaded with the declaration of the first.
pub(super) fn finish<L: Load>(
    context: &Arc<CudaContext>,
    linked: Vec<&'static Module<'static>>,
    limits: Limits,
    (handle, origin, messages): (ModuleHandle, Origin, Messages),
) -> Result<L, LoadError> {
    let context = Arc::clone(context);
    let declaration = linked.first().copied().unwrap_or_else(L::__declaration);
    let (order, log) = (Order::default(), Log::of(&context));
    let has_managed = |module: &&Module<'_>| module.variables.iter().any(|it| it.managed);
    let borrows = Borrows::new(linked.iter().any(has_managed));
    let module = Arc::new(LoadedModule {
        handle,
        origin,
        context,
        limits,
        messages,
        linked,
        order,
        borrows,
        log,
        is_checked: are_launches_checked(),
    });
    load_module(&module, declaration)
}

/// The handles of a module that is loaded, compared with its declaration.
fn load_module<L: Load>(
    module: &Arc<LoadedModule>,
    declaration: &'static Module<'static>,
) -> Result<L, LoadError> {
    let mut loader = Loader::new(Arc::clone(module), declaration, L::__declaration());
    let loaded = L::__load(&mut loader);
    let all = loader.differences();
    if all.is_empty() {
        return Ok(loaded);
    }
    Err(LoadError::Differs(Box::new(Differences { module: declaration.name, all })))
}

/// Whether the bytes are an ELF file that contains all of its tables and sections.
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
            // A section without data in the file (`SHT_NOBITS`) takes no space.
            is_whole &= kind == 8 || ends_inside(start, size);
        }
        Some(is_whole)
    };
    bytes.starts_with(b"\x7fELF\x02\x01") && whole() == Some(true)
}

/// The target whose text was loaded: for a module that is declared for [several](macro@crate::module#several-targets), the one that
/// suits the device best.
pub fn target_of<L: Load>(loaded: &L) -> Target {
    let declaration = L::__declaration();
    loaded_of(declaration, loaded.__module()).unwrap_or(declaration).target
}

/// The one of its targets for which a module is part of what was loaded.
fn loaded_of(
    declaration: &'static Module<'static>,
    loaded: &LoadedModule,
) -> Option<&'static Module<'static>> {
    declaration
        .each_target()
        .find(|module| loaded.linked.iter().any(|linked| core::ptr::eq(*linked, *module)))
}

/// Returns what a module was loaded from.
pub fn origin<L: Load>(loaded: &L) -> Origin {
    loaded.__module().origin
}

/// Loads a module for each device of this process, in the order of their numbers, from 0. A device that does not run it has an
/// `Err` in its place; [`context_of`] is the context of each of the others.
///
/// # Errors
/// There is no driver, or a device has no context.
pub fn load_all<L: Load>(options: LoadOptions) -> Result<Vec<Result<L, LoadError>>, ContextError> {
    in_each_context(|context| load_with(context, options))
}

/// What this returns for each device of this process, in the order of their numbers, from 0.
pub(super) fn in_each_context<T>(
    load: impl Fn(&Arc<CudaContext>) -> T,
) -> Result<Vec<T>, ContextError> {
    // The first context is made before devices are counted, which initialises the driver.
    let first = context(0)?;
    let count = CudaContext::device_count();
    let count = count.map_err(|source| ContextError::NoDevice { ordinal: 0, source })?;
    let mut loaded = std::vec![load(&first)];
    for ordinal in 1..usize::try_from(count).unwrap_or(0) {
        loaded.push(load(&context(ordinal)?));
    }
    Ok(loaded)
}

/// The warnings of the driver's compiler about the module, at the Rust tokens. It warns
/// once: not about a cubin, nor about a module that the driver compiled in an earlier process and cached.
pub fn warnings<L: Load>(loaded: &L) -> &[Diagnostic] {
    &loaded.__module().messages.warnings
}

/// The context of a loaded module.
pub fn context_of<L: Load>(loaded: &L) -> &Arc<CudaContext> {
    &loaded.__module().context
}
