//! Loads modules from a cache.

use std::borrow::ToOwned as _;
use std::string::{String, ToString as _};
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
use crate::cuda::context::Limits;
use crate::cuda::entered::{Entered, enter};
use crate::cuda::load::{Load, finish, load_image, load_with};
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
    let loaded = try_load_cached(context, cache, options);
    loaded.map_err(|error| error.explained(L::__declaration().name, context))
}

fn try_load_cached<L: Load>(
    context: &Arc<CudaContext>,
    cache: &Cache,
    options: LoadOptions,
) -> Result<L, LoadError> {
    let Entered { declaration, limits, .. } = enter(L::__declaration(), &[], context)?;
    let finish = |(handle, cached, messages)| {
        let made = (handle, Origin::Cache(cached), messages);
        finish(context, std::vec![declaration], limits, made)
    };
    let text = declaration.to_string();
    let Some(compiler) = Compiler::of(&text, cache.given_ptxas()) else {
        return load_with(context, options);
    };
    let key = Key::new(&text, (limits.arch, driver()), &compiler.name(), options);
    let found = cache.get(&key).and_then(|cubin| load_image(declaration, &cubin).ok());
    if let Some(handle) = found {
        return finish((handle, Cached::Found, Messages::default()));
    }
    // What is wrong with the text, the driver says when it compiles that.
    let Some((cubin, messages)) = compiler.compile(declaration, &text, limits, options) else {
        return load_with(context, options);
    };
    let Ok(handle) = load_image(declaration, &cubin) else {
        return load_with(context, options);
    };
    let is_stored = cache.put(&key, &cubin);
    finish((handle, if is_stored { Cached::Stored } else { Cached::NotStored }, messages))
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
        module: &'static Module<'static>,
        text: &str,
        limits: Limits,
        options: LoadOptions,
    ) -> Option<(Vec<u8>, Messages)> {
        match self {
            Self::Linker => {
                let linked = compile::link_all(&[module], options).ok()?;
                Some((linked.cubin, linked.messages))
            }
            Self::Ptxas(ptxas) => {
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
