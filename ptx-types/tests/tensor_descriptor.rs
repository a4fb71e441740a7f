//! Descriptors, and the properties that follow from a declaration.

use proptest::prelude::*;
use ptx_types::Target;
use ptx_types::tensor::{
    BITS, Descriptor, ElementType, Interleave, L2Promotion, MapError, Mode, OobFill, Spec, Swizzle,
    Tensor, Verdict, describe, encode, encode_unchecked,
};

const TILED: Spec = Spec {
    swizzle: Swizzle::B128,
    l2_promotion: L2Promotion::B256,
    oob_fill: OobFill::Nan,
    ..Spec::tiled_unchecked(ElementType::Bf16, 2, [64, 128, 0, 0, 0])
};
const DENSE: Tensor = Tensor::dense(0x7f00_0000_1000, ElementType::Bf16, [4096, 1000, 1, 1, 1]);
const WIDE: Mode =
    Mode::Im2colW { lower: 0, upper: 0, channels_per_pixel: 64, pixels_per_column: 128 };
const WIDE_128: Mode =
    Mode::Im2colW128 { lower: 0, upper: 0, channels_per_pixel: 64, pixels_per_column: 1 };

/// A descriptor in a constant.
const STATIC: Option<Descriptor> = encode_unchecked(&TILED, &DENSE);
const _: () = {
    assert!(STATIC.is_some());
    assert!(TILED.tile_bytes() == 16384 && TILED.transaction_bytes() == 16384);
    assert!(TILED.tile_alignment() == 1024);
    assert!(align_of::<Descriptor>() == 128 && size_of::<Descriptor>() == 128);
};

#[test]
fn in_words() {
    let descriptor = encode(&TILED, &DENSE, Target::Sm90a).unwrap();
    assert_eq!(STATIC, Some(descriptor));
    assert_eq!(
        describe(descriptor.as_bytes()).to_string(),
        "tiled map of bf16 at 0x7f0000001000: 4096 x 1000 elements, strides 8192 bytes, \
         box 64 x 128, swizzle B128, L2 promotion B256, NaN outside, \
         tiles of 16384 bytes at a multiple of 1024, 16384 bytes a copy"
    );
    let im2col = Spec {
        rank: 4,
        element: ElementType::Tf32,
        mode: Mode::Im2col {
            lower: [-1, -2, 9],
            upper: [0, -128, 9],
            channels_per_pixel: 8,
            pixels_per_column: 1024,
        },
        element_strides: [1, 2, 2, 1, 0],
        interleave: Interleave::B16,
        swizzle: Swizzle::None,
        l2_promotion: L2Promotion::None,
        oob_fill: OobFill::Zero,
    };
    let tensor = Tensor { dims: [512, 512, 512, 2, 0], strides: [1 << 39, 16, 32, 5], ..DENSE };
    let words = encode(&im2col, &tensor, Target::Sm90a).unwrap();
    assert_eq!(
        describe(words.as_bytes()).to_string(),
        "im2col map of tf32 at 0x7f0000001000: 512 x 512 x 512 x 2 elements, \
         strides 549755813888, 16, 32 bytes, 8 channels of 1024 pixels, corners (-1, -2) and \
         (0, -128), traversal strides 1 x 2 x 2 x 1, interleave B16, \
         tiles of 16384 bytes at a multiple of 128, 16384 bytes a copy"
    );
    assert!(format!("{words:?}").starts_with("Descriptor { im2col map of tf32"));
}

#[test]
fn garbage_in_words() {
    assert_eq!(
        describe(&[0xff; 128]).to_string().split("; unknown bits ").next().unwrap(),
        "im2col map of elements of unknown format 15 that round to tf32 at 0xffffffffffffffff: \
         unknown rank 8, 4294967296 x 4294967296 x 4294967296 x 4294967296 x 4294967296 elements, \
         strides 1099511627760, 1099511627760, 1099511627760, 1099511627760 bytes, \
         256 channels of 1024 pixels, corners (-1, -1, -1) and (-1, -1, -1), \
         traversal strides 8 x 8 x 8 x 8 x 8, unknown interleave 3, swizzle B128, \
         L2 promotion B256, NaN outside"
    );
    let mut bytes = *encode(&TILED, &DENSE, Target::Sm90a).unwrap().as_bytes();
    bytes[85 / 8] |= 1 << (85 % 8);
    bytes[127] = 0x80;
    assert!(describe(&bytes).to_string().ends_with("; unknown bits 85, 1023"));
}

