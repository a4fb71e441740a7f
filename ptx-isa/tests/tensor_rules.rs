//! Every rule of tensor maps fires, with its message.

use ptx_isa::Target;
use std::fmt::Write as _;

use ptx_isa::tensor::rules::{OBSERVED, Observed, RULES, Targets, rule};
use ptx_isa::tensor::{ElementType, Interleave, L2Promotion, Mode, OobFill, Spec, Swizzle, Tensor};

/// A valid map of `bf16`.
const TILED: Spec = Spec::tiled_unchecked(ElementType::Bf16, 2, [64, 8, 1, 1, 1]);
/// A valid `im2col` map.
const IM2COL: Spec = Spec { rank: 4, mode: im2col([0; 3], [0; 3], 64, 64), ..TILED };
/// A tensor that is valid for both.
const DENSE: Tensor = Tensor::dense(0x1000, ElementType::Bf16, [256, 64, 64, 2, 1]);

/// The tensor without the dimensions that the map does not have.
fn within(spec: &Spec, mut tensor: Tensor) -> Tensor {
    for extent in tensor.dims.iter_mut().skip(spec.rank as usize) {
        *extent = 1;
    }
    tensor
}

const fn boxed(box_dims: [u32; 5]) -> Mode {
    Mode::Tiled { box_dims }
}

const fn im2col(lower: [i32; 3], upper: [i32; 3], channels: u32, pixels: u32) -> Mode {
    Mode::Im2col { lower, upper, channels_per_pixel: channels, pixels_per_column: pixels }
}

/// A rule, a map and a tensor that break it, the target, and the message.
struct Case(&'static str, Spec, Tensor, Target, &'static str);

