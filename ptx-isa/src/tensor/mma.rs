//! Instruction descriptors of `tcgen05.mma` (PTX ISA 9.7.16, instruction descriptor).

use super::major::Major;
use super::mma_error::MmaError;
use super::mma_kind::{CtaGroup, MmaAccumulator, MmaElement, MmaKind, MmaScale};

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
        let is_narrow = self.kind.is_narrow();
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
        let Self { kind, shape: (m, _), group, .. } = self;
        if selector > 3 || kind.is_block_scaled() && selector != 0 {
            return Err(MmaError::Selector(kind, selector));
        }
        if kind.is_block_scaled() && matches!(group, CtaGroup::Two) && m != 256 {
            return Err(MmaError::SparseRows { kind, m });
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