/// The rules that a rejected map breaks.
fn verdict(refused: Result<Descriptor, MapError>) -> Verdict {
    refused.unwrap_err().verdict().unwrap().clone()
}

#[test]
fn a_rejection_reports_everything() {
    let refused =
        encode(&TILED, &Tensor { address: 8, strides: [8, 0, 0, 0], ..DENSE }, Target::Sm90a);
    let found = verdict(refused);
    let fields: Vec<_> = found.driver().map(|found| found.blames.to_string()).collect();
    assert_eq!(fields, ["address", "strides[0]"]);
    for swizzle in [Swizzle::B96, Swizzle::B128Atom32, Swizzle::B128Atom64] {
        let mode = Mode::Tiled { box_dims: [32, 8, 1, 1, 1] };
        let spec = Spec { swizzle, mode, ..TILED };
        assert!(encode_unchecked(&spec, &DENSE).is_none());
        assert!(!verdict(encode(&spec, &DENSE, Target::Sm90a)).is_accepted());
    }
    for element in ElementType::ALL.iter().filter(|element| element.is_sub_byte()) {
        let refused = encode(&Spec { element: *element, ..TILED }, &DENSE, Target::Sm90a);
        assert!(!verdict(refused).is_accepted());
    }
}

#[test]
fn only_the_address_depends_on_the_address() {
    let there = encode(&TILED, &Tensor { address: 0x40, ..DENSE }, Target::Sm90a).unwrap();
    assert_eq!(encode(&TILED, &DENSE, Target::Sm90a).unwrap().with_address(0x40), there);
    assert_eq!(Descriptor::from_bytes(*there.as_bytes()), there);
}

#[test]
fn numbers_of_element_types() {
    for (number, element) in ElementType::ALL[..16].iter().enumerate() {
        assert_eq!(element.driver() as usize, number);
        assert_eq!(ElementType::from_driver(element.driver()), Some(*element));
    }
    for element in ElementType::ALL {
        assert_eq!(ElementType::from_name(element.name()), Some(*element));
    }
    // `tensormap.replace` counts f32.ftz, f64, bf16 where the driver counts f64, bf16, f32.ftz.
    let replace = [ElementType::F32Ftz, ElementType::F64, ElementType::Bf16];
    assert_eq!(replace.map(ElementType::replace_code), [8, 9, 10]);
    assert_eq!(replace.map(ElementType::driver), [10, 8, 9]);
    assert_eq!(ElementType::from_driver(16), None);
    let padded = ElementType::ALL.iter().filter(|element| element.is_padded());
    assert_eq!(
        padded.map(|element| element.name()).collect::<Vec<_>>(),
        ["b4x16_p64", "b6x16_p32", "b6p2x16"]
    );
}

#[test]
fn tiles() {
    // Traversal strides round up.
    let mode = Mode::Tiled { box_dims: [64, 5, 8, 9, 9] };
    let spec =
        Spec { rank: 3, mode, element_strides: [3, 2, 8, 0, 0], swizzle: Swizzle::None, ..TILED };
    assert_eq!(spec.tile_dims(), [64, 3, 1, 1, 1]);
    assert_eq!((spec.tile_bytes(), spec.row_pitch()), (384, 128));
    assert_eq!(Spec { interleave: Interleave::B16, ..spec }.tile_dims()[0], 22);
    // A row narrower than the span takes the whole span, and fills less.
    let narrow = Spec { mode: Mode::Tiled { box_dims: [16, 8, 1, 1, 1] }, ..TILED };
    assert_eq!((narrow.row_bytes(), narrow.row_pitch()), (32, 128));
    assert_eq!((narrow.tile_bytes(), narrow.transaction_bytes()), (1024, 256));
    // Four rows.
    let gather = Spec { mode: Mode::Gather4 { row: 64 }, ..TILED };
    assert_eq!((gather.tile_bytes(), gather.rows()), (512, 4));
    // Only shared memory has padding.
    let element = ElementType::B6x16P32;
    let padded = Spec { element, mode: Mode::Tiled { box_dims: [128, 8, 1, 1, 1] }, ..TILED };
    assert_eq!((padded.row_bytes(), padded.transaction_bytes()), (128, 768));
}

