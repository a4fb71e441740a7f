//! The rules of copies, of barriers that count them and of matrix descriptors, on both sides of each limit.
//! They are tested over the IR: PTX text only has sizes and alignments, and tiles only exist as types.

use ptx_isa::ScalarType;
use ptx_isa::Space;
use ptx_isa::ir::{Extent, Field, Struct, StructKind, Type, Variable};
use ptx_isa::rules::Offset;
use ptx_isa::rules::access::Object;
use ptx_isa::rules::copy::{
    BarrierCount, Copied, Counted, TensorCopy, TileDescriptor, Transactions,
};
use ptx_isa::rules::{self, Violation};
use ptx_isa::tensor::{ElementType, Interleave, Major, Mode, Spec, Swizzle};

const U8: Type<'static> = Type::Scalar(ScalarType::U8);

/// 8 rows of 128 bytes, with a pattern that repeats every 1024 bytes.
const SWIZZLED: Spec = Spec {
    swizzle: Swizzle::B128,
    ..Spec::tiled_unchecked(ElementType::Bf16, 2, [64, 8, 1, 1, 1])
};
/// The same bytes without a pattern.
const PLAIN: Spec = Spec { swizzle: Swizzle::None, ..SWIZZLED };
const TALL: Spec = Spec {
    swizzle: Swizzle::B128,
    ..Spec::tiled_unchecked(ElementType::Bf16, 2, [64, 64, 1, 1, 1])
};

const fn bytes(count: usize) -> Type<'static> {
    Type::Array(Extent::Known(count), &U8)
}

const fn tile<'a>(name: &'a str, spec: &'a Spec) -> Type<'a> {
    Type::Struct(Struct {
        name,
        size: spec.tile_stride(),
        align: spec.tile_alignment(),
        fields: &[],
        kind: StructKind::Tile(spec),
    })
}

const fn map(spec: &Spec) -> Type<'_> {
    Type::Struct(Struct {
        name: "Map",
        size: 128,
        align: 64,
        fields: &[],
        kind: StructKind::TensorMap(spec),
    })
}

const fn field<'a>(name: &'a str, offset: usize, ty: &'a Type<'a>) -> Field<'a> {
    Field { name, offset, ty, pointer: None }
}

