//! The operations that combine the old value with the new one.

use crate::tensor::ElementType;

/// Declares [`Reduction`] and the types that each operation takes, as observed on `sm_90`.
macro_rules! reductions {
    ($($(#[$doc:meta])* $Name:ident $name:literal: $($Element:ident)|*;)*) => {
        /// An operation of `cp.reduce.async.bulk.tensor`, which combines the old value with the
        /// tile's.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Reduction {
            $($(#[$doc])* $Name,)*
        }

        impl Reduction {
            /// Every reduction.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// PTX's name, without a dot.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Name => $name,)* }
            }

            /// Whether it is defined for an element type; for the others the GPU reports an illegal
            /// instruction.
            pub const fn takes(self, element: ElementType) -> bool {
                match self { $(Self::$Name => matches!(element, $(ElementType::$Element)|*),)* }
            }
        }
    };
}

reductions! {
    /// The sum; for integers modulo 2^32 or 2^64, for floats rounded to nearest even.
    Add "add": U32 | I32 | U64 | F16 | Bf16 | F32 | F32Ftz | Tf32 | Tf32Ftz | F64;
    /// The smaller value; NaN only if both are, and -0 is below +0.
    Min "min": U32 | I32 | U64 | I64 | F16 | Bf16;
    /// The larger value; NaN only if both are, and +0 is above -0.
    Max "max": U32 | I32 | U64 | I64 | F16 | Bf16;
    /// The old value plus one; 0 if that would exceed the tile's value.
    Inc "inc": U32;
    /// The old value minus one; the tile's value if the old value is 0 or above it.
    Dec "dec": U32;
    /// The bits set in both values.
    And "and": U32 | I32 | U64;
    /// The bits set in either value.
    Or "or": U32 | I32 | U64;
    /// The bits set in exactly one value.
    Xor "xor": U32 | I32 | U64;
}
