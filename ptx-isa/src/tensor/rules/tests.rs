//! The fields of the table, and how violations are found one after the other.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::*;
use crate::map::{ElementType, Interleave, Mode, Spec, Swizzle, Tensor};

const TILED: Spec = Spec::tiled_unchecked(ElementType::U8, 3, [16, 2, 2, 0, 0]);
const TENSOR: Tensor = Tensor::dense(0, ElementType::U8, [64, 64, 64, 1, 1]);
const IM2COL: Mode =
    Mode::Im2col { lower: [0; 3], upper: [0; 3], channels_per_pixel: 16, pixels_per_column: 4 };

/// A constructor of a field with an index.
type OfIndex = fn(usize) -> Field;

/// Each field with an index, and the number of its indices in the table and in a map of rank 3.
const INDEXED: [(OfIndex, usize, usize); 6] = [
    (Field::Box, 5, 3),
    (Field::ElementStride, 5, 3),
    (Field::Dim, 5, 3),
    (Field::Stride, 4, 2),
    (Field::Lower, 3, 1),
    (Field::Upper, 3, 1),
];

const SINGLE: [Field; 11] = [
    Field::Element,
    Field::Rank,
    Field::Mode,
    Field::Row,
    Field::Tile,
    Field::Interleave,
    Field::Swizzle,
    Field::OobFill,
    Field::ChannelsPerPixel,
    Field::PixelsPerColumn,
    Field::Address,
];

#[test]
fn arrays_have_as_many_fields_as_a_map_has_dimensions() {
    for (field, count, in_map) in INDEXED {
        assert_eq!((field(0).count(), field(0).count_in(&TILED)), (count, in_map), "{}", field(0));
    }
    for field in SINGLE {
        assert_eq!((field.count(), field.count_in(&TILED)), (1, 1), "{field}");
        let at = field.at(1, &TILED);
        assert!(at.is(field), "{field} {at}");
    }
}

#[test]
fn a_field_is_only_itself() {
    let indexed = INDEXED.iter().flat_map(|(field, count, _)| (0..*count).map(field));
    let all: Vec<Field> = SINGLE.into_iter().chain(indexed).collect();
    for (i, one) in all.iter().enumerate() {
        for (j, other) in all.iter().enumerate() {
            // The whole box has the name of its extents, without an index.
            assert_eq!(one.is(*other), i == j, "{one} {other}");
        }
    }
}

#[test]
fn a_field_has_its_name_in_the_mode() {
    let im2col = Spec { mode: IM2COL, ..TILED };
    let gather = Spec { mode: Mode::Gather4 { row: 16 }, ..TILED };
    let scatter = Spec { mode: Mode::Scatter4 { row: 16 }, ..TILED };
    for (field, map, expected) in [
        (Field::Box(0), TILED, "box[2]"),
        (Field::Box(0), gather, "row"),
        (Field::Box(0), scatter, "row"),
        (Field::Box(0), im2col, "channels_per_pixel"),
        (Field::Tile, TILED, "box"),
        (Field::Tile, gather, "box"),
        (Field::Tile, im2col, "pixels_per_column"),
        (Field::ElementStride(0), im2col, "element_strides[2]"),
        (Field::Lower(0), im2col, "lower[2]"),
        (Field::Upper(0), im2col, "upper[2]"),
        (Field::Dim(0), TILED, "dims[2]"),
        (Field::Stride(0), TILED, "strides[2]"),
    ] {
        assert_eq!(field.at(2, &map).to_string(), expected);
    }
}

#[test]
fn only_rules_that_the_driver_does_not_enforce_can_be_allowed() {
    let kinds = [Observed::Taken, Observed::Refused(""), Observed::Refused("so"), Observed::Unseen];
    assert_eq!(kinds.map(Observed::can_be_allowed), [true, false, false, false]);
}

/// All violations that are found one after the other: the code and the field of each.
fn found(mut next: impl FnMut(usize) -> Option<(usize, Violation)>) -> Vec<String> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some((at, violation)) = next(from) {
        assert!(at >= from);
        found.push(alloc::format!("{} {}", violation.rule.code, violation.blames));
        from = at + 1;
    }
    found
}

