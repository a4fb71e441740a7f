//! The limits of the tensors of tensor maps, on both sides of each.

use ptx_types::Target;
use ptx_types::tensor::rules::Violation;
use ptx_types::tensor::{
    ElementType, Interleave, Mode, Spec, Swizzle, Tensor, encode, encode_unchecked,
};

const TILED: Spec = Spec::tiled_unchecked(ElementType::U8, 5, [16, 1, 1, 1, 1]);
const SLICED: Spec = Spec {
    interleave: Interleave::B32,
    swizzle: Swizzle::B32,
    ..Spec::tiled_unchecked(ElementType::U8, 5, [32, 1, 1, 1, 1])
};
const PADDED: Spec = Spec::tiled_unchecked(ElementType::B4x16P64, 5, [128, 1, 1, 1, 1]);
const TENSOR: Tensor = Tensor::dense(0x1000, ElementType::U8, [128, 32, 32, 32, 2]);

/// A rule, a map and its tensor as functions of a number, the numbers that are accepted, and those that are rejected,
/// with the end of the message.
struct Edge {
    code: &'static str,
    map: fn(u64) -> (Spec, Tensor),
    taken: &'static [u64],
    refused: &'static [(u64, &'static str)],
}

const fn at(address: u64) -> Tensor {
    Tensor { address, ..TENSOR }
}

fn strided(i: usize, stride: u64) -> Tensor {
    let mut tensor = Tensor { strides: [128, 5120, 1 << 18, 1 << 23], ..TENSOR };
    tensor.strides[i] = stride;
    tensor
}

fn sized(i: usize, dim: u64) -> Tensor {
    let mut tensor = TENSOR;
    tensor.dims[i] = dim;
    tensor
}

const fn im2col(rank: u32, lower: [i32; 3], upper: [i32; 3]) -> Spec {
    let mode = Mode::Im2col { lower, upper, channels_per_pixel: 16, pixels_per_column: 8 };
    Spec { rank, mode, ..TILED }
}

const fn wide(lower: i32, upper: i32) -> Spec {
    let mode = Mode::Im2colW { lower, upper, channels_per_pixel: 16, pixels_per_column: 8 };
    Spec { rank: 4, mode, ..TILED }
}

const fn sliced(spec: Spec) -> Spec {
    Spec { interleave: Interleave::B16, ..spec }
}

