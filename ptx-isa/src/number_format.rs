//! The formats of floating-point numbers that the checker tracks through registers: the format as which an
//! instruction interprets bits, and the format that storage is declared to hold.

use crate::const_str::{contains, same};
use crate::ir::{Field, Struct, StructKind, Type};
use crate::map::ElementType;
use crate::scalar::ScalarType;

/// Declares [`NumberFormat`]: the bytes of one number, and the names in instructions for 1, 2, 4 and 8
/// numbers.
macro_rules! formats {
    ($($(#[$doc:meta])* $Format:ident $bytes:literal [$one:literal $two:literal $four:literal $eight:literal];)*) => {
        /// The format of a floating-point number.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum NumberFormat {
            $($(#[$doc])* $Format,)*
        }

        impl NumberFormat {
            /// Every format.
            pub const ALL: &'static [Self] = &[$(Self::$Format),*];

            /// PTX's name for one number, without a dot: `bf16`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Format => $one,)* }
            }

            /// The name for this many packed numbers: `bf16x2`. For counts other than 2, 4 and 8, the name of
            /// one.
            pub const fn packed_name(self, count: usize) -> &'static str {
                match (self, count) {
                    $((Self::$Format, 2) => $two,
                    (Self::$Format, 4) => $four,
                    (Self::$Format, 8) => $eight,
                    (Self::$Format, _) => $one,)*
                }
            }

            /// The bytes of one number; of two, if a byte holds two.
            pub const fn bytes(self) -> usize {
                match self { $(Self::$Format => $bytes,)* }
            }
        }
    };
}

formats! {
    /// 1 sign, 4 exponent and 3 mantissa bits; without a sign it is `ue4m3`.
    E4m3 1 ["e4m3" "e4m3x2" "e4m3x4" "e4m3x8"];
    /// 1 sign, 5 exponent and 2 mantissa bits.
    E5m2 1 ["e5m2" "e5m2x2" "e5m2x4" "e5m2x8"];
    /// 1 sign, 2 exponent and 3 mantissa bits, in a byte.
    E2m3 1 ["e2m3" "e2m3x2" "e2m3x4" "e2m3x8"];
    /// 1 sign, 3 exponent and 2 mantissa bits, in a byte.
    E3m2 1 ["e3m2" "e3m2x2" "e3m2x4" "e3m2x8"];
    /// 1 sign, 2 exponent and 1 mantissa bits, two in a byte.
    E2m1 1 ["e2m1" "e2m1x2" "e2m1x4" "e2m1x8"];
    /// 8 exponent bits.
    Ue8m0 1 ["ue8m0" "ue8m0x2" "ue8m0x4" "ue8m0x8"];
    /// Half precision.
    F16 2 ["f16" "f16x2" "f16x4" "f16x8"];
    /// The upper half of single precision.
    Bf16 2 ["bf16" "bf16x2" "bf16x4" "bf16x8"];
    /// Single precision; `tf32` is its upper part.
    F32 4 ["f32" "f32x2" "f32x4" "f32x8"];
    /// Double precision.
    F64 8 ["f64" "f64x2" "f64x4" "f64x8"];
}

/// Packed numbers of one format, as the type of an instruction names them: `e4m3x2`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedNumbers {
    /// The format of each number.
    pub format: NumberFormat,
    /// The bytes of all of them.
    pub bytes: usize,
}

impl PackedNumbers {
    /// The numbers that a type of an instruction, without its dot, stands for: `f16`, `e4m3x2`, `tf32`.
    pub fn from_name(name: &str) -> Option<Self> {
        let (one, count) = match name {
            "tf32" => ("f32", 1),
            "ue4m3" => ("e4m3", 1),
            _ => match name.rsplit_once('x') {
                Some((one, "2")) => (one, 2),
                Some((one, "4")) => (one, 4),
                Some(_) => return None,
                None => (name, 1),
            },
        };
        let format = NumberFormat::ALL.iter().copied().find(|format| format.name() == one)?;
        Some(Self { format, bytes: format.bytes_of(count) })
    }
}