const CASES: &[Case] = &[
    Case(
        "M001",
        Spec { rank: 6, ..TILED },
        DENSE,
        Target::Sm90a,
        "this makes a tensor of rank 6, but a tensor map has rank 1 to 5; use rank 5 [M001, driver manual: tensorRank, PTX ISA 5.5.1]",
    ),
    Case(
        "M002",
        Spec { rank: 2, interleave: Interleave::B16, ..TILED },
        DENSE,
        Target::Sm90a,
        "a tensor of rank 2 has no interleaved layout, which needs rank 3 to 5; use rank 3, or leave the interleave out [M002, driver manual: tensorRank, PTX ISA 5.5.6]",
    ),
    Case(
        "M003",
        Spec { rank: 2, ..IM2COL },
        DENSE,
        Target::Sm90a,
        "a tensor of rank 2 has no mode `im2col`, which needs rank 3 to 5: channels, 1 to 3 dimensions with corners, and images; use rank 3, or the mode `tile` [M003, driver manual: tensorRank, PTX ISA 5.5.4]",
    ),
    Case(
        "M004",
        Spec { rank: 3, mode: Mode::Gather4 { row: 64 }, ..TILED },
        DENSE,
        Target::Sm100a,
        "a tensor of rank 3 has no mode `tile::gather4`, which is for matrices; use rank 2 [M004, PTX ISA 5.5.3.4; the driver takes it]",
    ),
    Case(
        "M005",
        Spec { rank: 3, mode: Mode::Scatter4 { row: 64 }, interleave: Interleave::B16, ..TILED },
        DENSE,
        Target::Sm100a,
        "`interleave` is `B16`, but `tile::scatter4` takes no interleave; write `None` [M005, PTX ISA 5.5.3.4; the driver takes it]",
    ),
    Case(
        "M006",
        Spec { element: ElementType::B4x16, ..TILED },
        DENSE,
        Target::Sm90a,
        "`b4x16` elements need sm_100 or newer; choose a newer target, or copy bytes as `u8` [M006, PTX ISA cp.async.bulk.tensor]",
    ),
    Case(
        "M007",
        Spec { swizzle: Swizzle::B128Atom32, ..TILED },
        DENSE,
        Target::Sm90a,
        "the swizzle `B128Atom32` needs sm_100 or newer; choose a newer target, or write `B128` [M007, PTX ISA cp.async.bulk.tensor]",
    ),
    Case(
        "M008",
        Spec { swizzle: Swizzle::B96, mode: boxed([32, 8, 1, 1, 1]), ..TILED },
        DENSE,
        Target::Sm100a,
        "the swizzle `B96` exists only on sm_103a; choose that target, or write `B64` [M008, PTX ISA tensormap.replace]",
    ),
    Case(
        "M009",
        Spec {
            mode: Mode::Im2colW {
                lower: 0,
                upper: 0,
                channels_per_pixel: 64,
                pixels_per_column: 128,
            },
            ..IM2COL
        },
        DENSE,
        Target::Sm90a,
        "`im2col::w` needs sm_100 or newer; choose a newer target, or use `im2col` [M009, PTX ISA cp.async.bulk.tensor; the driver takes it]",
    ),
    Case(
        "M010",
        Spec { mode: Mode::Scatter4 { row: 64 }, ..TILED },
        DENSE,
        Target::Sm120a,
        "`tile::scatter4` needs a target of the family sm_100f or sm_110f; choose such a target, or use `tile` [M010, PTX ISA cp.async.bulk.tensor; not tried with a driver]",
    ),
    Case(
        "M011",
        Spec { element_strides: [1, 9, 1, 1, 1], ..TILED },
        DENSE,
        Target::Sm90a,
        "`element_strides[1]` is 9, but a traversal stride is 1 to 8; write 8 [M011, driver manual: elementStrides]",
    ),
    Case(
        "M012",
        Spec { element_strides: [0, 1, 1, 1, 1], ..TILED },
        DENSE,
        Target::Sm90a,
        "`element_strides[0]` is 0, but the driver requires 1 to 8, even where the manual says that it is ignored; write 1 [M012, refused by the driver alone]",
    ),
    Case(
        "M013",
        Spec { element_strides: [2, 1, 1, 1, 1], ..TILED },
        DENSE,
        Target::Sm90a,
        "`element_strides[0]` is 2, but without an interleave the traversal stride of dimension 0 must be 1; write 1 [M013, PTX ISA 5.5.3.2; the driver takes it]",
    ),
    Case(
        "M014",
        Spec { mode: boxed([64, 257, 1, 1, 1]), ..TILED },
        DENSE,
        Target::Sm90a,
        "`box[1]` is 257, but a box has 1 to 256 elements in each dimension; write 256 [M014, driver manual: boxDim]",
    ),
    Case(
        "M015",
        Spec { mode: boxed([5, 8, 1, 1, 1]), ..TILED },
        DENSE,
        Target::Sm90a,
        "`box[0]` is 5 elements of 2 bytes (10 bytes), but a row of a box must be a multiple of 16 bytes; write 8 [M015, driver manual: boxDim, PTX ISA 5.5.3.1]",
    ),
    Case(
        "M016",
        Spec { rank: 3, mode: boxed([7, 8, 1, 1, 1]), interleave: Interleave::B16, ..TILED },
        DENSE,
        Target::Sm90a,
        "`box[0]` is 7 elements of 2 bytes (14 bytes), but the driver requires a multiple of 16 bytes, with an interleave too; write 8 [M016, refused by the driver alone]",
    ),
    Case(
        "M017",
        Spec { mode: boxed([72, 8, 1, 1, 1]), swizzle: Swizzle::B128, ..TILED },
        DENSE,
        Target::Sm90a,
        "`box[0]` is 72 elements (144 bytes), but with the swizzle `B128` a row holds at most 128 bytes; write 64, or leave `swizzle` out [M017, driver manual: interleave]",
    ),
    Case(
        "M018",
        Spec { rank: 3, mode: boxed([64, 256, 8, 1, 1]), ..TILED },
        DENSE,
        Target::Sm90a,
        "the `box` makes a tile of 262,144 bytes, but the driver takes at most 233,472; copy it in smaller tiles [M018, refused by the driver alone]",
    ),
    Case(
        "M019",
        TILED,
        DENSE,
        Target::Sm89,
        "`tile` maps need sm_90 or newer; choose a newer target [M019, driver manual: tensorMap, PTX ISA cp.async.bulk.tensor; not tried with a driver]",
    ),
    Case(
        "M020",
        Spec { mode: im2col([0; 3], [0; 3], 0, 64), ..IM2COL },
        DENSE,
        Target::Sm90a,
        "`channels_per_pixel` is 0, but a copy takes 1 to 256 channels; write 8 [M020, driver manual: channelsPerPixel]",
    ),
    Case(
        "M021",
        Spec { mode: im2col([0; 3], [0; 3], 8, 1025), ..IM2COL },
        DENSE,
        Target::Sm90a,
        "`pixels_per_column` is 1025, but a copy takes 1 to 1024 pixels; write 1024 [M021, driver manual: pixelsPerColumn]",
    ),
    Case(
        "M022",
        Spec {
            mode: Mode::Im2colW128 {
                lower: 0,
                upper: 0,
                channels_per_pixel: 8,
                pixels_per_column: 0,
            },
            ..IM2COL
        },
        DENSE,
        Target::Sm90a,
        "`pixels_per_column` is 0, but the driver requires 1 to 1024, although `im2col::w::128` ignores it; write 128 [M022, refused by the driver alone]",
    ),
    Case(
        "M023",
        Spec { mode: im2col([0, -129, 0], [0; 3], 8, 64), ..IM2COL },
        DENSE,
        Target::Sm90a,
        "`lower[1]` is -129, but a corner is -128 to 127 in this mode at rank 4; write a corner in that range [M023, driver manual: pixelBoxLowerCorner, PTX ISA 5.5.4.1]",
    ),
    Case(
        "M024",
        Spec { mode: im2col([0; 3], [128, 0, 0], 8, 64), ..IM2COL },
        DENSE,
        Target::Sm90a,
        "`upper[0]` is 128, but a corner is -128 to 127 in this mode at rank 4; write a corner in that range [M024, driver manual: pixelBoxUpperCorner, PTX ISA 5.5.4.1]",
    ),
    Case(
        "M025",
        Spec {
            mode: Mode::Im2colW {
                lower: -200,
                upper: 0,
                channels_per_pixel: 8,
                pixels_per_column: 8,
            },
            ..IM2COL
        },
        DENSE,
        Target::Sm100a,
        "`lower[0]` is -200, but the driver takes -128 to 127 at rank 4, although the manual allows 16 bits; write a corner in that range [M025, refused by the driver alone]",
    ),
    Case(
        "M026",
        Spec {
            mode: Mode::Im2colW {
                lower: 0,
                upper: 200,
                channels_per_pixel: 8,
                pixels_per_column: 8,
            },
            ..IM2COL
        },
        DENSE,
        Target::Sm100a,
        "`upper[0]` is 200, but the driver takes -128 to 127 at rank 4, although the manual allows 16 bits; write a corner in that range [M026, refused by the driver alone]",
    ),
    Case(
        "M027",
        Spec {
            mode: Mode::Im2colW { lower: 0, upper: 0, channels_per_pixel: 8, pixels_per_column: 8 },
            ..IM2COL
        },
        DENSE,
        Target::Sm100a,
        "`swizzle` is `None`, but `im2col::w` needs a swizzle that does not flip; write `B128` [M027, driver manual: swizzle, PTX ISA cp.async.bulk.tensor; the driver takes it]",
    ),
    Case(
        "M028",
        Spec {
            mode: Mode::Im2colW { lower: 0, upper: 0, channels_per_pixel: 8, pixels_per_column: 8 },
            swizzle: Swizzle::B32,
            ..IM2COL
        },
        DENSE,
        Target::Sm100a,
        "`swizzle` is `B32`, but `im2col::w` takes only `B64`, `B128` and `B128Atom32`; write `B128` [M028, driver manual: swizzle; the driver takes it]",
    ),
    Case(
        "M029",
        Spec {
            mode: Mode::Im2colW { lower: 0, upper: 0, channels_per_pixel: 8, pixels_per_column: 8 },
            interleave: Interleave::B16,
            ..IM2COL
        },
        DENSE,
        Target::Sm100a,
        "`interleave` is `B16`, but `im2col::w` takes no interleave; write `None` [M029, PTX ISA 5.5.6; the driver takes it]",
    ),
    Case(
        "M030",
        Spec { rank: 3, interleave: Interleave::B32, swizzle: Swizzle::B64, ..TILED },
        DENSE,
        Target::Sm90a,
        "`swizzle` is `B64`, but the interleave `B32` takes only the swizzle `B32`; write `B32` [M030, driver manual: swizzle; the driver takes it]",
    ),
    Case(
        "M031",
        Spec { rank: 3, interleave: Interleave::B16, swizzle: Swizzle::B96, ..TILED },
        DENSE,
        Target::Sm103a,
        "`interleave` is `B16`, but the swizzle `B96` takes no interleave; write `None` [M031, PTX ISA cp.async.bulk.tensor; not tried with a driver]",
    ),
    Case(
        "M032",
        Spec { element: ElementType::U16, oob_fill: OobFill::Nan, ..TILED },
        DENSE,
        Target::Sm90a,
        "`oob` is `Nan`, but `u16` elements are not floating-point numbers; write `Zero` [M032, driver manual: oobFill]",
    ),
    Case(
        "M033",
        Spec { mode: Mode::Scatter4 { row: 64 }, swizzle: Swizzle::B128Atom32Flip8, ..TILED },
        DENSE,
        Target::Sm100a,
        "`swizzle` is `B128Atom32Flip8`, which is for loads, but `tile::scatter4` stores; write `B128Atom32` [M033, PTX ISA cp.async.bulk.tensor; not tried with a driver]",
    ),
    Case(
        "M034",
        Spec { element: ElementType::B4x16P64, mode: Mode::Scatter4 { row: 128 }, ..TILED },
        DENSE,
        Target::Sm100a,
        "`b4x16_p64` elements can only be loaded, which `tile::scatter4` does not do; write `b4x16` [M034, PTX ISA 5.5.1.1; not tried with a driver]",
    ),
    Case(
        "M040",
        Spec { element: ElementType::B4x16P64, ..TILED },
        DENSE,
        Target::Sm100a,
        "`box[0]` is 64, but a row of `b4x16_p64` is 128 elements; write 128 [M040, driver manual: boxDim, PTX ISA cp.async.bulk.tensor; not tried with a driver]",
    ),
    Case(
        "M041",
        Spec { element: ElementType::B6P2x16, ..TILED },
        DENSE,
        Target::Sm100a,
        "`box[0]` is 64, but a row of `b6p2x16` is 128 elements; write 128 [M041, driver manual: boxDim, PTX ISA cp.async.bulk.tensor; not tried with a driver]",
    ),
    Case(
        "M042",
        Spec { element: ElementType::B6P2x16, mode: boxed([32, 8, 1, 1, 1]), ..TILED },
        DENSE,
        Target::Sm103a,
        "`box[0]` is 32, but a row of `b6p2x16` is 64 or 128 elements on sm_103a; write 64 [M042, PTX ISA cp.async.bulk.tensor; not tried with a driver]",
    ),
    Case(
        "M043",
        Spec {
            element: ElementType::B6x16P32,
            mode: boxed([128, 8, 1, 1, 1]),
            swizzle: Swizzle::B64,
            ..TILED
        },
        DENSE,
        Target::Sm100a,
        "`swizzle` is `B64`, but `b6x16_p32` takes only `None`, `B128` and `B128Atom32`; write `B128` [M043, driver manual: swizzle; not tried with a driver]",
    ),
    Case(
        "M044",
        Spec {
            element: ElementType::B6P2x16,
            mode: boxed([128, 8, 1, 1, 1]),
            swizzle: Swizzle::B32,
            ..TILED
        },
        DENSE,
        Target::Sm100a,
        "`swizzle` is `B32`, but `b6p2x16` takes only `None`, `B128`, `B128Atom32` and `B128Atom64`, and `B64` and `B96` on sm_103a; write `B128` [M044, driver manual: swizzle; not tried with a driver]",
    ),
    Case(
        "M045",
        Spec {
            element: ElementType::B6P2x16,
            mode: boxed([128, 8, 1, 1, 1]),
            swizzle: Swizzle::B64,
            ..TILED
        },
        DENSE,
        Target::Sm100a,
        "`swizzle` is `B64`, which `b6p2x16` takes on sm_103a only; write `B128` [M045, driver manual: swizzle; not tried with a driver]",
    ),
    Case(
        "M046",
        Spec {
            rank: 3,
            element: ElementType::B6P2x16,
            mode: boxed([128, 8, 1, 1, 1]),
            interleave: Interleave::B16,
            ..TILED
        },
        DENSE,
        Target::Sm100a,
        "`interleave` is `B16`, but `b6p2x16` takes no interleave; write `None` [M046, driver manual: interleave; not tried with a driver]",
    ),
    Case(
        "M050",
        TILED,
        Tensor { address: 0x1008, ..DENSE },
        Target::Sm90a,
        "`address` is 0x1008, but a tensor starts at a multiple of 16 bytes; use 0x1000 or 0x1010 [M050, driver manual: globalAddress, PTX ISA 5.5.3.1]",
    ),
    Case(
        "M051",
        Spec { rank: 3, interleave: Interleave::B32, swizzle: Swizzle::B32, ..TILED },
        Tensor { address: 0x1010, ..DENSE },
        Target::Sm90a,
        "`address` is 0x1010, but with the interleave `B32` a tensor starts at a multiple of 32 bytes; use 0x1000 or 0x1020 [M051, driver manual: globalAddress]",
    ),
    Case(
        "M052",
        Spec { element: ElementType::B4x16P64, mode: boxed([128, 8, 1, 1, 1]), ..TILED },
        Tensor { address: 0x1010, ..DENSE },
        Target::Sm100a,
        "`address` is 0x1010, but a tensor of `b4x16_p64` starts at a multiple of 32 bytes; use 0x1000 or 0x1020 [M052, driver manual: globalAddress; not tried with a driver]",
    ),
    Case(
        "M053",
        TILED,
        Tensor { dims: [256, 0, 1, 1, 1], ..DENSE },
        Target::Sm90a,
        "`dims[1]` is 0, but a dimension has 1 to 4294967296 elements; write 1 [M053, driver manual: globalDim]",
    ),
    Case(
        "M054",
        Spec { element: ElementType::B4x16P64, mode: boxed([128, 8, 1, 1, 1]), ..TILED },
        Tensor { dims: [200, 64, 1, 1, 1], ..DENSE },
        Target::Sm100a,
        "`dims[0]` is 200, but a row of a tensor of `b4x16_p64` is a multiple of 128 elements; pad it to 256 [M054, driver manual: globalDim; not tried with a driver]",
    ),
    Case(
        "M055",
        TILED,
        Tensor { strides: [520, 0, 0, 0], ..DENSE },
        Target::Sm90a,
        "`strides[0]` is 520 bytes, but a stride is a multiple of 16; pad it to 528 [M055, driver manual: globalStrides]",
    ),
    Case(
        "M056",
        TILED,
        Tensor { strides: [1 << 40, 0, 0, 0], ..DENSE },
        Target::Sm90a,
        "`strides[0]` is 1,099,511,627,776 bytes, but a stride is less than 1,099,511,627,776 (2^40); write 1,099,511,627,760 or less [M056, driver manual: globalStrides]",
    ),
    Case(
        "M057",
        Spec { rank: 3, interleave: Interleave::B32, swizzle: Swizzle::B32, ..TILED },
        Tensor { strides: [512, 16, 0, 0], ..DENSE },
        Target::Sm90a,
        "`strides[1]` is 16 bytes, but with the interleave `B32` a stride is a multiple of 32; pad it to 32 [M057, driver manual: globalStrides]",
    ),
    Case(
        "M058",
        Spec { element: ElementType::B4x16P64, mode: boxed([128, 8, 1, 1, 1]), ..TILED },
        Tensor { strides: [528, 0, 0, 0], ..DENSE },
        Target::Sm100a,
        "`strides[0]` is 528 bytes, but a stride of `b4x16_p64` is a multiple of 32; pad it to 544 [M058, driver manual: globalStrides; not tried with a driver]",
    ),
    Case(
        "M059",
        TILED,
        Tensor { strides: [256, 0, 0, 0], ..DENSE },
        Target::Sm90a,
        "`strides[0]` is 256 bytes, but dimension 0 takes 512: elements would overlap; write 512 or more [M059, driver manual: globalStrides; the driver takes it]",
    ),
    Case(
        "M060",
        Spec { mode: im2col([1, 0, 0], [-14, 0, 0], 8, 64), ..IM2COL },
        Tensor { dims: [64, 14, 14, 2, 1], ..DENSE },
        Target::Sm90a,
        "`dims[1]` is 14, but the corners 1 and -14 leave -1 pixels of it; leave at least 1 [M060, driver manual: pixelBoxUpperCorner, PTX ISA 5.5.4.1]",
    ),
    Case(
        "M061",
        Spec { mode: im2col([-1, -1, 0], [-1, 1, 0], 8, 64), ..IM2COL },
        Tensor { dims: [64, 14, (1 << 31) - 1, 1, 1], ..DENSE },
        Target::Sm90a,
        "`dims[2]` is 2147483647, and with the upper corner the driver computes -2147483648 as the end in `im2col`; write 2147483646 or less [M061, refused by the driver alone]",
    ),
    Case(
        "M062",
        Spec { mode: im2col([0; 3], [-70, 0, 0], 8, 64), interleave: Interleave::B16, ..IM2COL },
        Tensor { dims: [64, 100, 14, 2, 1], ..DENSE },
        Target::Sm90a,
        "`dims[0]` is 64, but the corners 0 and -70, which the driver applies to it with an interleave, leave -6 pixels; leave at least 1 [M062, refused by the driver alone]",
    ),
    Case(
        "M063",
        Spec { mode: im2col([0; 3], [-20, 0, 0], 8, 64), interleave: Interleave::B16, ..IM2COL },
        Tensor { dims: [64, 14, 14, 2, 1], ..DENSE },
        Target::Sm90a,
        "`dims[1]` is 14, but the corners 0 and -20 leave -6 pixels of it; leave at least 1 [M063, driver manual: pixelBoxUpperCorner, PTX ISA 5.5.4.1; the driver takes it]",
    ),
    Case(
        "M064",
        TILED,
        Tensor { address: 1 << 57, ..DENSE },
        Target::Sm90a,
        "`address` is 0x200000000000000, but the driver takes addresses below 0x200000000000000 (2^57); use an address in the GPU's memory [M064, refused by the driver alone]",
    ),
    Case(
        "M065",
        TILED,
        DENSE,
        Target::Sm90a,
        "the tensor has 4 dimensions (`dims[3]` is 2), but the map has 2; give the map a rank of 4, or make `dims[3]` 1 [M065, driver manual: tensorRank; the driver takes it]",
    ),
];

