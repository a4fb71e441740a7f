//! Tensor maps as types, and the checks of expanded constants, run at run time.
#![allow(unsafe_code, reason = "it implements unsafe traits, as expanded code does")]

use std::panic::{UnwindSafe, catch_unwind};

use ptx_types::__private::{check_map, require, to_i32};
use ptx_types::float::Format;
use ptx_types::ir::{Extent, Field as Part, StructKind, Type};
use ptx_types::tensor::{
    Descriptor, ElementType, Field, MapType, Mbarrier, Mode, Spec, Swizzle, Tensor, TensorMap,
    Tile, difference, encode,
};
use ptx_types::{Generic, Ptr, PtxType, ScalarType, Target};
use typenum::{U0, U2, U16, U128};

/// A box of 16 x 8 bytes of a matrix, with an allowed hazard: a pitch that is too short.
struct Matrix;

// SAFETY: a tile of 128 bytes at 128.
unsafe impl MapType for Matrix {
    const SPEC: Spec = Spec::tiled_unchecked(ElementType::U8, 2, [16, 8, 0, 0, 0]);
    const NAME: &'static str = "Matrix";
    const ALLOWED: &'static [&'static str] = &["M059"];
    type Element = u8;
    type Rank = U2;
    type SwizzleSpan = U0;
    type Align = U128;
    type BaseAlign = U16;
    type Storage = [u8; 128];
}

/// The matrix with a swizzle for which no descriptor is known.
struct Odd;

// SAFETY: as above.
unsafe impl MapType for Odd {
    const SPEC: Spec = Spec { swizzle: Swizzle::B128Atom32, ..Matrix::SPEC };
    const NAME: &'static str = "Odd";
    const ALLOWED: &'static [&'static str] = &[];
    type Element = u8;
    type Rank = U2;
    type SwizzleSpan = U128;
    type Align = U128;
    type BaseAlign = U16;
    type Storage = [u8; 1024];
}

fn at<M: MapType>(address: u64) -> Ptr<Generic, M::Element, M::BaseAlign> {
    Ptr::new(address)
}

/// The panic message, if there is one.
fn panic_message<T>(check: impl FnOnce() -> T + UnwindSafe) -> Option<String> {
    let error = catch_unwind(check).err()?;
    let text = error.downcast_ref::<String>().cloned();
    text.or_else(|| error.downcast_ref::<&str>().map(ToString::to_string))
}

/// The codes in it, one in each line.
fn codes(text: Option<String>) -> Vec<String> {
    let text = text.unwrap_or_default();
    let code = |line: &str| line.split_once(" [").expect("a code").1[..4].to_owned();
    text.lines().map(code).collect()
}

#[test]
fn a_map_over_a_variable_is_the_descriptor_of_its_numbers() {
    let map = TensorMap::<Matrix>::over(at::<Matrix>(0x1230), [100, 40], [112]);
    let tensor = Tensor { address: 0x1230, dims: [100, 40, 1, 1, 1], strides: [112, 0, 0, 0] };
    assert_eq!(map.descriptor(), encode(&Matrix::SPEC, &tensor, Target::Sm90a).unwrap());
    assert_eq!(TensorMap::<Matrix>::from_descriptor(&map.descriptor()), map);
    let other = TensorMap::<Matrix>::over(at::<Matrix>(0x1240), [100, 40], [112]);
    assert_ne!(map, other);
    assert!(
        format!("{map:?}").starts_with("TensorMap<Matrix> { tiled map of u8 at 0x1230: 100 x 40")
    );
    // The broken rule is reported, unless it is allowed.
    let over = |dims, strides| {
        codes(panic_message(|| TensorMap::<Matrix>::over(at::<Matrix>(0), dims, strides)))
    };
    assert_eq!(over([100, 40], [112]), [""; 0]);
    assert_eq!(over([100, 40], [16]), [""; 0]);
    assert_eq!(over([0, 40], [112]), ["M053"]);
    assert_eq!(over([0, 1 << 33], [8]), ["M053", "M053", "M055"]);
    assert_eq!(over([100, 40], [1 << 40]), ["M056"]);
}

