//! Instruction descriptors of `tcgen05.mma` (PTX ISA 9.7.16, instruction descriptor).

use core::fmt;

use super::major::Major;

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

    /// The number of a type in a descriptor of this kind; `None` if the kind does not take it.
    const fn format(self, element: MmaElement) -> Option<u32> {
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
    const fn accumulator(self, accumulator: MmaAccumulator) -> Option<u32> {
        match (self, accumulator) {
            // With scales it is always `f32`, and the descriptor has no field for it.
            (Self::F16 | Self::F8f6f4, MmaAccumulator::F16)
            | (Self::Mxf8f6f4 | Self::Mxf4 | Self::Mxf4nvf4, MmaAccumulator::F32) => Some(0),
            (Self::F16 | Self::F8f6f4 | Self::Tf32, MmaAccumulator::F32) => Some(1),
            (Self::I8, MmaAccumulator::S32) => Some(2),
            _ => None,
        }
    }

    /// Whether the kind has products of this shape (PTX ISA 9.7.16.2.1, the table of kinds and
    /// shapes, without `.ws`).
    const fn takes(self, m: u32, n: u32, group: CtaGroup) -> bool {
        let (has_rows, step) = match (self, group) {
            (Self::I8, CtaGroup::One) => {
                (m == 64 || m == 128, if matches!(n, 8 | 24) { 8 } else { 16 })
            }
            (Self::I8, CtaGroup::Two) => (m == 128 || m == 256, 32),
            (Self::F16 | Self::Tf32 | Self::F8f6f4, CtaGroup::One) => (m == 64 || m == 128, 8),
            (Self::Mxf8f6f4 | Self::Mxf4 | Self::Mxf4nvf4, CtaGroup::One) => (m == 128, 8),
            (_, CtaGroup::Two) => (m == 128 || m == 256, 16),
        };
        has_rows && n.is_multiple_of(step) && matches!(n, 1..=256)
    }
}

/// The reason why an instruction does not exist.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MmaError {
    /// The kind does not take the type of A or B.
    Element(MmaKind, MmaElement),
    /// The kind does not accumulate in this type, or not for `bf16` elements.
    Accumulator(MmaKind, MmaAccumulator),
    /// The kind does not have this shape.
    Shape {
        /// The kind.
        kind: MmaKind,
        /// The rows of D.
        m: u32,
        /// The columns of D.
        n: u32,
        /// The blocks.
        group: CtaGroup,
    },
    /// The kind lacks this feature: `saturation`, `negation`, `sparsity`, `scales of type ue4m3`.
    Absent(MmaKind, &'static str),
    /// Elements of this type cannot be transposed.
    Transposed(MmaElement),
    /// A transposed B of 8-bit elements cannot have this number of columns.
    TransposedColumns {
        /// The columns of D.
        n: u32,
        /// The number that they must be a multiple of.
        multiple: u32,
    },
    /// The kind does not have a scale factor with this number.
    ScaleFactor(MmaKind, u32),
    /// The kind does not have this selector of sparsity metadata.
    Selector(MmaKind, u32),
}

crate::__debug_as_message!(MmaError);

impl fmt::Display for MmaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element(kind, element) => write!(f, ".{kind} does not take {element}"),
            Self::Accumulator(kind, accumulator) => {
                write!(f, ".{kind} does not accumulate these elements in {accumulator}")
            }
            Self::Shape { kind, m, n, group } => {
                write!(f, ".{kind} has no shape with M {m} and N {n} in .{group}")
            }
            Self::Absent(kind, what) => write!(f, ".{kind} has no {what}"),
            Self::Transposed(element) => {
                write!(f, "matrices of {element} are K-major: they cannot be transposed")
            }
            Self::TransposedColumns { n, multiple } => write!(
                f,
                "N is {n}, but with a transposed B of 8-bit elements it must be a multiple of {multiple}"
            ),
            Self::ScaleFactor(kind, number) => write!(f, ".{kind} has no scale factor {number}"),
            Self::Selector(kind, number) => {
                write!(f, ".{kind} has no sparsity selector {number}")
            }
        }
    }
}

