//! Variables of a loaded module.

use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use std::sync::Arc;

use cudarc::driver::{CudaStream, DriverError, result};
use ptx_types::{Const, DeviceCopy, Global, Natural, Ptr, StateSpace, Variable};

use super::borrows::Submitted;
use super::context::{is_captured, is_same};
use super::fault::fault_of;
use super::fault_meaning::code_of;
use super::module::LoadedModule;
use super::order::{Held, Used};
use super::pinned::Pinned;
use super::synchronize::wait;
use super::variable_error::VariableError;

/// A state space whose variables the host can copy.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a variable in `{Self}` memory does not exist between launches",
    label = "the host cannot copy this"
)]
pub trait HostSpace {
    /// Whether host and device share its variables.
    const IS_MANAGED: bool = false;
}

impl HostSpace for Global {}
impl HostSpace for Const {}

/// In [`LoadedVariable`], the place of a variable that is declared `#[global(managed)]`: global memory that the host
/// accesses too (PTX ISA 5.4.8).
#[derive(Debug)]
pub enum Managed {}

impl HostSpace for Managed {
    const IS_MANAGED: bool = true;
}

/// A space whose variables are in global memory.
#[doc(hidden)]
pub trait GlobalSpace: HostSpace {}

impl GlobalSpace for Global {}
impl GlobalSpace for Managed {}

/// The types that a handle is bound to without holding a value of them.
type Of<L, S, T> = PhantomData<fn(&T) -> (L, S)>;

/// A variable of a loaded module, of type `T` in state space `S`, which is [`Managed`] where the declaration says so; `L` is
/// the module.
///
/// Copies follow the order of the stream. Across streams, they are ordered as cudarc orders buffers: what is submitted later waits
/// for what was submitted earlier, where one of the two sets the variable, or gets it while the other is a kernel that uses it. Kernels
/// are not ordered among themselves, nor is what reaches the variable by an address that [`ptr`](Self::ptr) gave away. With one
/// stream in the context nothing is recorded; nor is anything while a stream is captured, or where the context
/// [keeps no events](cudarc::driver::CudaContext::disable_event_tracking).
///
/// Each load of a module has variables of its own.
pub struct LoadedVariable<L, S, T: ?Sized> {
    pub(super) module: Arc<LoadedModule>,
    name: &'static str,
    pub(super) address: Option<u64>,
    of: Of<L, S, T>,
}

impl<L, S, T: ?Sized> fmt::Debug for LoadedVariable<L, S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LoadedVariable({})", self.name)
    }
}

impl<L, S, T: ?Sized> Clone for LoadedVariable<L, S, T> {
    fn clone(&self) -> Self {
        Self {
            module: Arc::clone(&self.module),
            name: self.name,
            address: self.address,
            of: PhantomData,
        }
    }
}

impl<L, S, T: ?Sized> LoadedVariable<L, S, T> {
    pub(super) fn new<V: StateSpace, U: ?Sized + 'static>(
        module: Arc<LoadedModule>,
        variable: &'static Variable<V, U>,
        address: Option<u64>,
    ) -> Self {
        Self { module, name: variable.name(), address, of: PhantomData }
    }

    /// The name in PTX.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The module that it is in.
    pub(super) fn module(&self) -> &Arc<LoadedModule> {
        &self.module
    }

    pub(super) fn driver(&self) -> impl Fn(DriverError) -> VariableError + use<'_, L, S, T> {
        let (variable, context) = (self.name, &self.module.context);
        move |source| match fault_of(context, code_of(source)) {
            Some(fault) => VariableError::Fault { variable, fault },
            None => VariableError::Driver { variable, source },
        }
    }

    /// Makes the context current and returns the address.
    pub(super) fn enter(&self, stream: &CudaStream) -> Result<u64, VariableError> {
        let variable = self.name;
        if !is_same(stream.context(), &self.module.context) {
            return Err(VariableError::OtherContext { variable });
        }
        self.module.context.bind_to_thread().map_err(self.driver())?;
        if is_captured(stream).map_err(self.driver())? {
            return Err(VariableError::Captured { variable });
        }
        self.address.ok_or(VariableError::LeftOut { variable })
    }
}

