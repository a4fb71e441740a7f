//! Modules in a context.

use core::ffi::c_int;
use std::ffi::CString;
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::{CudaContext, result};
use ptx_types::{Target, ir};

use super::borrows::Borrows;
use super::calls::{self, Call, FunctionHandle, ModuleHandle};
use super::compile::Messages;
use super::context::Limits;
use super::launch_log::Log;
use super::order::{Order, Used};
use super::refusal::Refusal;
use crate::Module;

/// What a module was loaded from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// Its text, which the driver compiled, or had compiled before.
    Text,
    /// A cubin for this target; `None` for [one that was given](super::load_cubin).
    Cubin(Option<Target>),
    /// Machine code in a [`Cache`](super::Cache).
    Cache(Cached),
}

impl Origin {
    /// Whether it is known to be made from the module's text, so that it is what the module declares: the cubins of
    /// [`load_cubins`](super::load_cubins) carry the text's fingerprint.
    pub(super) const fn is_of_text(self) -> bool {
        matches!(self, Self::Cubin(Some(_)))
    }
}

/// How machine code came into a [`Cache`](super::Cache).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cached {
    /// It was there.
    Found,
    /// It was compiled now, and stored.
    Stored,
    /// It was compiled now, and could not be stored: the folder cannot be written, or the entry is larger than its limit.
    NotStored,
}

/// A module in a context, which it keeps alive; it is unloaded when the last of its handles is dropped.
#[doc(hidden)]
#[derive(Debug)]
pub struct LoadedModule {
    pub(super) handle: ModuleHandle,
    pub(super) origin: Origin,
    pub(super) context: Arc<CudaContext>,
    pub(super) limits: Limits,
    pub(super) messages: Messages,
    /// The modules that it was made from.
    pub(super) linked: Vec<&'static Module<'static>>,
    pub(super) order: Order,
    pub(super) borrows: Borrows,
    /// Where launches in its context are recorded.
    pub(super) log: Arc<Log>,
    /// Whether `PTX_CHECKED_LAUNCHES` asks for checks of all launches.
    pub(super) is_checked: bool,
}

// SAFETY: the handle belongs to the driver, and any thread may use it.
unsafe impl Send for LoadedModule {}
// SAFETY: as above.
unsafe impl Sync for LoadedModule {}

impl Drop for LoadedModule {
    fn drop(&mut self) {
        // Running kernels may belong to this module. An error of earlier work must not keep it from being unloaded.
        // SAFETY: the context lives as long as the module.
        let entered = unsafe { result::ctx::set_current(self.context.cu_ctx()) };
        self.context.record_err(entered.and_then(|()| result::ctx::synchronize()));
        if let Ok(unload) = calls::module_unload() {
            // SAFETY: nothing uses the module any more: its handles keep it alive.
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

    /// The variables that a kernel uses and the host can copy, if there are any.
    pub(super) fn used_by(&self, ir: &ir::Function<'_>) -> Option<Arc<Used>> {
        Used::of(ir, self.linked.len() > 1, |name| self.global(name).map(|(address, _)| address))
    }

    /// The address of a variable, and its size in bytes.
    pub(super) fn global(&self, name: &str) -> Option<(u64, usize)> {
        let name = CString::new(name).ok()?;
        let (mut address, mut bytes) = (0, 0);
        let call = calls::module_global().ok()?;
        // SAFETY: the name ends with a zero, and two numbers are written.
        let code = unsafe { call(&raw mut address, &raw mut bytes, self.handle, name.as_ptr()) };
        (code == 0).then_some((address, bytes))
    }
}

/// A number as the driver's `int`.
pub(super) fn int(number: usize) -> c_int {
    c_int::try_from(number).unwrap_or(c_int::MAX)
}