#[test]
fn halos() {
    let wide = Spec { rank: 4, mode: WIDE, ..TILED };
    assert_eq!(wide.transaction_bytes(), 128 * 128);
    assert_eq!(wide.transaction_bytes_with_halo(2), Some(130 * 128));
    assert_eq!(wide.tile_bytes_with_halo(511), Some(639 * 128));
    assert_eq!(wide.transaction_bytes_with_halo(512), None);
    let wide = Spec { rank: 4, mode: WIDE_128, ..TILED };
    assert_eq!(wide.transaction_bytes(), 128 * 128);
    assert_eq!(wide.transaction_bytes_with_halo(2), Some(136 * 128));
    assert_eq!(wide.transaction_bytes_with_halo(32), None);
    assert_eq!(TILED.transaction_bytes_with_halo(0), Some(TILED.transaction_bytes()));
    assert_eq!(TILED.transaction_bytes_with_halo(1), None);
}

#[test]
fn offsets_of_elements() {
    assert_eq!(TILED.element_offset([0; 5]), Some(0));
    // The second row starts with its second chunk.
    assert_eq!(TILED.element_offset([0, 1, 0, 0, 0]), Some(144));
    assert_eq!(TILED.element_offset([9, 1, 0, 0, 0]), Some(130));
    assert_eq!(TILED.element_offset([64, 0, 0, 0, 0]), None);
    assert_eq!(TILED.element_offset([0, 128, 0, 0, 0]), None);
    assert_eq!(TILED.element_offset([0, 0, 1, 0, 0]), None);
    let of = |element, column| {
        let mode = Mode::Tiled { box_dims: [128, 8, 1, 1, 1] };
        let spec = Spec { element, swizzle: Swizzle::None, mode, ..TILED };
        spec.element_offset([column, 1, 0, 0, 0])
    };
    assert_eq!(of(ElementType::B4x16, 18), Some(64 + 9));
    assert_eq!(of(ElementType::B4x16P64, 18), Some(128 + 17));
    assert_eq!(of(ElementType::B6x16P32, 20), Some(128 + 19));
    assert_eq!(of(ElementType::B6P2x16, 20), Some(128 + 20));
}

// Any numbers, since none may make it panic: the maps of ptx-smith are legal or nearly so.
fn any_spec() -> impl Strategy<Value = Spec> {
    let numbers = || proptest::array::uniform5(prop_oneof![1_u32..=300, any::<u32>()]);
    let corners = || proptest::array::uniform3(prop_oneof![-20..20, any::<i32>()]);
    let mode = (0..6, numbers(), corners(), corners()).prop_map(|(n, box_dims, lower, upper)| {
        let [channels_per_pixel, pixels_per_column, ..] = box_dims;
        let (l, u) = (lower[0], upper[0]);
        match n {
            0 => Mode::Tiled { box_dims },
            1 => Mode::Gather4 { row: channels_per_pixel },
            2 => Mode::Scatter4 { row: channels_per_pixel },
            3 => Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column },
            4 => Mode::Im2colW { lower: l, upper: u, channels_per_pixel, pixels_per_column },
            _ => Mode::Im2colW128 { lower: l, upper: u, channels_per_pixel, pixels_per_column },
        }
    });
    (
        proptest::sample::select(ElementType::ALL),
        0_u32..8,
        mode,
        proptest::array::uniform5(prop_oneof![0_u32..10, any::<u32>()]),
        proptest::sample::select(Interleave::ALL),
        proptest::sample::select(Swizzle::ALL),
        proptest::sample::select(L2Promotion::ALL),
        proptest::sample::select(OobFill::ALL),
    )
        .prop_map(
            |(
                element,
                rank,
                mode,
                element_strides,
                interleave,
                swizzle,
                l2_promotion,
                oob_fill,
            )| {
                Spec {
                    element,
                    rank,
                    mode,
                    element_strides,
                    interleave,
                    swizzle,
                    l2_promotion,
                    oob_fill,
                }
            },
        )
}