#[test]
fn the_base_cases_are_valid() {
    for target in [Target::Sm90, Target::Sm90a, Target::Sm100a, Target::Sm120a] {
        for spec in [TILED, IM2COL] {
            let verdict = spec.check_tensor(&within(&spec, DENSE), Some(target));
            assert!(verdict.is_clean(), "{verdict}");
        }
    }
}

#[test]
fn every_rule_fires() {
    for Case(code, spec, tensor, target, text) in CASES {
        let verdict = spec.check_tensor(tensor, Some(*target));
        let found = verdict.violations().iter().find(|violation| violation.rule.code == *code);
        let message = found.map(ToString::to_string);
        assert_eq!(message.as_deref(), Some(*text), "{code}: the whole verdict is\n{verdict}");
    }
}

#[test]
fn every_rule_has_a_case_and_a_source() {
    for rule in RULES {
        assert!(CASES.iter().any(|case| case.0 == rule.code), "{} has no case", rule.code);
        assert!(rule.is_forbidden() || rule.is_refused(), "{} has no source", rule.code);
    }
    let codes: Vec<_> = RULES.iter().map(|rule| rule.code).collect();
    assert!(codes.is_sorted());
    assert_eq!(rule("M015").map(|rule| rule.name), Some("row_not_of_16_bytes"));
    assert!(rule("M999").is_none());
}

