//! Tensors of other libraries by [DLPack](https://dmlc.github.io/dlpack/latest/), the structs in which PyTorch,
//! CuPy, JAX and others hand their memory to each other, without a copy.
//!
//! [`import`] borrows their memory as a [`BorrowedTensor`], which a launch takes as it takes a `CudaSlice`, [`import_readonly`] and
//! [`import_strided`] what is only read, the latter with gaps between the elements; [`export`] gives a
//! `CudaSlice` away, which lives until the other library drops its tensor.
//!
//! In Python, a tensor is handed over in a capsule, `x.__dlpack__()`. Its pointer, `PyCapsule_GetPointer(capsule,
//! name)`, is what is imported here: a [`DLManagedTensor`] if its name is `dltensor`, and a
//! [`DLManagedTensorVersioned`] if it is `dltensor_versioned`. Whoever takes the tensor renames the capsule to
//! `used_dltensor` or `used_dltensor_versioned`, so that it is taken once. `tests/dlpack` of the repository does all of
//! this with PyTorch.

#![allow(clippy::doc_markdown, reason = "PyTorch and CuPy are names")]

use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::{NonNull, null_mut};
use std::boxed::Box;
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::{CudaSlice, CudaStream, DriverError, result};
use ptx_types::__private::half::{bf16, f16};
use ptx_types::{E4M3, E5M2, Ue8m0};
use thiserror::Error;

use super::bound::{Loads, Stores};
use super::context::is_same;
use super::foreign::{ForeignError, ForeignSlice};

/// The version of DLPack that [`export`] writes, and whose major number [`import`] reads.
pub const VERSION: DLPackVersion = DLPackVersion { major: 1, minor: 0 };

/// `DLPackVersion`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DLPackVersion {
    /// Changes if the structs do.
    pub major: u32,
    /// Changes if there are more devices or types.
    pub minor: u32,
}

/// `DLDevice`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DLDevice {
    /// 2 is a CUDA device, 13 its unified memory.
    pub device_type: i32,
    /// The number of the device.
    pub device_id: i32,
}

impl DLDevice {
    const CUDA: i32 = 2;
    const CUDA_MANAGED: i32 = 13;
}

/// `DLDataType`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DLDataType {
    /// The kind of number.
    pub code: u8,
    /// The bits of a number.
    pub bits: u8,
    /// The numbers of an element, 1 for a scalar.
    pub lanes: u16,
}

impl fmt::Display for DLDataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, bits, lanes } = self;
        match code {
            0 => write!(f, "int{bits}")?,
            1 => write!(f, "uint{bits}")?,
            2 => write!(f, "float{bits}")?,
            4 => write!(f, "bfloat{bits}")?,
            5 => write!(f, "complex{bits}")?,
            6 => f.write_str("bool")?,
            8 => f.write_str("float8_e4m3")?,
            10 => f.write_str("float8_e4m3fn")?,
            11 => f.write_str("float8_e4m3fnuz")?,
            12 => f.write_str("float8_e5m2")?,
            13 => f.write_str("float8_e5m2fnuz")?,
            14 => f.write_str("float8_e8m0fnu")?,
            17 => f.write_str("float4_e2m1fn")?,
            _ => write!(f, "type {code} of {bits} bits")?,
        }
        if *lanes == 1 { Ok(()) } else { write!(f, " x {lanes}") }
    }
}

/// `DLTensor`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DLTensor {
    /// The start of the memory.
    pub data: *mut c_void,
    /// Where it is.
    pub device: DLDevice,
    /// The number of dimensions.
    pub ndim: i32,
    /// The type of the elements.
    pub dtype: DLDataType,
    /// The elements along each dimension, the outermost first.
    pub shape: *mut i64,
    /// The elements from one to the next along each dimension; null if there are no gaps.
    pub strides: *mut i64,
    /// The bytes from the start of the memory to the first element.
    pub byte_offset: u64,
}

/// `DLManagedTensor`: a tensor, and how it is freed, as before DLPack 1.0.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensor {
    /// The tensor.
    pub dl_tensor: DLTensor,
    /// The owner's.
    pub manager_ctx: *mut c_void,
    /// Frees the tensor.
    pub deleter: Option<unsafe extern "C" fn(*mut Self)>,
}

/// `DLManagedTensorVersioned`: a tensor, and how it is freed, since DLPack 1.0.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensorVersioned {
    /// The version.
    pub version: DLPackVersion,
    /// The owner's.
    pub manager_ctx: *mut c_void,
    /// Frees the tensor.
    pub deleter: Option<unsafe extern "C" fn(*mut Self)>,
    /// Bit 0: it is only read.
    pub flags: u64,
    /// The tensor.
    pub dl_tensor: DLTensor,
}

/// `DLPACK_FLAG_BITMASK_READ_ONLY`.
const READ_ONLY: u64 = 1;

