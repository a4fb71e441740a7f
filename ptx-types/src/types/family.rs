//! Parameterised variable names (PTX ISA 5.4.6).

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

use core::fmt;
use core::mem::MaybeUninit;

use crate::ir::{Extent, Type};
use crate::types::value::PtxType;

/// `N` variables of one type with numbered names: `static T: Family<u32, 10>;` declares `T0` to
/// `T9`, written `.u32 T<10>` in PTX. A body uses their individual names.
///
/// Families have no initial values (a value cannot be constructed), and consist of scalars or
/// vectors, not of arrays.
#[repr(transparent)]
pub struct Family<T, const N: usize>([MaybeUninit<T>; N]);

impl<T, const N: usize> fmt::Debug for Family<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Family<{N}>")
    }
}

// SAFETY: no value can be constructed, so that no bytes are read.
unsafe impl<T: PtxType, const N: usize> PtxType for Family<T, N> {
    const TYPE: &'static Type<'static> = &Type::Family(Extent::Known(N), T::TYPE);
}
