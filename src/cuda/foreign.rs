//! Contexts, streams and memory of other libraries.

#![allow(clippy::doc_markdown, reason = "PyTorch and CuPy are names")]

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
use std::boxed::Box;
use std::sync::{Arc, OnceLock};

use cudarc::driver::sys::{CUcontext, CUdevice, CUdeviceptr, CUstream};
use cudarc::driver::{
    CudaContext, CudaEvent, CudaStream, DevicePtr, DevicePtrMut, DeviceSlice, DriverError,
    SyncOnDrop, result,
};
use thiserror::Error;

use super::calls;
use super::context::is_same;

/// Why the memory of another library cannot be borrowed.
#[derive(Clone, Copy, Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// The address is not a multiple of the alignment of the elements.
    #[error(
        "the memory starts at {address:#x}, which is not a multiple of {align}, as its elements require"
    )]
    Misaligned {
        /// The address.
        address: u64,
        /// The alignment of an element in bytes.
        align: usize,
    },
    /// The memory ends beyond all addresses.
    #[error("{len} elements of {bytes} bytes from {address:#x} end beyond the last address")]
    TooLong {
        /// The address.
        address: u64,
        /// The number of elements.
        len: usize,
        /// The bytes of an element.
        bytes: usize,
    },
    /// The driver does not know the address.
    #[error("the driver has no memory at {address:#x}: it was freed, or CUDA did not allocate it")]
    Unknown {
        /// The address.
        address: u64,
    },
    /// The memory is on another device than the stream.
    #[error("the memory at {address:#x} is on device {of}, and the stream is on device {expected}")]
    OtherDevice {
        /// The address.
        address: u64,
        /// The device of the memory.
        of: i32,
        /// The device of the stream.
        expected: i32,
    },
    /// The driver refuses.
    #[error("the driver refuses: {0}")]
    Driver(#[from] DriverError),
}

ptx_types::__debug_as_message!(ForeignError);

/// The context of another library, as cudarc's. Dropping it does not destroy the context.
///
/// Libraries that use the CUDA runtime, such as PyTorch and candle, work in the primary context of a device, which
/// is what [`context`](super::context) returns; this is for those that make their own with `cuCtxCreate`.
///
/// # Safety
/// It is a context, and it is destroyed after everything that is made from it, modules and buffers too.
///
/// # Errors
/// The driver refuses the context.
pub unsafe fn borrow_context(context: CUcontext) -> Result<Arc<CudaContext>, DriverError> {
    // SAFETY: the caller's: it is a context.
    unsafe { result::ctx::set_current(context)? };
    let mut device: CUdevice = 0;
    // SAFETY: a number is written.
    unsafe { cudarc::driver::sys::cuCtxGetDevice(&raw mut device).result()? };
    // A device's handle is its number.
    let ordinal = usize::try_from(device).unwrap_or(0);
    let primary = CudaContext::new(ordinal)?;
    if primary.cu_ctx() == context {
        return Ok(primary);
    }
    // SAFETY: the caller's: it is a context of this device, which outlives what is made from it.
    let borrowed = unsafe { CudaContext::from_raw_context(ordinal, device, context)? };
    // The last handle would destroy the context, so there is always another.
    core::mem::forget(Arc::clone(&borrowed));
    Ok(borrowed)
}

/// A stream of another library. Dropping it does not destroy the stream.
///
/// A launch takes it as its stream, `&stream`, as do cudarc's functions; work on cudarc's own streams is ordered
/// with it by events, as long as this exists.
#[derive(Debug)]
pub struct BorrowedStream {
    stream: Arc<CudaStream>,
    /// cudarc orders streams by events if there are several that it knows, and it does not count a borrowed one.
    _another: Arc<CudaStream>,
}

impl Deref for BorrowedStream {
    type Target = Arc<CudaStream>;

    fn deref(&self) -> &Arc<CudaStream> {
        &self.stream
    }
}

