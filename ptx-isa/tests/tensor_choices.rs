//! The targets, elements, swizzles and interleaves of tensor maps, in all combinations.

use ptx_isa::Target;
use ptx_isa::tensor::rules::{Targets, Violation};
use ptx_isa::tensor::{ElementType, Field, Interleave, Mode, OobFill, Spec, Swizzle};

/// A valid map of `bf16`.
const TILED: Spec = Spec::tiled_unchecked(ElementType::Bf16, 5, [8, 1, 1, 1, 1]);

const fn boxed(box_dims: [u32; 5]) -> Spec {
    Spec { mode: Mode::Tiled { box_dims }, ..TILED }
}

const fn im2col(rank: u32, lower: [i32; 3], upper: [i32; 3]) -> Spec {
    let mode = Mode::Im2col { lower, upper, channels_per_pixel: 8, pixels_per_column: 8 };
    Spec { rank, mode, ..TILED }
}

const fn wide(rank: u32, lower: i32, upper: i32) -> Spec {
    let mode = Mode::Im2colW { lower, upper, channels_per_pixel: 64, pixels_per_column: 8 };
    Spec { rank, mode, swizzle: Swizzle::B128, ..TILED }
}

const fn wide_128(pixels_per_column: u32) -> Spec {
    let mode = Mode::Im2colW128 { lower: 0, upper: 0, channels_per_pixel: 64, pixels_per_column };
    Spec { mode, swizzle: Swizzle::B128, ..TILED }
}

/// The violation of this rule, if the map breaks it on this target.
fn broken(map: &Spec, code: &str, target: Target) -> Option<Violation> {
    let verdict = map.check(Some(target));
    verdict.violations().iter().find(|found| found.rule.code == code).copied()
}

/// The rules that depend on the target.
#[test]
fn some_rules_hold_for_some_targets() {
    let gather = Spec { rank: 2, mode: Mode::Gather4 { row: 8 }, ..TILED };
    let scatter = Spec { mode: Mode::Scatter4 { row: 8 }, ..gather };
    let all = [
        Target::Sm89,
        Target::Sm90a,
        Target::Sm100,
        Target::Sm100f,
        Target::Sm103a,
        Target::Sm110f,
        Target::Sm120,
        Target::Sm120a,
    ];
    // One column for each target: `x` where the rule is broken.
    let table = [
        ("M019", TILED, "x......."),
        ("M006", Spec { element: ElementType::B4x16, ..TILED }, "xx......"),
        ("M007", Spec { swizzle: Swizzle::B128Atom32, ..TILED }, "xx......"),
        ("M007", Spec { swizzle: Swizzle::B96, ..TILED }, "........"),
        ("M008", Spec { swizzle: Swizzle::B96, ..TILED }, "xxxx.xxx"),
        ("M009", gather, "xx......"),
        ("M009", scatter, "xx......"),
        ("M009", wide(4, 0, 0), "xx......"),
        ("M009", wide_128(8), "xx......"),
        ("M009", TILED, "........"),
        ("M009", im2col(4, [0; 3], [0; 3]), "........"),
        ("M010", scatter, "xxx...xx"),
        ("M010", wide_128(8), "xxx...xx"),
        ("M010", gather, "........"),
        ("M010", wide(4, 0, 0), "........"),
        ("M010", im2col(4, [0; 3], [0; 3]), "........"),
        ("M041", Spec { element: ElementType::B6P2x16, ..TILED }, "xxxx.xxx"),
        ("M042", Spec { element: ElementType::B6P2x16, ..TILED }, "....x..."),
    ];
    for (code, map, expected) in table {
        let found: String = all
            .iter()
            .map(|target| if broken(&map, code, *target).is_some() { 'x' } else { '.' })
            .collect();
        assert_eq!(found, expected, "{code} {}", map.mode.name());
        // For an unknown target, a map that some targets accept is not reported.
        assert!(map.check(None).violations().iter().all(|found| found.rule.code != code));
    }
    assert!(Targets::All.hold(None) && !Targets::Below(90).hold(None));
    assert!(Targets::AllBut(Target::Sm90).hold(Some(Target::Sm90a)));
    assert!(!Targets::AllBut(Target::Sm90).hold(Some(Target::Sm90)));
    assert!(!Targets::Only(Target::Sm90).hold(Some(Target::Sm90a)));
    assert!(Targets::Only(Target::Sm90).hold(Some(Target::Sm90)));
}