impl core::error::Error for MmaError {}

/// The 32-bit instruction descriptor of a `tcgen05.mma`: types, shape, and the modifications of A
/// and B.
///
/// ```
/// use ptx_isa::tensor::{CtaGroup, MmaAccumulator, MmaDescriptor, MmaElement, MmaKind};
/// const PRODUCT: MmaDescriptor = match MmaDescriptor::new(
///     MmaKind::F16,
///     (MmaElement::Bf16, MmaElement::Bf16),
///     MmaAccumulator::F32,
///     (128, 256),
///     CtaGroup::One,
/// ) {
///     Ok(descriptor) => descriptor,
///     Err(_) => panic!("there is no such product"),
/// };
/// assert_eq!(PRODUCT.bits(), 1 << 4 | 1 << 7 | 1 << 10 | (256 >> 3) << 17 | (128 >> 4) << 24);
/// ```
///
/// Products with `.ws`, and of 96 elements along K on `sm_103a`, are not supported. The layout
/// follows the ISA; it was not tested on a GPU.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MmaDescriptor {
    bits: u32,
    kind: MmaKind,
    elements: (MmaElement, MmaElement),
    shape: (u32, u32),
    group: CtaGroup,
}

impl MmaDescriptor {
    /// A product of dense K-major matrices: D has `m` rows and `n` columns, and is accumulated in
    /// this type. Kinds with scales have `ue8m0` ones.
    ///
    /// # Errors
    /// If the kind does not have these types or this shape.
    pub const fn new(
        kind: MmaKind,
        (a, b): (MmaElement, MmaElement),
        accumulator: MmaAccumulator,
        (m, n): (u32, u32),
        group: CtaGroup,
    ) -> Result<Self, MmaError> {
        let Some(a_format) = kind.format(a) else { return Err(MmaError::Element(kind, a)) };
        let Some(b_format) = kind.format(b) else { return Err(MmaError::Element(kind, b)) };
        let Some(d_format) = kind.accumulator(accumulator) else {
            return Err(MmaError::Accumulator(kind, accumulator));
        };
        let is_half = matches!(accumulator, MmaAccumulator::F16);
        if is_half && (matches!(a, MmaElement::Bf16) || matches!(b, MmaElement::Bf16)) {
            return Err(MmaError::Accumulator(kind, accumulator));
        }
        if !kind.takes(m, n, group) {
            return Err(MmaError::Shape { kind, m, n, group });
        }
        let scale_format = kind.is_block_scaled() as u32;
        let formats = d_format << 4 | a_format << 7 | b_format << 10 | scale_format << 23;
        let bits = formats | n >> 3 << 17 | m >> 4 << 24;
        Ok(Self { bits, kind, elements: (a, b), shape: (m, n), group })
    }

    /// The same product with scales of this type.
    ///
    /// # Errors
    /// If the kind does not have them.
    pub const fn scales(self, scale: MmaScale) -> Result<Self, MmaError> {
        let bits = self.bits & !(1 << 23);
        match (self.kind, scale) {
            (MmaKind::Mxf8f6f4 | MmaKind::Mxf4 | MmaKind::Mxf4nvf4, MmaScale::Ue8m0) => {
                Ok(Self { bits: bits | 1 << 23, ..self })
            }
            (MmaKind::Mxf4nvf4, MmaScale::Ue4m3) => Ok(Self { bits, ..self }),
            (kind, MmaScale::Ue4m3) => Err(MmaError::Absent(kind, "scales of type ue4m3")),
            (kind, MmaScale::Ue8m0) => Err(MmaError::Absent(kind, "scales")),
        }
    }

