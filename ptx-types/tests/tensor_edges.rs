//! The limits of what the declaration of a tensor map may say, at both sides of each.

use ptx_types::Target;
use ptx_types::tensor::rules::{Targets, Violation};
use ptx_types::tensor::{
    ElementType, Field, Interleave, Mode, OobFill, Spec, Swizzle, Tensor, encode, encode_unchecked,
};

/// A map of `bf16` that nothing is wrong with.
const TILED: Spec = Spec::tiled(ElementType::Bf16, 5, [8, 1, 1, 1, 1]);
/// A tensor that nothing is wrong with for any of these maps.
const TENSOR: Tensor = Tensor::dense(0x1000, ElementType::Bf16, [256, 256, 256, 256, 2]);

/// A rule, what is changed of a map, what of it is taken, and what is refused with the end of what is said.
struct Edge {
    code: &'static str,
    map: fn(i64) -> Spec,
    taken: &'static [i64],
    refused: &'static [(i64, &'static str)],
}

fn number(n: i64) -> u32 {
    u32::try_from(n).expect("a number of a map")
}

fn corner(n: i64) -> i32 {
    i32::try_from(n).expect("a corner")
}

const fn boxed(box_dims: [u32; 5]) -> Spec {
    Spec { mode: Mode::Tiled { box_dims }, ..TILED }
}

fn strided(i: usize, n: i64) -> Spec {
    let mut map = TILED;
    map.element_strides[i] = number(n);
    map
}

fn wide_row(i: usize, n: i64) -> Spec {
    let mut box_dims = [16, 1, 1, 1, 1];
    box_dims[i] = number(n);
    Spec { element: ElementType::U8, ..boxed(box_dims) }
}

const fn im2col(rank: u32, lower: [i32; 3], upper: [i32; 3]) -> Spec {
    let mode = Mode::Im2col { lower, upper, channels_per_pixel: 8, pixels_per_column: 8 };
    Spec { rank, mode, ..TILED }
}

const fn pixels(channels_per_pixel: u32, pixels_per_column: u32) -> Spec {
    let (lower, upper) = ([0; 3], [0; 3]);
    let mode = Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column };
    Spec { element: ElementType::U8, mode, ..TILED }
}

const fn wide(rank: u32, lower: i32, upper: i32) -> Spec {
    let mode = Mode::Im2colW { lower, upper, channels_per_pixel: 64, pixels_per_column: 8 };
    Spec { rank, mode, swizzle: Swizzle::B128, ..TILED }
}

const fn wide_128(pixels_per_column: u32) -> Spec {
    let mode = Mode::Im2colW128 { lower: 0, upper: 0, channels_per_pixel: 64, pixels_per_column };
    Spec { mode, swizzle: Swizzle::B128, ..TILED }
}

