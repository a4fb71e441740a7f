//! What a copy can make of the old value and the new one.

use crate::map::ElementType;

/// Declares [`Reduction`] and the types that each takes, as `sm_90` was observed to.
macro_rules! reductions {
    ($($(#[$doc:meta])* $Name:ident $name:literal: $($Element:ident)|*;)*) => {
        /// What `cp.reduce.async.bulk.tensor` makes of the old value and the tile's.
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

            /// Whether it is defined for a type of elements; to the others the GPU answers with an
            /// illegal instruction.
            pub const fn takes(self, element: ElementType) -> bool {
                match self { $(Self::$Name => matches!(element, $(ElementType::$Element)|*),)* }
            }
        }
    };
}

reductions! {
    /// The sum; of integers modulo 2^32 or 2^64, of floats to nearest even.
    Add "add": U32 | I32 | U64 | F16 | Bf16 | F32 | F32Ftz | Tf32 | Tf32Ftz | F64;
    /// The smaller; NaN only of two, and -0 is below +0.
    Min "min": U32 | I32 | U64 | I64 | F16 | Bf16;
    /// The larger; NaN only of two, and +0 is above -0.
    Max "max": U32 | I32 | U64 | I64 | F16 | Bf16;
    /// One more; 0 if that were above the tile's value.
    Inc "inc": U32;
    /// One less; the tile's value if there is none or the old value is above it.
    Dec "dec": U32;
    /// The bits of both.
    And "and": U32 | I32 | U64;
    /// The bits of either.
    Or "or": U32 | I32 | U64;
    /// The bits of one.
    Xor "xor": U32 | I32 | U64;
}
