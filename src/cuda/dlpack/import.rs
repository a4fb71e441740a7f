//! Tensors that are taken.

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::CudaStream;
use thiserror::Error;

use super::structs::{
    DLDataType, DLDevice, DLElement, DLPackVersion, Managed, READ_ONLY, VERSION, dense_strides,
};
use crate::cuda::bound::{Loads, Stores};
use crate::cuda::foreign::{ForeignError, ForeignSlice};

/// Why a tensor is not imported.
#[derive(Clone, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The structs of this version are unknown.
    #[error("the tensor has version {}.{} of DLPack, and {}.x is understood", .0.major, .0.minor, VERSION.major)]
    Version(DLPackVersion),
    /// Its owner only allows to read it.
    #[error("the tensor is read-only; copy it, or take it by `import_readonly`")]
    NotWritable,
    /// It is not in the memory of a CUDA device.
    #[error(
        "the tensor is on a device of type {}, number {}, and the stream is on CUDA device {expected}, which is type 2; move it there",
        .device.device_type, .device.device_id
    )]
    Device {
        /// The device of the tensor.
        device: DLDevice,
        /// The number of the stream's device.
        expected: i32,
    },
    /// It has another element type.
    #[error(
        "the elements of the tensor are {got}, not {expected}; convert it, as `x.to(..)` does in PyTorch, or take it as what it is"
    )]
    Type {
        /// The requested type.
        expected: DLDataType,
        /// The type of the tensor.
        got: DLDataType,
    },
    /// A number of elements is negative or too large.
    #[error("the shape of the tensor is {0:?}, which no memory has")]
    Shape(Vec<i64>),
    /// Its elements are not one after the other.
    #[error(
        "the tensor of the shape {shape:?} has the strides {strides:?}, that is, gaps or another order; \
         make it contiguous, as `x.contiguous()` does in PyTorch, or take it by `import_strided`, unless a stride is negative"
    )]
    Strided {
        /// The elements along each dimension.
        shape: Vec<i64>,
        /// The elements from one to the next along each dimension.
        strides: Vec<i64>,
    },
    /// The memory cannot be borrowed.
    #[error(transparent)]
    Memory(#[from] ForeignError),
}

ptx_types::__debug_as_message!(ImportError);

/// The memory of another library's tensor.
///
/// It dereferences to the [`ForeignSlice`] of its elements: in a launch, `&mut *x`, or `&*x` for a parameter that is
/// `#[readonly]`. When it is dropped, its stream waits for the work on it, and the tensor is given back.
///
/// `A` is [`Stores`] for what [`import`] takes, and [`Loads`] for what [`import_readonly`] and [`import_strided`] take, which is
/// only read.
pub struct BorrowedTensor<T: 'static, A = Stores> {
    memory: ForeignSlice<'static, T>,
    shape: Vec<usize>,
    strides: Vec<isize>,
    of: PhantomData<fn() -> A>,
}

impl<T, A> BorrowedTensor<T, A> {
    /// The elements along each dimension, the outermost first. [Maps](crate::cuda::MapBuilder::dims) have the innermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The elements from one to the next along each dimension, the outermost first. With the shape, they are what
    /// [`MapBuilder::array`](crate::cuda::MapBuilder::array) takes.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }
}

impl<T, A> fmt::Debug for BorrowedTensor<T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { memory, shape, strides, .. } = self;
        write!(f, "BorrowedTensor({:#x}, shape {shape:?}, strides {strides:?})", memory.address())
    }
}

impl<T, A> Deref for BorrowedTensor<T, A> {
    type Target = ForeignSlice<'static, T>;

    fn deref(&self) -> &Self::Target {
        &self.memory
    }
}

impl<T> DerefMut for BorrowedTensor<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.memory
    }
}

/// Takes a tensor that another library accesses in the order of this stream, and whose elements are one after the other, the
/// last dimension innermost. What it returns calls the deleter, once; after an `Err`, the tensor is still the caller's.
///
/// # Safety
/// - It is a valid managed tensor, which nobody else has taken; its deleter may be called by another thread.
/// - What [`ForeignSlice::new`] demands of its memory.
///
/// # Errors
/// The version, the device, the element type or the layout is another, the tensor is read-only, or its start is not
/// aligned.
pub unsafe fn import<T: DLElement, M: Managed + 'static>(
    tensor: NonNull<M>,
    stream: &Arc<CudaStream>,
) -> Result<BorrowedTensor<T>, ImportError> {
    // SAFETY: the caller's.
    let managed = unsafe { tensor.as_ref() };
    known_version(managed)?;
    if managed.flags() & READ_ONLY != 0 {
        return Err(ImportError::NotWritable);
    }
    // SAFETY: the caller's.
    unsafe { take(tensor, stream, false) }
}

/// The same for a tensor that is only read, such as the arrays of JAX.
///
/// # Safety
/// The same as for [`import`]; others may read the memory, too.
///
/// # Errors
/// The version, the device, the element type or the layout is another, or its start is not aligned.
pub unsafe fn import_readonly<T: DLElement, M: Managed + 'static>(
    tensor: NonNull<M>,
    stream: &Arc<CudaStream>,
) -> Result<BorrowedTensor<T, Loads>, ImportError> {
    // SAFETY: the caller's.
    unsafe { take(tensor, stream, false) }
}