const EDGES: &[Edge] = &[
    Edge {
        code: "M050",
        map: |n| (TILED, at(n)),
        taken: &[0, 16, 32, 0xffff_ffff_ffff_fff0],
        refused: &[
            (1, "`address` is 0x1, but a tensor starts at a multiple of 16 bytes; use 0x0 or 0x10"),
            (15, "use 0x0 or 0x10"),
            (17, "use 0x10 or 0x20"),
            (u64::MAX, "use 0xfffffffffffffff0 or 0xffffffffffffffff"),
        ],
    },
    Edge {
        code: "M051",
        map: |n| (SLICED, at(n)),
        taken: &[0, 32, 8, 15, 17, 31, 64],
        refused: &[(16, "use 0x0 or 0x20"), (48, "use 0x20 or 0x40")],
    },
    Edge { code: "M051", map: |n| (sliced(TILED), at(n)), taken: &[16, 32], refused: &[] },
    Edge { code: "M051", map: |n| (PADDED, at(n)), taken: &[16, 32], refused: &[] },
    Edge {
        code: "M052",
        map: |n| (PADDED, at(n)),
        taken: &[0, 32, 8, 15, 17],
        refused: &[
            (16, "use 0x0 or 0x20"),
            (48, "a tensor of `b4x16_p64` starts at a multiple of 32 bytes; use 0x20 or 0x40"),
        ],
    },
    Edge { code: "M052", map: |n| (TILED, at(n)), taken: &[16, 32], refused: &[] },
    Edge {
        code: "M052",
        map: |n| (Spec { interleave: Interleave::B32, ..PADDED }, at(n)),
        taken: &[16, 32],
        refused: &[],
    },
    Edge {
        code: "M053",
        map: |n| (TILED, sized(0, n)),
        taken: &[1, 2, 0xffff_ffff, 1 << 32],
        refused: &[
            (0, "`dims[0]` is 0, but a dimension has 1 to 4294967296 elements; write 1"),
            ((1 << 32) + 1, "write 4294967296"),
            (u64::MAX, "write 4294967296"),
        ],
    },
    Edge {
        code: "M053",
        map: |n| (TILED, sized(4, n)),
        taken: &[1, 1 << 32],
        refused: &[(0, "write 1"), ((1 << 32) + 1, "write 4294967296")],
    },
    Edge {
        code: "M054",
        map: |n| (PADDED, sized(0, n)),
        taken: &[128, 256],
        refused: &[
            (1, "pad it to 128"),
            (127, "a row of a tensor of `b4x16_p64` is a multiple of 128 elements; pad it to 128"),
            (129, "pad it to 256"),
            (u64::MAX, "pad it to 18446744073709551615"),
        ],
    },
    Edge { code: "M054", map: |n| (PADDED, sized(1, n)), taken: &[1, 127], refused: &[] },
    Edge {
        code: "M054",
        map: |n| (Spec { element: ElementType::B4x16, ..PADDED }, sized(0, n)),
        taken: &[2, 4, 130],
        refused: &[
            (1, "pad it to 2"),
            (3, "a row of a tensor of `b4x16` is a multiple of 2 elements; pad it to 4"),
        ],
    },
    Edge { code: "M054", map: |n| (TILED, sized(0, n)), taken: &[1, 3, 127], refused: &[] },
    Edge {
        code: "M055",
        map: |n| (TILED, strided(3, n)),
        taken: &[0, 16, 32, 48],
        refused: &[
            (1, "`strides[3]` is 1 byte, but a stride is a multiple of 16; pad it to 16"),
            (8, "pad it to 16"),
            (17, "pad it to 32"),
            (24, "pad it to 32"),
            (u64::MAX, "pad it to 18446744073709551615"),
        ],
    },
    Edge {
        code: "M056",
        map: |n| (TILED, strided(1, n)),
        taken: &[0, (1 << 40) - 16, (1 << 40) - 1],
        refused: &[
            (1 << 40, "write 1,099,511,627,760 or less"),
            ((1 << 40) + 16, "write 1,099,511,627,760 or less"),
        ],
    },
    Edge {
        code: "M056",
        map: |n| (SLICED, strided(0, n)),
        taken: &[(1 << 40) - 32],
        refused: &[(1 << 40, "write 1,099,511,627,744 or less")],
    },
    Edge {
        code: "M056",
        map: |n| (PADDED, strided(0, n)),
        taken: &[(1 << 40) - 32],
        refused: &[(1 << 40, "write 1,099,511,627,744 or less")],
    },
    Edge {
        code: "M057",
        map: |n| (SLICED, strided(2, n)),
        taken: &[0, 32, 64, 8, 17],
        refused: &[
            (16, "with the interleave `B32` a stride is a multiple of 32; pad it to 32"),
            (48, "pad it to 64"),
        ],
    },
    Edge { code: "M057", map: |n| (sliced(TILED), strided(2, n)), taken: &[16, 48], refused: &[] },
    Edge { code: "M057", map: |n| (PADDED, strided(2, n)), taken: &[16, 48], refused: &[] },
    Edge {
        code: "M058",
        map: |n| (PADDED, strided(2, n)),
        taken: &[0, 32, 64, 8, 17],
        refused: &[
            (16, "pad it to 32"),
            (48, "a stride of `b4x16_p64` is a multiple of 32; pad it to 64"),
        ],
    },
    Edge { code: "M058", map: |n| (TILED, strided(2, n)), taken: &[16, 48], refused: &[] },
    Edge {
        code: "M058",
        map: |n| (Spec { interleave: Interleave::B32, ..PADDED }, strided(2, n)),
        taken: &[16, 48],
        refused: &[],
    },
    Edge {
        code: "M059",
        map: |n| (TILED, strided(0, n)),
        taken: &[128, 144],
        refused: &[
            (
                112,
                "`strides[0]` is 112 bytes, but dimension 0 takes 128: elements would overlap; write 128 or more",
            ),
            (127, "write 128 or more"),
            (0, "write 128 or more"),
        ],
    },
    Edge {
        code: "M059",
        map: |n| (TILED, strided(1, n)),
        taken: &[4096, 4112],
        refused: &[(
            4080,
            "`strides[1]` is 4,080 bytes, but dimension 1 takes 4,096: elements would overlap; write 4,096 or more",
        )],
    },
    Edge {
        code: "M059",
        map: |n| (TILED, Tensor { dims: [n, 1, 1, 1, 1], ..strided(0, 128) }),
        taken: &[1, 127, 128],
        refused: &[(129, "dimension 0 takes 129: elements would overlap; write 144 or more")],
    },
    Edge {
        code: "M059",
        map: |n| (PADDED, Tensor { dims: [n, 1, 1, 1, 1], ..strided(0, 128) }),
        taken: &[128, 256],
        refused: &[(258, "dimension 0 takes 129: elements would overlap; write 160 or more")],
    },
    Edge {
        code: "M059",
        map: |n| (SLICED, Tensor { dims: [n, 1, 1, 1, 1], ..strided(0, 144) }),
        taken: &[1, 4],
        refused: &[
            (5, "dimension 0 takes 160: elements would overlap; write 160 or more"),
            (u64::MAX, "elements would overlap; write 18,446,744,073,709,551,615 or more"),
        ],
    },
    Edge {
        code: "M059",
        map: |n| {
            (
                SLICED,
                Tensor { dims: [4, n, 1, 1, 1], strides: [144, 144, 1 << 20, 1 << 20], ..TENSOR },
            )
        },
        taken: &[1],
        refused: &[(3, "dimension 1 takes 432: elements would overlap; write 448 or more")],
    },
    Edge {
        code: "M060",
        map: |n| (im2col(4, [2, 0, 0], [-10, 0, 0]), sized(1, n)),
        taken: &[13, 14],
        refused: &[
            (
                12,
                "`dims[1]` is 12, but the corners 2 and -10 leave 0 pixels of it; leave at least 1",
            ),
            (11, "leave -1 pixels of it; leave at least 1"),
        ],
    },
    Edge {
        code: "M060",
        map: |n| (im2col(5, [0, 0, -3], [0, 0, -10]), sized(3, n)),
        taken: &[8, 9],
        refused: &[(
            7,
            "`dims[3]` is 7, but the corners -3 and -10 leave 0 pixels of it; leave at least 1",
        )],
    },
    // Neither channels nor images have corners.
    Edge {
        code: "M060",
        map: |n| (im2col(4, [9; 3], [0; 3]), sized(0, n)),
        taken: &[0, 1],
        refused: &[],
    },
    Edge {
        code: "M060",
        map: |n| (im2col(4, [0; 3], [0; 3]), sized(3, n)),
        taken: &[0, 1],
        refused: &[],
    },
    Edge { code: "M060", map: |n| (TILED, sized(1, n)), taken: &[0, 1], refused: &[] },
    Edge {
        code: "M060",
        map: |n| (wide(0, -4), sized(1, n)),
        taken: &[5],
        refused: &[(4, "the corners 0 and -4 leave 0 pixels of it; leave at least 1")],
    },
    // The other dimensions of a wide mode have no corners, but their pixels still count.
    Edge {
        code: "M060",
        map: |n| (wide(9, -9), sized(2, n)),
        taken: &[1],
        refused: &[(0, "the corners 0 and 0 leave 0 pixels of it; leave at least 1")],
    },
    Edge {
        code: "M060",
        map: |n| (im2col(3, [0; 3], [0; 3]), sized(1, n)),
        taken: &[1, 1 << 63, u64::MAX],
        refused: &[],
    },
    Edge {
        code: "M061",
        map: |n| (im2col(3, [0; 3], [0; 3]), sized(1, n)),
        taken: &[1, 0x7fff_ffff],
        refused: &[
            (
                0x8000_0000,
                "and with the upper corner the driver computes -2147483648 as the end in `im2col`; write 2147483647 or less",
            ),
            (1 << 32, "the driver computes 0 as the end in `im2col`; write 2147483647 or less"),
        ],
    },
    Edge {
        code: "M061",
        map: |n| (im2col(3, [i32::MAX, 0, 0], [0; 3]), sized(1, n)),
        taken: &[0x7fff_ffff],
        refused: &[(0x8000_0000, "write 2147483647 or less")],
    },
    Edge {
        code: "M061",
        map: |n| (im2col(3, [0; 3], [1, 0, 0]), sized(1, n)),
        taken: &[1, 0x7fff_fffe],
        refused: &[(0x7fff_ffff, "write 2147483646 or less")],
    },
    Edge {
        code: "M061",
        map: |n| (im2col(3, [0; 3], [-1, 0, 0]), sized(1, n)),
        taken: &[2, 1, 0x7fff_ffff, 0x8000_0000],
        refused: &[(0x8000_0001, "write 2147483647 or less")],
    },
    Edge {
        code: "M061",
        map: |n| (sliced(im2col(4, [0; 3], [0; 3])), sized(1, n)),
        taken: &[1 << 31],
        refused: &[],
    },
    Edge { code: "M061", map: |n| (TILED, sized(1, n)), taken: &[1 << 31], refused: &[] },
    Edge {
        code: "M062",
        map: |n| (sliced(im2col(4, [2, 0, 0], [-10, 0, 0])), sized(0, n)),
        taken: &[13, 14, 1 << 31],
        refused: &[
            (
                12,
                "`dims[0]` is 12, but the corners 2 and -10, which the driver applies to it with an interleave, leave 0 pixels; leave at least 1",
            ),
            (11, "leave -1 pixels; leave at least 1"),
            ((1 << 31) + 10, "leave at least 1"),
        ],
    },
    Edge {
        code: "M062",
        map: |n| (sliced(im2col(4, [0, 2, 0], [0, -10, 0])), sized(1, n)),
        taken: &[13],
        refused: &[(
            12,
            "the corners 2 and -10, which the driver applies to it with an interleave, leave 0 pixels; leave at least 1",
        )],
    },
    Edge {
        code: "M062",
        map: |n| (sliced(im2col(4, [0; 3], [0; 3])), sized(2, n)),
        taken: &[1, 0],
        refused: &[],
    },
    Edge {
        code: "M062",
        map: |n| (im2col(4, [2; 3], [0; 3]), sized(0, n)),
        taken: &[1, 0],
        refused: &[],
    },
    Edge { code: "M062", map: |n| (sliced(TILED), sized(0, n)), taken: &[0], refused: &[] },
    Edge {
        code: "M063",
        map: |n| (sliced(im2col(4, [2, 0, 0], [-10, 0, 0])), sized(1, n)),
        taken: &[13],
        refused: &[(12, "the corners 2 and -10 leave 0 pixels of it; leave at least 1")],
    },
    Edge {
        code: "M063",
        map: |n| (sliced(im2col(4, [2; 3], [0; 3])), sized(0, n)),
        taken: &[1, 0],
        refused: &[],
    },
    Edge {
        code: "M063",
        map: |n| (im2col(4, [2; 3], [0; 3]), sized(1, n)),
        taken: &[1, 0],
        refused: &[],
    },
    Edge {
        code: "M064",
        map: |n| (TILED, at(n)),
        taken: &[0, (1 << 57) - 16, (1 << 57) - 1],
        refused: &[
            (
                1 << 57,
                "the driver takes addresses below 0x200000000000000 (2^57); use an address in the GPU's memory",
            ),
            (u64::MAX, "use an address in the GPU's memory"),
        ],
    },
];