#[test]
fn violations_are_found_one_after_the_other() {
    let map = Spec {
        rank: 2,
        mode: Mode::Tiled { box_dims: [0, 300, 9, 0, 0] },
        element_strides: [2, 9, 0, 0, 0],
        interleave: Interleave::None,
        ..TILED
    };
    let of_map =
        ["M011 element_strides[1]", "M013 element_strides[0]", "M014 box[0]", "M014 box[1]"];
    assert_eq!(found(|from| map.violation(None, from)), of_map);
    let tensor = Tensor { address: 8, dims: [0, 1 << 33, 0, 0, 0], strides: [8, 1, 1, 1] };
    let of_tensor = ["M050 address", "M053 dims[0]", "M053 dims[1]", "M055 strides[0]"];
    assert_eq!(found(|from| map.violation_with(&tensor, None, from)), of_tensor);
    // Rules that the driver does not enforce are found too.
    let short = Tensor { strides: [16, 16, 0, 0], ..TENSOR };
    let taken = ["M059 strides[0]", "M059 strides[1]"];
    assert_eq!(found(|from| TILED.violation_with(&short, None, from)), taken);
    let first = |map: &Spec, tensor| {
        map.first_violation_with(tensor, None)
            .map(|found| alloc::format!("{} {}", found.rule.code, found.blames))
    };
    assert_eq!(first(&map, &tensor).as_deref(), Some(of_map[0]));
    assert_eq!(first(&TILED, &tensor).as_deref(), Some("M050 address"));
    assert_eq!(first(&TILED, &short).as_deref(), Some(taken[0]));
    assert_eq!(first(&TILED, &TENSOR), None);
}

#[test]
fn a_map_is_refused_only_for_rules_that_the_driver_enforces() {
    let target = Some(Target::Sm90a);
    let is_refused = |map: Spec, tensor: Tensor| {
        let tensor = tensor.with_unit_dimensions(&map);
        map.with_unit_dimensions().is_refused(&tensor, target)
    };
    assert!(!is_refused(TILED, TENSOR));
    // M013 and M059 are forbidden by documents, but accepted by the driver.
    let strided = Spec { element_strides: [2, 1, 1, 1, 1], ..TILED };
    assert!(!is_refused(strided, TENSOR));
    assert!(!is_refused(TILED, Tensor { strides: [16, 16, 0, 0], ..TENSOR }));
    assert!(is_refused(Spec { element_strides: [9, 1, 1, 1, 1], ..TILED }, TENSOR));
    assert!(is_refused(TILED, Tensor { address: 8, ..TENSOR }));
    assert!(is_refused(Spec { swizzle: Swizzle::B128Atom32, ..TILED }, TENSOR));
}

/// The message of the first broken rule about the row of a box.
fn row_message(spec: Spec) -> Option<String> {
    let verdict = spec.check(None);
    let mut found = verdict.violations().iter();
    let found = found.find(|found| ["M014", "M015", "M016", "M017"].contains(&found.rule.code))?;
    Some(found.text().as_str().to_owned())
}

#[test]
fn the_next_valid_row_or_the_last_is_suggested() {
    let elements = [ElementType::U8, ElementType::F16, ElementType::F64, ElementType::B4x16];
    for (element, swizzle) in
        elements.iter().flat_map(|it| Swizzle::ALL.iter().map(move |of| (it, of)))
    {
        let of = |row| Spec {
            swizzle: *swizzle,
            ..Spec::tiled_unchecked(*element, 2, [row, 8, 1, 1, 1])
        };
        let sound: Vec<u32> = (1..=256).filter(|row| row_message(of(*row)).is_none()).collect();
        for row in 0..300 {
            let Some(message) = row_message(of(row)) else { continue };
            let nearest = sound.iter().find(|sound| **sound >= row).or(sound.last()).unwrap();
            assert!(
                message.contains(&format!("write {nearest}")),
                "{element} {swizzle}: {message}"
            );
        }
    }
    // A padded row is always 128 elements: if they do not fit, the swizzle is too narrow.
    let padded = |row, swizzle| {
        let map = Spec::tiled_unchecked(ElementType::B4x16P64, 2, [row, 8, 1, 1, 1]);
        row_message(Spec { swizzle, ..map }).unwrap()
    };
    assert!(padded(0, Swizzle::None).contains("write 128"));
    assert!(padded(128, Swizzle::B32).contains("use the swizzle `B128`"));
}
