//! The structs of DLPack.

use core::ffi::c_void;
use core::fmt;
use std::vec::Vec;

use ptx_types::__private::half::{bf16, f16};
use ptx_types::{E4M3, E5M2, Ue8m0};

/// The version of DLPack that [`export`](super::export) writes, and whose major number [`import`](super::import) reads.
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
    pub(super) const CUDA: i32 = 2;
    pub(super) const CUDA_MANAGED: i32 = 13;
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
pub(super) const READ_ONLY: u64 = 1;

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

/// The strides of elements one after the other, the last dimension innermost.
pub(super) fn dense_strides(dims: &[i64]) -> Vec<i64> {
    let mut strides = std::vec![0; dims.len()];
    let mut step = 1_i64;
    for (stride, dim) in strides.iter_mut().zip(dims).rev() {
        *stride = step;
        step = step.saturating_mul(*dim);
    }
    strides
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::offset_of;
    use std::string::ToString as _;

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
    fn types_have_the_codes_of_the_header() {
        assert_eq!(bf16::TYPE, DLDataType { code: 4, bits: 16, lanes: 1 });
        assert_eq!(E4M3::TYPE.to_string(), "float8_e4m3fn");
        assert_eq!(u8::TYPE.to_string(), "uint8");
    }
}
