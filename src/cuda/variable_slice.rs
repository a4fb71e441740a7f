//! Ranges of arrays of a loaded module.

use core::fmt;
use core::ops::{Bound as End, RangeBounds};
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::{CudaStream, HostSlice, SyncOnDrop};
use ptx_types::DeviceCopy;

use super::context::is_same;
use super::module::LoadedModule;
use super::order::Held;
use super::variable::{HostSpace, LoadedVariable, ValueBytes};
use super::variable_error::VariableError;

impl<L, S: HostSpace, E: DeviceCopy, const N: usize> LoadedVariable<L, S, [E; N]> {
    /// A range of the elements.
    ///
    /// # Errors
    /// The range exceeds the array.
    pub fn slice(
        &self,
        range: impl RangeBounds<usize>,
    ) -> Result<LoadedSlice<'_, L, S, E, N>, VariableError> {
        let start = match range.start_bound() {
            End::Included(start) => *start,
            End::Excluded(before) => before.saturating_add(1),
            End::Unbounded => 0,
        };
        let end = match range.end_bound() {
            End::Included(last) => last.saturating_add(1),
            End::Excluded(end) => *end,
            End::Unbounded => N,
        };
        if start > end || end > N {
            return Err(VariableError::OutOfBounds { variable: self.name(), len: N, start, end });
        }
        Ok(LoadedSlice { variable: self, start, len: end - start })
    }

    /// Sets every element to the value.
    ///
    /// # Errors
    /// The same as [`set`](Self::set).
    pub fn fill(&self, stream: &CudaStream, value: &E) -> Result<Held<'_>, VariableError> {
        LoadedSlice { variable: self, start: 0, len: N }.fill(stream, value)
    }
}

/// A range of elements of an array in a loaded module.
pub struct LoadedSlice<'v, L, S, E, const N: usize> {
    variable: &'v LoadedVariable<L, S, [E; N]>,
    start: usize,
    len: usize,
}

impl<L, S, E, const N: usize> fmt::Debug for LoadedSlice<'_, L, S, E, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "LoadedSlice({}[{}..{}])",
            self.variable.name(),
            self.start,
            self.start + self.len
        )
    }
}

impl<'v, L, S: HostSpace, E: DeviceCopy, const N: usize> LoadedSlice<'v, L, S, E, N> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The module that the array is in.
    pub(super) fn module(&self) -> &Arc<LoadedModule> {
        &self.variable.module
    }

    pub(super) fn fits(&self, given: usize) -> Result<(), VariableError> {
        if given == self.len {
            return Ok(());
        }
        Err(VariableError::Length { variable: self.variable.name(), len: self.len, given })
    }

    pub(super) fn enter(&self, stream: &CudaStream) -> Result<u64, VariableError> {
        let address = self.variable.enter(stream)?;
        Ok(address + (self.start * size_of::<E>()) as u64)
    }

    /// Sets the elements, in the order of the stream: from pinned memory without waiting, if the context
    /// manages streams; other memory is read before this returns.
    ///
    /// # Errors
    /// The number of values differs from the number of elements; or the same as
    /// [`LoadedVariable::set`].
    pub fn set<H: HostSlice<E> + ?Sized>(
        &self,
        stream: &CudaStream,
        values: &H,
    ) -> Result<Held<'v>, VariableError> {
        self.fits(values.len())?;
        let address = self.enter(stream)?;
        // SAFETY: the source is used in this stream, and there are as many elements as values. Memory other than
        // pinned memory that orders itself is first copied to memory that is not page-locked, which is read
        // before the call returns.
        unsafe {
            let (values, order) = values.stream_synced_slice(stream);
            // Other crates may implement the trait, so the returned slice decides.
            self.fits(values.len())?;
            if orders_itself(&order, stream) {
                self.variable.copy_to(stream, address, values)
            } else {
                let values: Vec<ValueBytes<E>> = values.iter().map(ValueBytes::of).collect();
                self.variable.copy_to(stream, address, &values)
            }
        }
    }

    /// Copies the elements, in the order of the stream: into pinned memory without waiting, if the context
    /// manages streams; into other memory before this returns.
    ///
    /// # Errors
    /// The number of values differs from the number of elements; or the same as [`LoadedVariable::get`].
    pub fn get_into<H: HostSlice<E> + ?Sized>(
        &self,
        stream: &CudaStream,
        values: &mut H,
    ) -> Result<(), VariableError> {
        self.fits(values.len())?;
        let address = self.enter(stream)?;
        // SAFETY: as in `set`; this waits for memory other than pinned memory. Every bit pattern is a valid value.
        unsafe {
            let (values, order) = values.stream_synced_mut_slice(stream);
            self.fits(values.len())?;
            let waits = !orders_itself(&order, stream);
            self.variable.copy_from(stream, address, values, waits)
        }
    }

    /// Sets every element to the value.
    ///
    /// # Errors
    /// The same as [`LoadedVariable::set`].
    pub fn fill(&self, stream: &CudaStream, value: &E) -> Result<Held<'v>, VariableError> {
        let address = self.enter(stream)?;
        let values = std::vec![ValueBytes::of(value); self.len];
        // SAFETY: there are as many elements as values, each of the same size; the values are read before this
        // returns.
        unsafe { self.variable.copy_to(stream, address, &values) }
    }
}

/// Whether host memory is synchronised by its next user: pinned memory, if
/// cudarc records events.
fn orders_itself(order: &SyncOnDrop<'_>, stream: &CudaStream) -> bool {
    // In a default stream alone, cudarc records nothing if the other streams are gone by then.
    let is_own = stream.cu_stream().addr() > 2;
    let context = stream.context();
    matches!(order, SyncOnDrop::Record(Some((event, _))) if is_same(event.context(), context))
        && is_own
        && context.is_managing_stream_synchronization()
}
