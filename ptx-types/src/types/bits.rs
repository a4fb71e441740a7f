//! Untyped bits, `.b8` to `.b128` (PTX ISA 5.2.1).

use core::fmt;

use crate::splice::splices;

macro_rules! bits {
    ($($(#[$doc:meta])* $(#[repr($($repr:tt)*)])? $B:ident($int:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(transparent)]
        pub struct $B(
            /// The bits.
            pub $int,
        );

        impl fmt::Debug for $B {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($B), "({:#x})"), self.0)
            }
        }

        impl From<$int> for $B {
            fn from(bits: $int) -> Self {
                Self(bits)
            }
        }
    )*};
}

bits! {
    /// Untyped, 1 byte: `.b8`.
    B8(u8);
    /// Untyped, 2 bytes: `.b16`.
    B16(u16);
    /// Untyped, 4 bytes: `.b32`.
    B32(u32);
    /// Untyped, 8 bytes: `.b64`.
    B64(u64);
    /// Untyped, 16 bytes, aligned to 16: `.b128` (PTX 8.3, `sm_70`).
    B128(u128);
}

splices! { B8: Bits, B16: Bits, B32: Bits, B64: Bits, B128: Bits }