fn broken(map: &Spec, tensor: &Tensor, code: &str) -> Option<Violation> {
    let verdict = map.check_tensor(tensor, Some(Target::Sm100a));
    verdict.violations().iter().find(|found| found.rule.code == code).copied()
}

/// Checks that a map and its tensor are encoded if and only if they break no rule.
fn expect_encoded_as_judged(map: &Spec, tensor: &Tensor) {
    let verdict = map.check_tensor(tensor, Some(Target::Sm90a));
    let has_more = verdict.violations().iter().any(|found| found.rule.code == "M065");
    match encode(map, tensor, Target::Sm90a) {
        Ok(descriptor) => {
            assert!(verdict.is_accepted(), "{map:?}: {verdict}");
            assert_eq!(encode_unchecked(map, tensor), Some(descriptor));
        }
        Err(refused) => {
            assert!(!verdict.is_accepted() || has_more, "{map:?}");
            assert_eq!(refused.to_string(), verdict.to_string());
        }
    }
    let refusal = map.first_refusal(tensor, Some(Target::Sm90a));
    let first = verdict.driver().next().map(ToString::to_string);
    assert_eq!(refusal.map(|found| found.to_string()), first, "{map:?}");
}

#[test]
fn each_limit_holds_at_both_of_its_sides() {
    for (i, Edge { code, map, taken, refused }) in EDGES.iter().enumerate() {
        for n in *taken {
            let (map, tensor) = map(*n);
            let found = broken(&map, &tensor, code);
            assert!(found.is_none(), "edge {i}: {n}: {}", found.unwrap());
            expect_encoded_as_judged(&map, &tensor);
        }
        for (n, end) in *refused {
            let (map, tensor) = map(*n);
            let found = broken(&map, &tensor, code).map(|found| found.to_string());
            let found = found.unwrap_or_else(|| panic!("edge {i}: {code} does not refuse {n}"));
            assert!(found.contains(&format!("{end} [{code}")), "edge {i}: {n}: {found}");
            expect_encoded_as_judged(&map, &tensor);
        }
    }
}

