//! Typed PTX memory.
#![no_std]

extern crate self as ptx;

pub use ptx_emit::ptxas;
pub use ptx_emit::{self as emit, MemoryMap, Module};
pub use ptx_macros::{PtxType, constant, device, global, kernel, module, ptx, shared};
pub use ptx_types::*;

#[doc(hidden)]
pub mod __private {
    pub use ptx_types::__private::*;
}

/// What a module of storage and kernels usually needs.
pub mod prelude {
    pub use core::mem::offset_of;
    pub use ptx_macros::PtxType;
    pub use ptx_types::__private::half::{bf16, f16};
    pub use ptx_types::__private::typenum::{
        U1, U2, U4, U8, U16, U32, U64, U128, U256, U512, U1024,
    };
    pub use ptx_types::{
        Aligned, B8, B16, B32, B64, B128, Const, Generic, Global, Local, Natural, Ptr, PtxType,
        Shared, V2, V4,
    };
}
