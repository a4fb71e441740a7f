//! What tokens show about a type, to be compared with the type that rustc knows.

use alloc::vec::Vec;

use super::body::{split, write};
use super::ty::{Extent, Type};

/// Compares a type with the one that its tokens showed.
///
/// The assumption is a table of bytes, because rustc compares one literal faster than it builds a
/// tree of values.
impl Type<'_> {
    /// The assumption that a Rust type is this one and has its layout: its size and alignment in
    /// bytes, and its parts from the outside in. `None` where a part is unknown or is not one of
    /// PTX's own types.
    pub fn assumption(&self) -> Option<Vec<u8>> {
        let (size, align) = (self.size()?, self.align()?);
        let mut table = Vec::new();
        write(u64::try_from(size).ok()?, &mut table);
        write(u64::try_from(align).ok()?, &mut table);
        self.push_parts(&mut table)?;
        Some(table)
    }

    fn push_parts(&self, table: &mut Vec<u8>) -> Option<()> {
        match *self {
            Self::Scalar(scalar) => table.extend([SCALAR, scalar as u8]),
            Self::Vector(lanes, scalar) => table.extend([VECTOR, lanes, scalar as u8]),
            Self::Array(Extent::Known(count), element) => {
                table.push(ARRAY);
                write(u64::try_from(count).ok()?, table);
                element.push_parts(table)?;
            }
            Self::Aligned(align, inner) => {
                table.push(ALIGNED);
                write(u64::try_from(align).ok()?, table);
                inner.push_parts(table)?;
            }
            Self::Array(Extent::Incomplete | Extent::Unknown, _)
            | Self::Struct(_)
            | Self::Opaque(_)
            | Self::Family(..)
            | Self::Unknown => return None,
        }
        Some(())
    }

    /// Whether an [assumption](Self::assumption) holds for this type, which Rust lays out in `size`
    /// bytes aligned to `align`.
    pub const fn is_as_assumed(&self, assumption: &[u8], size: usize, align: usize) -> bool {
        let (assumed_size, rest) = split(assumption);
        let (assumed_align, rest) = split(rest);
        assumed_size == size as u64 && assumed_align == align as u64 && self.has_parts(rest)
    }

    const fn has_parts(&self, parts: &[u8]) -> bool {
        match (self, parts) {
            (Self::Scalar(scalar), &[SCALAR, assumed]) => *scalar as u8 == assumed,
            (Self::Vector(lanes, scalar), &[VECTOR, count, assumed]) => {
                *lanes == count && *scalar as u8 == assumed
            }
            (Self::Array(Extent::Known(count), element), [ARRAY, rest @ ..]) => {
                let (assumed, rest) = split(rest);
                *count as u64 == assumed && element.has_parts(rest)
            }
            (Self::Aligned(align, inner), [ALIGNED, rest @ ..]) => {
                let (assumed, rest) = split(rest);
                *align as u64 == assumed && inner.has_parts(rest)
            }
            (_, _) => false,
        }
    }
}

const SCALAR: u8 = 0;
const VECTOR: u8 = 1;
const ARRAY: u8 = 2;
const ALIGNED: u8 = 3;

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::ScalarType;

    const WORD: &Type<'static> = &Type::Scalar(ScalarType::U32);
    const PAIR: &Type<'static> = &Type::Vector(2, ScalarType::F64);
    const TYPES: &[&Type<'static>] = &[
        WORD,
        &Type::Scalar(ScalarType::S32),
        PAIR,
        &Type::Vector(4, ScalarType::F64),
        &Type::Vector(2, ScalarType::U64),
        &Type::Array(Extent::Known(3), WORD),
        &Type::Array(Extent::Known(300), WORD),
        &Type::Array(Extent::Known(2), &Type::Array(Extent::Known(3), PAIR)),
        &Type::Array(Extent::Known(3), &Type::Array(Extent::Known(2), PAIR)),
        &Type::Aligned(16, WORD),
        &Type::Aligned(256, &Type::Array(Extent::Known(3), WORD)),
        &Type::Array(Extent::Known(usize::MAX / 4), WORD),
    ];

    #[test]
    fn an_assumption_holds_for_its_own_type_only() {
        for assumed in TYPES {
            let assumption = assumed.assumption().expect("every part is known");
            for ty in TYPES {
                let (size, align) = (ty.size().expect("known"), ty.align().expect("known"));
                assert_eq!(ty.is_as_assumed(&assumption, size, align), ty == assumed);
            }
            let (size, align) = (assumed.size().expect("known"), assumed.align().expect("known"));
            assert!(!assumed.is_as_assumed(&assumption, size ^ 1, align), "Rust has another size");
            assert!(
                !assumed.is_as_assumed(&assumption, size, align * 2),
                "Rust has another alignment"
            );
            assert!(!assumed.is_as_assumed(&assumption[..assumption.len() - 1], size, align));
            assert!(!assumed.is_as_assumed(&[&assumption[..], &[0]].concat(), size, align));
            assert!(!assumed.is_as_assumed(&[], size, align));
        }
    }

    #[test]
    fn nothing_is_assumed_where_tokens_leave_the_type_open() {
        for ty in [
            &Type::Unknown,
            &Type::Array(Extent::Unknown, WORD),
            &Type::Array(Extent::Incomplete, WORD),
            &Type::Array(Extent::Known(2), &Type::Unknown),
        ] {
            assert_eq!(ty.assumption(), None::<Vec<u8>>);
        }
    }
}
