//! The limits of the declarations of tensor maps, on both sides of each.

use ptx_types::Target;
use ptx_types::tensor::rules::Violation;
use ptx_types::tensor::{
    ElementType, Interleave, Mode, Spec, Swizzle, Tensor, encode, encode_unchecked,
};

/// A valid map of `bf16`.
const TILED: Spec = Spec::tiled_unchecked(ElementType::Bf16, 5, [8, 1, 1, 1, 1]);
/// A tensor that is valid for all of these maps.
const TENSOR: Tensor = Tensor::dense(0x1000, ElementType::Bf16, [256, 256, 256, 256, 2]);

/// A rule, a change of a map, the numbers that are accepted, and those that are rejected, with the end of the message.
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
            (0, "a tensor of rank 0, but a tensor map has rank 1 to 5; use rank 1"),
            (6, "use rank 5"),
            (0xffff_ffff, "use rank 5"),
        ],
    },
    Edge {
        code: "M002",
        map: |n| Spec { rank: number(n), interleave: Interleave::B16, ..TILED },
        taken: &[3, 4, 5],
        refused: &[(1, "use rank 3, or leave the interleave out"), (2, "leave the interleave out")],
    },
    Edge {
        code: "M003",
        map: |n| im2col(number(n), [0; 3], [0; 3]),
        taken: &[3, 4, 5],
        refused: &[(1, "or the mode `tile`"), (2, "or the mode `tile`")],
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
        refused: &[(0, "must be 1; write 1"), (2, "must be 1; write 1")],
    },
    Edge {
        code: "M014",
        map: |n| wide_row(0, n),
        taken: &[1, 16, 255, 256],
        refused: &[
            (0, "a box has 1 to 256 elements in each dimension; write 16"),
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
            (0, "`row` is 0, but a box has 1 to 256 elements in each dimension; write 16"),
            (257, "write 256"),
        ],
    },
    Edge {
        code: "M015",
        map: |n| boxed([number(n), 1, 1, 1, 1]),
        // What is too long, M014 reports.
        taken: &[8, 16, 256, 257],
        refused: &[
            (
                7,
                "7 elements of 2 bytes (14 bytes), but a row of a box must be a multiple of 16 bytes; write 8",
            ),
            (9, "write 16"),
            (247, "write 248"),
            (255, "write 256"),
        ],
    },
    Edge {
        code: "M015",
        map: |n| wide_row(0, n),
        taken: &[16, 32],
        refused: &[
            (
                15,
                "15 elements of 1 byte (15 bytes), but a row of a box must be a multiple of 16 bytes; write 16",
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
                "3 elements of 4 bytes (12 bytes), but a row of a box must be a multiple of 16 bytes; write 4",
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
                "1 element of 8 bytes (8 bytes), but a row of a box must be a multiple of 16 bytes; write 2",
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
                "16 elements of 4 bits (8 bytes), but a row of a box must be a multiple of 16 bytes; write 32",
            ),
            (
                33,
                "33 elements of 4 bits (132 bits), but a row of a box must be a multiple of 16 bytes; write 64",
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
                "65 elements (130 bytes), but with the swizzle `B128` a row holds at most 128 bytes; write 64",
            ),
            (72, "; write 64, or leave `swizzle` out"),
        ],
    },
    Edge {
        code: "M017",
        map: |n| Spec { swizzle: Swizzle::B32, ..boxed([number(n), 1, 1, 1, 1]) },
        taken: &[8, 16],
        refused: &[(17, "; write 16"), (24, "; write 16, or use the swizzle `B128`")],
    },
    Edge {
        code: "M018",
        map: |n| Spec { element: ElementType::U8, ..boxed([16, 256, number(n), 1, 1]) },
        taken: &[1, 56, 57],
        refused: &[(
            58,
            "makes a tile of 237,568 bytes, but the driver takes at most 233,472; copy it in smaller tiles",
        )],
    },
    Edge {
        code: "M018",
        map: |n| Spec { element_strides: [1, 1, 8, 1, 1], ..boxed([8, 256, 256, number(n), 1]) },
        taken: &[1],
        refused: &[(
            2,
            "makes a tile of 262,144 bytes, but the driver takes at most 233,472; copy it in smaller tiles",
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
        refused: &[(0, "a copy takes 1 to 256 channels; write 16"), (257, "write 256")],
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
                "a corner is -32768 to 32767 in this mode at rank 3; write a corner in that range",
            ),
            (0x8000, "write a corner in that range"),
        ],
    },
    Edge {
        code: "M023",
        map: |n| im2col(4, [0, corner(n), 0], [0; 3]),
        taken: &[-128, 127],
        refused: &[
            (-129, "a corner is -128 to 127 in this mode at rank 4; write a corner in that range"),
            (
                128,
                "`lower[1]` is 128, but a corner is -128 to 127 in this mode at rank 4; write a corner in that range",
            ),
        ],
    },
    Edge {
        code: "M023",
        map: |n| im2col(5, [0, 0, corner(n)], [0; 3]),
        taken: &[-16, 15],
        refused: &[
            (-17, "a corner is -16 to 15 in this mode at rank 5; write a corner in that range"),
            (16, "write a corner in that range"),
            (-0x8000_0000, "write a corner in that range"),
            (0x7fff_ffff, "write a corner in that range"),
        ],
    },
    Edge {
        code: "M024",
        map: |n| im2col(3, [-0x8000, 0, 0], [corner(n), 0, 0]),
        taken: &[-0x8000, 0, 0x7fff],
        refused: &[
            (-0x8001, "write a corner in that range"),
            (0x8000, "write a corner in that range"),
        ],
    },
    Edge {
        code: "M024",
        map: |n| im2col(5, [0; 3], [0, 0, corner(n)]),
        taken: &[-16, 15],
        refused: &[
            (-17, "a corner is -16 to 15 in this mode at rank 5; write a corner in that range"),
            (16, "write a corner in that range"),
        ],
    },
    Edge {
        code: "M023",
        map: |n| wide(5, corner(n), 0),
        taken: &[-0x8000, -17, 0, 0x7fff],
        refused: &[
            (
                -0x8001,
                "a corner is -32768 to 32767 in this mode at rank 5; write a corner in that range",
            ),
            (0x8000, "write a corner in that range"),
        ],
    },
    Edge {
        code: "M025",
        map: |n| wide(5, corner(n), 0),
        taken: &[-16, 0, 15, -0x8001, 0x8000],
        refused: &[
            (
                -17,
                "the driver takes -16 to 15 at rank 5, although the manual allows 16 bits; write a corner in that range",
            ),
            (16, "write a corner in that range"),
            (-0x8000, "write a corner in that range"),
            (0x7fff, "write a corner in that range"),
        ],
    },
    Edge {
        code: "M025",
        map: |n| wide(3, corner(n), 0),
        taken: &[-0x8000, 0x7fff, -0x8001, 0x8000],
        refused: &[],
    },
    // For a mode that is not wide, another rule checks the documented limit.
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
                "the driver takes -128 to 127 at rank 4, although the manual allows 16 bits; write a corner in that range",
            ),
            (128, "write a corner in that range"),
        ],
    },
];