    /// The same product with these numbers for the scale factors of A and B: 0 to 3, or 0 or 2 for
    /// 4-bit kinds.
    ///
    /// # Errors
    /// If the kind has no scales, or not these numbers.
    pub const fn scale_ids(self, a: u32, b: u32) -> Result<Self, MmaError> {
        if !self.kind.is_block_scaled() {
            return Err(MmaError::Absent(self.kind, "scales"));
        }
        let is_narrow = matches!(self.kind, MmaKind::Mxf4 | MmaKind::Mxf4nvf4);
        if a > 3 || is_narrow && !a.is_multiple_of(2) {
            return Err(MmaError::ScaleFactor(self.kind, a));
        }
        if b > 3 || is_narrow && !b.is_multiple_of(2) {
            return Err(MmaError::ScaleFactor(self.kind, b));
        }
        let bits = self.bits & !(3 << 4 | 3 << 29);
        Ok(Self { bits: bits | b << 4 | a << 29, ..self })
    }

    /// The same product with A and B in these orientations.
    ///
    /// # Errors
    /// If elements of 6 or 4 bits would be transposed; or if 8-bit elements of B would be, and N is
    /// not a multiple of 16, or of 32 with two blocks.
    pub const fn majors(self, a: Major, b: Major) -> Result<Self, MmaError> {
        let (is_a, is_b) = (matches!(a, Major::Mn), matches!(b, Major::Mn));
        if is_a && is_sub_byte(self.elements.0) {
            return Err(MmaError::Transposed(self.elements.0));
        }
        if is_b && is_sub_byte(self.elements.1) {
            return Err(MmaError::Transposed(self.elements.1));
        }
        let multiple = match self.group {
            CtaGroup::One => 16,
            CtaGroup::Two => 32,
        };
        let n = self.shape.1;
        if is_b && is_byte(self.elements.1) && !n.is_multiple_of(multiple) {
            return Err(MmaError::TransposedColumns { n, multiple });
        }
        let bits = self.bits & !(3 << 15);
        Ok(Self { bits: bits | (is_a as u32) << 15 | (is_b as u32) << 16, ..self })
    }

    /// The same product with the elements of A or B negated.
    ///
    /// # Errors
    /// If the elements are integers.
    pub const fn negated(self, a: bool, b: bool) -> Result<Self, MmaError> {
        if matches!(self.kind, MmaKind::I8) {
            return Err(MmaError::Absent(self.kind, "negation"));
        }
        let bits = self.bits & !(3 << 13);
        Ok(Self { bits: bits | (a as u32) << 13 | (b as u32) << 14, ..self })
    }

    /// The same product with saturating sums.
    ///
    /// # Errors
    /// Unless the elements are integers.
    pub const fn saturated(self) -> Result<Self, MmaError> {
        if !matches!(self.kind, MmaKind::I8) {
            return Err(MmaError::Absent(self.kind, "saturation"));
        }
        Ok(Self { bits: self.bits | 1 << 3, ..self })
    }

    /// The same product with a sparse A, whose metadata has this selector: 0 to 3, or 0 for kinds
    /// with scales.
    ///
    /// # Errors
    /// If the kind does not have the selector; or, with scales and two blocks, if M is not 256.
    pub const fn sparse(self, selector: u32) -> Result<Self, MmaError> {
        let Self { kind, shape: (m, n), group, .. } = self;
        if selector > 3 || kind.is_block_scaled() && selector != 0 {
            return Err(MmaError::Selector(kind, selector));
        }
        if kind.is_block_scaled() && matches!(group, CtaGroup::Two) && m != 256 {
            return Err(MmaError::Shape { kind, m, n, group });
        }
        Ok(Self { bits: self.bits & !3 | 1 << 2 | selector, ..self })
    }

    /// The bits.
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// The kind.
    pub const fn kind(self) -> MmaKind {
        self.kind
    }
}

const fn is_sub_byte(element: MmaElement) -> bool {
    matches!(element, MmaElement::E2M3 | MmaElement::E3M2 | MmaElement::E2M1)
}

const fn is_byte(element: MmaElement) -> bool {
    matches!(element, MmaElement::E4M3 | MmaElement::E5M2 | MmaElement::U8 | MmaElement::S8)
}