#[test]
fn a_map_has_an_extent_for_each_dimension_and_a_layout_that_is_known() {
    let wrong = "a tensor has one extent for each dimension of its map, and one stride fewer";
    let messages = [
        panic_message(|| TensorMap::<Matrix>::over(at::<Matrix>(0), [100], [])),
        panic_message(|| TensorMap::<Matrix>::over(at::<Matrix>(0), [100, 2, 2], [112, 112])),
        panic_message(|| TensorMap::<Matrix>::over(at::<Matrix>(0), [100, 2], [112, 112])),
    ];
    assert_eq!(messages, [(); 3].map(|()| Some(wrong.to_owned())));
    let text = panic_message(|| TensorMap::<Odd>::over(at::<Odd>(0), [112, 2], [112])).unwrap();
    assert!(text.starts_with("no layout was observed for descriptors"), "{text}");
}

#[test]
fn maps_tiles_and_barriers_are_structs_of_bytes() {
    let part = |ty: &Type<'static>| -> (usize, usize, StructKind<'static>, Part<'static>) {
        let Type::Struct(layout) = ty else { panic!("{ty:?}") };
        let [field] = layout.fields else { panic!("one field") };
        (layout.size, layout.align, layout.kind, *field)
    };
    let bytes = |count| Type::Array(Extent::Known(count), &Type::Scalar(ScalarType::B8));
    let (size, align, kind, field) = part(TensorMap::<Matrix>::TYPE);
    assert_eq!((size, align, kind), (128, 64, StructKind::TensorMap(&Matrix::SPEC)));
    assert_eq!((field.name, field.offset, *field.ty), ("descriptor", 0, bytes(128)));
    let (size, align, kind, field) = part(TensorMap::<Matrix, U128>::TYPE);
    assert_eq!((size, align, kind), (128, 128, StructKind::TensorMap(&Matrix::SPEC)));
    assert_eq!(field.offset, 0);
    let (size, align, kind, field) = part(Tile::<Matrix>::TYPE);
    assert_eq!((size, align, kind), (128, 128, StructKind::Tile(&Matrix::SPEC)));
    assert_eq!((field.name, field.offset, *field.ty), ("tile", 0, bytes(128)));
    let (size, align, kind, field) = part(Mbarrier::TYPE);
    assert_eq!((size, align, kind), (8, 8, StructKind::Mbarrier));
    assert_eq!((field.name, field.offset), ("state", 0));
}

/// A map that breaks rules of its box, its traversal strides and its fill.
const BROKEN: Spec = Spec {
    mode: Mode::Tiled { box_dims: [5, 0, 1, 1, 1] },
    element_strides: [9, 9, 1, 1, 1],
    ..Matrix::SPEC
};

#[test]
fn a_field_is_checked_by_itself() {
    const NO_RANK: Spec = Spec { rank: 0, ..Matrix::SPEC };
    const NEW: Spec = Spec {
        element: ElementType::B4x16,
        mode: Mode::Tiled { box_dims: [32, 8, 1, 1, 1] },
        ..Matrix::SPEC
    };
    const TAKEN: Spec = Spec { element_strides: [2, 1, 1, 1, 1], ..Matrix::SPEC };
    let of = |spec: &'static Spec, allow: &'static [&'static str], field| {
        let found = check_map(spec, Some(Target::Sm90a), allow, &[field], true);
        codes(panic_message(|| require(found)))
    };
    for (field, code) in [
        (Field::Box(0), Some("M015")),
        (Field::Box(1), Some("M014")),
        (Field::Box(2), None),
        (Field::ElementStride(0), Some("M012")),
        (Field::ElementStride(1), Some("M011")),
        (Field::Rank, None),
        (Field::Tile, None),
        (Field::Interleave, None),
    ] {
        assert_eq!(of(&BROKEN, &[], field), code.into_iter().collect::<Vec<_>>(), "{field}");
    }
    assert_eq!(of(&BROKEN, &["M012"], Field::ElementStride(0)), ["M013"]);
    assert_eq!(of(&BROKEN, &["M012", "M013"], Field::ElementStride(0)), [""; 0]);
    assert_eq!(of(&NO_RANK, &[], Field::Rank), ["M001"]);
    // A rule for other targets is not checked.
    assert_eq!(of(&NEW, &[], Field::Element), ["M006"]);
    let found = check_map(&NEW, None, &[], &[Field::Element], true);
    assert!(panic_message(|| require(found)).is_none());
    // A map that the driver accepts although a document forbids it is reported, too.
    assert_eq!(of(&TAKEN, &[], Field::ElementStride(0)), ["M013"]);
}