const fn fields<'a>(size: usize, fields: &'a [Field<'a>]) -> Type<'a> {
    Type::Struct(Struct { name: "S", size, align: 1024, fields, kind: StructKind::Fields })
}

fn codes(found: &[Violation<'_>]) -> Vec<&'static str> {
    found.iter().map(|violation| violation.rule.code).collect()
}

/// A copy to shared memory, with the fields that the tests vary.
struct Copy<'a> {
    spec: &'a Spec,
    ty: &'a Type<'a>,
    align: Option<usize>,
    at: Offset,
    halo: u32,
    first: Option<i128>,
}

impl<'a> Copy<'a> {
    const fn to(spec: &'a Spec, ty: &'a Type<'a>) -> Self {
        Self { spec, ty, align: None, at: Offset::exact(0), halo: 0, first: None }
    }

    const fn at(self, base: i128, step: u64) -> Self {
        Self { at: Offset { base, step }, ..self }
    }

    const fn aligned(self, align: usize) -> Self {
        Self { align: Some(align), ..self }
    }

    /// The codes and messages of the broken rules.
    fn texts(&self) -> Vec<(&'static str, String)> {
        let map = map(self.spec);
        let target = Variable { align: self.align, ..Variable::new(Space::Shared, "x", self.ty) };
        let maps = Variable::new(Space::Const, "m", &map);
        let found = rules::check_copy(TensorCopy {
            tile: (self.at, Object::Variable(&target)),
            map: (Offset::exact(0), Object::Variable(&maps)),
            halo: self.halo,
            first: self.first,
            executions: &[],
        });
        found.iter().map(|violation| (violation.rule.code, violation.to_string())).collect()
    }

    fn codes(&self) -> Vec<&'static str> {
        self.texts().into_iter().map(|(code, _)| code).collect()
    }

    /// The message of the only broken rule.
    fn text(&self) -> String {
        let [(_, text)] = &self.texts()[..] else {
            panic!("one rule is broken: {:?}", self.texts())
        };
        text.clone()
    }
}

#[test]
fn a_tile_needs_room_to_its_last_byte() {
    let (exact, short) = (bytes(1024), bytes(1023));
    assert_eq!(Copy::to(&PLAIN, &exact).codes(), [""; 0]);
    assert_eq!(Copy::to(&PLAIN, &short).codes(), ["A037"]);
    let twice = bytes(2048);
    assert_eq!(Copy::to(&PLAIN, &twice).at(1024, 0).codes(), [""; 0]);
    let text = Copy::to(&PLAIN, &twice).at(1025, 0).text();
    assert!(text.contains("takes 1,024 bytes, but `x` has room for 1,023 at byte 1,025"), "{text}");
}

#[test]
fn all_places_must_be_too_small_and_the_largest_is_reported() {
    let ty = bytes(2048);
    // At 0, 512, 1024 and 1536, of which two have room.
    assert_eq!(Copy::to(&PLAIN, &ty).at(0, 512).codes(), [""; 0]);
    // At 1100 and 1612.
    let ty = bytes(2112);
    assert_eq!(Copy::to(&PLAIN, &ty).at(76, 1024).codes(), [""; 0]);
    let small = bytes(1023);
    let text = Copy::to(&PLAIN, &small).at(0, 128).text();
    assert!(text.contains("`x` has room for 1,023 at byte 0"), "{text}");
    // Nothing is declared before its start.
    assert_eq!(Copy::to(&PLAIN, &small).at(-8, 0).codes(), [""; 0]);
}

#[test]
fn room_ends_with_the_field_but_for_tiles_that_follow_without_a_gap() {
    let plain = tile("Plain", &PLAIN);
    let (half, rest) = (bytes(512), bytes(4096));
    let split = [field("a", 0, &half), field("b", 512, &rest)];
    let ty = fields(4608, &split);
    assert_eq!(Copy::to(&PLAIN, &ty).codes(), ["A037"]);
    assert_eq!(Copy::to(&PLAIN, &ty).at(511, 0).codes(), ["A037"]);
    assert_eq!(Copy::to(&PLAIN, &ty).at(512, 0).codes(), [""; 0]);
    assert_eq!(Copy::to(&PLAIN, &ty).at(512 + 3072, 0).codes(), [""; 0]);
    assert_eq!(Copy::to(&PLAIN, &ty).at(512 + 3073, 0).codes(), ["A037"]);
    // Padding belongs to no field.
    let padded = fields(8192, &split);
    assert_eq!(Copy::to(&PLAIN, &padded).at(4608, 0).codes(), [""; 0]);
    // Room ends with each element of an array of structs.
    let pair = fields(1024, &split[..1]);
    let array = Type::Array(Extent::Known(4), &pair);
    assert_eq!(Copy::to(&PLAIN, &array).at(1024, 0).codes(), ["A037"]);
    // A large tile over small tiles, which are adjacent or not.
    let close = [field("a", 0, &plain), field("b", 1024, &plain)];
    let apart = [field("a", 0, &plain), field("b", 2048, &plain)];
    let two_rows = Spec::tiled_unchecked(ElementType::Bf16, 2, [64, 16, 1, 1, 1]);
    assert!(!Copy::to(&two_rows, &fields(2048, &close)).codes().contains(&"A037"));
    assert!(Copy::to(&two_rows, &fields(3072, &apart)).codes().contains(&"A037"));
    let three_rows = Spec::tiled_unchecked(ElementType::Bf16, 2, [64, 17, 1, 1, 1]);
    assert!(Copy::to(&three_rows, &fields(2048, &close)).codes().contains(&"A037"));
    let followed = [field("a", 0, &plain), field("b", 1024, &half)];
    assert!(Copy::to(&two_rows, &fields(2048, &followed)).codes().contains(&"A037"));
}

#[test]
fn the_largest_of_places_without_room_is_reported_and_the_first_of_equals() {
    let (half, more) = (bytes(512), bytes(1000));
    let all = [field("a", 0, &half), field("b", 512, &more)];
    let text = Copy::to(&PLAIN, &fields(1512, &all)).at(0, 512).text();
    assert!(text.contains("has room for 1,000 at byte 512"), "{text}");
    let all = [field("a", 0, &half), field("b", 512, &half)];
    let text = Copy::to(&PLAIN, &fields(1024, &all)).at(0, 512).text();
    assert!(text.contains("has room for 512 at byte 0"), "{text}");
}

#[test]
fn the_room_in_padding_is_unknown() {
    let half = bytes(512);
    let apart = [field("a", 0, &half), field("b", 1024, &half)];
    let ty = fields(1536, &apart);
    assert_eq!(Copy::to(&PLAIN, &ty).at(600, 0).codes(), [""; 0]);
    assert_eq!(Copy::to(&PLAIN, &ty).at(1024, 0).codes(), ["A037"]);
    let pair = fields(1024, &apart[..1]);
    let array = Type::Array(Extent::Known(4), &pair);
    assert_eq!(Copy::to(&PLAIN, &array).at(1024 + 600, 0).codes(), [""; 0]);
    assert_eq!(Copy::to(&PLAIN, &array).at(1024 + 500, 0).codes(), ["A037"]);
}

#[test]
fn a_halo_takes_rows_too() {
    let wide = Spec {
        mode: Mode::Im2colW { lower: 0, upper: 0, channels_per_pixel: 64, pixels_per_column: 8 },
        ..Spec::tiled_unchecked(ElementType::Bf16, 4, [1; 5])
    };
    let (eight, nine) = (bytes(1024), bytes(1152));
    let copy = |ty, halo| Copy { halo, ..Copy::to(&wide, ty) }.codes();
    assert_eq!(copy(&eight, 0), [""; 0]);
    assert_eq!(copy(&eight, 1), ["A037"]);
    assert_eq!(copy(&nine, 1), [""; 0]);
    assert_eq!(copy(&nine, 2), ["A037"]);
}

#[test]
fn a_swizzle_needs_its_own_alignment() {
    let ty = bytes(1024);
    assert_eq!(Copy::to(&SWIZZLED, &ty).aligned(1024).codes(), [""; 0]);
    assert_eq!(Copy::to(&SWIZZLED, &ty).aligned(2048).codes(), [""; 0]);
    let text = Copy::to(&SWIZZLED, &ty).aligned(512).text();
    assert!(
        text.contains("needs an alignment of 1024 for its swizzle, but `x` is aligned to 512"),
        "{text}"
    );
    // Another rule checks an alignment of only 128.
    assert_eq!(Copy::to(&PLAIN, &ty).aligned(64).codes(), [""; 0]);
    let narrow = Spec {
        swizzle: Swizzle::B32,
        ..Spec::tiled_unchecked(ElementType::Bf16, 2, [16, 8, 1, 1, 1])
    };
    assert_eq!(narrow.tile_alignment(), 256);
    assert_eq!(Copy::to(&narrow, &ty).aligned(256).codes(), [""; 0]);
    assert_eq!(Copy::to(&narrow, &ty).aligned(128).codes(), ["A038"]);
}

#[test]
fn computed_offsets_may_be_aligned_by_code() {
    let ty = bytes(8192);
    let copy = |step| Copy::to(&SWIZZLED, &ty).aligned(512).at(0, step).codes();
    assert_eq!(copy(128), ["A038"]);
    assert_eq!(copy(256), ["A038"]);
    for step in [1, 16, 64, 127, 129, 192] {
        assert_eq!(copy(step), [""; 0], "{step}");
    }
}

#[test]
fn a_tile_may_be_declared_where_one_is_copied() {
    let ty = tile("Mine", &SWIZZLED);
    let array = Type::Array(Extent::Known(2), &ty);
    // Part of a tile can start anywhere in it.
    assert_eq!(Copy::to(&SWIZZLED, &array).aligned(512).codes(), [""; 0]);
    assert_eq!(Copy::to(&SWIZZLED, &array).aligned(512).at(1024, 0).codes(), [""; 0]);
    let flat = bytes(4096);
    let mixed = [field("flat", 0, &flat), field("tile", 4096, &ty)];
    let ty = fields(5120, &mixed);
    assert_eq!(Copy::to(&SWIZZLED, &ty).aligned(512).codes(), ["A038"]);
    assert_eq!(Copy::to(&SWIZZLED, &ty).aligned(512).at(3072, 0).codes(), ["A038"]);
    assert_eq!(Copy::to(&SWIZZLED, &ty).aligned(512).at(4096, 0).codes(), [""; 0]);
    // Every place is checked, up to and including the last.
    let flat_alone = [field("a", 0, &flat), field("b", 4096, &flat)];
    let flat_alone = fields(8192, &flat_alone);
    let copied = Copy::to(&SWIZZLED, &flat_alone).aligned(512).at(0, 1024).codes();
    assert_eq!(copied, ["A038"]);
    assert_eq!(Copy::to(&SWIZZLED, &ty).aligned(512).at(0, 1024).codes(), [""; 0]);
}

#[test]
fn a_tile_of_another_map_is_different() {
    let differ = |other: Spec| {
        let ty = tile("Other", &other);
        Copy::to(&SWIZZLED, &ty).aligned(1024).codes().contains(&"A039")
    };
    assert!(!differ(SWIZZLED));
    assert!(!differ(TALL), "its size is another matter");
    assert!(differ(PLAIN));
    assert!(differ(Spec { element: ElementType::F16, ..SWIZZLED }));
    assert!(differ(Spec { interleave: Interleave::B32, ..SWIZZLED }));
    assert!(differ(Spec { interleave: Interleave::B32, element: ElementType::F16, ..SWIZZLED }));

    let (mine, other) = (tile("Mine", &SWIZZLED), tile("Other", &PLAIN));
    let third = Spec { element: ElementType::F16, ..SWIZZLED };
    let third = tile("Third", &third);
    let all = [field("a", 0, &other), field("b", 1024, &third), field("c", 2048, &mine)];
    let ty = fields(3072, &all);
    assert_eq!(Copy::to(&SWIZZLED, &ty).aligned(1024).at(0, 1024).codes(), [""; 0]);
    let ty = fields(2048, &all[..2]);
    let text = Copy::to(&SWIZZLED, &ty).aligned(1024).at(0, 1024).text();
    assert!(text.contains("`x` has a `Other` there"), "the first is told: {text}");
    let flat = bytes(1024);
    let some = [field("a", 0, &other), field("b", 1024, &flat)];
    let ty = fields(2048, &some);
    assert_eq!(Copy::to(&SWIZZLED, &ty).aligned(1024).at(0, 1024).codes(), [""; 0]);
}

#[test]
fn a_piece_of_a_tile_ends_in_it() {
    let mine = tile("Mine", &TALL);
    let pair = [field("a", 0, &mine), field("b", 8192, &mine)];
    let ty = fields(16384, &pair);
    let copy = |at, step| Copy::to(&SWIZZLED, &ty).aligned(1024).at(at, step).codes();
    assert_eq!(copy(0, 0), [""; 0]);
    assert_eq!(copy(7168, 0), [""; 0]);
    assert_eq!(copy(7169, 0), ["A060"]);
    assert_eq!(copy(8191, 0), ["A060"]);
    assert_eq!(Copy::to(&TALL, &ty).aligned(1024).at(1, 0).codes(), ["A060"]);
    assert_eq!(Copy::to(&TALL, &ty).aligned(1024).codes(), [""; 0]);
    assert_eq!(copy(8192, 0), [""; 0]);
    assert_eq!(copy(7296, 8192), ["A060"]);
    // One of several places is right.
    assert_eq!(copy(7296, 896), [""; 0]);
    let text = Copy::to(&SWIZZLED, &ty).aligned(1024).at(7296, 0).text();
    assert!(text.contains("starts 7,296 bytes into a tile `Mine` of `x`"), "{text}");
}

#[test]
fn a_box_starts_at_16_bytes() {
    let ty = bytes(1024);
    let first = |spec: &Spec, first| Copy { first, ..Copy::to(spec, &ty) }.codes();
    for (at, expected) in [(0, false), (8, false), (-8, false), (7, true), (4, true), (9, true)] {
        assert_eq!(first(&PLAIN, Some(at)) == ["A040"], expected, "{at}");
    }
    assert_eq!(first(&PLAIN, None), [""; 0]);
    let text = Copy { first: Some(7), ..Copy::to(&PLAIN, &ty) }.text();
    assert!(text.contains("start at a multiple of 8 elements"), "{text}");
    let single = Spec::tiled_unchecked(ElementType::U8, 2, [16, 8, 1, 1, 1]);
    let text = Copy { first: Some(8), ..Copy::to(&single, &ty) }.text();
    assert!(text.contains("start at a multiple of 16 elements"), "{text}");
    // With an interleave, dimension 0 counts slices.
    let interleaved = Spec {
        interleave: Interleave::B16,
        ..Spec::tiled_unchecked(ElementType::Bf16, 3, [8, 1, 1, 1, 1])
    };
    assert_eq!(first(&interleaved, Some(7)), [""; 0]);
}

fn counted(of: Counted, value: i128, by_copies: bool) -> Vec<&'static str> {
    codes(&rules::check_count(BarrierCount { of, value, by_copies }))
}