fn any_tensor() -> impl Strategy<Value = Tensor> {
    let numbers = || prop_oneof![0_u64..1000, any::<u64>()];
    let parts = (
        numbers(),
        proptest::array::uniform5(numbers()),
        proptest::array::uniform4(numbers().prop_map(|n| n.wrapping_mul(16))),
    );
    parts.prop_map(|(address, dims, strides)| Tensor { address, dims, strides })
}

proptest! {
    /// No input causes a panic, and both ways to check a map agree.
    #[test]
    fn anything(spec in any_spec(), tensor in any_tensor(), coordinates: [u32; 5], halo: u32) {
        for target in [None, Some(Target::Sm90), Some(Target::Sm103a), Some(Target::Sm120)] {
            let verdict = spec.check_tensor(&tensor, target);
            let first = spec.first_violation_with(&tensor, target);
            prop_assert_eq!(
                first.map(|found| found.to_string()),
                verdict.violations().first().map(ToString::to_string)
            );
            let refusal = spec.first_refusal(&tensor, target);
            prop_assert_eq!(refusal.is_none(), verdict.is_accepted());
        }
        let _ = (spec.tile_bytes(), spec.transaction_bytes(), spec.element_offset(coordinates));
        let _ = (spec.transaction_bytes_with_halo(halo), spec.tile_bytes_with_halo(halo));
        if let Some(descriptor) = encode_unchecked(&spec, &tensor) {
            let _ = describe(descriptor.as_bytes()).to_string();
            if let Ok((decoded, of)) = descriptor.decode() {
                prop_assert_eq!(encode_unchecked(&decoded, &of).unwrap().decode(), Ok((decoded, of)));
            }
        }
        let verdict = spec.check_tensor(&tensor, Some(Target::Sm90a));
        let has_more = verdict.violations().iter().any(|found| found.rule.code == "M065");
        let is_encoded = encode(&spec, &tensor, Target::Sm90a).is_ok();
        prop_assert_eq!(is_encoded, verdict.is_accepted() && !has_more);
        // Omitting the dimensions that the map does not have changes nothing else.
        let rank = (spec.rank as usize).clamp(1, 5);
        let mut within = tensor;
        within.dims[rank..].fill(0);
        let encoded = encode(&spec, &within, Target::Sm90a);
        prop_assert_eq!(encoded.is_ok(), verdict.is_accepted());
        if let Ok(descriptor) = encoded {
            prop_assert_eq!(encode_unchecked(&spec, &tensor), Some(descriptor));
        }
    }

    /// Any bytes can be described, and each bit either belongs to a field or is named as unknown.
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 128)) {
        let bytes: [u8; 128] = bytes.try_into().unwrap();
        let description = describe(&bytes);
        let _ = description.to_string();
        let _ = Descriptor::from_bytes(bytes).decode();
        let mut rebuilt = [0_u8; 128];
        for (field, value) in description.fields() {
            for bit in 0..field.width {
                rebuilt[(field.at + bit) / 8] |= ((value >> bit & 1) as u8) << ((field.at + bit) % 8);
            }
        }
        for bit in description.unknown_bits() {
            rebuilt[bit / 8] |= 1 << (bit % 8);
        }
        prop_assert_eq!(rebuilt, bytes);
    }

    /// The elements of a tile do not overlap, and are within the tile.
    #[test]
    fn elements_do_not_meet(
        element in proptest::sample::select(&ElementType::ALL[..13]),
        swizzle in proptest::sample::select(&Swizzle::ALL[..4]),
        chunks in 1_u32..=8,
        rows in 1_u32..=16,
    ) {
        let span = if swizzle == Swizzle::None { 128 } else { swizzle.span() };
        let inner = chunks.min(span / 16) * 128 / element.bits();
        let spec = Spec { swizzle, ..Spec::tiled_unchecked(element, 2, [inner, rows, 0, 0, 0]) };
        let mut seen = vec![false; spec.tile_bytes().max(1)];
        for row in 0..rows {
            for column in 0..inner {
                let offset = spec.element_offset([column, row, 0, 0, 0]).unwrap();
                for byte in &mut seen[offset..offset + element.bits() as usize / 8] {
                    prop_assert!(!std::mem::replace(byte, true));
                }
            }
        }
    }
}