/// The swizzle or the mode that the message suggests.
#[test]
fn the_fix_is_the_nearest_valid_choice() {
    let end = |map: Spec, code| {
        let text = broken(&map, code, Target::Sm90a).expect("it is broken").to_string();
        text.split_once(" [")
            .expect("a code")
            .0
            .rsplit_once(", or ")
            .expect("an other")
            .1
            .to_owned()
    };
    let b96 = |row| Spec { swizzle: Swizzle::B96, ..boxed([row, 1, 1, 1, 1]) };
    assert_eq!(end(b96(32), "M008"), "write `B64`");
    assert_eq!(end(b96(33), "M008"), "write `B128`");
    let bytes = |row| Spec { element: ElementType::U8, ..b96(row) };
    assert_eq!(end(bytes(64), "M008"), "write `B64`");
    assert_eq!(end(bytes(65), "M008"), "write `B128`");
    assert_eq!(end(wide(4, 0, 0), "M009"), "use `im2col`");
    assert_eq!(end(wide_128(8), "M009"), "use `im2col`");
    let gather = Spec { rank: 2, mode: Mode::Gather4 { row: 8 }, ..TILED };
    assert_eq!(end(gather, "M009"), "use `tile`");
    assert_eq!(end(wide_128(8), "M010"), "use `im2col`");
    assert_eq!(end(Spec { mode: Mode::Scatter4 { row: 8 }, ..gather }, "M010"), "use `tile`");
}

/// The swizzles that each rule rejects in a map that is otherwise valid for it.
#[test]
fn swizzles_go_with_some_modes_and_elements() {
    let stored = Spec { element: ElementType::B6P2x16, ..boxed([128, 1, 1, 1, 1]) };
    let loaded = Spec { element: ElementType::B6x16P32, ..stored };
    let scatter = Spec { rank: 2, mode: Mode::Scatter4 { row: 8 }, ..TILED };
    let interleaved = Spec { interleave: Interleave::B32, ..TILED };
    // In the order of `Swizzle::ALL`: none, 32, 64 and 128 bytes, three with larger atoms, 96 bytes.
    let table = [
        ("M027", wide(4, 0, 0), "x....x.."),
        ("M027", TILED, "........"),
        ("M028", wide(4, 0, 0), ".x....xx"),
        ("M028", im2col(4, [0; 3], [0; 3]), "........"),
        ("M030", interleaved, "x.xxxxxx"),
        ("M030", Spec { interleave: Interleave::B16, ..TILED }, "........"),
        ("M031", interleaved, ".......x"),
        ("M031", TILED, "........"),
        ("M033", scatter, ".....x.."),
        ("M033", TILED, "........"),
        ("M043", loaded, ".xx..xxx"),
        ("M043", stored, "........"),
        ("M043", TILED, "........"),
        ("M044", stored, ".x...x.."),
        ("M044", loaded, "........"),
        ("M045", stored, "..x....."),
        ("M045", loaded, "........"),
    ];
    for (code, map, expected) in table {
        let of = |swizzle: &Swizzle| Spec { swizzle: *swizzle, ..map };
        let is_broken = |swizzle| broken(&of(swizzle), code, Target::Sm100a).is_some();
        let found: String =
            Swizzle::ALL.iter().map(|swizzle| if is_broken(swizzle) { 'x' } else { '.' }).collect();
        assert_eq!(found, expected, "{code} {:?}", map.mode);
    }
}