#[test]
fn barriers_count_to_two_to_the_20_less_1() {
    const MOST: i128 = 1_048_575;
    for (value, is_wrong) in [(-1, true), (0, true), (1, false), (MOST, false), (MOST + 1, true)] {
        assert_eq!(counted(Counted::Arrivals, value, true) == ["A047"], is_wrong, "{value}");
    }
    for (value, is_wrong) in [(-1, true), (0, false), (MOST, false), (MOST + 1, true)] {
        assert_eq!(counted(Counted::Bytes, value, false) == ["A047"], is_wrong, "{value}");
    }
}

#[test]
fn copies_complete_multiples_of_4() {
    for (value, is_wrong) in [(0, false), (1, true), (3, true), (4, false), (5, true), (8, false)] {
        assert_eq!(counted(Counted::Bytes, value, true) == ["A054"], is_wrong, "{value}");
        assert_eq!(counted(Counted::Bytes, value, false), [""; 0], "{value}");
    }
    assert_eq!(counted(Counted::Bytes, 1_048_575, true), ["A054"]);
    // Arrivals count one each; a number out of range is only reported as such.
    assert_eq!(counted(Counted::Arrivals, 3, true), [""; 0]);
    assert_eq!(counted(Counted::Bytes, 1_048_577, true), ["A047"]);
    assert_eq!(counted(Counted::Bytes, -3, true), ["A047"]);
}