#[test]
fn an_impossible_rank_is_the_only_error() {
    for rank in [0, 6, u32::MAX] {
        for mode in [TILED.mode, IM2COL.mode, Mode::Gather4 { row: 64 }] {
            for interleave in [Interleave::None, Interleave::B16] {
                let verdict = Spec { rank, mode, interleave, ..TILED }.check(None);
                let ranks =
                    verdict.violations().iter().filter(|found| found.blames.name() == "rank");
                let codes: Vec<_> = ranks.map(|found| found.rule.code).collect();
                assert_eq!(codes, ["M001"], "{verdict}");
            }
        }
    }
}

#[test]
fn all_violations_come_at_once_with_their_indices() {
    let spec = Spec {
        mode: boxed([5, 0, 257, 0, 0]),
        rank: 3,
        element_strides: [1, 9, 0, 0, 0],
        l2_promotion: L2Promotion::B256,
        ..TILED
    };
    let tensor = Tensor { address: 3, dims: [0, 64, 1 << 33, 0, 0], strides: [24, 8, 0, 0] };
    let verdict = spec.check_tensor(&tensor, None);
    let fields: Vec<_> = verdict.driver().map(|found| found.blames.to_string()).collect();
    assert_eq!(
        fields,
        [
            "element_strides[1]",
            "element_strides[2]",
            "box[1]",
            "box[2]",
            "box[0]",
            "address",
            "dims[0]",
            "dims[2]",
            "strides[0]",
            "strides[1]"
        ]
    );
    assert!(!verdict.is_accepted() && !verdict.is_allowed() && !verdict.is_clean());
    assert_eq!(verdict.to_string().lines().count(), verdict.violations().len());
}

