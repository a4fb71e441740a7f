//! The qualifiers of `tcgen05.mma`, and the types and shapes that go together (PTX ISA 9.7.16).

use core::fmt;

/// Declares an enum of the instruction's qualifiers, with PTX's names.
macro_rules! qualifiers {
    ($(#[$doc:meta])* $Enum:ident: $($(#[$row:meta])* $Name:ident $name:literal;)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $Enum {
            $($(#[$row])* $Name,)*
        }

        impl $Enum {
            /// Every variant.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// PTX's name, without a dot.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Name => $name,)* }
            }
        }

        impl fmt::Display for $Enum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

qualifiers! {
    /// The kind of a `tcgen05.mma`.
    MmaKind:
    /// Half precision and `bf16`.
    F16 "kind::f16";
    /// `tf32`.
    Tf32 "kind::tf32";
    /// Floats of 8, 6 and 4 bits, in any combination.
    F8f6f4 "kind::f8f6f4";
    /// Integers of 8 bits.
    I8 "kind::i8";
    /// Floats of 8, 6 and 4 bits with a `ue8m0` scale for each 32 of them.
    Mxf8f6f4 "kind::mxf8f6f4";
    /// `e2m1` with a `ue8m0` scale for each 32 of them.
    Mxf4 "kind::mxf4";
    /// `e2m1` with a scale for each 16 or 32 of them.
    Mxf4nvf4 "kind::mxf4nvf4";
}

qualifiers! {
    /// The type of the elements of A or B.
    MmaElement:
    /// Half precision.
    F16 "f16";
    /// The upper half of an `f32`.
    Bf16 "bf16";
    /// An `f32` of which only the upper 19 bits are used.
    Tf32 "tf32";
    /// 8-bit float with 4 bits of exponent.
    E4M3 "e4m3";
    /// 8-bit float with 5 bits of exponent.
    E5M2 "e5m2";
    /// 6-bit float with 2 bits of exponent.
    E2M3 "e2m3";
    /// 6-bit float with 3 bits of exponent.
    E3M2 "e3m2";
    /// 4-bit float.
    E2M1 "e2m1";
    /// 8-bit unsigned integer.
    U8 "u8";
    /// 8-bit signed integer.
    S8 "s8";
}

qualifiers! {
    /// The type of the elements of D.
    MmaAccumulator:
    /// Half precision.
    F16 "f16";
    /// Single precision.
    F32 "f32";
    /// 32-bit signed integer.
    S32 "s32";
}

qualifiers! {
    /// The type of the scales.
    MmaScale:
    /// A power of two.
    Ue8m0 "ue8m0";
    /// An `e4m3` without a sign.
    Ue4m3 "ue4m3";
}

qualifiers! {
    /// The number of blocks of a cluster that work on one product.
    CtaGroup:
    /// One.
    One "cta_group::1";
    /// Two.
    Two "cta_group::2";
}

impl MmaKind {
    /// Whether the kind takes scales.
    pub const fn is_block_scaled(self) -> bool {
        matches!(self, Self::Mxf8f6f4 | Self::Mxf4 | Self::Mxf4nvf4)
    }

    /// Whether all elements have 4 bits.
    pub(super) const fn is_narrow(self) -> bool {
        matches!(self, Self::Mxf4 | Self::Mxf4nvf4)
    }

    /// The number of a type in a descriptor of this kind; `None` if the kind does not take it.
    pub(super) const fn format(self, element: MmaElement) -> Option<u32> {
        use MmaElement as E;
        match (self, element) {
            (Self::F16, E::F16) | (Self::F8f6f4 | Self::Mxf8f6f4, E::E4M3) | (Self::I8, E::U8) => {
                Some(0)
            }
            (Self::F16, E::Bf16)
            | (Self::F8f6f4 | Self::Mxf8f6f4, E::E5M2)
            | (Self::I8, E::S8)
            | (Self::Mxf4 | Self::Mxf4nvf4, E::E2M1) => Some(1),
            (Self::Tf32, E::Tf32) => Some(2),
            (Self::F8f6f4 | Self::Mxf8f6f4, E::E2M3) => Some(3),
            (Self::F8f6f4 | Self::Mxf8f6f4, E::E3M2) => Some(4),
            (Self::F8f6f4 | Self::Mxf8f6f4, E::E2M1) => Some(5),
            _ => None,
        }
    }

    /// The number of the type of D; `None` if the kind does not have it.
    pub(super) const fn accumulator(self, accumulator: MmaAccumulator) -> Option<u32> {
        match (self, accumulator) {
            // With scales it is always `f32`, and the descriptor has no field for it.
            (Self::F16 | Self::F8f6f4, MmaAccumulator::F16)
            | (Self::Mxf8f6f4 | Self::Mxf4 | Self::Mxf4nvf4, MmaAccumulator::F32) => Some(0),
            (Self::F16 | Self::F8f6f4 | Self::Tf32, MmaAccumulator::F32) => Some(1),
            (Self::I8, MmaAccumulator::S32) => Some(2),
            _ => None,
        }
    }

    /// The numbers of rows M of D (twice the same, if there is one), and what the number of columns N, at most 256, must be
    /// a multiple of (PTX ISA 9.7.16.2.1, the table of kinds and shapes, without `.ws`).
    pub(super) const fn shapes(self, group: CtaGroup) -> ([u32; 2], u32) {
        match (self, group) {
            (Self::F16 | Self::Tf32 | Self::F8f6f4, CtaGroup::One) => ([64, 128], 8),
            (Self::I8, CtaGroup::One) => ([64, 128], 16),
            (Self::Mxf8f6f4 | Self::Mxf4 | Self::Mxf4nvf4, CtaGroup::One) => ([128, 128], 8),
            (Self::I8, CtaGroup::Two) => ([128, 256], 32),
            (_, CtaGroup::Two) => ([128, 256], 16),
        }
    }

    /// The numbers of columns that the kind has although they are not multiples of that of [`shapes`](Self::shapes).
    pub(super) const fn other_columns(self, group: CtaGroup) -> Option<[u32; 2]> {
        match (self, group) {
            (Self::I8, CtaGroup::One) => Some([8, 24]),
            _ => None,
        }
    }

    /// Whether the kind has products of this shape.
    pub(super) const fn takes(self, m: u32, n: u32, group: CtaGroup) -> bool {
        let ([first, second], step) = self.shapes(group);
        let is_other = match self.other_columns(group) {
            Some([first, second]) => n == first || n == second,
            None => false,
        };
        (m == first || m == second) && (n.is_multiple_of(step) && matches!(n, 1..=256) || is_other)
    }
}