#[test]
fn expected_bytes_match_the_copied_bytes() {
    let map = map(&SWIZZLED);
    let variable = Variable::new(Space::Const, "m", &map);
    let tile = Copied::Tile((Offset::exact(0), Object::Variable(&variable)), 0);
    let copied = [Copied::Bytes(16), tile, Copied::Bytes(32)];
    let found = |expected| {
        let found = rules::check_transactions(Transactions { expected, copied: &copied });
        found.iter().map(ToString::to_string).collect::<String>()
    };
    assert_eq!(found(1072), "");
    assert!(
        found(1073).contains("bring 1072: it never completes; expect 1072, or copy 1073"),
        "{}",
        found(1073)
    );
    assert!(
        found(1071).contains(
            "bring 1072: it completes too early, or never; expect 1072, or copy only 1071"
        ),
        "{}",
        found(1071)
    );
    let none = rules::check_transactions(Transactions { expected: 0, copied: &[] });
    assert_eq!(codes(&none), [""; 0]);
    // Nothing is known about a map that may be another one.
    let unknown = Copied::Tile((Offset { base: 0, step: 128 }, Object::Variable(&variable)), 0);
    let unknown = Transactions { expected: 1, copied: &[unknown] };
    assert_eq!(codes(&rules::check_transactions(unknown)), [""; 0]);
    assert_eq!(codes(&rules::check_completed("b", true)), [""; 0]);
    assert_eq!(codes(&rules::check_completed("b", false)), ["A053"]);
}