const EDGES: &[Edge] = &[
    Edge {
        code: "M001",
        map: |n| Spec { rank: number(n), ..TILED },
        taken: &[1, 2, 3, 4, 5],
        refused: &[
            (0, "a tensor of 0 dimensions, and there are 1 to 5; give it 1"),
            (6, "give it 5"),
            (0xffff_ffff, "give it 5"),
        ],
    },
    Edge {
        code: "M002",
        map: |n| Spec { rank: number(n), interleave: Interleave::B16, ..TILED },
        taken: &[3, 4, 5],
        refused: &[(1, "give it 3, or leave the interleave out"), (2, "leave the interleave out")],
    },
    Edge {
        code: "M003",
        map: |n| im2col(number(n), [0; 3], [0; 3]),
        taken: &[3, 4, 5],
        refused: &[(1, "or use the mode `tile`"), (2, "or use the mode `tile`")],
    },
    Edge {
        code: "M011",
        map: |n| strided(1, n),
        taken: &[1, 2, 7, 8],
        refused: &[(0, "a traversal stride is 1 to 8; write 1"), (9, "write 8")],
    },
    Edge {
        code: "M011",
        map: |n| strided(4, n),
        taken: &[1, 8],
        refused: &[(0, "write 1"), (9, "write 8"), (0xffff_ffff, "write 8")],
    },
    Edge {
        code: "M011",
        map: |n| Spec { interleave: Interleave::B16, ..strided(0, n) },
        taken: &[1, 8],
        refused: &[(0, "write 1"), (9, "write 8")],
    },
    Edge {
        code: "M012",
        map: |n| strided(0, n),
        taken: &[1, 2, 8],
        refused: &[(0, "write 1"), (9, "write 1")],
    },
    Edge {
        code: "M013",
        map: |n| strided(0, n),
        taken: &[1],
        refused: &[(0, "is always 1; write 1"), (2, "is always 1; write 1")],
    },
    Edge {
        code: "M014",
        map: |n| wide_row(0, n),
        taken: &[1, 16, 255, 256],
        refused: &[
            (0, "a box is 1 to 256 elements along each dimension; write 1"),
            (257, "write 256"),
        ],
    },
    Edge {
        code: "M014",
        map: |n| wide_row(4, n),
        taken: &[1, 255, 256],
        refused: &[(0, "write 1"), (257, "write 256"), (0xffff_ffff, "write 256")],
    },
    Edge {
        code: "M014",
        map: |n| Spec {
            rank: 2,
            mode: Mode::Gather4 { row: number(n) },
            element: ElementType::U8,
            ..TILED
        },
        taken: &[1, 16, 256],
        refused: &[
            (0, "`row` is 0, and a box is 1 to 256 elements along each dimension; write 1"),
            (257, "write 256"),
        ],
    },
    Edge {
        code: "M015",
        map: |n| boxed([number(n), 1, 1, 1, 1]),
        taken: &[8, 16, 256],
        refused: &[
            (
                7,
                "7 elements of 2 bytes, 14 bytes in all, and a row of a box is a multiple of 16 bytes; write 8",
            ),
            (9, "write 16"),
            (247, "write 248"),
            (255, "write 256"),
            (257, "write 256"),
        ],
    },
    Edge {
        code: "M015",
        map: |n| wide_row(0, n),
        taken: &[16, 32],
        refused: &[
            (
                15,
                "15 elements of 1 byte, 15 bytes in all, and a row of a box is a multiple of 16 bytes; write 16",
            ),
            (17, "write 32"),
        ],
    },
    Edge {
        code: "M015",
        map: |n| Spec { element: ElementType::F32, ..boxed([number(n), 1, 1, 1, 1]) },
        taken: &[4, 8],
        refused: &[
            (
                3,
                "3 elements of 4 bytes, 12 bytes in all, and a row of a box is a multiple of 16 bytes; write 4",
            ),
            (5, "write 8"),
        ],
    },
    Edge {
        code: "M015",
        map: |n| Spec { element: ElementType::F64, ..boxed([number(n), 1, 1, 1, 1]) },
        taken: &[2, 4],
        refused: &[
            (
                1,
                "1 elements of 8 bytes, 8 bytes in all, and a row of a box is a multiple of 16 bytes; write 2",
            ),
            (3, "write 4"),
        ],
    },
    Edge {
        code: "M015",
        map: |n| Spec { element: ElementType::B4x16, ..boxed([number(n), 1, 1, 1, 1]) },
        taken: &[32, 64],
        refused: &[
            (
                16,
                "16 elements of 4 bits, 8 bytes in all, and a row of a box is a multiple of 16 bytes; write 32",
            ),
            (
                33,
                "33 elements of 4 bits, 132 bits in all, and a row of a box is a multiple of 16 bytes; write 64",
            ),
        ],
    },
    Edge {
        code: "M016",
        map: |n| Spec { interleave: Interleave::B16, ..boxed([number(n), 1, 1, 1, 1]) },
        taken: &[8, 16],
        refused: &[(7, "write 8"), (9, "write 16")],
    },
    Edge {
        code: "M017",
        map: |n| Spec { swizzle: Swizzle::B128, ..boxed([number(n), 1, 1, 1, 1]) },
        taken: &[8, 64],
        refused: &[
            (
                65,
                "65 elements, 130 bytes in all, and a row is at most 128 bytes with this swizzle; write 64, or choose a wider swizzle or none",
            ),
            (72, "or choose a wider swizzle or none"),
        ],
    },
    Edge {
        code: "M017",
        map: |n| Spec { swizzle: Swizzle::B32, ..boxed([number(n), 1, 1, 1, 1]) },
        taken: &[8, 16],
        refused: &[(17, "write 16, or choose a wider swizzle or none")],
    },
    Edge {
        code: "M018",
        map: |n| Spec { element: ElementType::U8, ..boxed([16, 256, number(n), 1, 1]) },
        taken: &[1, 56, 57],
        refused: &[(
            58,
            "makes a tile of 237,568 bytes, and the driver takes at most 233,472; copy it in smaller tiles",
        )],
    },
    Edge {
        code: "M018",
        map: |n| Spec { element_strides: [1, 1, 8, 1, 1], ..boxed([8, 256, 256, number(n), 1]) },
        taken: &[1],
        refused: &[(
            2,
            "makes a tile of 262,144 bytes, and the driver takes at most 233,472; copy it in smaller tiles",
        )],
    },
    Edge {
        code: "M018",
        map: |n| wide_row(0, n),
        taken: &[256, 233_472],
        refused: &[
            (233_473, "copy it in smaller tiles"),
            (0xffff_ffff, "copy it in smaller tiles"),
        ],
    },
    Edge {
        code: "M020",
        map: |n| pixels(number(n), 8),
        taken: &[1, 16, 256],
        refused: &[(0, "a copy takes 1 to 256 channels; write 1"), (257, "write 256")],
    },
    Edge {
        code: "M021",
        map: |n| pixels(16, number(n)),
        taken: &[1, 1023, 1024],
        refused: &[(0, "a copy takes 1 to 1024 pixels; write 1"), (1025, "write 1024")],
    },
    Edge {
        code: "M022",
        map: |n| wide_128(number(n)),
        taken: &[1, 1024],
        refused: &[(0, "although `im2col::w::128` ignores it; write 128"), (1025, "write 128")],
    },
    Edge {
        code: "M023",
        map: |n| im2col(3, [corner(n), 0, 0], [0; 3]),
        taken: &[-0x8000, 0, 100],
        refused: &[
            (
                -0x8001,
                "a corner is -32768 to 32767 in this mode at rank 3; choose a corner in this range",
            ),
            (0x8000, "choose a corner in this range"),
        ],
    },
    Edge {
        code: "M023",
        map: |n| im2col(4, [0, corner(n), 0], [0; 3]),
        taken: &[-128, 127],
        refused: &[
            (-129, "a corner is -128 to 127 in this mode at rank 4; choose a corner in this range"),
            (
                128,
                "`lower[1]` is 128, and a corner is -128 to 127 in this mode at rank 4; choose a corner in this range",
            ),
        ],
    },
    Edge {
        code: "M023",
        map: |n| im2col(5, [0, 0, corner(n)], [0; 3]),
        taken: &[-16, 15],
        refused: &[
            (-17, "a corner is -16 to 15 in this mode at rank 5; choose a corner in this range"),
            (16, "choose a corner in this range"),
            (-0x8000_0000, "choose a corner in this range"),
            (0x7fff_ffff, "choose a corner in this range"),
        ],
    },
    Edge {
        code: "M024",
        map: |n| im2col(3, [-0x8000, 0, 0], [corner(n), 0, 0]),
        taken: &[-0x8000, 0, 0x7fff],
        refused: &[
            (-0x8001, "choose a corner in this range"),
            (0x8000, "choose a corner in this range"),
        ],
    },
    Edge {
        code: "M024",
        map: |n| im2col(5, [0; 3], [0, 0, corner(n)]),
        taken: &[-16, 15],
        refused: &[
            (-17, "a corner is -16 to 15 in this mode at rank 5; choose a corner in this range"),
            (16, "choose a corner in this range"),
        ],
    },
    Edge {
        code: "M023",
        map: |n| wide(5, corner(n), 0),
        taken: &[-0x8000, -17, 0, 0x7fff],
        refused: &[
            (
                -0x8001,
                "a corner is -32768 to 32767 in this mode at rank 5; choose a corner in this range",
            ),
            (0x8000, "choose a corner in this range"),
        ],
    },
    Edge {
        code: "M025",
        map: |n| wide(5, corner(n), 0),
        taken: &[-16, 0, 15, -0x8001, 0x8000],
        refused: &[
            (
                -17,
                "the driver takes -16 to 15 at rank 5, although the manual allows 16 bits; choose a corner in this range",
            ),
            (16, "choose a corner in this range"),
            (-0x8000, "choose a corner in this range"),
            (0x7fff, "choose a corner in this range"),
        ],
    },
    Edge {
        code: "M025",
        map: |n| wide(3, corner(n), 0),
        taken: &[-0x8000, 0x7fff, -0x8001, 0x8000],
        refused: &[],
    },
    // Of a mode that is not wide the documents say it.
    Edge {
        code: "M025",
        map: |n| im2col(4, [corner(n), 0, 0], [0; 3]),
        taken: &[-200, -129, 0, 128, 200],
        refused: &[],
    },
    Edge {
        code: "M026",
        map: |n| wide(4, 0, corner(n)),
        taken: &[-128, 0, 127, -0x8001, 0x8000],
        refused: &[
            (
                -129,
                "the driver takes -128 to 127 at rank 4, although the manual allows 16 bits; choose a corner in this range",
            ),
            (128, "choose a corner in this range"),
        ],
    },
];

