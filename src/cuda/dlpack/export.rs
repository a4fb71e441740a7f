//! Buffers that are given away.

use core::ptr::{NonNull, null_mut};
use std::boxed::Box;
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::{CudaSlice, CudaStream, DriverError, result};
use thiserror::Error;

use super::structs::{DLDevice, DLElement, DLTensor, Managed, dense_strides};
use crate::cuda::context::is_same;

/// Why a buffer is not exported.
#[derive(Clone, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The shape has another number of elements than the buffer.
    #[error("a tensor of the shape {shape:?} does not have the {len} elements of the buffer")]
    Shape {
        /// The shape.
        shape: Vec<usize>,
        /// The number of elements of the buffer.
        len: usize,
    },
    /// The stream belongs to another context than the buffer.
    #[error(
        "the stream belongs to another context than the buffer; use one of the buffer's context"
    )]
    OtherContext,
    /// The driver refuses to order the streams.
    #[error("the driver refuses: {0}")]
    Driver(#[from] DriverError),
}

ptx_types::__debug_as_message!(ExportError);

/// What an exported tensor consists of.
struct Exported<T, M> {
    managed: M,
    shape: Vec<i64>,
    strides: Vec<i64>,
    buffer: CudaSlice<T>,
}

/// Gives a buffer away as a tensor of this shape, the outermost dimension first, to a library that accesses it in the
/// order of this stream. The stream waits for earlier work on the buffer.
///
/// The other library has to call the deleter, from any thread, which waits for all work in the context, since it may have used
/// other streams, and frees the buffer.
///
/// # Errors
/// The shape has another number of elements than the buffer, or the stream belongs to another context; then the buffer
/// is given back.
pub fn export<T: DLElement, M: Managed>(
    mut buffer: CudaSlice<T>,
    shape: &[usize],
    stream: &CudaStream,
) -> Result<NonNull<M>, (ExportError, CudaSlice<T>)> {
    let len = buffer.len();
    let wrong = || ExportError::Shape { shape: shape.to_vec(), len };
    let elements = shape.iter().try_fold(1_usize, |len, dim| len.checked_mul(*dim));
    let dims: Result<Vec<i64>, _> = shape.iter().map(|dim| i64::try_from(*dim)).collect();
    let (Some(elements), Ok(dims), Ok(ndim)) = (elements, dims, i32::try_from(shape.len())) else {
        return Err((wrong(), buffer));
    };
    if elements != len {
        return Err((wrong(), buffer));
    }
    if !is_same(buffer.context(), stream.context()) {
        return Err((ExportError::OtherContext, buffer));
    }
    let data = match ordered(&mut buffer, stream) {
        Ok(address) => core::ptr::without_provenance_mut(usize::try_from(address).unwrap_or(0)),
        Err(error) => return Err((error.into(), buffer)),
    };
    let strides = dense_strides(&dims);
    let device = DLDevice { device_type: DLDevice::CUDA, device_id: buffer.context().cu_device() };
    let tensor = DLTensor {
        data,
        device,
        ndim,
        dtype: T::TYPE,
        shape: null_mut(),
        strides: null_mut(),
        byte_offset: 0,
    };
    let managed = M::new(tensor, null_mut(), delete::<T, M>);
    let exported = Box::new(Exported { managed, shape: dims, strides, buffer });
    let exported = Box::into_raw(exported);
    // SAFETY: the box is valid, and owned here.
    unsafe {
        let tensor = DLTensor {
            shape: (&raw mut (*exported).shape).as_mut_unchecked().as_mut_ptr(),
            strides: (&raw mut (*exported).strides).as_mut_unchecked().as_mut_ptr(),
            ..tensor
        };
        (*exported).managed = M::new(tensor, exported.cast(), delete::<T, M>);
        Ok(NonNull::new_unchecked(&raw mut (*exported).managed))
    }
}

/// The address of a buffer, on whose earlier work the stream waits.
fn ordered<T>(buffer: &mut CudaSlice<T>, stream: &CudaStream) -> Result<u64, DriverError> {
    use cudarc::driver::DevicePtrMut as _;
    let own = Arc::clone(buffer.stream());
    if own.cu_stream() != stream.cu_stream() {
        stream.join(&own)?;
    }
    let (address, _access) = buffer.device_ptr_mut(stream);
    Ok(address)
}

/// Frees an exported tensor.
///
/// # Safety
/// It is one of [`export`], and not used any more.
unsafe extern "C" fn delete<T, M: Managed>(managed: *mut M) {
    // The other library keeps its current context.
    let before = result::ctx::get_current();
    // SAFETY: the context of an exported tensor is the box that it is in.
    let exported = unsafe { Box::from_raw((*managed).context().cast::<Exported<T, M>>()) };
    let context = Arc::clone(exported.buffer.context());
    // The buffer is freed in the order of its own stream, and the tensor may have been used in any.
    let waited = context.bind_to_thread().and_then(|()| result::ctx::synchronize());
    context.record_err(waited);
    drop(exported);
    if let Ok(before) = before {
        // SAFETY: it was current, or null, which is none.
        let restored = unsafe { result::ctx::set_current(before.unwrap_or(null_mut())) };
        context.record_err(restored);
    }
}
