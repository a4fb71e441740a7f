//! Loads modules from a cache.

use std::borrow::ToOwned as _;
use std::string::{String, ToString};
use std::sync::{Arc, OnceLock};
use std::vec::Vec;
use std::{format, fs};

use cudarc::driver::CudaContext;
use ptx_types::Target;

use super::entry::Key;
use super::linkable::is_as_good_if_linked;
use super::store::Cache;
use crate::Module;
use crate::cuda::calls::driver_release;
use crate::cuda::compile::{self, Messages};
use crate::cuda::context::{ContextError, Limits};
use crate::cuda::entered::enter;
use crate::cuda::load::{Load, finish, in_each_context, load_image, load_linked};
use crate::cuda::load_error::{LoadError, LoadOptions};
use crate::cuda::module::{Cached, Origin};
use crate::ptxas::Ptxas;

/// Loads the module from this cache, or compiles it and stores its machine code there. Which it was,
/// [`origin`](crate::cuda::origin) says: [`Origin::Cache`], or [`Origin::Text`] if
/// [nothing compiles it to code that can be stored](Cache#the-compiler).
///
/// # Errors
/// As [`load`](crate::cuda::load): what is wrong with an entry, or with storing it, is not an error.
pub fn load_cached<L: Load>(
    context: &Arc<CudaContext>,
    cache: &Cache,
    options: LoadOptions,
) -> Result<L, LoadError> {
    load_linked_cached(context, cache, &[], options)
}

/// Loads a module together with others, as [`load_linked`](crate::cuda::load_linked), from this cache, or compiles and links them
/// and stores the machine code of all there. [`linked`](crate::cuda::linked) returns the handles of the others, and
/// [`origin`](crate::cuda::origin) says whether an entry was there.
///
/// The driver's linker compiles them in any case, so that each text can be stored; a [`ptxas`](Cache::ptxas) that the cache has is not
/// asked. Without others, it is [`load_cached`].
///
/// ```no_run
/// # use ptx::prelude::*;
/// # #[ptx::module(target = sm_80)]
/// # pub mod noise {
/// #     use super::*;
/// #     #[device]
/// #     pub fn noise(seed: Reg<u32>) -> Reg<u32> {
/// #         ptx! { mad.lo.u32 returned, seed, 1664525, 1013904223; ret; }
/// #     }
/// # }
/// # #[ptx::module(target = sm_80)]
/// # pub mod fill {
/// #     use super::*;
/// #     #[device(extern)]
/// #     fn noise(seed: Reg<u32>) -> Reg<u32>;
/// #     #[kernel(reqntid = 32)]
/// #     pub fn fill(to: Ptr<Global, u32>) {
/// #         ptx! {
/// #             .reg .b32 %x;
/// #             .reg .b64 %to;
/// #             ld.param.u64 %to, [to];
/// #             call (%x), noise, (1);
/// #             st.global.u32 [%to], %x;
/// #             ret;
/// #         }
/// #     }
/// # }
/// use ptx::cuda::{Cache, LoadOptions, load_linked_cached};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let context = ptx::cuda::context(0)?;
/// let cache = Cache::open("/var/cache/fill/kernels")?;
/// let with = [&noise::MODULE];
/// let fill = load_linked_cached::<fill::Loaded>(&context, &cache, &with, LoadOptions::new())?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`load_linked`](crate::cuda::load_linked): what is wrong with an entry, or with storing it, is not an error.
pub fn load_linked_cached<L: Load>(
    context: &Arc<CudaContext>,
    cache: &Cache,
    with: &[&'static Module<'static>],
    options: LoadOptions,
) -> Result<L, LoadError> {
    let loaded = try_load_cached(context, cache, with, options);
    loaded.map_err(|error| error.explained(L::__declaration().name, context))
}

/// Loads a module for each device of this process, as [`load_all`](crate::cuda::load_all), from this cache: devices of one
/// compute capability share an entry.
///
/// # Errors
/// As [`load_all`](crate::cuda::load_all): what is wrong with an entry, or with storing it, is not an error.
pub fn load_all_cached<L: Load>(
    cache: &Cache,
    options: LoadOptions,
) -> Result<Vec<Result<L, LoadError>>, ContextError> {
    in_each_context(|context| load_cached(context, cache, options))
}