/// The rule's violation, if the map breaks it; on a target of which all rules ask.
fn broken(map: &Spec, code: &str, target: Target) -> Option<Violation> {
    let verdict = map.check(Some(target));
    verdict.violations().iter().find(|found| found.rule.code == code).copied()
}

/// What is taken, is encoded, if nothing else is wrong; and what is refused, is not.
fn expect_encoded_as_judged(map: &Spec) {
    let verdict = map.check_tensor(&TENSOR, Some(Target::Sm90a));
    match encode(map, &TENSOR) {
        Ok(descriptor) => {
            assert!(verdict.is_accepted(), "{map:?}: {verdict}");
            assert_eq!(encode_unchecked(map, &TENSOR), Some(descriptor));
        }
        Err(refused) => {
            assert!(!verdict.is_accepted(), "{map:?}");
            assert_eq!(refused.to_string(), verdict.to_string());
        }
    }
    let refusal = map.first_refusal(&TENSOR, Some(Target::Sm90a));
    assert_eq!(
        refusal.map(|found| found.to_string()),
        verdict.driver().next().map(ToString::to_string),
        "{map:?}"
    );
}

#[test]
fn each_limit_holds_at_both_of_its_sides() {
    for Edge { code, map, taken, refused } in EDGES {
        for n in *taken {
            let map = map(*n);
            let found = broken(&map, code, Target::Sm90a);
            assert!(found.is_none(), "{n}: {}", found.unwrap());
            expect_encoded_as_judged(&map);
        }
        for (n, end) in *refused {
            let map = map(*n);
            let found = broken(&map, code, Target::Sm90a).map(|found| found.to_string());
            let found = found.unwrap_or_else(|| panic!("{code} does not refuse {n}"));
            assert!(found.contains(&format!("{end} [{code}")), "{n}: {found}");
            expect_encoded_as_judged(&map);
        }
    }
}

