//! Types that cudarc copies to a GPU and passes to kernels as they are.

#![allow(unsafe_code, reason = "it makes the promises of cudarc's unsafe traits")]

use cudarc::driver::{DeviceRepr, ValidAsZeroBits};

use crate::values::{Dense, Padded, SubByte};

macro_rules! floats {
    ($($(#[$_type:meta])* $F:ident($_Bits:ident) { $($_row:tt)* })*) => {$(
        // SAFETY: transparent bits without host pointers.
        unsafe impl DeviceRepr for crate::$F {}

        // SAFETY: transparent bits; all zeros are a valid value.
        unsafe impl ValidAsZeroBits for crate::$F {}
    )*};
}

crate::__small_floats!(floats);

#[cfg(feature = "typenum")]
mod packed {
    use super::{DeviceRepr, ValidAsZeroBits};
    use crate::packed::{Pack, Packed};

    // SAFETY: transparent bits without host pointers.
    unsafe impl<E: Pack<N>, N: 'static> DeviceRepr for Packed<E, N> {}

    // SAFETY: transparent bits; all zeros are a valid value of every element.
    unsafe impl<E: Pack<N>, N: 'static> ValidAsZeroBits for Packed<E, N> {}
}

// SAFETY: transparent bytes.
unsafe impl<E: SubByte, const BYTES: usize> DeviceRepr for Dense<E, BYTES> {}

// SAFETY: transparent bytes; all zeros are elements that are zero.
unsafe impl<E: SubByte, const BYTES: usize> ValidAsZeroBits for Dense<E, BYTES> {}

// SAFETY: transparent bytes.
unsafe impl<E: SubByte> DeviceRepr for Padded<E> {}

// SAFETY: transparent bytes; all zeros are elements that are zero.
unsafe impl<E: SubByte> ValidAsZeroBits for Padded<E> {}
