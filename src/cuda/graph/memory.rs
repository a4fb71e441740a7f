//! Host memory that the copies of a graph read and write.

use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaStream, DriverError, HostSlice, PinnedHostSlice, SyncOnDrop,
};
use ptx_types::DeviceCopy;

use crate::cuda::nodes::GraphNumber;
use crate::cuda::pinned::Pinned;

/// Page-locked memory of the host that a graph borrows as long as it exists: `&mut pinned`, of a [`Pinned`] or of cudarc's
/// [`PinnedHostSlice`].
#[diagnostic::on_unimplemented(
    message = "a graph does not borrow `{Self}` for a copy",
    label = "not page-locked memory that it can borrow",
    note = "it borrows `&mut pinned`, of a `Pinned<T>` or a `PinnedHostSlice<T>`"
)]
pub trait PinnedMemory<'b> {
    /// The type of its elements.
    type Element: DeviceCopy;

    #[doc(hidden)]
    fn __host(self) -> Host<'b, Self::Element>;
}

/// Where the elements are. Other crates cannot name it, and so not implement the trait above.
pub enum Host<'b, T> {
    Owned(Pinned<T>),
    Pinned(&'b mut Pinned<T>),
    Slice(&'b mut PinnedHostSlice<T>),
}

#[diagnostic::do_not_recommend]
impl<'b, T: DeviceCopy> PinnedMemory<'b> for &'b mut Pinned<T> {
    type Element = T;

    fn __host(self) -> Host<'b, T> {
        Host::Pinned(self)
    }
}

#[diagnostic::do_not_recommend]
impl<'b, T: DeviceCopy> PinnedMemory<'b> for &'b mut PinnedHostSlice<T> {
    type Element = T;

    fn __host(self) -> Host<'b, T> {
        Host::Slice(self)
    }
}

/// Memory that a graph keeps for a copy.
pub(super) struct Kept<'b, T>(Host<'b, T>);

// SAFETY: as long as the graph has the memory, nothing else reaches it. Shared references to the graph only read elements
// that no launch is writing; what changes the memory or its event needs `&mut`.
unsafe impl<T: DeviceCopy> Sync for Kept<'_, T> {}

/// Memory of any element type.
pub(super) trait HostMemory: Send + Sync {
    /// Lets others wait for a launch of the graph, if they can reach the memory without it.
    fn after(&mut self, stream: &CudaStream) -> Result<(), DriverError>;

    /// This memory as a [`Kept`].
    fn pointer(&self) -> *const c_void;

    /// The same, to change it.
    fn pointer_mut(&mut self) -> *mut c_void;
}

impl<'b, T: DeviceCopy> Kept<'b, T> {
    pub(super) fn new(host: Host<'b, T>) -> Self {
        Self(host)
    }

    pub(super) fn len(&self) -> usize {
        match &self.0 {
            Host::Owned(own) => own.len(),
            Host::Pinned(pinned) => pinned.len(),
            Host::Slice(slice) => PinnedHostSlice::len(slice),
        }
    }

    /// The context in which it is page-locked.
    pub(super) fn context(&self) -> &Arc<CudaContext> {
        match &self.0 {
            Host::Owned(own) => own.context(),
            Host::Pinned(pinned) => pinned.context(),
            Host::Slice(slice) => slice.context(),
        }
    }

    /// The first element, for copies that the stream runs after earlier ones.
    pub(super) fn bind(&mut self, stream: &CudaStream) -> Result<*mut T, DriverError> {
        match &mut self.0 {
            Host::Owned(own) => Ok(own.elements()),
            Host::Pinned(pinned) => pinned.wait_in(stream).map(|()| pinned.elements()),
            // SAFETY: only the address is used, in the stream.
            Host::Slice(slice) => Ok(unsafe { start_mut(slice, stream) }),
        }
    }

    /// Copies the elements.
    ///
    /// # Safety
    /// No launch is writing to the memory, and there is room for as many elements.
    pub(super) unsafe fn copy_to(&self, to: *mut T, stream: &CudaStream) {
        let from = match &self.0 {
            Host::Owned(own) => own.elements().cast_const(),
            Host::Pinned(pinned) => pinned.elements().cast_const(),
            Host::Slice(slice) => {
                // SAFETY: only the address is used, below.
                let (elements, access) = unsafe { slice.stream_synced_slice(stream) };
                // Nothing is submitted.
                core::mem::forget(access);
                elements.as_ptr()
            }
        };
        // SAFETY: the caller's; a `DeviceCopy` is its bytes.
        unsafe { to.copy_from_nonoverlapping(from, self.len()) };
    }

    /// Replaces the elements.
    ///
    /// # Safety
    /// No launch is reading the memory, and there are as many values as it has elements.
    pub(super) unsafe fn fill(&mut self, values: &[T], stream: &CudaStream) {
        let to = match &mut self.0 {
            Host::Owned(own) => own.elements(),
            Host::Pinned(pinned) => pinned.elements(),
            // SAFETY: only the address is used, below.
            Host::Slice(slice) => unsafe { start_mut(slice, stream) },
        };
        // SAFETY: the caller's; the bytes are copied, and never used as owned values.
        unsafe { to.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
    }
}

/// The first element.
///
/// # Safety
/// Only the stream uses it, or it has no unfinished work with it.
unsafe fn start_mut<T>(slice: &mut PinnedHostSlice<T>, stream: &CudaStream) -> *mut T {
    // SAFETY: the caller's.
    let (elements, access) = unsafe { slice.stream_synced_mut_slice(stream) };
    // Nothing is submitted yet.
    core::mem::forget(access);
    elements.as_mut_ptr()
}

impl<T: DeviceCopy> HostMemory for Kept<'_, T> {
    fn after(&mut self, stream: &CudaStream) -> Result<(), DriverError> {
        match &mut self.0 {
            Host::Owned(_) => Ok(()),
            Host::Pinned(pinned) => pinned.record(stream),
            Host::Slice(slice) => {
                // SAFETY: only the event is used.
                let (_, access) = unsafe { slice.stream_synced_mut_slice(stream) };
                // cudarc records it only where it orders streams, and waits for it before the host reads the memory.
                match &*ManuallyDrop::new(access) {
                    SyncOnDrop::Record(Some((event, stream))) => event.record(stream),
                    SyncOnDrop::Record(None) | SyncOnDrop::Sync(_) => stream.synchronize(),
                }
            }
        }
    }

    fn pointer(&self) -> *const c_void {
        core::ptr::from_ref(self).cast()
    }

    fn pointer_mut(&mut self) -> *mut c_void {
        core::ptr::from_mut(self).cast()
    }
}

/// Values that a graph copies to the device at each launch: [`Graph::write`](super::Graph::write) replaces them.
pub struct Upload<T> {
    pub(super) place: Memory<T>,
}

/// Memory that a graph copies to the host at each launch: [`Graph::read`](super::Graph::read) returns the values.
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