impl<L, S: HostSpace, T: ?Sized> LoadedVariable<L, S, T> {
    /// Keeps the host from borrowing the variable until a copy is submitted.
    fn submit(&self, variable: u64) -> Result<Option<Submitted<'_>>, VariableError> {
        if !S::IS_MANAGED {
            return Ok(None);
        }
        let submitted = self.module.borrows.submit(|borrowed| borrowed == variable);
        submitted.map_err(|_| VariableError::Borrowed { variable: self.name })
    }

    /// Copies values to an address in the variable, in the order of all streams.
    ///
    /// # Safety
    /// The variable has as many bytes there as the values. They are read before this returns, or order themselves.
    pub(super) unsafe fn copy_to<E>(
        &self,
        stream: &CudaStream,
        to: u64,
        values: &[E],
    ) -> Result<Held<'_>, VariableError> {
        let order = &self.module.order;
        let held = order.hold();
        let address = self.address.unwrap_or(to);
        let variable = Used::one(address);
        let _submitted = self.submit(address)?;
        let copied = || {
            let submission = order.copy(stream, &variable)?;
            // SAFETY: the caller's.
            unsafe { result::memcpy_htod_async(to, values, stream.cu_stream())? };
            submission.map_or(Ok(()), |mut submission| submission.set(stream, &variable))
        };
        copied().map_err(self.driver())?;
        Ok(held)
    }

    /// Copies from an address in the variable, in the order of all streams, and waits for it if `waits`.
    ///
    /// # Safety
    /// The variable has as many bytes there as the values, whose every bit pattern is valid. If this does not wait, they order themselves.
    pub(super) unsafe fn copy_from<E>(
        &self,
        stream: &CudaStream,
        from: u64,
        values: &mut [E],
        waits: bool,
    ) -> Result<(), VariableError> {
        let order = &self.module.order;
        let address = self.address.unwrap_or(from);
        let variable = Used::one(address);
        if S::IS_MANAGED && waits {
            // The copy itself waits for the stream. Until then, other threads may submit.
            order.copy(stream, &variable).map(drop).map_err(self.driver())?;
            wait(stream).map_err(self.driver())?;
        }
        let _submitted = self.submit(address)?;
        let mut copied = || {
            let mut submission = order.copy(stream, &variable)?;
            if waits && submission.take().is_some() {
                // The copy itself waits for the stream. Until then, other threads may submit to others.
                wait(stream)?;
                submission = order.copy(stream, &variable)?;
            }
            // SAFETY: the caller's.
            unsafe { result::memcpy_dtoh_async(values, from, stream.cu_stream())? };
            if waits {
                return wait(stream);
            }
            submission.map_or(Ok(()), |mut submission| submission.got(stream, &variable))
        };
        copied().map_err(self.driver())
    }
}

impl<L, S: GlobalSpace, T: DeviceCopy> LoadedVariable<L, S, T> {
    /// The address, for the fields of structs and tables, and with [`RawPtr`](super::RawPtr) for
    /// arguments. It is valid as long as the module is loaded.
    ///
    /// # Errors
    /// The compiler removed the variable.
    pub fn ptr(&self) -> Result<Ptr<Global, T, Natural>, VariableError> {
        self.address.map(Ptr::new).ok_or(VariableError::LeftOut { variable: self.name })
    }
}