/// The messages about the descriptor of a tile.
fn described(spec: &Spec, bits: u64, major: Major, element: &str, rows: usize) -> Vec<String> {
    let ty = tile("Mine", spec);
    let variable = Variable::new(Space::Shared, "x", &ty);
    let found = rules::check_descriptor(TileDescriptor {
        tile: (Offset::exact(0), Object::Variable(&variable)),
        bits,
        major,
        element,
        rows,
    });
    found.iter().map(ToString::to_string).collect()
}

const LEADING: u64 = 1 << 16;
const STRIDE: u64 = 1 << 32;
const MODE: u64 = 1 << 62;

fn differs(spec: &Spec, change: u64, major: Major, rows: usize) -> bool {
    let right = spec.matrix_descriptor(major).expect("there is one").bits();
    let found = described(spec, right ^ change, major, "", rows);
    found.iter().any(|text| text.contains("[A042"))
}

#[test]
fn the_fields_of_a_descriptor_that_are_read_are_those_of_the_tile() {
    for major in [Major::K, Major::Mn] {
        for rows in [0, 8, 64] {
            assert!(!differs(&TALL, 0, major, rows));
            assert!(differs(&TALL, MODE, major, rows), "the swizzle is always read");
            assert!(!differs(&TALL, 1, major, rows), "an address is no matter of this rule");
            assert!(!differs(&TALL, 1 << 30, major, rows), "between the fields nothing is read");
            assert!(!differs(&TALL, 1 << 46, major, rows), "nor behind the stride");
        }
    }
    for bit in [0, 13] {
        // Along K, the leading offset is within the span of the swizzle, and 8 rows have no stride.
        assert!(!differs(&TALL, LEADING << bit, Major::K, 64));
        assert!(differs(&TALL, STRIDE << bit, Major::K, 64));
        assert!(differs(&TALL, STRIDE << bit, Major::K, 9));
        assert!(!differs(&TALL, STRIDE << bit, Major::K, 8));
        assert!(!differs(&TALL, STRIDE << bit, Major::K, 1));
        assert!(differs(&TALL, STRIDE << bit, Major::K, 0), "as many rows as nobody knows");
        // With the transpose it is the other way round: 64 elements of 2 bytes fill a span.
        assert!(differs(&TALL, STRIDE << bit, Major::Mn, 64));
        assert!(!differs(&TALL, LEADING << bit, Major::Mn, 64));
        assert!(differs(&TALL, LEADING << bit, Major::Mn, 65));
        assert!(differs(&TALL, LEADING << bit, Major::Mn, 0));
    }
    // Without a swizzle both are read, except the stride of 8 rows.
    let core = Spec::tiled_unchecked(ElementType::Bf16, 2, [8, 64, 1, 1, 1]);
    for bit in [0, 13] {
        assert!(differs(&core, LEADING << bit, Major::K, 64));
        assert!(differs(&core, STRIDE << bit, Major::K, 64));
        assert!(!differs(&core, STRIDE << bit, Major::K, 8));
        assert!(differs(&core, LEADING << bit, Major::K, 8));
        assert!(differs(&core, LEADING << bit, Major::Mn, 64));
        assert!(!differs(&core, STRIDE << bit, Major::Mn, 8), "16 bytes of 2 each");
        assert!(differs(&core, STRIDE << bit, Major::Mn, 9));
    }
}

