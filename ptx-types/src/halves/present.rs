//! The types with the feature `half`.

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

pub use ptx_float::half;
use ptx_float::half::{bf16, f16};
use typenum::{U2, U4};

use crate::align_marker::{Align4, Align8};
use crate::sealed::Sealed;
use crate::splice::splices;
use crate::types::host::host_scalar;

/// The packed types.
pub(crate) mod types {
    pub use ptx_float::{Bf16x2, F16x2};
}

host_scalar!(f16 => F16, Align4, Align8, [U2, U4]);
host_scalar!(bf16 => Bf16, Align4, Align8, [U2, U4]);

impl Sealed for f16 {}
impl Sealed for bf16 {}

splices! { f16: Bits, bf16: Bits }
