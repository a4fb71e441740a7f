//! Compiles PTX with the compiler in the driver.

use core::ffi::{c_char, c_void};
use std::collections::HashMap;
use std::format;
use std::string::{String, ToString as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec::Vec;

use ptx_types::Version;

use super::calls::{
    self, Call, LinkAddData, LinkComplete, LinkCreate, LinkDestroy, LinkHandle, ModuleHandle,
    driver_release,
};
use super::load_error::{LoadError, LoadOptions};
use super::refusal::Refusal;
use crate::Module;
use crate::ptxas::{Diagnostic, Report, Severity, messages};

/// What the driver's compiler said of a module.
#[derive(Clone, Default, Debug)]
pub(super) struct Messages {
    pub(super) warnings: Vec<Diagnostic>,
    /// The resources of each kernel; empty for a cubin that was given, and if the driver had the code in its cache.
    pub(super) report: Report,
}

/// Modules as the driver compiled and linked them.
#[derive(Debug)]
pub(super) struct Linked {
    pub(super) cubin: Vec<u8>,
    pub(super) messages: Messages,
}

/// The modules, the architecture of the device, and the options.
type Key = (Vec<usize>, u16, LoadOptions);

/// What this process has compiled.
#[derive(Default)]
struct Known {
    /// The messages about modules that were compiled alone. The driver keeps the code, but says nothing the second time.
    alone: HashMap<Key, Messages>,
    /// Modules that were linked, so that a second load needs no compiler.
    linked: HashMap<Key, Arc<Linked>>,
}

static KNOWN: Mutex<Option<Known>> = Mutex::new(None);

/// Does something with what is known.
fn known<T>(with: impl FnOnce(&mut Known) -> T) -> T {
    with(KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}

fn key(modules: &[&'static Module<'static>], arch: u16, options: LoadOptions) -> Key {
    let addresses = modules.iter().map(|module| core::ptr::from_ref(*module).addr());
    (addresses.collect(), arch, options)
}

/// Compiles a module by itself, and loads it into the current context.
///
/// The linker would do the same, but its compiler makes code that others may call: it ignores `setmaxnreg`, and
/// serialises `wgmma` where that takes away registers.
pub(super) fn load_alone(
    module: &'static Module<'static>,
    arch: u16,
    options: LoadOptions,
) -> Result<(ModuleHandle, Messages), LoadError> {
    let load = calls::module_compile()?;
    let text = format!("{module}\0");
    let (outcome, info, errors) = with_logs(&[module], options, |keys, values| {
        let count = u32::try_from(keys.len()).unwrap_or(0);
        let mut handle = core::ptr::null_mut();
        let (image, keys, values) = (text.as_ptr().cast(), keys.as_mut_ptr(), values.as_mut_ptr());
        // SAFETY: the text ends with a zero; there are as many options as values; the logs have the sizes that are
        // passed; and a handle is written.
        let code = unsafe { load(&raw mut handle, image, count, keys, values) };
        Refusal::of(Call::ModuleLoadDataEx, code).map(|()| handle)
    })?;
    let handle = outcome.map_err(|refusal| explain(module, refusal, &errors))?;
    let said = Messages::of(&[module], &info);
    let messages = known(|it| {
        let known = it.alone.entry(key(&[module], arch, options)).or_default();
        // Another thread may have been told nothing, since the driver had the code.
        if known.report.kernels.is_empty() {
            *known = said;
        }
        known.clone()
    });
    Ok((handle, messages))
}

/// The cubin of some modules, linked, for the device of the current context.
pub(super) fn linked(
    modules: &[&'static Module<'static>],
    arch: u16,
    options: LoadOptions,
) -> Result<Arc<Linked>, LoadError> {
    let key = key(modules, arch, options);
    if let Some(linked) = known(|it| it.linked.get(&key).cloned()) {
        return Ok(linked);
    }
    let linked = Arc::new(link_all(modules, options)?);
    known(|it| it.linked.insert(key, Arc::clone(&linked)));
    Ok(linked)
}

impl Messages {
    fn of(modules: &[&'static Module<'static>], log: &str) -> Self {
        let mut warnings = modules.first().map_or_else(Vec::new, |it| messages(log, it));
        warnings.retain(|diagnostic| diagnostic.severity >= Severity::Warning);
        if modules.len() > 1 {
            // The log does not say which of the texts a line belongs to.
            for warning in &mut warnings {
                (warning.place, warning.origin, warning.text) = (None, None, None);
            }
        }
        Self { warnings, report: Report::from_log(log) }
    }
}

/// The size of a log in bytes.
const LOG: usize = 1 << 16;

/// The driver's numbers of its compiler's options.
mod option {
    pub(super) const MAX_REGISTERS: u32 = 0;
    pub(super) const INFO_LOG: u32 = 3;
    pub(super) const INFO_LOG_BYTES: u32 = 4;
    pub(super) const ERROR_LOG: u32 = 5;
    pub(super) const ERROR_LOG_BYTES: u32 = 6;
    pub(super) const OPTIMIZATION_LEVEL: u32 = 7;
    pub(super) const DEBUG_INFO: u32 = 11;
    pub(super) const LOG_VERBOSE: u32 = 12;
    pub(super) const LINE_INFO: u32 = 13;
}

/// `CU_JIT_INPUT_PTX`.
const INPUT_PTX: u32 = 1;

/// A link in progress, freed when it is dropped.
struct Link {
    state: LinkHandle,
    destroy: LinkDestroy,
}

impl Drop for Link {
    fn drop(&mut self) {
        // SAFETY: it was made by `cuLinkCreate`, and nothing uses it any more.
        let _ = unsafe { (self.destroy)(self.state) };
    }
}

/// The options of a call of the compiler, and their values.
type Options<'o> = (&'o mut [u32], &'o mut [*mut c_void]);

/// Compiles and links modules for the device of the current context.
pub(super) fn link_all(
    modules: &[&'static Module<'static>],
    options: LoadOptions,
) -> Result<Linked, LoadError> {
    let calls = (
        calls::link_create()?,
        calls::link_add()?,
        calls::link_complete()?,
        calls::link_destroy()?,
    );
    let texts: Vec<String> = modules.iter().map(|module| format!("{module}\0")).collect();
    let (outcome, info, errors) =
        with_logs(modules, options, |keys, values| link(&texts, calls, (keys, values)))?;
    match outcome {
        Ok(cubin) => Ok(Linked { cubin, messages: Messages::of(modules, &info) }),
        Err((n, refusal)) => Err(explain(modules[n], refusal, &errors)),
    }
}

/// Calls the compiler with these options. Returns what it returns, and its logs of information and errors.
fn with_logs<T>(
    modules: &[&'static Module<'static>],
    options: LoadOptions,
    call: impl FnOnce(&mut [u32], &mut [*mut c_void]) -> T,
) -> Result<(T, String, String), LoadError> {
    let (mut info, mut errors) = (std::vec![0_u8; LOG], std::vec![0_u8; LOG]);
    let number = core::ptr::without_provenance_mut::<c_void>;
    let mut given = std::vec![
        (option::INFO_LOG, info.as_mut_ptr().cast()),
        (option::INFO_LOG_BYTES, number(LOG)),
        (option::ERROR_LOG, errors.as_mut_ptr().cast()),
        (option::ERROR_LOG_BYTES, number(LOG)),
        (option::LOG_VERBOSE, number(1)),
    ];
    if let Some(level) = options.optimization_level {
        if level > 4 {
            return Err(LoadError::OptimizationLevel { level });
        }
        given.push((option::OPTIMIZATION_LEVEL, number(level as usize)));
    }
    if let Some(registers) = options.max_registers {
        given.push((option::MAX_REGISTERS, number(registers as usize)));
    }
    if options.debug {
        given.push((option::DEBUG_INFO, number(1)));
    }
    if options.line_info || modules.iter().any(|module| module.line_info.is_some()) {
        given.push((option::LINE_INFO, number(1)));
    }
    let (mut keys, mut values): (Vec<u32>, Vec<*mut c_void>) = given.into_iter().unzip();
    let outcome = call(&mut keys, &mut values);
    let log = |bytes: &[u8]| {
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        String::from_utf8_lossy(&bytes[..end]).into_owned()
    };
    Ok((outcome, log(&info), log(&errors)))
}

/// Compiles and links texts. An error comes with the number of the text that it is about.
fn link(
    texts: &[String],
    (create, add, complete, destroy): (LinkCreate, LinkAddData, LinkComplete, LinkDestroy),
    (keys, values): Options<'_>,
) -> Result<Vec<u8>, (usize, Refusal)> {
    const NAME: &core::ffi::CStr = c"module.ptx";
    let count = u32::try_from(keys.len()).unwrap_or(0);
    let mut state = core::ptr::null_mut();
    // SAFETY: there are as many options as values; the logs have the sizes that are passed, and outlive
    // the state.
    let code = unsafe { create(count, keys.as_mut_ptr(), values.as_mut_ptr(), &raw mut state) };
    Refusal::of(Call::LinkCreate, code).map_err(|refusal| (0, refusal))?;
    let link = Link { state, destroy };
    let (none, no_values) = (core::ptr::null_mut(), core::ptr::null_mut());
    let name: *const c_char = NAME.as_ptr();
    for (n, text) in texts.iter().enumerate() {
        let (data, size) = (text.as_ptr().cast_mut().cast::<c_void>(), text.len());
        // SAFETY: the text ends with a zero, which is counted, and is only read.
        let code = unsafe { add(link.state, INPUT_PTX, data, size, name, 0, none, no_values) };
        Refusal::of(Call::LinkAddData, code).map_err(|refusal| (n, refusal))?;
    }
    let (mut cubin, mut size) = (core::ptr::null_mut(), 0);
    // SAFETY: it writes the address of the cubin, which lives as long as the state, and its size.
    let code = unsafe { complete(link.state, &raw mut cubin, &raw mut size) };
    Refusal::of(Call::LinkComplete, code).map_err(|refusal| (0, refusal))?;
    // SAFETY: the state owns this many bytes at the address.
    Ok(unsafe { core::slice::from_raw_parts(cubin.cast::<u8>(), size) }.to_vec())
}

/// Explains why the driver's compiler does not accept a module.
fn explain(module: &'static Module<'static>, refusal: Refusal, log: &str) -> LoadError {
    /// `CUDA_ERROR_UNSUPPORTED_PTX_VERSION`.
    const UNSUPPORTED_VERSION: u32 = 222;
    if refusal.code == UNSUPPORTED_VERSION {
        let takes = log
            .split_once("current version is '")
            .and_then(|(_, rest)| Version::parse(rest.split('\'').next()?));
        return LoadError::Version {
            module: module.name,
            needs: module.version(),
            cause: module.version_cause(),
            takes,
            driver: driver_release(),
        };
    }
    let mut diagnostics = messages(log, module);
    diagnostics.retain(|diagnostic| diagnostic.severity >= Severity::Error);
    if diagnostics.is_empty() {
        return LoadError::Refused { module: module.name, refusal, log: log.trim().to_string() };
    }
    LoadError::Compile { module: module.name, diagnostics }
}