#[test]
fn a_different_descriptor_reports_both_numbers() {
    let right = TALL.matrix_descriptor(Major::K).expect("there is one").bits();
    let [text] = &described(&TALL, right + STRIDE, Major::K, "", 64)[..] else { panic!() };
    assert!(text.contains("the stride offset in bytes is 1040 in this descriptor"), "{text}");
    assert!(text.contains("but 1024 for `Mine`"), "{text}");
    let right = TALL.matrix_descriptor(Major::Mn).expect("there is one").bits();
    let [text] = &described(&TALL, right + LEADING, Major::Mn, "", 128)[..] else { panic!() };
    assert!(text.contains("is 8208 in this descriptor, but 8192 for `Mine`"), "{text}");
    let [text] = &described(&TALL, right ^ MODE << 1, Major::Mn, "", 128)[..] else { panic!() };
    assert!(text.contains("the swizzle mode is 3 in this descriptor, but 1 for `Mine`"), "{text}");
}

#[test]
fn a_matrix_has_the_elements_of_its_tile() {
    let right = TALL.matrix_descriptor(Major::K).expect("there is one").bits();
    let of = |element: &str| !described(&TALL, right, Major::K, element, 8).is_empty();
    assert!(!of("bf16"));
    assert!(of("f16"));
    assert!(of("tf32"));
    assert!(!of(""), "nobody knows");
    assert!(!of("e4m3"), "bytes may be anything");
    let floats = Spec {
        element: ElementType::F32,
        mode: Mode::Tiled { box_dims: [32, 64, 1, 1, 1] },
        ..TALL
    };
    let right = floats.matrix_descriptor(Major::K).expect("there is one").bits();
    let of = |element: &str| !described(&floats, right, Major::K, element, 8).is_empty();
    assert!(!of("tf32"), "which is read from `f32`");
    assert!(of("f16"));
    let bytes = Spec {
        element: ElementType::U8,
        mode: Mode::Tiled { box_dims: [128, 64, 1, 1, 1] },
        ..TALL
    };
    let right = bytes.matrix_descriptor(Major::K).expect("there is one").bits();
    assert!(described(&bytes, right, Major::K, "f16", 8).is_empty());
}

#[test]
fn a_matrix_ends_where_its_tile_does() {
    let right = TALL.matrix_descriptor(Major::K).expect("there is one").bits();
    let at = |base: i128, rows| {
        let ty = tile("Mine", &TALL);
        let variable = Variable::new(Space::Shared, "x", &ty);
        let found = rules::check_descriptor(TileDescriptor {
            tile: (Offset::exact(base), Object::Variable(&variable)),
            bits: right,
            major: Major::K,
            element: "",
            rows,
        });
        found.iter().map(ToString::to_string).collect::<String>()
    };
    assert_eq!(at(0, 64), "");
    assert!(at(0, 65).contains("this reads 65 rows, but `Mine` has 64 there"), "{}", at(0, 65));
    assert_eq!(at(0, 0), "", "as many as nobody knows");
    // K continues along a row: the last 32 bytes of each row exist.
    assert_eq!(at(96, 64), "");
    assert!(at(97, 64).contains("[A051"), "{}", at(97, 64));
    assert_eq!(at(1024, 56), "");
    assert!(at(1024, 57).contains("has 56 there"), "{}", at(1024, 57));
}