#[test]
fn fields_of_one_kind_of_map_do_not_overlap() {
    for is_im2col in [false, true] {
        let mut bytes = [0; 128];
        bytes[8] = u8::from(is_im2col);
        let mut taken = [false; 1024];
        for (field, _) in describe(&bytes).fields() {
            for bit in &mut taken[field.at..field.at + field.width] {
                assert!(!std::mem::replace(bit, true), "{}", field.name);
            }
        }
    }
    assert!(BITS.iter().all(|field| field.width <= 64));
}

/// An encoded map is decoded, and encoded again to the same bits.
#[test]
fn maps_are_read_back() {
    let narrow = Spec {
        element: ElementType::U8,
        mode: Mode::Tiled { box_dims: [16, 8, 1, 1, 1] },
        swizzle: Swizzle::B128,
        oob_fill: OobFill::Zero,
        ..TILED
    };
    let im2col = |rank, lower, upper| Spec {
        rank,
        mode: Mode::Im2col { lower, upper, channels_per_pixel: 8, pixels_per_column: 1024 },
        element_strides: [1; 5],
        swizzle: Swizzle::None,
        ..TILED
    };
    let dims = [512, 512, 512, 2, 3];
    for (rank, spec) in [
        (2, Spec { mode: Mode::Tiled { box_dims: [64, 128, 1, 1, 1] }, ..TILED }),
        (2, narrow),
        (5, Spec { rank: 5, mode: Mode::Tiled { box_dims: [8, 2, 2, 2, 2] }, ..TILED }),
        (3, im2col(3, [-32768, 0, 0], [-1, 0, 0])),
        (4, im2col(4, [-128, 127, 0], [0, -1, 0])),
        (5, im2col(5, [-16, 15, -1], [0, -1, -16])),
    ] {
        let mut dims = dims;
        dims[rank..].fill(1);
        let dense = spec.dense(0x1000, dims);
        let mut strides = dense.strides;
        strides[rank - 1..].fill(0);
        let tensor = Tensor { strides, ..dense };
        let descriptor = encode_unchecked(&spec, &tensor).expect("a layout");
        assert_eq!(descriptor.decode(), Ok((spec, tensor)), "{descriptor:?}");
        assert_eq!(encode_unchecked(&spec, &tensor), Some(descriptor));
    }
    // A row narrower than the swizzle span takes the whole span.
    let words = encode_unchecked(&narrow, &DENSE).expect("a layout");
    let words = describe(words.as_bytes()).to_string();
    assert!(
        words.contains("tiles of 1024 bytes at a multiple of 1024, 128 bytes a copy"),
        "{words}"
    );
}

#[test]
fn invalid_descriptors_are_not_decoded() {
    let read = |spec: Spec, change: fn(&mut [u8; 128])| {
        let mut bytes = *encode_unchecked(&spec, &DENSE).expect("a layout").as_bytes();
        change(&mut bytes);
        Descriptor::from_bytes(bytes).decode().map_err(|error| error.to_string())
    };
    let error = |text: &str| Err(text.to_owned());
    assert_eq!(
        read(TILED, |bytes| bytes[8] |= 0x70),
        error(
            "the rank of the descriptor is 8, but maps have 1 to 5 dimensions, and 3 to 5 in the mode `.im2col`"
        )
    );
    // The rank is 2.
    assert_eq!(
        read(TILED, |bytes| bytes[8] |= 1),
        error(
            "the rank of the descriptor is 2, but maps have 1 to 5 dimensions, and 3 to 5 in the mode `.im2col`"
        )
    );
    assert_eq!(
        read(TILED, |bytes| bytes[9] |= 0x18),
        error("the interleave of the descriptor is 3, and there are 0 to 2")
    );
    let format = read(TILED, |bytes| {
        bytes[8] |= 0x80;
        bytes[9] |= 7;
    });
    assert_eq!(
        format,
        error("the format of the descriptor is 15, which is not that of an element type")
    );
}