/// The same for a tensor that is only read, in any layout without negative strides: transposed, each second column, or
/// expanded. What it returns dereferences to all that lies between its first element and its last, with the gaps;
/// [`strides`](BorrowedTensor::strides) says where the elements are, also to a tensor map:
///
/// ```no_run
/// # use std::ptr::NonNull;
/// # use std::sync::Arc;
/// # use cudarc::driver::CudaStream;
/// use ptx::cuda::dlpack::{DLManagedTensor, import_strided};
/// use ptx::prelude::*;
///
/// #[tensor_map(element = f32, box = [16, 8])]
/// pub struct A;
///
/// # fn f(tensor: NonNull<DLManagedTensor>, stream: &Arc<CudaStream>) -> Result<(), Box<dyn std::error::Error>> {
/// // Of `x[:, 16:32]` in PyTorch.
/// let x = unsafe { import_strided::<f32, _>(tensor, stream)? };
/// let map = A::over(&*x, stream).array(x.shape(), x.strides()).encode()?;
/// # Ok(())
/// # }
/// ```
///
/// # Safety
/// The same as for [`import_readonly`]. The gaps belong to the memory, too: whatever bits they have, nothing writes to them.
///
/// # Errors
/// The version, the device or the element type is another, a stride is negative, or its start is not aligned.
pub unsafe fn import_strided<T: DLElement, M: Managed + 'static>(
    tensor: NonNull<M>,
    stream: &Arc<CudaStream>,
) -> Result<BorrowedTensor<T, Loads>, ImportError> {
    // SAFETY: the caller's.
    unsafe { take(tensor, stream, true) }
}

/// Of a tensor with another major version, only the deleter is where it is here.
fn known_version(managed: &impl Managed) -> Result<(), ImportError> {
    let version = managed.version();
    if version.major == VERSION.major { Ok(()) } else { Err(ImportError::Version(version)) }
}

/// Takes a tensor.
///
/// # Safety
/// What [`import_strided`] demands, if there may be gaps; what [`import`] demands otherwise.
unsafe fn take<T: DLElement, M: Managed + 'static, A>(
    tensor: NonNull<M>,
    stream: &Arc<CudaStream>,
    may_have_gaps: bool,
) -> Result<BorrowedTensor<T, A>, ImportError> {
    // SAFETY: the caller's.
    let managed = unsafe { tensor.as_ref() };
    known_version(managed)?;
    let it = managed.tensor();
    let expected = stream.context().cu_device();
    let is_cuda = matches!(it.device.device_type, DLDevice::CUDA | DLDevice::CUDA_MANAGED);
    if !is_cuda || it.device.device_id != expected {
        return Err(ImportError::Device { device: it.device, expected });
    }
    if it.dtype != T::TYPE {
        return Err(ImportError::Type { expected: T::TYPE, got: it.dtype });
    }
    // SAFETY: a valid tensor has as many numbers as dimensions.
    let (dims, strides) = unsafe { (numbers(it.shape, it.ndim), numbers(it.strides, it.ndim)) };
    let Layout { shape, strides, len } = Layout::of(dims, strides, may_have_gaps)?;
    let start = (it.data as u64).saturating_add(it.byte_offset);
    let start = if len == 0 { 0 } else { start };
    // SAFETY: the caller's; the memory is the tensor's until the deleter is called, after it is dropped.
    let memory = unsafe { ForeignSlice::new(start, len, stream)? };
    let (deleter, tensor) = (managed.deleter(), SendPtr(tensor));
    let delete = move || {
        let SendPtr(tensor) = { tensor };
        if let Some(deleter) = deleter {
            // SAFETY: the tensor was taken, and this is called once.
            unsafe { deleter(tensor.as_ptr()) };
        }
    };
    Ok(BorrowedTensor { memory: memory.owned_by(delete), shape, strides, of: PhantomData })
}

struct SendPtr<M>(NonNull<M>);

// SAFETY: whoever imports a tensor promises that its deleter may be called by another thread.
unsafe impl<M> Send for SendPtr<M> {}
// SAFETY: it is only moved.
unsafe impl<M> Sync for SendPtr<M> {}

/// As many numbers as there are dimensions; none if the pointer is null.
///
/// # Safety
/// If it is not null, the numbers are there as long as `'a`.
unsafe fn numbers<'a>(first: *const i64, count: i32) -> &'a [i64] {
    let count = usize::try_from(count).unwrap_or(0);
    if first.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: the caller's.
    unsafe { core::slice::from_raw_parts(first, count) }
}

/// A shape, and the number of its elements.
fn shape_of(dims: &[i64]) -> Result<(Vec<usize>, usize), ImportError> {
    let wrong = || ImportError::Shape(dims.to_vec());
    let shape: Result<Vec<usize>, _> = dims.iter().map(|dim| usize::try_from(*dim)).collect();
    let shape = shape.map_err(|_| wrong())?;
    if shape.contains(&0) {
        return Ok((shape, 0));
    }
    let len = shape.iter().try_fold(1_usize, |len, dim| len.checked_mul(*dim));
    Ok((shape, len.ok_or_else(wrong)?))
}

