//! The properties of types, in tables.

use alloc::vec::Vec;

use super::*;
use crate::tensor::ElementType;

const BYTE: &Type<'static> = &Type::Scalar(ScalarType::U8);
const WORD: &Type<'static> = &Type::Scalar(ScalarType::U32);
const PAIR: &Type<'static> = &Type::Vector(2, ScalarType::F32);
const TEXTURE: &Type<'static> = &Type::Opaque(Opaque::TexRef);
const MAP: Spec = Spec::tiled_unchecked(ElementType::U8, 2, [16, 8, 0, 0, 0]);

const fn field(name: &'static str, offset: usize, ty: &'static Type<'static>) -> Field<'static> {
    Field { name, offset, ty, pointer: None }
}

const fn of_fields(fields: &'static [Field<'static>], size: usize) -> Type<'static> {
    Type::Struct(Struct { name: "S", size, align: 4, fields, kind: StructKind::Fields })
}

const fn of_kind(kind: StructKind<'static>) -> Type<'static> {
    Type::Struct(Struct { name: "K", size: 128, align: 64, fields: &[], kind })
}

/// A byte, 3 bytes of padding, a word, and an array of three pairs.
const FIELDS: &[Field<'static>] = &[
    field("a", 0, BYTE),
    field("b", 4, WORD),
    field("c", 8, &Type::Array(Extent::Known(3), PAIR)),
];
const MIXED: &Type<'static> = &of_fields(FIELDS, 32);
const BARRIER: &Type<'static> = &of_kind(StructKind::Mbarrier);
const TILE: &Type<'static> = &of_kind(StructKind::Tile(&MAP));
const TENSOR_MAP: &Type<'static> = &of_kind(StructKind::TensorMap(&MAP));

const fn array(extent: Extent, element: &'static Type<'static>) -> Type<'static> {
    Type::Array(extent, element)
}

#[test]
fn every_scalar_has_its_own_reference() {
    for scalar in ScalarType::ALL {
        assert_eq!(*Type::of_scalar(*scalar), Type::Scalar(*scalar));
    }
}

