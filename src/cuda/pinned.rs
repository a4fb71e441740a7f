//! Page-locked memory of the host.

use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;
use std::sync::Arc;

use cudarc::driver::sys::{CUevent_flags, CUresult};
use cudarc::driver::{
    CudaContext, CudaEvent, CudaStream, DriverError, HostSlice, SyncOnDrop, result,
};
use ptx_types::DeviceCopy;
use thiserror::Error;

use super::context::{is_captured, is_same};

/// Why there is no pinned buffer.
#[derive(Clone, Copy, Error)]
#[non_exhaustive]
pub enum PinnedError {
    /// The size exceeds the address space.
    #[error("{len} elements of {bytes} bytes are more than the address space has")]
    TooLarge {
        /// The number of elements.
        len: usize,
        /// The size of one in bytes.
        bytes: usize,
    },
    /// The driver refuses the memory, or cannot be used.
    #[error("the driver has no pinned memory of {bytes} bytes: {source}")]
    Driver {
        /// The size in bytes.
        bytes: usize,
        /// The driver's error.
        source: DriverError,
    },
}

ptx_types::__debug_as_message!(PinnedError);

/// A buffer of `T` in page-locked memory of the host, from and to which the device copies while the host goes on.
///
/// It fits wherever cudarc takes a [`HostSlice`]: [`memcpy_htod`](CudaStream::memcpy_htod),
/// [`memcpy_dtoh`](CudaStream::memcpy_dtoh), and [`set`](super::LoadedSlice::set) and
/// [`get_into`](super::LoadedSlice::get_into) of a range of a variable. A whole variable is copied by
/// [`set_async`](super::LoadedVariable::set_async) and [`get_async`](super::LoadedVariable::get_async).
///
/// ```no_run
/// use ptx::cuda::Pinned;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let context = ptx::cuda::context(0)?;
/// let stream = context.new_stream()?;
/// let mut rows = Pinned::<f32>::zeroed(&context, 4096)?;
/// let mut on_device = stream.alloc_zeros::<f32>(4096)?;
/// rows.as_mut_slice()?.fill(1.0);
/// stream.memcpy_htod(&rows, &mut on_device)?; // returns at once
/// stream.memcpy_dtoh(&on_device, &mut rows)?; // so does this
/// assert_eq!(rows.as_slice()?[0], 1.0); // waits for both
/// # Ok(())
/// # }
/// ```
///
/// The buffer outlives its copies: only [`as_slice`](Self::as_slice) and [`as_mut_slice`](Self::as_mut_slice) reach the
/// elements, and they wait for the copies before, as dropping the buffer does. If the wait fails, the memory is leaked. The
/// copies of one buffer, in whichever streams, follow each other. A buffer may be sent to another thread, but not shared.
///
/// Give cudarc the buffer itself, not its elements: it takes a slice for memory that is copied before it returns.
///
/// In the context's default stream, and in the one of each thread, where cudarc may record no events, cudarc's copies wait
/// for the stream, as they do in a stream of another context. In a stream that is captured they copy nothing, and leave an error in the context: a graph may run after
/// the buffer is gone.
pub struct Pinned<T> {
    elements: NonNull<T>,
    len: usize,
    /// The end of the last copy.
    event: CudaEvent,
    /// Threads that share it could lose an event.
    not_sync: PhantomData<Cell<T>>,
}

// SAFETY: it owns its elements, which are values without owners, and any thread may use the driver's memory.
unsafe impl<T: DeviceCopy> Send for Pinned<T> {}

impl<T> fmt::Debug for Pinned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pinned({} elements)", self.len)
    }
}

impl<T: DeviceCopy> Pinned<T> {
    /// Makes a buffer of `len` elements, all of whose bytes are zero.
    ///
    /// # Errors
    /// It is too large, or the driver refuses.
    pub fn zeroed(context: &Arc<CudaContext>, len: usize) -> Result<Self, PinnedError> {
        let bytes = size_of::<T>();
        let total = len.checked_mul(bytes).filter(|total| isize::try_from(*total).is_ok());
        let total = total.ok_or(PinnedError::TooLarge { len, bytes })?;
        let driver = |source| PinnedError::Driver { bytes: total, source };
        context.bind_to_thread().map_err(driver)?;
        let event =
            context.new_event(Some(CUevent_flags::CU_EVENT_BLOCKING_SYNC)).map_err(driver)?;
        // SAFETY: the memory is written below, before it is used. The driver has no buffers of 0 bytes.
        let elements = unsafe { result::malloc_host(total.max(1), 0) }.map_err(driver)?;
        let elements = NonNull::new(elements.cast::<T>()).filter(|it| it.is_aligned());
        let refused = DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        let elements = elements.ok_or_else(|| driver(refused))?;
        // SAFETY: there are as many bytes, and nothing else uses them.
        unsafe { elements.cast::<u8>().write_bytes(0, total) };
        Ok(Self { elements, len, event, not_sync: PhantomData })
    }