/// Where the elements of a tensor are.
#[derive(Debug, PartialEq, Eq)]
struct Layout {
    shape: Vec<usize>,
    strides: Vec<isize>,
    /// The elements from the first to the last.
    len: usize,
}

impl Layout {
    /// The layout with these strides; none are those of elements one after the other.
    fn of(dims: &[i64], given: &[i64], may_have_gaps: bool) -> Result<Self, ImportError> {
        let (shape, len) = shape_of(dims)?;
        let dense = dense_strides(dims);
        // The stride of a single element is not used, nor is any if there are no elements.
        let differs = |((dim, stride), dense): ((&i64, &i64), &i64)| *dim != 1 && stride != dense;
        let has_gaps = len != 0 && dims.iter().zip(given).zip(&dense).any(differs);
        let wrong = || ImportError::Strided { shape: dims.to_vec(), strides: given.to_vec() };
        if has_gaps && !may_have_gaps {
            return Err(wrong());
        }
        let strides = if has_gaps { given } else { &dense };
        let mut last = 0_usize;
        for (dim, stride) in shape.iter().zip(strides).filter(|(dim, _)| len > 0 && **dim > 1) {
            let stride = usize::try_from(*stride).map_err(|_| wrong())?;
            let along = stride.checked_mul(dim - 1);
            let too_large = || ImportError::Shape(dims.to_vec());
            last = along.and_then(|along| last.checked_add(along)).ok_or_else(too_large)?;
        }
        let len = if len == 0 { 0 } else { last.saturating_add(1) };
        let strides = strides.iter().map(|stride| isize::try_from(*stride).unwrap_or(isize::MAX));
        Ok(Self { strides: strides.collect(), shape, len })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString as _;

    #[test]
    fn gaps_and_other_orders_are_not_contiguous() {
        let is_contiguous = |dims: &[i64], strides: &[i64]| {
            let layout = Layout::of(dims, strides, false);
            let elements = dims.iter().product::<i64>();
            layout.is_ok_and(|layout| i64::try_from(layout.len) == Ok(elements))
        };
        assert!(is_contiguous(&[2, 3, 4], &[12, 4, 1]) && is_contiguous(&[2, 3, 4], &[]));
        assert!(is_contiguous(&[2, 1, 4], &[4, 99, 1]));
        assert!(is_contiguous(&[2, 0], &[7, 7]) && is_contiguous(&[], &[]));
        assert!(!is_contiguous(&[2, 3], &[1, 2]));
        assert!(!is_contiguous(&[2, 3], &[4, 1]));
        assert!(!is_contiguous(&[2, 3], &[0, 1]) && !is_contiguous(&[3], &[-1]));
    }

    #[test]
    fn a_layout_with_gaps_ends_after_its_last_element() {
        let layout = |dims: &[i64], strides: &[i64]| Layout::of(dims, strides, true);
        let of = |shape: &[usize], strides: &[isize], len| Layout {
            shape: shape.to_vec(),
            strides: strides.to_vec(),
            len,
        };
        assert_eq!(layout(&[2, 3], &[8, 2]).ok(), Some(of(&[2, 3], &[8, 2], 13)));
        assert_eq!(layout(&[3, 2], &[1, 3]).ok(), Some(of(&[3, 2], &[1, 3], 6)));
        // Expanded, and of a single element.
        assert_eq!(layout(&[5, 3], &[0, 1]).ok(), Some(of(&[5, 3], &[0, 1], 3)));
        assert_eq!(layout(&[1, 3], &[-7, 1]).ok(), Some(of(&[1, 3], &[3, 1], 3)));
        assert_eq!(layout(&[0, 3], &[9, 9]).ok(), Some(of(&[0, 3], &[3, 1], 0)));
        assert_eq!(layout(&[], &[]).ok(), Some(of(&[], &[], 1)));
        assert!(matches!(layout(&[3], &[-1]), Err(ImportError::Strided { .. })));
        assert!(matches!(layout(&[3, 3], &[i64::MAX, 1]), Err(ImportError::Shape(_))));
    }

    #[test]
    fn shapes_that_no_memory_has_are_refused() {
        assert!(shape_of(&[-1, 2]).is_err() && shape_of(&[i64::MAX, i64::MAX]).is_err());
        assert!(matches!(shape_of(&[0, i64::MAX, i64::MAX]), Ok((_, 0))));
        assert!(matches!(shape_of(&[]), Ok((_, 1))));
    }

    #[test]
    fn types_are_named() {
        let types = (<ptx_types::E5M2 as DLElement>::TYPE, <f32 as DLElement>::TYPE);
        let wrong = ImportError::Type { expected: types.0, got: types.1 };
        assert_eq!(wrong.to_string(), "the elements of the tensor are float32, not float8_e5m2");
    }
}