/// The fields that a rule blames, of all that a map may be.
fn blamed(map: &Spec, code: &str) -> Vec<String> {
    let verdict = map.check(Some(Target::Sm90a));
    let found = verdict.violations().iter().filter(|found| found.rule.code == code);
    found.map(|found| found.blames.to_string()).collect()
}

#[test]
fn every_dimension_that_there_is_is_asked_and_no_other() {
    for rank in 1..=5_usize {
        let names = |field: &str| (0..rank).map(|i| format!("{field}[{i}]")).collect::<Vec<_>>();
        let dimensions = u32::try_from(rank).unwrap();
        let map = Spec { rank: dimensions, element_strides: [0; 5], ..boxed([0; 5]) };
        assert_eq!(blamed(&map, "M014"), names("box"));
        assert_eq!(blamed(&map, "M011"), names("element_strides")[1..]);
        assert_eq!(blamed(&map, "M012"), names("element_strides")[..1]);
        let map = im2col(dimensions, [99999; 3], [99999; 3]);
        let spatial = rank.saturating_sub(2);
        assert_eq!(blamed(&map, "M023"), &["lower[0]", "lower[1]", "lower[2]"][..spatial]);
        assert_eq!(blamed(&map, "M024"), &["upper[0]", "upper[1]", "upper[2]"][..spatial]);
    }
    // What breaks several rules of a field at once says all, and a wide mode has one corner.
    assert_eq!(blamed(&wide(5, 0x8000, 99), "M023"), ["lower[0]"]);
    assert_eq!(blamed(&wide(5, 0, 99), "M026"), ["upper[0]"]);
    assert_eq!(blamed(&pixels(300, 2000), "M020"), ["channels_per_pixel"]);
    assert_eq!(blamed(&pixels(3, 2000), "M015"), ["channels_per_pixel"]);
    assert_eq!(blamed(&pixels(256, 1024), "M018"), ["pixels_per_column"]);
    assert_eq!(blamed(&boxed([256, 256, 4, 1, 1]), "M018"), ["box"]);
}

/// Whether a rule holds on each of these targets.
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
    // One of each target: `x` where the rule is broken.
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
        // Of an unknown target nothing is said that some targets take.
        assert!(map.check(None).violations().iter().all(|found| found.rule.code != code));
    }
    assert!(Targets::All.hold(None) && !Targets::Below(90).hold(None));
    assert!(Targets::AllBut(Target::Sm90).hold(Some(Target::Sm90a)));
    assert!(!Targets::AllBut(Target::Sm90).hold(Some(Target::Sm90)));
    assert!(!Targets::Only(Target::Sm90).hold(Some(Target::Sm90a)));
    assert!(Targets::Only(Target::Sm90).hold(Some(Target::Sm90)));
}

/// The swizzle or the mode to write instead.
#[test]
fn the_mend_is_the_nearest_that_is_taken() {
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

/// The swizzles that each rule refuses, of a map that is otherwise sound for it.
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

/// The elements that each rule refuses, of a map that is otherwise sound for it.
#[test]
fn some_rules_are_about_some_elements() {
    let nan = Spec { oob_fill: OobFill::Nan, ..TILED };
    let gather = Spec { rank: 2, mode: Mode::Gather4 { row: 128 }, ..TILED };
    let scatter = Spec { mode: Mode::Scatter4 { row: 128 }, ..gather };
    let interleaved = Spec { interleave: Interleave::B32, ..TILED };
    // In the order of `ElementType::ALL`: u8 u16 u32 i32 u64 i64, f16 f32 f64 bf16 and three more, and four
    // smaller than a byte, of which two are loaded only and the last stored only.
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
