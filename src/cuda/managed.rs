//! Managed variables, which the host accesses in place.

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use cudarc::driver::{DriverError, sys};
use ptx_types::DeviceCopy;

use super::borrows::Borrow;
use super::calls::device_attribute;
use super::order::Held;
use super::variable::{LoadedVariable, Managed};
use super::variable_error::VariableError;

/// `CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS`.
const CONCURRENT_MANAGED_ACCESS: u32 = 89;

impl<L, T: DeviceCopy> LoadedVariable<L, Managed, T> {
    /// Waits until all work in the module's context has completed, and gives the host the variable as a `&mut T`, without a
    /// copy, until the guard is dropped.
    ///
    /// ```no_run
    /// use ptx::prelude::*;
    ///
    /// #[ptx::module(target = sm_80)]
    /// mod count {
    ///     #[global(managed)]
    ///     pub static COUNTS: [u32; 4] = [0; 4];
    ///
    ///     #[kernel(reqntid = 32, grid = 1, unsafe(safe_launch))]
    ///     pub fn count() {
    ///         ptx! {
    ///             .reg .u32 %old;
    ///             atom.global.add.u32 %old, [COUNTS], 1;
    ///             ret;
    ///         }
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let context = ptx::cuda::context(0)?;
    /// let module = ptx::cuda::load::<count::Loaded>(&context)?;
    /// module.COUNTS.lock()?[0] = 10;
    /// module.count().launch(&context.default_stream(), ())?;
    /// assert_eq!(module.COUNTS.lock()?[0], 42); // after the launch
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// As long as there is a guard, a launch of a kernel or a graph that uses the variable, or a copy of it, is an `Err` in the same
    /// thread, and waits in another, as does a `set` of any variable of the module. What reaches the variable by its
    /// [address](Self::ptr) is not kept from it.
    ///
    /// Copies of cudarc take a slice of host memory for one that is copied before they return, so give them no part of the
    /// variable.
    ///
    /// # Errors
    /// This thread has a guard of the variable already; the compiler removed the variable; the device has no concurrent
    /// access to managed memory, as on Windows; a stream is being captured; or earlier work failed.
    pub fn lock(&self) -> Result<ManagedGuard<'_, T>, VariableError> {
        let variable = self.name();
        let address = self.address.ok_or(VariableError::LeftOut { variable })?;
        let context = &self.module.context;
        context.bind_to_thread().map_err(self.driver())?;
        let has_access = device_attribute(CONCURRENT_MANAGED_ACCESS, context.cu_device());
        if has_access != Some(1) || !is_managed(address).map_err(self.driver())? {
            return Err(VariableError::NoManagedAccess { variable });
        }
        let value = usize::try_from(address).ok();
        let value =
            value.and_then(|it| NonNull::new(core::ptr::with_exposed_provenance_mut::<T>(it)));
        let Some(value) = value.filter(|value| value.is_aligned()) else {
            return Err(VariableError::NoManagedAccess { variable });
        };
        let held = self.module.order.hold();
        let borrow = self.module.borrows.borrow(address);
        let borrow = borrow.map_err(|_| VariableError::Borrowed { variable })?;
        // From here on nothing is submitted that uses the variable.
        context.synchronize().map_err(self.driver())?;
        Ok(ManagedGuard { value, variable, _borrow: borrow, _held: held, of: PhantomData })
    }
}

/// Whether the driver has managed memory at this address.
fn is_managed(address: u64) -> Result<bool, DriverError> {
    let mut is_managed = 0_u32;
    let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED;
    // SAFETY: it writes a boolean of at most 4 bytes.
    unsafe { sys::cuPointerGetAttribute((&raw mut is_managed).cast(), attribute, address) }
        .result()?;
    Ok(is_managed != 0)
}

/// A managed variable in the hands of the host: what [`lock`](LoadedVariable::lock) returns.
///
/// It borrows the module's handle, and belongs to the thread that made it.
pub struct ManagedGuard<'v, T> {
    value: NonNull<T>,
    variable: &'static str,
    // Dropped in this order.
    _borrow: Borrow<'v>,
    _held: Held<'v>,
    of: PhantomData<&'v mut T>,
}

impl<T> Deref for ManagedGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: managed memory of the variable's size, which the handle keeps loaded; every bit pattern is a value. No work
        // that uses it is running or submitted, and there is no other guard.
        unsafe { self.value.as_ref() }
    }
}

impl<T> DerefMut for ManagedGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above.
        unsafe { self.value.as_mut() }
    }
}

impl<T: fmt::Debug> fmt::Debug for ManagedGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ManagedGuard({}: {:?})", self.variable, **self)
    }
}
