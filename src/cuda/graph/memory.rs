//! Host memory that a graph owns: what its copies read and write.

use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

use cudarc::driver::{CudaContext, DriverError, result};
use ptx_types::DeviceCopy;

use crate::cuda::nodes::GraphNumber;

/// Page-locked memory.
pub(super) struct Pinned {
    pointer: *mut c_void,
    /// Its size in bytes.
    bytes: usize,
    context: Arc<CudaContext>,
}

// SAFETY: the memory is reached through `&self` and `&mut self` alone, as that of a `Vec`.
unsafe impl Send for Pinned {}
// SAFETY: as above.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// Memory of this size, filled with zeros, in the context, which is current.
    pub(super) fn new(bytes: usize, context: &Arc<CudaContext>) -> Result<Self, DriverError> {
        // SAFETY: it is filled below.
        let pointer = unsafe { result::malloc_host(bytes.max(1), 0) }?;
        // SAFETY: as many bytes were allocated.
        unsafe { core::ptr::write_bytes(pointer.cast::<u8>(), 0, bytes) };
        Ok(Self { pointer, bytes, context: Arc::clone(context) })
    }

    pub(super) fn pointer(&self) -> *mut c_void {
        self.pointer
    }

    /// The elements.
    ///
    /// # Safety
    /// No launch is writing to the memory.
    pub(super) unsafe fn elements<T: DeviceCopy>(&self) -> &[T] {
        let len = self.bytes.checked_div(size_of::<T>()).unwrap_or(0);
        // SAFETY: page-locked memory is aligned for every type; it was filled, and every bit pattern is a valid value.
        unsafe { core::slice::from_raw_parts(self.pointer.cast(), len) }
    }

    /// Replaces the elements.
    ///
    /// # Safety
    /// No launch is reading the memory, and there are as many values as it has elements.
    pub(super) unsafe fn fill<T: DeviceCopy>(&mut self, values: &[T]) {
        // SAFETY: guaranteed by the caller; the bytes are copied, and never used as owned values.
        unsafe {
            core::ptr::copy_nonoverlapping(
                values.as_ptr().cast::<u8>(),
                self.pointer.cast::<u8>(),
                size_of_val(values),
            );
        }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        let context = &self.context;
        context.record_err(context.bind_to_thread());
        // SAFETY: it was allocated by `malloc_host`.
        context.record_err(unsafe { result::free_host(self.pointer) });
    }
}

/// Values that a graph copies to the device at each launch: [`Graph::write`](super::Graph::write) replaces them.
pub struct Upload<T> {
    pub(super) place: Memory<T>,
}

/// Memory that a graph copies to the host at each launch: [`Graph::read`](super::Graph::read) returns it.
pub struct Download<T> {
    pub(super) place: Memory<T>,
}

/// Which memory of which graph.
pub(super) struct Memory<T> {
    pub(super) graph: GraphNumber,
    pub(super) index: usize,
    pub(super) len: usize,
    of: PhantomData<fn(T) -> T>,
}

impl<T> Memory<T> {
    /// The memory of this number, which has as many elements of this type.
    pub(super) fn new(graph: GraphNumber, index: usize, len: usize) -> Self {
        Self { graph, index, len, of: PhantomData }
    }
}

macro_rules! handles {
    ($($Handle:ident)*) => {$(
        impl<T> $Handle<T> {
            /// The number of elements.
            pub fn len(&self) -> usize {
                self.place.len
            }

            /// Whether it has no elements.
            pub fn is_empty(&self) -> bool {
                self.place.len == 0
            }
        }

        impl<T> Clone for $Handle<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $Handle<T> {}

        impl<T> fmt::Debug for $Handle<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({} elements)", stringify!($Handle), self.place.len)
            }
        }
    )*};
}

handles!(Upload Download);

impl<T> Clone for Memory<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Memory<T> {}