impl<L, S: HostSpace, T: DeviceCopy> LoadedVariable<L, S, T> {
    /// Sets the variable, in the order of the stream. The value is read before this returns.
    ///
    /// Threads that share a module keep what this returns until they have launched: see [`Held`].
    ///
    /// # Errors
    /// The compiler removed the variable, the stream belongs to another context, or the driver refuses.
    pub fn set(&self, stream: &CudaStream, value: &T) -> Result<Held<'_>, VariableError> {
        let address = self.enter(stream)?;
        // SAFETY: the variable has as many bytes as the value, which was checked when it was loaded. This memory is not
        // page-locked, so it is read before the call returns.
        unsafe { self.copy_to(stream, address, &[ValueBytes::of(value)]) }
    }

    /// Waits until all earlier work in the stream has completed, and returns the value.
    ///
    /// # Errors
    /// The same as [`set`](Self::set); or earlier work in the stream failed.
    pub fn get(&self, stream: &CudaStream) -> Result<T, VariableError> {
        let mut value = MaybeUninit::<T>::uninit();
        let address = self.enter(stream)?;
        // SAFETY: the variable has as many bytes as the destination, which outlives the copy because this
        // waits for the stream. Every bit pattern is a valid value.
        unsafe {
            self.copy_from(stream, address, core::slice::from_mut(&mut value), true)?;
            Ok(value.assume_init())
        }
    }

    /// Does the same as [`get`](Self::get), into an existing value.
    ///
    /// # Errors
    /// The same as [`get`](Self::get).
    pub fn get_into(&self, stream: &CudaStream, value: &mut T) -> Result<(), VariableError> {
        let address = self.enter(stream)?;
        // SAFETY: as in `get`.
        unsafe { self.copy_from(stream, address, core::slice::from_mut(value), true) }
    }
}

impl<L, S: HostSpace, T: DeviceCopy> LoadedVariable<L, S, T> {
    /// Sets the variable from a buffer of one value, in the order of the stream, without waiting.
    ///
    /// # Errors
    /// The buffer does not have exactly one value; or the same as [`set`](Self::set).
    pub fn set_async(
        &self,
        stream: &CudaStream,
        value: &Pinned<T>,
    ) -> Result<Held<'_>, VariableError> {
        self.is_for_one(value)?;
        let address = self.enter(stream)?;
        let copy = |from: *mut T| {
            // SAFETY: the variable has as many bytes as the value. The buffer waits for the copy.
            unsafe { self.copy_to(stream, address, core::slice::from_raw_parts(from, 1)) }
        };
        // SAFETY: the copy only reads the buffer, in this stream, which is not captured.
        unsafe { value.submit(stream, self.driver(), copy) }
    }

    /// Copies the variable to a buffer of one value, in the order of the stream, without waiting:
    /// [`as_slice`](Pinned::as_slice) does that.
    ///
    /// # Errors
    /// The buffer does not have exactly one value; or the same as [`get`](Self::get).
    pub fn get_async(
        &self,
        stream: &CudaStream,
        value: &mut Pinned<T>,
    ) -> Result<(), VariableError> {
        self.is_for_one(value)?;
        let address = self.enter(stream)?;
        let copy = |to: *mut T| {
            // SAFETY: as in `set_async`; every bit pattern is a valid value.
            unsafe {
                self.copy_from(stream, address, core::slice::from_raw_parts_mut(to, 1), false)
            }
        };
        // SAFETY: as in `set_async`; the buffer is borrowed mutably.
        unsafe { value.submit(stream, self.driver(), copy) }
    }

    fn is_for_one(&self, values: &Pinned<T>) -> Result<(), VariableError> {
        match values.len() {
            1 => Ok(()),
            given => Err(VariableError::Length { variable: self.name, len: 1, given }),
        }
    }
}

/// The bytes of a value that may not be `Copy`.
pub(super) struct ValueBytes<E>(MaybeUninit<E>);

impl<E: DeviceCopy> ValueBytes<E> {
    pub(super) fn of(value: &E) -> Self {
        // SAFETY: a bitwise copy that is never used as an owned value.
        Self(unsafe { core::ptr::from_ref(value).cast::<MaybeUninit<E>>().read() })
    }
}

impl<E: DeviceCopy> Clone for ValueBytes<E> {
    fn clone(&self) -> Self {
        // SAFETY: as above.
        Self(unsafe { core::ptr::from_ref(&self.0).read() })
    }
}