/// The tensor without the dimensions that the map does not have.
fn within(spec: &Spec, mut tensor: Tensor) -> Tensor {
    for extent in tensor.dims.iter_mut().skip(spec.rank as usize) {
        *extent = 1;
    }
    tensor
}

/// The violation of a rule, if the map breaks it on this target.
fn broken(map: &Spec, code: &str, target: Target) -> Option<Violation> {
    let verdict = map.check(Some(target));
    verdict.violations().iter().find(|found| found.rule.code == code).copied()
}

/// Checks that a map is encoded if and only if it breaks no rule.
fn expect_encoded_as_judged(map: &Spec) {
    let tensor = within(map, TENSOR);
    let verdict = map.check_tensor(&tensor, Some(Target::Sm90a));
    match encode(map, &tensor, Target::Sm90a) {
        Ok(descriptor) => {
            assert!(verdict.is_accepted(), "{map:?}: {verdict}");
            assert_eq!(encode_unchecked(map, &tensor), Some(descriptor));
        }
        Err(refused) => {
            assert!(!verdict.is_accepted(), "{map:?}");
            assert_eq!(refused.to_string(), verdict.to_string());
        }
    }
    let refusal = map.first_refusal(&tensor, Some(Target::Sm90a));
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

/// The fields at which a rule is reported, among all fields of a map.
fn blamed(map: &Spec, code: &str) -> Vec<String> {
    let verdict = map.check(Some(Target::Sm90a));
    let found = verdict.violations().iter().filter(|found| found.rule.code == code);
    found.map(|found| found.blames.to_string()).collect()
}

#[test]
fn exactly_the_existing_dimensions_are_checked() {
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
    // Several broken rules of a field are all reported, and a wide mode has one corner.
    assert_eq!(blamed(&wide(5, 0x8000, 99), "M023"), ["lower[0]"]);
    assert_eq!(blamed(&wide(5, 0, 99), "M026"), ["upper[0]"]);
    assert_eq!(blamed(&pixels(300, 2000), "M020"), ["channels_per_pixel"]);
    assert_eq!(blamed(&pixels(3, 2000), "M015"), ["channels_per_pixel"]);
    assert_eq!(blamed(&pixels(256, 1024), "M018"), ["pixels_per_column"]);
    assert_eq!(blamed(&boxed([256, 256, 4, 1, 1]), "M018"), ["box"]);
}