impl NumberFormat {
    /// The bytes that this many numbers take.
    pub const fn bytes_of(self, count: usize) -> usize {
        match self {
            Self::E2m1 => count.div_ceil(2),
            _ => count * self.bytes(),
        }
    }

    /// The number of numbers in this many bytes.
    pub const fn count_in(self, bytes: usize) -> usize {
        match self {
            Self::E2m1 => bytes * 2,
            _ => bytes / self.bytes(),
        }
    }

    /// Whether a number has fewer than 32 bits.
    pub const fn is_narrow(self) -> bool {
        self.bytes() < 4
    }

    /// Whether this format is the upper part of the other one, from the sign on, so that dropping or appending
    /// low mantissa bits gives about the same number.
    pub const fn is_upper_part_of(self, other: Self) -> bool {
        matches!((self, other), (Self::E5m2, Self::F16) | (Self::Bf16, Self::F32))
    }

    /// The format that this scalar type specifies, if any.
    pub const fn of_scalar(scalar: ScalarType) -> Option<Self> {
        let name = if same(scalar.name(), "ue4m3") { Self::E4m3.name() } else { scalar.name() };
        let mut n = 0;
        while n < Self::ALL.len() {
            let format = Self::ALL[n];
            let packed = [format.packed_name(2), format.packed_name(4)];
            if same(name, format.name()) || contains(&packed, name) {
                return Some(format);
            }
            n += 1;
        }
        None
    }

    /// The format that the element type of a tensor map specifies, if any.
    pub(crate) const fn of_element(element: ElementType) -> Option<Self> {
        match element {
            ElementType::F16 => Some(Self::F16),
            ElementType::Bf16 => Some(Self::Bf16),
            ElementType::F32 | ElementType::F32Ftz | ElementType::Tf32 | ElementType::Tf32Ftz => {
                Some(Self::F32)
            }
            ElementType::F64 => Some(Self::F64),
            // Integers and packed bits, whatever they hold.
            ElementType::U8
            | ElementType::U16
            | ElementType::U32
            | ElementType::I32
            | ElementType::U64
            | ElementType::I64
            | ElementType::B4x16
            | ElementType::B4x16P64
            | ElementType::B6x16P32
            | ElementType::B6P2x16 => None,
        }
    }