    /// Makes a buffer with a copy of these elements.
    ///
    /// # Errors
    /// The same as [`zeroed`](Self::zeroed).
    pub fn from_slice(context: &Arc<CudaContext>, elements: &[T]) -> Result<Self, PinnedError> {
        let buffer = Self::zeroed(context, elements.len())?;
        // SAFETY: there are as many elements, and nothing else uses the buffer; a `DeviceCopy` is its bytes.
        unsafe {
            buffer.elements.as_ptr().copy_from_nonoverlapping(elements.as_ptr(), elements.len());
        }
        Ok(buffer)
    }

    /// Waits for the copies to the buffer and from it, and returns the elements.
    ///
    /// # Errors
    /// Earlier work failed.
    pub fn as_slice(&self) -> Result<&[T], DriverError> {
        self.event.synchronize()?;
        // SAFETY: the elements are initialised, every bit pattern is a value, and copies that may follow as long as this is
        // borrowed only read them.
        Ok(unsafe { core::slice::from_raw_parts(self.elements.as_ptr(), self.len) })
    }

    /// Waits for the copies to the buffer and from it, and returns the elements.
    ///
    /// # Errors
    /// The same as [`as_slice`](Self::as_slice).
    pub fn as_mut_slice(&mut self) -> Result<&mut [T], DriverError> {
        self.event.synchronize()?;
        // SAFETY: as above; no copy may follow as long as this is borrowed.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.elements.as_ptr(), self.len) })
    }

    /// Submits a copy between the buffer and the device, which comes after the copies before.
    ///
    /// # Safety
    /// The copy is submitted to the stream, which is not captured. It uses the elements only until then, and writes them
    /// only if this is borrowed mutably.
    pub(super) unsafe fn submit<R, E>(
        &self,
        stream: &CudaStream,
        driver: impl Fn(DriverError) -> E,
        copy: impl FnOnce(*mut T) -> Result<R, E>,
    ) -> Result<R, E> {
        stream.wait(&self.event).map_err(&driver)?;
        let copied = copy(self.elements.as_ptr());
        // A copy that returns an error may have been submitted.
        if !self.is_of(stream) || self.event.record(stream).is_err() {
            stream.synchronize().map_err(driver)?;
        }
        copied
    }
}

impl<T> Pinned<T> {
    /// The first element, for what waits for the copies itself.
    pub(super) fn elements(&self) -> *mut T {
        self.elements.as_ptr()
    }

    /// The context in which it is page-locked.
    pub(super) fn context(&self) -> &Arc<CudaContext> {
        self.event.context()
    }

    /// Lets a stream wait for the copies to the buffer and from it.
    pub(super) fn wait_in(&self, stream: &CudaStream) -> Result<(), DriverError> {
        stream.wait(&self.event)
    }

    /// Lets others wait for what the stream, which belongs to its context, does with it.
    pub(super) fn record(&mut self, stream: &CudaStream) -> Result<(), DriverError> {
        self.event.record(stream)
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a stream belongs to the context of the buffer, and so may record its event.
    fn is_of(&self, stream: &CudaStream) -> bool {
        is_same(stream.context(), self.event.context())
    }

    /// Orders a copy that cudarc submits to the stream, and says how many elements it may copy.
    fn ordered<'a>(&'a self, stream: &'a CudaStream) -> (usize, SyncOnDrop<'a>) {
        let context = stream.context();
        // cudarc records events for streams that it counts, which the default stream and that of a thread are not.
        let is_recorded = self.is_of(stream)
            && stream.cu_stream().addr() > 2
            && context.is_managing_stream_synchronization();
        let ready = is_captured(stream).and_then(|is_captured| match (is_captured, is_recorded) {
            (true, _) => Err(DriverError(CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)),
            (false, true) => stream.wait(&self.event),
            // The host itself may read the elements.
            (false, false) => self.event.synchronize(),
        });
        if let Err(error) = ready {
            context.record_err::<()>(Err(error));
            return (0, SyncOnDrop::Sync(None));
        }
        if is_recorded {
            (self.len, SyncOnDrop::Record(Some((&self.event, stream))))
        } else {
            (self.len, SyncOnDrop::Sync(Some(stream)))
        }
    }
}

impl<T: DeviceCopy> HostSlice<T> for Pinned<T> {
    fn len(&self) -> usize {
        self.len
    }

    unsafe fn stream_synced_slice<'a>(
        &'a self,
        stream: &'a CudaStream,
    ) -> (&'a [T], SyncOnDrop<'a>) {
        let (len, order) = self.ordered(stream);
        // SAFETY: the elements are initialised; the caller uses them in the stream only, and copies to them have completed
        // when that does.
        (unsafe { core::slice::from_raw_parts(self.elements.as_ptr(), len) }, order)
    }

    unsafe fn stream_synced_mut_slice<'a>(
        &'a mut self,
        stream: &'a CudaStream,
    ) -> (&'a mut [T], SyncOnDrop<'a>) {
        let (len, order) = self.ordered(stream);
        // SAFETY: as above.
        (unsafe { core::slice::from_raw_parts_mut(self.elements.as_ptr(), len) }, order)
    }
}

impl<T> Drop for Pinned<T> {
    fn drop(&mut self) {
        let context = self.event.context();
        let freed = self.event.synchronize().and_then(|()| {
            // SAFETY: the driver's memory, which nothing uses any more.
            unsafe { result::free_host(self.elements.as_ptr().cast()) }
        });
        context.record_err(freed);
    }
}