#[test]
fn exactly_the_existing_dimensions_are_checked() {
    let nothing = Tensor { address: 0, dims: [0; 5], strides: [1; 4] };
    for rank in 1..=5_usize {
        let blamed = |map: Spec, code: &str| -> Vec<String> {
            let map = Spec { rank: u32::try_from(rank).unwrap(), ..map };
            let verdict = map.check_tensor(&nothing, Some(Target::Sm90a));
            let found = verdict.violations().iter().filter(|found| found.rule.code == code);
            found.map(|found| found.blames.to_string()).collect()
        };
        let names = |field: &str, range: std::ops::Range<usize>| -> Vec<String> {
            range.map(|i| format!("{field}[{i}]")).collect()
        };
        assert_eq!(blamed(TILED, "M053"), names("dims", 0..rank));
        assert_eq!(blamed(TILED, "M055"), names("strides", 0..rank - 1));
        let images = im2col(1, [0; 3], [0; 3]);
        let spatial = rank.saturating_sub(2);
        assert_eq!(blamed(images, "M060"), names("dims", 1..spatial + 1));
        assert_eq!(blamed(sliced(images), "M062"), names("dims", 0..spatial));
        assert_eq!(blamed(sliced(images), "M063"), names("dims", 1..spatial + 1));
    }
}