#[test]
fn remaining_fields_are_checked_together() {
    const STRIDES: &[Field] = &[Field::ElementStride(0), Field::ElementStride(1)];
    const ALL: &[Field] =
        &[Field::ElementStride(0), Field::Box(1), Field::Box(0), Field::ElementStride(1)];
    const NO_RANK: Spec = Spec { rank: 0, ..Matrix::SPEC };
    let of = |spec: &'static Spec, allow: &'static [&'static str], asked: &'static [Field]| {
        let found = check_map(spec, Some(Target::Sm90a), allow, asked, false);
        codes(panic_message(|| require(found)))
    };
    assert_eq!(of(&BROKEN, &[], &[]), ["M011"]);
    assert_eq!(of(&BROKEN, &["M011"], &[]), ["M012"]);
    assert_eq!(of(&BROKEN, &[], STRIDES), ["M014"]);
    assert_eq!(of(&BROKEN, &["M014"], STRIDES), ["M015"]);
    assert_eq!(of(&BROKEN, &["M014", "M015"], STRIDES), [""; 0]);
    assert_eq!(of(&BROKEN, &[], ALL), [""; 0]);
    assert_eq!(of(&NO_RANK, &[], STRIDES), ["M001"]);
    assert_eq!(of(&NO_RANK, &[], &[Field::Rank]), [""; 0]);
}

/// Adjacent broken rules are all reported.
#[test]
fn the_next_field_of_a_rule_is_checked_too() {
    const EMPTY: Spec = Spec { mode: Mode::Tiled { box_dims: [0, 0, 1, 1, 1] }, ..Matrix::SPEC };
    for field in [Field::Box(0), Field::Box(1)] {
        for is_there in [true, false] {
            let found = check_map(&EMPTY, None, &[], &[field], is_there);
            assert_eq!(codes(panic_message(|| require(found))), ["M014"], "{field}");
        }
    }
}

#[test]
fn a_corner_that_does_not_fit_becomes_the_nearest() {
    for (value, expected) in [
        (0_i64, 0),
        (-1, -1),
        (0x7fff_fffe, 0x7fff_fffe),
        (0x7fff_ffff, i32::MAX),
        (0x8000_0000, i32::MAX),
        (i64::MAX, i32::MAX),
        (-0x7fff_ffff, -0x7fff_ffff),
        (-0x8000_0000, i32::MIN),
        (-0x8000_0001, i32::MIN),
        (i64::MIN, i32::MIN),
    ] {
        assert_eq!(to_i32(value), expected);
    }
}

#[test]
fn small_floats_of_one_byte_are_copied_as_bytes() {
    let is_byte = |format: &&&Format| format.tensor_map.is_none() && format.bits <= 8;
    let names = Format::ALL.iter().filter(is_byte).map(|format| format.rust_name);
    assert!(names.eq(ElementType::BYTE_FLOATS));
}

#[test]
fn descriptors_that_are_the_same_do_not_differ() {
    let one = [0; 128];
    let other = [1; 128];
    assert!(difference(&one, &one).is_empty() && !difference(&one, &other).is_empty());
    assert_eq!(Descriptor::from_bytes(one).as_bytes(), &one);
}