    /// The format of everything declared between two byte offsets in a type, if it is a single one.
    fn within(ty: &Type<'_>, from: usize, to: usize) -> Option<Self> {
        match ty {
            Type::Scalar(scalar) | Type::Vector(_, scalar) => Self::of_scalar(*scalar),
            Type::Aligned(_, inner) => Self::within(inner, from, to),
            Type::Array(_, inner) | Type::Family(_, inner) => {
                let size = inner.size().filter(|size| *size > 0);
                match size {
                    Some(size) if to <= from - from % size + size => {
                        Self::within(inner, from % size, from % size + (to - from))
                    }
                    Some(_) | None => Self::everywhere(inner),
                }
            }
            Type::Struct(Struct { kind: StructKind::Tile(spec), .. }) => {
                Self::of_element(spec.element)
            }
            Type::Struct(Struct { kind: StructKind::Fields, fields, .. }) => {
                let holds = |field: &&Field<'_>| {
                    let size = field.ty.size().unwrap_or(0);
                    field.offset <= from && to <= field.offset.saturating_add(size)
                };
                let field = fields.iter().find(holds)?;
                Self::within(field.ty, from - field.offset, to - field.offset)
            }
            Type::Struct(_) | Type::Opaque(_) | Type::Unknown => None,
        }
    }

    /// The format of everything declared in a type, if it is a single one.
    fn everywhere(ty: &Type<'_>) -> Option<Self> {
        match ty.element() {
            Type::Struct(Struct { kind: StructKind::Fields, fields, .. }) => {
                let mut formats = fields.iter().map(|field| Self::everywhere(field.ty));
                let first = formats.next()??;
                formats.all(|format| format == Some(first)).then_some(first)
            }
            element => Self::within(element, 0, 0),
        }
    }

    /// The format of the numbers that the tensor map at this offset in a type copies, if it specifies one.
    pub fn copied_by(ty: &Type<'_>, at: usize) -> Option<Self> {
        match ty.at(at)? {
            (Type::Struct(Struct { kind: StructKind::TensorMap(spec), .. }), 0) => {
                Self::of_element(spec.element)
            }
            _ => None,
        }
    }

    /// Whether a type declares numbers of fewer than 32 bits.
    pub fn is_narrow_in(ty: &Type<'_>) -> bool {
        match ty.element() {
            Type::Struct(Struct { kind: StructKind::Fields, fields, .. }) => {
                fields.iter().any(|field| Self::is_narrow_in(field.ty))
            }
            element => Self::within(element, 0, 0).is_some_and(Self::is_narrow),
        }
    }

    /// The format declared at every position in a type where an access of `bytes` bytes may start, and the
    /// offset of its first byte in a number. The access starts at `base` or any number of steps from there,
    /// within `span`. A pointer points to values of the type one after the other, unless it is a struct, which
    /// may be the header of something else.
    pub fn at(
        ty: &Type<'_>,
        is_pointee: bool,
        ((base, step), span): ((i128, u64), Option<(i128, i128)>),
        bytes: usize,
    ) -> Option<(Self, usize)> {
        let span = if step == 0 { Some((base, base)) } else { span };
        let region = span.and_then(|(least, most)| {
            let from = usize::try_from(least).ok()?;
            let to = usize::try_from(most).ok()?.checked_add(bytes)?;
            ty.size().is_none_or(|size| to <= size).then_some((from, to))
        });
        let format = match region {
            Some((from, to)) if !is_pointee || ty.is_fields() => Self::within(ty, from, to)?,
            Some(_) | None if ty.is_fields() && is_pointee => return None,
            Some(_) | None => Self::everywhere(ty)?,
        };
        let size = i128::try_from(format.bytes()).ok()?;
        if step % u64::try_from(size).ok()? != 0 {
            return None;
        }
        Some((format, usize::try_from(base.rem_euclid(size)).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Extent;
    use crate::map::Spec;

    const BF16S: Type<'_> = Type::Array(Extent::Unknown, &Type::Scalar(ScalarType::Bf16));
    const HALVES: Type<'_> = Type::Array(Extent::Known(4), &Type::Scalar(ScalarType::F16x2));
    const BITS: Type<'_> = Type::Array(Extent::Known(4), &Type::Scalar(ScalarType::B32));

    fn packed(name: &str) -> Option<(NumberFormat, usize)> {
        PackedNumbers::from_name(name).map(|packed| (packed.format, packed.bytes))
    }

    #[test]
    fn types_of_instructions_are_numbers_side_by_side() {
        assert_eq!(packed("f16x2"), Some((NumberFormat::F16, 4)));
        assert_eq!(packed("e2m1x2"), Some((NumberFormat::E2m1, 1)));
        assert_eq!(packed("e2m1x4"), Some((NumberFormat::E2m1, 2)));
        assert_eq!(packed("ue8m0x2"), Some((NumberFormat::Ue8m0, 2)));
        assert_eq!(packed("ue4m3"), Some((NumberFormat::E4m3, 1)));
        assert_eq!(packed("tf32"), Some((NumberFormat::F32, 4)));
        for other in ["b16", "u16x2", "s32", "m16n8k16", "x2", "rn", "s2f6x2"] {
            assert_eq!(packed(other), None, "{other}");
        }
        assert_eq!(NumberFormat::E2m1.count_in(4), 8);
        assert_eq!(NumberFormat::Bf16.count_in(4), 2);
    }

    #[test]
    fn storage_determines_the_format_of_its_bytes() {
        let at = |ty, base, step| NumberFormat::at(ty, false, ((base, step), None), 4);
        assert_eq!(at(&BF16S, 3, 0), Some((NumberFormat::Bf16, 1)));
        assert_eq!(at(&BF16S, 2, 4), Some((NumberFormat::Bf16, 0)));
        assert_eq!(at(&BF16S, 2, 1), None);
        assert_eq!(at(&HALVES, 12, 0), Some((NumberFormat::F16, 0)));
        assert_eq!(at(&BITS, 0, 0), None);
        assert_eq!(at(&Type::Unknown, 0, 0), None);
    }

    #[test]
    fn a_struct_has_the_format_of_the_field_that_is_surely_meant() {
        let field = |name, offset, ty| Field { name, offset, ty, pointer: None };
        let fields = [field("a", 0, &HALVES), field("b", 16, &BITS), field("c", 32, &BF16S)];
        let both = Type::Array(Extent::Known(8), &Type::Scalar(ScalarType::E4m3x2));
        let others = [field("a", 0, &HALVES), field("b", 16, &both)];
        let structure = |fields| {
            let kind = StructKind::Fields;
            Type::Struct(Struct { name: "S", size: 32, align: 4, fields, kind })
        };
        let at = |ty: &Type<'_>, is_pointee, base, step, span| {
            NumberFormat::at(ty, is_pointee, ((base, step), span), 4)
        };
        let mixed = structure(&fields[..2]);
        assert_eq!(at(&mixed, false, 4, 0, None), Some((NumberFormat::F16, 0)));
        assert_eq!(at(&mixed, false, 16, 0, None), None);
        assert_eq!(at(&mixed, false, 0, 4, None), None);
        assert_eq!(at(&mixed, false, 0, 4, Some((0, 12))), Some((NumberFormat::F16, 0)));
        assert_eq!(at(&mixed, false, 0, 4, Some((0, 16))), None);
        assert_eq!(at(&mixed, true, 4, 0, None), Some((NumberFormat::F16, 0)));
        assert_eq!(at(&mixed, true, 40, 0, None), None);
        let small = structure(&others);
        assert_eq!(at(&small, false, 16, 2, Some((16, 28))), Some((NumberFormat::E4m3, 0)));
        assert_eq!(at(&small, false, 0, 4, Some((0, 28))), None);
    }

    #[test]
    fn a_tile_has_the_format_of_its_elements() {
        const HALVES: Spec = Spec::tiled_unchecked(ElementType::F16, 2, [64, 8, 1, 1, 1]);
        const BYTES: Spec = Spec::tiled_unchecked(ElementType::U8, 2, [64, 8, 1, 1, 1]);
        let tile = |spec| {
            let kind = StructKind::Tile(spec);
            Type::Struct(Struct { name: "Tile", size: 1024, align: 128, fields: &[], kind })
        };
        let at = |ty: &Type<'_>, step| NumberFormat::at(ty, false, ((0, step), None), 16);
        assert_eq!(at(&tile(&HALVES), 16), Some((NumberFormat::F16, 0)));
        assert_eq!(
            at(&Type::Array(Extent::Unknown, &tile(&HALVES)), 4),
            Some((NumberFormat::F16, 0))
        );
        assert_eq!(at(&tile(&HALVES), 1), None);
        assert_eq!(at(&tile(&BYTES), 16), None);
        let map = |spec| {
            let kind = StructKind::TensorMap(spec);
            Type::Struct(Struct { name: "Map", size: 128, align: 64, fields: &[], kind })
        };
        assert_eq!(NumberFormat::copied_by(&map(&HALVES), 0), Some(NumberFormat::F16));
        assert_eq!(NumberFormat::copied_by(&map(&BYTES), 0), None);
        assert_eq!(NumberFormat::copied_by(&tile(&HALVES), 0), None);
    }

    #[test]
    fn behind_a_pointer_there_is_one_element_after_the_other() {
        let ty = Type::Vector(4, ScalarType::E5m2x4);
        let at = |base, step| NumberFormat::at(&ty, true, ((base, step), None), 16);
        assert_eq!(at(-16, 0), Some((NumberFormat::E5m2, 0)));
        assert_eq!(at(160, 0), Some((NumberFormat::E5m2, 0)));
        assert_eq!(at(0, 1), Some((NumberFormat::E5m2, 0)));
    }
}