/// A stream of another library, such as `torch.cuda.current_stream().cuda_stream`, as cudarc's.
///
/// It takes some microseconds, and waits for the context if it had no streams before: keep what it returns.
///
/// # Safety
/// It is a stream of this context, or null, the default stream; and it is destroyed after what is returned here, which
/// in turn is dropped after all clones of the `Arc` in it.
///
/// # Errors
/// The driver refuses to make a stream beside it.
pub unsafe fn borrow_stream(
    context: &Arc<CudaContext>,
    stream: CUstream,
) -> Result<BorrowedStream, DriverError> {
    let another = context.new_stream()?;
    // SAFETY: the caller's; work is ordered by events, since there is another stream.
    let stream = unsafe { context.wrap_borrowed_stream(stream) };
    Ok(BorrowedStream { stream, _another: another })
}

/// Memory of another library that this borrows: `len` elements of `T`. Dropping it does not free them.
///
/// It is an argument of launches as a `CudaSlice` is: `&mut memory`, or `&memory` where the parameter is declared
/// `#[readonly]`, with the same checks of length and alignment. It is cudarc's `DevicePtr` and `DevicePtrMut`, too, so
/// that its streams copy from and to it, and that [tensor maps](super::Over) are made over it.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use ptx::cuda::{ForeignSlice, borrow_stream};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (address, raw_stream) = (0, std::ptr::null_mut());
/// let context = ptx::cuda::context(0)?;
/// // What `x.data_ptr()`, `x.numel()` and `torch.cuda.current_stream().cuda_stream` are in PyTorch.
/// let stream = unsafe { borrow_stream(&context, raw_stream)? };
/// let x = unsafe { ForeignSlice::<f32>::new(address, 1024, &stream)? };
/// println!("{:?}", stream.clone_dtoh(&x)?);
/// # Ok(())
/// # }
/// ```
///
/// Work that is submitted with it is ordered after what its stream was given before; and after it is dropped, its stream
/// waits for that work.
pub struct ForeignSlice<'a, T> {
    address: CUdeviceptr,
    len: usize,
    stream: Arc<CudaStream>,
    /// The ends of the work on other streams.
    ends: Ends,
    owner: Owner,
    of: PhantomData<&'a mut [T]>,
}

/// The end of the last work on each stream: several may be about to use the memory at a time, and an event that two of them
/// record would forget one.
#[derive(Default)]
struct Ends(OnceLock<Box<End>>);

struct End {
    /// The driver's handle.
    stream: usize,
    event: CudaEvent,
    next: Ends,
}

impl Ends {
    /// Lets a stream wait for all of them.
    fn wait_in(&self, stream: &CudaStream) -> Result<(), DriverError> {
        let mut ends = self;
        while let Some(end) = ends.0.get() {
            stream.wait(&end.event)?;
            ends = &end.next;
        }
        Ok(())
    }

    /// The event of a stream, which has waited for it.
    fn of(&self, stream: &CudaStream) -> Result<&CudaEvent, DriverError> {
        let handle = stream.cu_stream().addr();
        let mut ends = self;
        loop {
            let end = match ends.0.get() {
                Some(end) => end,
                None => {
                    let event = stream.context().new_event(None)?;
                    let end = End { stream: handle, event, next: Self::default() };
                    // Another thread may have been faster.
                    ends.0.get_or_init(|| Box::new(end))
                }
            };
            if end.stream == handle {
                return Ok(&end.event);
            }
            ends = &end.next;
        }
    }
}

/// Gives memory back to its owner when it is dropped.
struct Owner(Option<Box<dyn FnOnce() + Send + Sync>>);

impl Drop for Owner {
    fn drop(&mut self) {
        if let Some(give_back) = self.0.take() {
            give_back();
        }
    }
}