#[test]
fn a_verdict_has_two_sides() {
    // The driver for sm_90 accepts an interleave of 32 bytes with any swizzle; the manual forbids it.
    let spec = Spec { rank: 3, interleave: Interleave::B32, swizzle: Swizzle::B128, ..TILED };
    let verdict = spec.check_tensor(&within(&spec, DENSE), Some(Target::Sm90a));
    assert!(verdict.is_accepted() && !verdict.is_allowed(), "{verdict}");
    // The driver reads a traversal stride that it ignores according to the manual.
    let spec = Spec { element_strides: [9, 1, 1, 1, 1], ..TILED };
    let verdict = spec.check(Some(Target::Sm90a));
    assert!(!verdict.is_accepted());
    let codes: Vec<_> = verdict.manual().map(|found| found.rule.code).collect();
    assert_eq!(codes, ["M013"]);
}

#[test]
fn a_target_dependent_rule_needs_a_target() {
    let spec = Spec { swizzle: Swizzle::B128Atom64, ..TILED };
    assert!(spec.check(None).is_clean());
    assert!(spec.check(Some(Target::Sm100)).is_clean());
    assert!(!spec.check(Some(Target::Sm90)).is_clean());
}

/// `docs/tensor-rules.md` matches the table.
#[test]
fn the_table_is_documented() {
    let mut text = format!(
        "# The rules of tensor maps\n\n\
         One table (`ptx-isa/src/tensor/rules/table.rs`). What forbids a thing (the parameter in the\n\
         driver's manual, the place in the PTX ISA) and what the driver does ({OBSERVED}) may\n\
         differ. Each code leads to the rule's page, which `ptx explain CODE` prints. Written by\n\
         `UPDATE_EXPECT=1 cargo test -p ptx-isa --test tensor_rules`.\n\n\
         | code | rule | manual | PTX ISA | driver | targets | blames | message and fix |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n"
    );
    for rule in RULES {
        let driver = match rule.kind {
            Observed::Refused("") => "refuses".to_owned(),
            Observed::Refused(how) => format!("refuses: {how}"),
            Observed::Taken => "takes it".to_owned(),
            Observed::Unseen => "not tried".to_owned(),
        };
        let targets = match rule.source.targets {
            Targets::All => "all".to_owned(),
            Targets::Below(arch) => format!("below sm_{arch}"),
            Targets::AllBut(target) => format!("all but {target}"),
            Targets::Only(target) => target.to_string(),
            Targets::OutsideFamilies => "outside the families of sm_100f and sm_110f".to_owned(),
        };
        let _ = writeln!(
            text,
            "| [{0}](../ptx-cli/rules/{0}.md) | {1} | {2} | {3} | {driver} | {targets} | `{4}` | {5}; {6} |",
            rule.code,
            rule.name.replace('_', " "),
            rule.source.manual.unwrap_or_default(),
            rule.source.ptx.unwrap_or_default(),
            rule.blames.name(),
            rule.message,
            rule.fix
        );
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tensor-rules.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == text, "UPDATE_EXPECT=1 writes {path}");
}

/// All functions work in constants.
const _: () = {
    assert!(TILED.first_violation(Some(Target::Sm90a)).is_none());
    let tensor = Tensor { dims: [256, 64, 1, 1, 1], ..DENSE };
    assert!(TILED.first_violation_with(&tensor, Some(Target::Sm90a)).is_none());
    assert!(TILED.first_violation_with(&DENSE, Some(Target::Sm90a)).is_some());
    let wrong = Spec { mode: boxed([5, 8, 1, 1, 1]), ..TILED };
    match wrong.first_violation(None) {
        Some(violation) => assert!(violation.text().as_str().len() > 40),
        None => panic!(),
    }
};