/// An element type that DLPack has.
pub trait DLElement: Copy + Send + 'static + sealed::Sealed {
    /// Its code, bits and lanes.
    const TYPE: DLDataType;
}

macro_rules! elements {
    ($($T:ty: $code:literal, $bits:literal;)*) => {$(
        const _: () = assert!(8 * size_of::<$T>() == $bits);

        impl sealed::Sealed for $T {}

        impl DLElement for $T {
            const TYPE: DLDataType = DLDataType { code: $code, bits: $bits, lanes: 1 };
        }
    )*};
}

elements! {
    i8: 0, 8;
    i16: 0, 16;
    i32: 0, 32;
    i64: 0, 64;
    u8: 1, 8;
    u16: 1, 16;
    u32: 1, 32;
    u64: 1, 64;
    f16: 2, 16;
    f32: 2, 32;
    f64: 2, 64;
    bf16: 4, 16;
    E4M3: 10, 8;
    E5M2: 12, 8;
    Ue8m0: 14, 8;
}

/// A managed tensor of either version.
pub trait Managed: sealed::Managed {}

impl Managed for DLManagedTensor {}
impl Managed for DLManagedTensorVersioned {}

mod sealed {
    use super::{DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor, VERSION};
    use core::ffi::c_void;

    pub trait Sealed {}

    /// What the versions of a managed tensor have in common.
    pub trait Managed: Sized {
        fn new(
            tensor: DLTensor,
            context: *mut c_void,
            deleter: unsafe extern "C" fn(*mut Self),
        ) -> Self;
        fn version(&self) -> DLPackVersion;
        fn flags(&self) -> u64;
        fn tensor(&self) -> &DLTensor;
        fn context(&self) -> *mut c_void;
        fn deleter(&self) -> Option<unsafe extern "C" fn(*mut Self)>;
    }

    macro_rules! managed {
        ($T:ident { $($more:ident: $value:expr),* }, $version:expr, $flags:expr) => {
            impl Managed for $T {
                fn new(
                    dl_tensor: DLTensor,
                    manager_ctx: *mut c_void,
                    deleter: unsafe extern "C" fn(*mut Self),
                ) -> Self {
                    Self { $($more: $value,)* dl_tensor, manager_ctx, deleter: Some(deleter) }
                }

                fn version(&self) -> DLPackVersion {
                    $version(self)
                }

                fn flags(&self) -> u64 {
                    $flags(self)
                }

                fn tensor(&self) -> &DLTensor {
                    &self.dl_tensor
                }

                fn context(&self) -> *mut c_void {
                    self.manager_ctx
                }

                fn deleter(&self) -> Option<unsafe extern "C" fn(*mut Self)> {
                    self.deleter
                }
            }
        };
    }

    managed!(DLManagedTensor {}, |_: &Self| VERSION, |_: &Self| 0);
    managed!(
        DLManagedTensorVersioned { version: VERSION, flags: 0 },
        |it: &Self| it.version,
        |it: &Self| it.flags
    );
}

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
    #[error("the elements of the tensor are {got}, not {expected}")]
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
    /// The elements along each dimension, the outermost first. [Maps](super::MapBuilder::dims) have the innermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The elements from one to the next along each dimension, the outermost first. With the shape, they are what
    /// [`MapBuilder::array`](super::MapBuilder::array) takes.
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

/// The strides of elements one after the other, the last dimension innermost.
fn dense_strides(dims: &[i64]) -> Vec<i64> {
    let mut strides = std::vec![0; dims.len()];
    let mut step = 1_i64;
    for (stride, dim) in strides.iter_mut().zip(dims).rev() {
        *stride = step;
        step = step.saturating_mul(*dim);
    }
    strides
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
    #[error("the stream belongs to another context than the buffer")]
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

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::offset_of;

    #[test]
    fn the_structs_have_the_layout_of_the_header() {
        assert_eq!(size_of::<DLTensor>(), 48);
        assert_eq!(offset_of!(DLTensor, dtype), 20);
        assert_eq!(offset_of!(DLTensor, shape), 24);
        assert_eq!(offset_of!(DLTensor, byte_offset), 40);
        assert_eq!(size_of::<DLManagedTensor>(), 64);
        assert_eq!(size_of::<DLManagedTensorVersioned>(), 80);
        assert_eq!(offset_of!(DLManagedTensorVersioned, flags), 24);
        assert_eq!(offset_of!(DLManagedTensorVersioned, dl_tensor), 32);
    }

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
    fn types_have_the_codes_of_the_header() {
        assert_eq!(bf16::TYPE, DLDataType { code: 4, bits: 16, lanes: 1 });
        assert_eq!(E4M3::TYPE.to_string(), "float8_e4m3fn");
        assert_eq!(u8::TYPE.to_string(), "uint8");
        let wrong = ImportError::Type { expected: E5M2::TYPE, got: f32::TYPE };
        assert_eq!(wrong.to_string(), "the elements of the tensor are float32, not float8_e5m2");
    }

    use std::string::ToString as _;
}