impl<T> ForeignSlice<'_, T> {
    /// Borrows `len` elements at this address, which the other library accesses in the order of this stream.
    ///
    /// # Safety
    /// - As long as this exists, there are `len` elements at the address, each with the bits of a `T`.
    /// - During that time nothing else accesses them, except in work that was submitted to the stream before; reads may
    ///   go on if this is only used to read.
    /// - What frees them after it is dropped does so in the order of the stream.
    ///
    /// # Errors
    /// The address is not aligned for `T`, the driver knows no memory there, or it is on another device than the stream.
    pub unsafe fn new(
        address: CUdeviceptr,
        len: usize,
        stream: &Arc<CudaStream>,
    ) -> Result<Self, ForeignError> {
        let context = stream.context();
        context.bind_to_thread()?;
        let (bytes, align) = (size_of::<T>(), align_of::<T>());
        if !address.is_multiple_of(align as u64) {
            return Err(ForeignError::Misaligned { address, align });
        }
        let needed = (len as u64).checked_mul(bytes as u64);
        if needed.and_then(|needed| address.checked_add(needed)).is_none() {
            return Err(ForeignError::TooLong { address, len, bytes });
        }
        if needed != Some(0) {
            let of = device_of(address)?;
            let expected = context.cu_device();
            if of != expected {
                return Err(ForeignError::OtherDevice { address, of, expected });
            }
        }
        let (stream, ends, owner) = (Arc::clone(stream), Ends::default(), Owner(None));
        Ok(Self { address, len, stream, ends, owner, of: PhantomData })
    }

    /// The same memory, given back by this function after it is dropped and its stream waits for the work on it.
    pub(super) fn owned_by(mut self, give_back: impl FnOnce() + Send + Sync + 'static) -> Self {
        self.owner.0 = Some(Box::new(give_back));
        self
    }

    /// The address of the first element.
    pub const fn address(&self) -> CUdeviceptr {
        self.address
    }

    /// The number of elements.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Orders a stream after the earlier work on the memory.
    fn order<'s>(&'s self, stream: &'s CudaStream) -> (CUdeviceptr, SyncOnDrop<'s>) {
        let context = stream.context();
        context.record_err(self.ends.wait_in(stream));
        if stream.cu_stream() == self.stream.cu_stream() {
            return (self.address, SyncOnDrop::Record(None));
        }
        context.record_err(stream.join(&self.stream));
        // Otherwise, no event would be recorded.
        let is_recorded =
            context.is_managing_stream_synchronization() && is_same(context, self.stream.context());
        let access = match is_recorded.then(|| self.ends.of(stream)) {
            Some(Ok(event)) => SyncOnDrop::Record(Some((event, stream))),
            Some(Err(_)) | None => SyncOnDrop::sync_stream(stream),
        };
        (self.address, access)
    }
}

/// The device on which the memory at this address is.
fn device_of(address: u64) -> Result<i32, ForeignError> {
    /// `CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL`.
    const DEVICE: u32 = 9;
    let unknown = ForeignError::Unknown { address };
    let call = calls::pointer_attribute().map_err(|_| unknown)?;
    let mut device = 0_i32;
    // SAFETY: the value of this attribute is an `int`.
    match unsafe { call((&raw mut device).cast(), DEVICE, address) } {
        0 => Ok(device),
        _ => Err(unknown),
    }
}

impl<T> Drop for ForeignSlice<'_, T> {
    fn drop(&mut self) {
        let context = self.stream.context();
        context.record_err(self.ends.wait_in(&self.stream));
    }
}

impl<T> fmt::Debug for ForeignSlice<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ForeignSlice({:#x}, {} elements)", self.address, self.len)
    }
}

impl<T> DeviceSlice<T> for ForeignSlice<'_, T> {
    fn len(&self) -> usize {
        self.len
    }

    fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }
}

impl<T> DevicePtr<T> for ForeignSlice<'_, T> {
    fn device_ptr<'s>(&'s self, stream: &'s CudaStream) -> (CUdeviceptr, SyncOnDrop<'s>) {
        self.order(stream)
    }
}

impl<T> DevicePtrMut<T> for ForeignSlice<'_, T> {
    fn device_ptr_mut<'s>(&'s mut self, stream: &'s CudaStream) -> (CUdeviceptr, SyncOnDrop<'s>) {
        self.order(stream)
    }
}
