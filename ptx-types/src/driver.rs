//! Types that cudarc copies to a GPU and passes to kernels as they are.

#![allow(unsafe_code, reason = "it makes the promises of cudarc's unsafe traits")]

use cudarc::driver::sys::CUtensorMap;
use cudarc::driver::{DeviceRepr, ValidAsZeroBits};

use crate::PointerSpace;
use crate::tensor::{Descriptor, MapAlign, MapType, Mbarrier, TensorMap};
use crate::types::aligned::{Aligned, Alignment, PointeeAlign};
use crate::types::bits::{B8, B16, B32, B64, B128};
use crate::types::pointer::Ptr;
use crate::types::value::{DeviceCopy, PtxType};
use crate::types::vector::{Scalar, V2, V3, V4};

macro_rules! plain {
    ($($T:ty),*) => {$(
        // SAFETY: transparent bits without host pointers.
        unsafe impl DeviceRepr for $T {}

        // SAFETY: transparent bits; all zeros are a valid value.
        unsafe impl ValidAsZeroBits for $T {}
    )*};
}

plain!(Mbarrier, B8, B16, B32, B64, B128);

macro_rules! vectors {
    ($($V:ident),*) => {$(
        // SAFETY: lanes without host pointers.
        unsafe impl<T: Scalar + DeviceRepr> DeviceRepr for $V<T> {}

        // SAFETY: lanes for which all zeros are a valid value.
        unsafe impl<T: Scalar + ValidAsZeroBits> ValidAsZeroBits for $V<T> {}
    )*};
}

vectors!(V2, V3, V4);

// SAFETY: a `T` at offset 0, without padding where it is a PTX type.
unsafe impl<T: DeviceCopy + DeviceRepr, A: Alignment> DeviceRepr for Aligned<T, A> {}

// SAFETY: a `T` at offset 0.
unsafe impl<T: DeviceCopy + ValidAsZeroBits, A: Alignment> ValidAsZeroBits for Aligned<T, A> {}

// SAFETY: 64 bits that hold a device address.
unsafe impl<S: PointerSpace, T: PtxType, A: PointeeAlign> DeviceRepr for Ptr<S, T, A> {}

// SAFETY: 128 bytes without host pointers.
unsafe impl DeviceRepr for Descriptor {}

/// The driver's map has as many bytes; bindings align it to 64 or to 128.
const _: () = assert!(size_of::<CUtensorMap>() == size_of::<Descriptor>());

impl From<Descriptor> for CUtensorMap {
    fn from(descriptor: Descriptor) -> Self {
        let words = bytemuck::cast(<[u8; 128]>::from(descriptor));
        Self { opaque: words }
    }
}

impl From<CUtensorMap> for Descriptor {
    fn from(map: CUtensorMap) -> Self {
        Self::from_bytes(bytemuck::cast(map.opaque))
    }
}

// SAFETY: 128 bytes without host pointers.
unsafe impl<M: MapType, A: MapAlign> DeviceRepr for TensorMap<M, A> {}