#[test]
fn sizes_alignments_and_whether_they_are_known() {
    let table: &[(Type<'_>, Option<usize>, Option<usize>, bool)] = &[
        (*BYTE, Some(1), Some(1), true),
        (*WORD, Some(4), Some(4), true),
        (*PAIR, Some(8), Some(8), true),
        (Type::Vector(4, ScalarType::U16), Some(8), Some(8), true),
        (*MIXED, Some(32), Some(4), true),
        (*TEXTURE, Some(0), Some(4), true),
        (Type::Unknown, None, None, false),
        (array(Extent::Known(3), WORD), Some(12), Some(4), true),
        (array(Extent::Known(0), WORD), Some(0), Some(4), true),
        (array(Extent::Known(usize::MAX / 2), WORD), Some(usize::MAX), Some(4), true),
        (array(Extent::Incomplete, WORD), None, Some(4), true),
        (array(Extent::Unknown, WORD), None, Some(4), false),
        (array(Extent::Known(2), &Type::Unknown), None, None, false),
        (Type::Family(Extent::Known(5), PAIR), Some(40), Some(8), true),
        (Type::Family(Extent::Unknown, PAIR), None, Some(8), false),
        (Type::Aligned(2, WORD), Some(4), Some(4), true),
        (Type::Aligned(4, WORD), Some(4), Some(4), true),
        (Type::Aligned(16, WORD), Some(4), Some(16), true),
        (Type::Aligned(16, &Type::Unknown), None, None, false),
    ];
    for (ty, size, align, is_known) in table {
        assert_eq!((ty.size(), ty.align(), ty.is_known()), (*size, *align, *is_known), "{ty:?}");
    }
    assert_eq!(Extent::Known(7).known(), Some(7));
    assert_eq!((Extent::Incomplete.known(), Extent::Unknown.known()), (None, None));
}

#[test]
fn arrays_have_elements_and_dimensions() {
    let rows = &array(Extent::Known(3), WORD);
    let table = &Type::Array(Extent::Incomplete, rows);
    let aligned = &Type::Aligned(16, table);
    let family = &Type::Family(Extent::Known(9), aligned);
    for (ty, element, extents) in [
        (WORD, WORD, &[][..]),
        (PAIR, PAIR, &[]),
        (MIXED, MIXED, &[]),
        (&Type::Unknown, &Type::Unknown, &[]),
        (TEXTURE, TEXTURE, &[]),
        (rows, WORD, &[Extent::Known(3)]),
        (table, WORD, &[Extent::Incomplete, Extent::Known(3)]),
        (aligned, WORD, &[Extent::Incomplete, Extent::Known(3)]),
        (family, WORD, &[Extent::Incomplete, Extent::Known(3)]),
    ] {
        assert_eq!(ty.element(), element);
        assert_eq!(ty.rank(), extents.len());
        assert_eq!(ty.extents().collect::<Vec<_>>(), extents);
        assert_eq!(ty.extent(extents.len()), None);
    }
}

#[test]
fn scalars_opaque_types_and_families() {
    let family = &Type::Family(Extent::Known(9), PAIR);
    for (ty, scalar, opaque, family) in [
        (WORD, Some(ScalarType::U32), None, None),
        (PAIR, Some(ScalarType::F32), None, None),
        (&array(Extent::Known(2), PAIR), Some(ScalarType::F32), None, None),
        (MIXED, None, None, None),
        (&Type::Unknown, None, None, None),
        (TEXTURE, None, Some(Opaque::TexRef), None),
        (&array(Extent::Known(2), TEXTURE), None, Some(Opaque::TexRef), None),
        (family, Some(ScalarType::F32), None, Some((Extent::Known(9), PAIR))),
        (&Type::Aligned(8, family), Some(ScalarType::F32), None, Some((Extent::Known(9), PAIR))),
    ] {
        assert_eq!((ty.scalar(), ty.opaque(), ty.family()), (scalar, opaque, family), "{ty:?}");
    }
}

#[test]
fn only_a_struct_that_a_user_declared_has_fields() {
    for (ty, expected) in [
        (MIXED, true),
        (&Type::Aligned(16, MIXED), true),
        (&array(Extent::Known(2), MIXED), false),
        (&Type::Family(Extent::Known(2), MIXED), false),
        (BARRIER, false),
        (TILE, false),
        (TENSOR_MAP, false),
        (WORD, false),
        (PAIR, false),
        (TEXTURE, false),
        (&Type::Unknown, false),
    ] {
        assert_eq!(ty.is_fields(), expected, "{ty:?}");
    }
}

/// The scalar or vector at each byte of the struct of three fields, and the offset into it.
#[test]
fn every_byte_belongs_to_at_most_one_value() {
    const OVERLAPPING: &[Field<'static>] = &[field("a", 0, WORD), field("b", 2, BYTE)];
    const UNKNOWN: &[Field<'static>] = &[field("a", 0, &Type::Unknown), field("b", 4, WORD)];
    let expected = |at| match at {
        0 => Some((BYTE, 0)),
        4..8 => Some((WORD, at - 4)),
        8..32 => Some((PAIR, at % 8)),
        _ => None,
    };
    for at in 0..40 {
        assert_eq!(MIXED.at(at), expected(at), "{at}");
        assert_eq!(Type::Aligned(64, MIXED).at(at), expected(at), "{at}");
        assert_eq!(array(Extent::Known(2), MIXED).at(at), expected(at % 32), "{at}");
        assert_eq!(Type::Family(Extent::Known(2), MIXED).at(at), expected(at % 32), "{at}");
        assert_eq!(WORD.at(at), Some((WORD, at)));
        assert_eq!(BARRIER.at(at), Some((BARRIER, at)));
        assert_eq!(TEXTURE.at(at), None);
        assert_eq!(Type::Unknown.at(at), None);
        assert_eq!(array(Extent::Known(2), TEXTURE).at(at), None);
        assert_eq!(array(Extent::Known(2), &Type::Unknown).at(at), None);
    }
    // Where a field overlaps the next one, the byte belongs to the next one.
    let overlapping = of_fields(OVERLAPPING, 4);
    let found: Vec<_> = (0..5).map(|at| overlapping.at(at)).collect();
    assert_eq!(found, [Some((WORD, 0)), Some((WORD, 1)), Some((BYTE, 0)), None, None]);
    // A field of unknown size has no bytes.
    assert_eq!(of_fields(UNKNOWN, 8).at(0), None);
    assert_eq!(of_fields(UNKNOWN, 8).at(4), Some((WORD, 0)));
}

#[test]
fn every_byte_belongs_to_at_most_one_field() {
    const UNKNOWN: &[Field<'static>] = &[field("a", 0, &Type::Unknown)];
    let expected = |at| match at {
        0 => Some((&FIELDS[0], 0)),
        4..8 => Some((&FIELDS[1], at - 4)),
        8..32 => Some((&FIELDS[2], at - 8)),
        _ => None,
    };
    for at in 0..40 {
        assert_eq!(MIXED.field_at(at), expected(at), "{at}");
        assert_eq!(Type::Aligned(64, MIXED).field_at(at), expected(at), "{at}");
        for ty in [WORD, PAIR, BARRIER, TEXTURE, &Type::Unknown, &array(Extent::Known(2), MIXED)] {
            assert_eq!(ty.field_at(at), None);
        }
    }
    assert_eq!(of_fields(UNKNOWN, 8).field_at(0), None);
}

#[test]
fn gaps_are_before_fields_and_at_the_end() {
    const LATE: &[Field<'static>] = &[field("a", 8, WORD)];
    const UNKNOWN: &[Field<'static>] = &[field("a", 0, &Type::Unknown), field("b", 4, WORD)];
    let gaps = |ty: &Type<'static>| -> Vec<usize> {
        let Type::Struct(layout) = ty else { panic!("a struct") };
        (0..=layout.fields.len()).map(|n| layout.gap_before(n)).collect()
    };
    assert_eq!(gaps(MIXED), [0, 3, 0, 0]);
    assert_eq!(gaps(&of_fields(FIELDS, 36)), [0, 3, 0, 4]);
    assert_eq!(gaps(&of_fields(LATE, 16)), [8, 4]);
    assert_eq!(gaps(&of_fields(&[], 4)), [4]);
    assert_eq!(gaps(&of_fields(UNKNOWN, 12)), [0, 0, 4]);
}

#[test]
fn padding_is_found_wherever_it_is() {
    const DENSE: &[Field<'static>] = &[field("a", 0, WORD), field("b", 4, WORD)];
    const NESTED: &[Field<'static>] = &[field("a", 0, MIXED)];
    const HALF: &Type<'static> = &Type::Scalar(ScalarType::U16);
    const CLOSE: &[Field<'static>] = &[field("a", 0, BYTE), field("b", 2, HALF)];
    const OPEN_BY_ONE: &[Field<'static>] = &[field("a", 0, HALF), field("b", 2, BYTE)];
    const PLAIN: &Type<'static> = &of_fields(DENSE, 8);
    const ENDED: &Type<'static> = &of_fields(DENSE, 12);
    for (ty, expected) in [
        (WORD, false),
        (PAIR, false),
        (TEXTURE, false),
        (&Type::Unknown, false),
        (PLAIN, false),
        (ENDED, true),
        (MIXED, true),
        (&of_fields(NESTED, 32), true),
        (&array(Extent::Known(2), MIXED), true),
        (&array(Extent::Known(2), PLAIN), false),
        (&Type::Family(Extent::Known(2), MIXED), true),
        (&Type::Family(Extent::Known(2), PLAIN), false),
        (&of_fields(CLOSE, 4), true),
        (&of_fields(OPEN_BY_ONE, 4), true),
        (&Type::Aligned(4, WORD), false),
        (&Type::Aligned(8, WORD), true),
        (&Type::Aligned(8, PLAIN), false),
        (&Type::Aligned(8, MIXED), true),
        (&Type::Aligned(8, &Type::Unknown), false),
    ] {
        assert_eq!(ty.has_padding(), expected, "{ty:?}");
    }
}

fn to_word() -> Pointer<'static> {
    Pointer { space: Some(Space::Global), align: None, pointee: WORD }
}

const fn pointer(name: &'static str, offset: usize) -> Field<'static> {
    Field { name, offset, ty: &Type::Scalar(ScalarType::U64), pointer: Some(to_word) }
}

#[test]
fn pointers_are_found_in_structs_and_nested_structs() {
    const INNER: &[Field<'static>] = &[field("n", 0, WORD), pointer("p", 8)];
    const PAIR_OF: &Type<'static> = &of_fields(INNER, 16);
    const OUTER: &[Field<'static>] = &[
        pointer("first", 0),
        field("inner", 16, PAIR_OF),
        field("aligned", 32, &Type::Aligned(16, PAIR_OF)),
        field("array", 48, &Type::Array(Extent::Known(2), PAIR_OF)),
        field("map", 80, TENSOR_MAP),
        pointer("last", 208),
    ];
    let found = |ty: &Type<'static>| {
        let mut found = Vec::new();
        ty.for_each_pointer(&mut |at, pointer| found.push((at, pointer.space)));
        found
    };
    let at = |at| (at, Some(Space::Global));
    assert_eq!(found(&of_fields(OUTER, 216)), [at(0), at(24), at(40), at(208)]);
    for ty in [WORD, PAIR, TEXTURE, BARRIER, &Type::Unknown, &array(Extent::Known(2), PAIR_OF)] {
        assert_eq!(found(ty), []);
    }
}

#[test]
fn a_pointer_has_its_own_alignment_or_that_of_its_pointee() {
    assert_eq!(to_word().alignment(), Some(4));
    assert_eq!(Pointer { align: Some(16), ..to_word() }.alignment(), Some(16));
    assert_eq!(Pointer { pointee: &Type::Unknown, ..to_word() }.alignment(), None);
}

#[test]
fn fields_are_equal_whatever_they_point_to() {
    let plain = field("p", 8, &Type::Scalar(ScalarType::U64));
    assert_eq!(pointer("p", 8), plain);
    assert_ne!(field("q", 8, plain.ty), plain);
    assert_ne!(field("p", 0, plain.ty), plain);
    assert_ne!(field("p", 8, WORD), plain);
    let text = alloc::format!("{:?}", pointer("p", 8));
    assert_eq!(text, "Field { name: \"p\", offset: 8, ty: Scalar(U64) }");
}