/// The elements that each rule rejects in a map that is otherwise valid for it.
#[test]
fn some_rules_are_about_some_elements() {
    let nan = Spec { oob_fill: OobFill::Nan, ..TILED };
    let gather = Spec { rank: 2, mode: Mode::Gather4 { row: 128 }, ..TILED };
    let scatter = Spec { mode: Mode::Scatter4 { row: 128 }, ..gather };
    let interleaved = Spec { interleave: Interleave::B32, ..TILED };
    // In the order of `ElementType::ALL`: u8 u16 u32 i32 u64 i64, f16 f32 f64 bf16 and three more, and four
    // sub-byte types, of which two can only be loaded and the last can only be stored.
    let table = [
        ("M032", nan, "xxxxxx.......xxxx"),
        ("M032", TILED, "................."),
        ("M034", scatter, "..............xx."),
        ("M034", gather, "................x"),
        ("M034", TILED, "................."),
        ("M040", boxed([64, 1, 1, 1, 1]), "..............xx."),
        ("M040", boxed([128, 1, 1, 1, 1]), "................."),
        ("M040", boxed([129, 1, 1, 1, 1]), "..............xx."),
        ("M041", boxed([64, 1, 1, 1, 1]), "................x"),
        ("M041", boxed([128, 1, 1, 1, 1]), "................."),
        ("M041", boxed([256, 1, 1, 1, 1]), "................x"),
        ("M046", interleaved, "...............xx"),
        ("M046", TILED, "................."),
    ];
    for (code, map, expected) in table {
        let of = |element: &ElementType| Spec { element: *element, ..map };
        let is_broken = |element| broken(&of(element), code, Target::Sm100a).is_some();
        let all = ElementType::ALL.iter();
        let found: String = all.map(|element| if is_broken(element) { 'x' } else { '.' }).collect();
        assert_eq!(found, expected, "{code} {:?}", map.mode);
    }
    let instead = |element, map: Spec| {
        let map = Spec { element, ..map };
        broken(&map, "M034", Target::Sm100a).expect("it is the other way").to_string()
    };
    assert!(instead(ElementType::B4x16P64, scatter).contains("can only be loaded"));
    assert!(instead(ElementType::B4x16P64, scatter).contains("; write `b4x16` ["));
    assert!(instead(ElementType::B6x16P32, scatter).contains("; write `b6p2x16` ["));
    assert!(instead(ElementType::B6P2x16, gather).contains("can only be stored"));
    assert!(instead(ElementType::B6P2x16, gather).contains("; write `b6x16_p32` ["));
}

#[test]
fn a_row_that_is_stored_is_64_or_128_elements_on_sm_103a() {
    for (row, mend) in [(63, 64), (65, 64), (95, 64), (96, 128), (127, 128), (129, 128)] {
        let map = Spec { element: ElementType::B6P2x16, ..boxed([row, 1, 1, 1, 1]) };
        let text = broken(&map, "M042", Target::Sm103a).expect("no such row").to_string();
        assert!(text.contains(&format!("; write {mend} [")), "{text}");
    }
    for row in [64, 128] {
        let map = Spec { element: ElementType::B6P2x16, ..boxed([row, 1, 1, 1, 1]) };
        assert!(broken(&map, "M042", Target::Sm103a).is_none());
    }
    let other = Spec { element: ElementType::B6x16P32, ..boxed([65, 1, 1, 1, 1]) };
    assert!(broken(&other, "M042", Target::Sm103a).is_none());
}

#[test]
fn rows_of_four_and_wide_modes_have_no_interleave() {
    let gather = Spec { rank: 2, mode: Mode::Gather4 { row: 8 }, ..TILED };
    let scatter = Spec { mode: Mode::Scatter4 { row: 8 }, ..gather };
    for (map, code) in [
        (gather, Some("M005")),
        (scatter, Some("M005")),
        (wide(4, 0, 0), Some("M029")),
        (wide_128(8), Some("M029")),
        (TILED, None),
        (im2col(4, [0; 3], [0; 3]), None),
    ] {
        for interleave in Interleave::ALL {
            let map = Spec { interleave: *interleave, ..map };
            let expected = code.filter(|_| *interleave != Interleave::None);
            for code in ["M005", "M029"] {
                let is_broken = broken(&map, code, Target::Sm100a).is_some();
                assert_eq!(is_broken, expected == Some(code), "{code} {map:?}");
            }
        }
    }
    for rank in 1..=5 {
        for map in [gather, scatter] {
            let map = Spec { rank, ..map };
            assert_eq!(broken(&map, "M004", Target::Sm100a).is_some(), rank != 2);
        }
        assert!(broken(&Spec { rank, ..TILED }, "M004", Target::Sm100a).is_none());
    }
}

#[test]
fn a_field_prints_its_index_and_has_its_name() {
    let names = [
        (Field::Element, "element"),
        (Field::Rank, "rank"),
        (Field::Mode, "mode"),
        (Field::Box(3), "box[3]"),
        (Field::Row, "row"),
        (Field::Tile, "box"),
        (Field::ElementStride(4), "element_strides[4]"),
        (Field::Interleave, "interleave"),
        (Field::Swizzle, "swizzle"),
        (Field::OobFill, "oob"),
        (Field::Lower(1), "lower[1]"),
        (Field::Upper(2), "upper[2]"),
        (Field::ChannelsPerPixel, "channels_per_pixel"),
        (Field::PixelsPerColumn, "pixels_per_column"),
        (Field::Address, "address"),
        (Field::Dim(0), "dims[0]"),
        (Field::Stride(3), "strides[3]"),
    ];
    for (field, text) in names {
        assert_eq!(field.to_string(), text);
    }
}