/// Each number that is too large for its field is reported, in every position; past the rank, only extents are
/// read.
#[test]
fn numbers_too_large_for_their_fields_are_not_encoded() {
    type Change = fn(&mut Spec, &mut Tensor, usize);
    assert!(encode(&TILED, &TENSOR, Target::Sm90a).is_ok());
    let changes: [(&str, usize, Change); 6] = [
        ("box", 5, |map, _, i| {
            let Mode::Tiled { box_dims } = &mut map.mode else { unreachable!() };
            box_dims[i] = 512;
        }),
        ("no box", 5, |map, _, i| {
            let Mode::Tiled { box_dims } = &mut map.mode else { unreachable!() };
            box_dims[i] = 0;
        }),
        ("element stride", 5, |map, _, i| map.element_strides[i] = 16),
        ("no element stride", 5, |map, _, i| map.element_strides[i] = 0),
        ("extent", 5, |_, tensor, i| tensor.dims[i] = (1 << 32) + 1),
        ("stride", 4, |_, tensor, i| tensor.strides[i] = 1 << 40),
    ];
    for rank in 1..=5_usize {
        for (name, count, change) in changes {
            for i in 0..count {
                let (mut map, mut tensor) =
                    (Spec { rank: u32::try_from(rank).unwrap(), ..TILED }, TENSOR);
                tensor.dims[rank..].fill(1);
                change(&mut map, &mut tensor, i);
                // Dimensions of a tensor past the rank are rejected, too.
                let is_tensor = name == "extent";
                let is_read = if count == 4 { i + 1 < rank } else { i < rank || is_tensor };
                assert_eq!(
                    encode(&map, &tensor, Target::Sm90a).is_err(),
                    is_read,
                    "{name} {i} at rank {rank}"
                );
                expect_encoded_as_judged(&map, &tensor);
            }
        }
    }
}