fn try_load_cached<L: Load>(
    context: &Arc<CudaContext>,
    cache: &Cache,
    with: &[&'static Module<'static>],
    options: LoadOptions,
) -> Result<L, LoadError> {
    let entered = enter(L::__declaration(), with, context)?;
    let (declaration, limits, all) = (entered.declaration, entered.limits, entered.all());
    let load = || load_linked(context, with, options);
    let texts: Vec<String> = all.iter().map(ToString::to_string).collect();
    let compiler = match &texts[..] {
        [text] => Compiler::of(text, cache.given_ptxas()),
        _ => Some(Compiler::Linker),
    };
    let Some(compiler) = compiler else { return load() };
    // No text contains a zero.
    let text = texts.join("\0");
    let key = Key::new(&text, (limits.arch, driver()), &compiler.name(), options);
    let finish = |handle, cached, messages| {
        let made = (handle, Origin::Cache(cached), messages);
        finish(context, all.clone(), limits, made)
    };
    let found = cache.get(&key).and_then(|cubin| load_image(declaration, &cubin).ok());
    if let Some(handle) = found {
        return finish(handle, Cached::Found, Messages::default());
    }
    // What is wrong with the text, the driver says when it compiles that.
    let Some((cubin, messages)) = compiler.compile(&all, &text, limits, options) else {
        return load();
    };
    let Ok(handle) = load_image(declaration, &cubin) else { return load() };
    let is_stored = cache.put(&key, &cubin);
    finish(handle, if is_stored { Cached::Stored } else { Cached::NotStored }, messages)
}

/// What makes the machine code of an entry.
enum Compiler<'c> {
    /// The driver's linker.
    Linker,
    Ptxas(&'c Ptxas),
}

impl<'c> Compiler<'c> {
    /// The compiler of this text.
    fn of(text: &str, ptxas: Option<&'c Ptxas>) -> Option<Self> {
        let linker = || is_as_good_if_linked(text).then_some(Self::Linker);
        ptxas.map(Self::Ptxas).or_else(linker)
    }

    fn name(&self) -> String {
        match self {
            Self::Linker => "linker".to_owned(),
            Self::Ptxas(ptxas) => format!("ptxas {}", ptxas.release()),
        }
    }

    fn compile(
        &self,
        modules: &[&'static Module<'static>],
        text: &str,
        limits: Limits,
        options: LoadOptions,
    ) -> Option<(Vec<u8>, Messages)> {
        match self {
            Self::Linker => {
                let linked = compile::link_all(modules, options).ok()?;
                Some((linked.cubin, linked.messages))
            }
            Self::Ptxas(ptxas) => {
                let module = modules.first()?;
                let arguments = arguments(options, module.line_info.is_some());
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                let target = target(module.target, limits.arch);
                let assembled = ptxas.assemble_text_with(text, target, &arguments).ok()?;
                let messages = Messages { warnings: Vec::new(), report: assembled.report };
                Some((assembled.cubin, messages))
            }
        }
    }
}

/// The target of machine code for a device of this architecture.
fn target(of_module: Target, arch: u16) -> Target {
    let of_device = || Target::from_name(&format!("sm_{arch}"));
    if of_module.is_baseline() { of_device().unwrap_or(of_module) } else { of_module }
}

/// The arguments of ptxas that do what the options do.
fn arguments(options: LoadOptions, has_lines: bool) -> Vec<String> {
    let LoadOptions { optimization_level, max_registers, line_info, debug } = options;
    let level = optimization_level.map(|level| format!("--opt-level={level}"));
    let registers = max_registers.map(|most| format!("--maxrregcount={most}"));
    let lines = (line_info || has_lines).then(|| "--generate-line-info".to_owned());
    let debug = debug.then(|| "--device-debug".to_owned());
    [level, registers, lines, debug].into_iter().flatten().collect()
}

/// What is known of the driver, in one line: its release of CUDA and, on Linux, its own version.
fn driver() -> &'static str {
    static DRIVER: OnceLock<String> = OnceLock::new();
    DRIVER.get_or_init(|| {
        let release = driver_release().map_or_else(String::new, |release| release.to_string());
        let version = fs::read_to_string("/proc/driver/nvidia/version").unwrap_or_default();
        let version: Vec<&str> = version.lines().collect();
        format!("{release} {}", version.join(" "))
    })
}
