//! Maps of numbers that are known at run time: checking constructors, and maps as text.

use proptest::prelude::*;
use ptx_types::Target;
use ptx_types::tensor::{
    Descriptor, ElementType, Interleave, L2Promotion, MapError, Mode, OobFill, Spec, Swizzle,
    Tensor, encode,
};

fn codes(error: &MapError) -> Vec<&'static str> {
    let verdict = error.verdict().unwrap_or_else(|| panic!("{error}"));
    verdict.violations().iter().map(|found| found.rule.code).collect()
}

#[test]
fn a_tiled_map_of_slices_is_that_of_arrays() -> Result<(), MapError> {
    for box_dims in [&[64][..], &[64, 8], &[8, 3, 2], &[8, 1, 1, 1], &[16, 2, 2, 2, 2]] {
        let mut array = [1; 5];
        array[..box_dims.len()].copy_from_slice(box_dims);
        let rank = u32::try_from(box_dims.len()).unwrap();
        let expected = Spec::tiled_unchecked(ElementType::Bf16, rank, array);
        assert_eq!(Spec::tiled(ElementType::Bf16, box_dims)?, expected);
        let extents: Vec<u64> = box_dims.iter().map(|extent| u64::from(*extent) * 8).collect();
        let mut dims = [1; 5];
        dims[..extents.len()].copy_from_slice(&extents);
        let dense = expected.tensor(0x1000, &extents, None)?;
        let mut strides = expected.dense(0x1000, dims).strides;
        strides[extents.len() - 1..].fill(0);
        assert_eq!((dense.address, dense.dims, dense.strides), (0x1000, dims, strides));
        assert_eq!(Tensor::new(0x1000, ElementType::Bf16, &extents, None)?, dense);
        let strides = &dense.strides[..extents.len() - 1];
        let strided = expected.tensor(0x1000, &extents, Some(strides))?;
        assert_eq!(strided, dense);
        assert!(encode(&expected, &strided, Target::Sm90).is_ok());
    }
    Ok(())
}

#[test]
fn invalid_maps_report_all_broken_rules() {
    let error = Spec::tiled(ElementType::F32, &[3, 0, 257]).unwrap_err();
    assert_eq!(codes(&error.into()), ["M014", "M014", "M015"]);
    for count in [0, 6, 70] {
        let mut box_dims = vec![16];
        box_dims.resize(count, 1);
        let error = Spec::tiled(ElementType::U8, &box_dims).unwrap_err();
        assert_eq!(codes(&error.into()), ["M001"]);
    }
    let error = Tensor::new(8, ElementType::F32, &[4, 0], Some(&[8])).unwrap_err();
    assert_eq!(codes(&error), ["M050", "M053", "M055", "M059"]);
    let error = Tensor::new(0, ElementType::F32, &[4; 6], None).unwrap_err();
    assert_eq!(codes(&error), ["M001"]);
    // Rows of a padded type consist of whole groups of 128.
    let error = Tensor::new(0, ElementType::B6x16P32, &[64, 8], None).unwrap_err();
    assert_eq!(codes(&error), ["M054", "M058"]);
    assert!(Tensor::new(0, ElementType::B6x16P32, &[128, 8], None).is_ok());
}

#[test]
fn lists_have_as_many_numbers_as_there_are_dimensions() -> Result<(), MapError> {
    let spec = Spec::tiled(ElementType::F32, &[4, 4])?;
    let message = |result: Result<Tensor, MapError>| result.unwrap_err().to_string();
    assert_eq!(message(spec.tensor(0, &[4], None)), "`dims` has 1 value instead of 2");
    assert_eq!(message(spec.tensor(0, &[4; 3], None)), "`dims` has 3 values instead of 2");
    assert_eq!(
        message(spec.tensor(0, &[4; 2], Some(&[16, 16]))),
        "`strides` has 2 values instead of 1"
    );
    assert_eq!(
        message(Tensor::new(0, ElementType::F32, &[4; 2], Some(&[]))),
        "`strides` has 0 values instead of 1"
    );
    let error = Spec::im2col(ElementType::F16, &[0, 0], &[0], 64, 64).unwrap_err();
    assert_eq!(error.to_string(), "`upper` has 1 value instead of 2");
    Ok(())
}

#[test]
fn options_are_taken_and_checked_together() -> Result<(), MapError> {
    let spec = Spec::im2col(ElementType::F16, &[-1, -2], &[1, 2], 64, 128)?;
    let mode = Mode::Im2col {
        lower: [-1, -2, 0],
        upper: [1, 2, 0],
        channels_per_pixel: 64,
        pixels_per_column: 128,
    };
    assert_eq!((spec.rank, spec.mode), (4, mode));
    let chosen = spec
        .with_swizzle(Swizzle::B128)
        .with_l2_promotion(L2Promotion::B256)
        .with_oob_fill(OobFill::Nan)
        .with_element_strides(&[1, 2, 2, 1])?
        .checked(Some(Target::Sm90))?;
    assert_eq!(
        chosen,
        Spec {
            swizzle: Swizzle::B128,
            l2_promotion: L2Promotion::B256,
            oob_fill: OobFill::Nan,
            element_strides: [1, 2, 2, 1, 1],
            ..spec
        }
    );
    let sliced = spec.with_interleave(Interleave::B32);
    assert_eq!(codes(&sliced.checked(None).unwrap_err().into()), ["M030"]);
    assert!(sliced.with_swizzle(Swizzle::B32).checked(None).is_ok());
    for count in 4..6 {
        let corners = vec![0; count];
        let error = Spec::im2col(ElementType::F16, &corners, &corners, 64, 64).unwrap_err();
        assert_eq!(codes(&error), ["M001"]);
    }
    assert_eq!(codes(&Spec::im2col(ElementType::F16, &[], &[], 64, 64).unwrap_err()), ["M003"]);
    Ok(())
}

#[test]
fn descriptors_are_of_a_target_that_is_known() -> Result<(), MapError> {
    let spec = Spec::tiled(ElementType::F32, &[4, 4])?;
    let tensor = spec.tensor(0x1000, &[64, 64], None)?;
    for target in Target::ALL.iter().copied() {
        let encoded = encode(&spec, &tensor, target);
        match target.arch() {
            90 => assert!(encoded.is_ok()),
            arch if arch < 90 => assert_eq!(codes(&encoded.unwrap_err()), ["M019"]),
            _ => assert_eq!(
                encoded.unwrap_err().to_string(),
                format!(
                    "the layout of descriptors is known only for sm_90, not for {target}; \
                     let the driver encode the map"
                )
            ),
        }
    }
    let narrow = Spec::tiled(ElementType::B4x16, &[128, 8])?;
    let tensor = narrow.tensor(0x1000, &[128, 64], None)?;
    assert_eq!(codes(&encode(&narrow, &tensor, Target::Sm90).unwrap_err()), ["M006"]);
    let error = encode(&narrow, &tensor, Target::Sm100a).unwrap_err();
    assert!(matches!(error, MapError::Layout(Target::Sm100a)), "{error}");
    Ok(())
}

#[test]
fn a_tensor_has_no_more_dimensions_than_its_map() -> Result<(), MapError> {
    let spec = Spec::tiled(ElementType::F32, &[4, 4])?;
    let tensor = Tensor::new(0x1000, ElementType::F32, &[64, 64, 3], None)?;
    let error = encode(&spec, &tensor, Target::Sm90).unwrap_err();
    assert_eq!(codes(&error), ["M065"]);
    let one = Tensor::new(0x1000, ElementType::F32, &[64, 64, 1], None)?;
    assert!(encode(&spec, &one, Target::Sm90).is_ok());
    Ok(())
}

#[test]
fn names_are_read_and_near_ones_found() {
    macro_rules! all {
        ($($Type:ty),*) => {$(
            for value in <$Type>::ALL {
                assert_eq!(value.to_string(), value.name());
                assert_eq!(value.name().parse::<$Type>().as_ref(), Ok(value));
            }
        )*};
    }
    all!(ElementType, Swizzle, Interleave, L2Promotion, OobFill, Target);
    assert_eq!(format!("{:>6}|", Swizzle::B32), "   B32|");
    let message = |name: &str| name.parse::<ElementType>().unwrap_err().to_string();
    assert_eq!(message("bfloat16"), "`bfloat16` is not a type of elements: did you mean `bf16`?");
    assert_eq!(message("Half"), "`Half` is not a type of elements: did you mean `f16`?");
    assert_eq!(
        message("bf61"),
        "`bf61` is not a type of elements: did you mean `bf16`, `f16` or `f64`?"
    );
    assert!(
        message("nothing").starts_with("`nothing` is not a type of elements: write `u8`, `u16`,")
    );
    let error = "128b".parse::<Swizzle>().unwrap_err();
    assert_eq!(error.to_string(), "`128b` is not a swizzle: did you mean `B128`?");
    let error = "sm90a".parse::<Target>().unwrap_err().to_string();
    assert_eq!(error, "`sm90a` is not a target: did you mean `sm_90a`?");
    let message = |name: &str| name.parse::<Target>().unwrap_err().to_string();
    assert_eq!(message("compute_90"), "`compute_90` is not a target: did you mean `sm_90`?");
    assert_eq!(message("SM_90A"), "`SM_90A` is not a target: did you mean `sm_90a`?");
    for (name, meant) in [
        ("CU_TENSOR_MAP_DATA_TYPE_BFLOAT16", "bf16"),
        ("CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ", "tf32_ftz"),
        ("torch.float16", "f16"),
    ] {
        let error = name.parse::<ElementType>().unwrap_err().to_string();
        assert!(error.ends_with(&format!("did you mean `{meant}`?")), "{error}");
    }
    let error = "CU_TENSOR_MAP_SWIZZLE_128B".parse::<Swizzle>().unwrap_err().to_string();
    assert!(error.ends_with("did you mean `B128`?"), "{error}");
}

#[test]
fn omitted_fields_of_a_text_have_their_defaults() {
    let one = Spec::tiled_unchecked(ElementType::Bf16, 1, [64, 1, 1, 1, 1]);
    for text in ["element = bf16, box = [64]", "element = bf16, box = [64,]"] {
        assert_eq!(text.parse(), Ok(one), "{text}");
    }
    let text = "element = bf16, mode = im2col::w::128, rank = 3, lower = 0, upper = 0, \
                channels_per_pixel = 64";
    assert_eq!(text.parse::<Spec>().unwrap().mode.pixels_per_column(), Some(128));
}

#[test]
fn text_that_is_not_a_map() {
    let message = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
    for (text, error) in [
        ("", "`element = ..` is missing"),
        ("element = bf16", "`box = [..]` is missing"),
        ("element = bf16, box = 64", "`box` takes a list: write `box = [64]`"),
        ("element = bf16, box = [, 64]", "`` is not a number for `box`"),
        ("element = bf16, box = [64", "the list of `box` has no `]`"),
        ("element = bf16, box = [64, x]", "`x` is not a number for `box`"),
        ("element = bf16, box = [64, -1]", "`-1` is not a number for `box`"),
        ("element = bf16, box = [1, 1, 1, 1, 1, 1]", "`box` has more than 5 values"),
        ("element = bf16, box = [64] swizzle = B128", "a comma is missing before `swizzle = B128`"),
        ("element = bf16, bax = [64]", "there is no argument `bax`: did you mean `box`?"),
        ("element = bf16, element = f32", "`element` is given twice"),
        ("element = bf16, box", "`box` has no value: write `name = value`"),
        ("element bf16, box = [64]", "`element bf16` has no value: write `name = value`"),
        ("element = bf16 box = [64]", "a comma is missing between `bf16` and `box = [64]`"),
        ("element = bf16, box = [99999999999]", "`99999999999` is too large for `box`"),
        (
            "element = bf16, box = [64, 128, 8], rank = 2",
            "`rank` is 2, but the lists are for a map of rank 3: leave `rank` out",
        ),
        ("element = bf16, box = [64], row = 4", "the mode `tile` has no `row`: leave it out"),
        (
            "element = bf16, mode = im2col, lower = [0], upper = [0, 0]",
            "`lower` has 1 value and `upper` 2: write as many in both, W first",
        ),
        (
            "element = bf16, mode = im2col::w, lower = 0, upper = 0, channels_per_pixel = 64, \
             pixels_per_column = 8",
            "`rank = ..` is missing: `im2col::w` does not imply it",
        ),
        (
            "element = bf16, mode = im2cow",
            "`im2cow` is not a mode: did you mean `im2col` or `im2col::w`?",
        ),
        (
            "element = bf16, box = [64, 8], element_strides = [1]",
            "`element_strides` has 1 value instead of 2",
        ),
        (
            "element = bf16, box = [64], swizzle = B12",
            "`B12` is not a swizzle: did you mean `B128` or `B32`?",
        ),
    ] {
        assert_eq!(message(text), error, "{text}");
    }
    let message = |text: &str| text.parse::<Tensor>().unwrap_err().to_string();
    assert_eq!(message("dims = [1]"), "`address = ..` is missing");
    assert_eq!(message("address = 0, dims = [1]"), "`strides = [..]` is missing");
    assert_eq!(
        message("address = 0, dims = [1, 2], strides = []"),
        "`strides` has 0 values instead of 1"
    );
    let message = |text: &str| text.parse::<Descriptor>().unwrap_err().to_string();
    assert_eq!(message("00ff"), "a descriptor has 256 hexadecimal digits, not 4");
    assert_eq!(message(&"0".repeat(257)), "a descriptor has 256 hexadecimal digits, not 257");
    assert_eq!(message("0fg"), "`g` is not a hexadecimal digit");
}

// Any numbers, since a text keeps them all: the maps of ptx-smith are legal or nearly so.
fn any_mode() -> impl Strategy<Value = Mode> {
    let pixels = || (any::<u32>(), any::<u32>());
    let corners = || (any::<[i32; 3]>(), any::<[i32; 3]>());
    prop_oneof![
        any::<[u32; 5]>().prop_map(|box_dims| Mode::Tiled { box_dims }),
        any::<u32>().prop_map(|row| Mode::Gather4 { row }),
        any::<u32>().prop_map(|row| Mode::Scatter4 { row }),
        (corners(), pixels()).prop_map(
            |((lower, upper), (channels_per_pixel, pixels_per_column))| {
                Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column }
            }
        ),
        (any::<(i32, i32)>(), pixels()).prop_map(
            |((lower, upper), (channels_per_pixel, pixels_per_column))| {
                Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column }
            }
        ),
        (any::<(i32, i32)>(), pixels()).prop_map(
            |((lower, upper), (channels_per_pixel, pixels_per_column))| {
                Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column }
            }
        ),
    ]
}

prop_compose! {
    fn any_spec()(
        element in proptest::sample::select(ElementType::ALL),
        rank in prop_oneof![1_u32..=5, any::<u32>()],
        mode in any_mode(),
        element_strides: [u32; 5],
        interleave in proptest::sample::select(Interleave::ALL),
        swizzle in proptest::sample::select(Swizzle::ALL),
        l2_promotion in proptest::sample::select(L2Promotion::ALL),
        oob_fill in proptest::sample::select(OobFill::ALL),
    ) -> Spec {
        Spec { element, rank, mode, element_strides, interleave, swizzle, l2_promotion, oob_fill }
    }
}

/// The same map with 1 and 0 past its rank, which its text does not contain.
fn within(mut spec: Spec) -> Spec {
    let rank = (spec.rank as usize).clamp(1, 5);
    spec.element_strides[rank..].fill(1);
    match &mut spec.mode {
        Mode::Tiled { box_dims } => box_dims[rank..].fill(1),
        Mode::Im2col { lower, upper, .. } => {
            lower[rank.saturating_sub(2)..].fill(0);
            upper[rank.saturating_sub(2)..].fill(0);
        }
        Mode::Gather4 { .. }
        | Mode::Scatter4 { .. }
        | Mode::Im2colW { .. }
        | Mode::Im2colW128 { .. } => {}
    }
    spec
}

/// `CUtensorMap` has the same bytes, whatever its alignment.
#[cfg(feature = "cudarc")]
#[test]
fn the_drivers_maps_are_descriptors() {
    use cudarc::driver::sys::CUtensorMap;

    fn is_argument<T: cudarc::driver::DeviceRepr>(_: &T) {}

    let spec = Spec::tiled(ElementType::F32, &[4, 4]).unwrap();
    let tensor = spec.tensor(0x1000, &[64, 64], None).unwrap();
    let descriptor = encode(&spec, &tensor, Target::Sm90).unwrap();
    let map = CUtensorMap::from(descriptor);
    assert_eq!(bytemuck::bytes_of(&map.opaque), descriptor.as_bytes());
    assert_eq!(Descriptor::from(map), descriptor);
    is_argument(&descriptor);
}

/// Names as strings, and maps as structs of their fields.
#[cfg(feature = "serde")]
#[test]
fn maps_are_serialised() {
    use serde_test::{Token, assert_de_tokens_error, assert_tokens};

    assert_tokens(&ElementType::Bf16, &[Token::Str("bf16")]);
    assert_tokens(&Target::Sm90a, &[Token::Str("sm_90a")]);
    assert_de_tokens_error::<Swizzle>(
        &[Token::Str("128B")],
        "`128B` is not a swizzle: did you mean `B128`?",
    );
    let tensor = Tensor { address: 4096, dims: [64, 32, 1, 1, 1], strides: [256, 0, 0, 0] };
    let numbers =
        |values: &[u64]| -> Vec<Token> { values.iter().map(|n| Token::U64(*n)).collect() };
    let mut tokens = vec![
        Token::Struct { name: "Tensor", len: 3 },
        Token::Str("address"),
        Token::U64(4096),
        Token::Str("dims"),
        Token::Tuple { len: 5 },
    ];
    tokens.extend(numbers(&tensor.dims));
    tokens.extend([Token::TupleEnd, Token::Str("strides"), Token::Tuple { len: 4 }]);
    tokens.extend(numbers(&tensor.strides));
    tokens.extend([Token::TupleEnd, Token::StructEnd]);
    assert_tokens(&tensor, &tokens);
    let spec = Spec::tiled(ElementType::F32, &[4, 4]).unwrap();
    let spec = spec.with_swizzle(Swizzle::B32).with_element_strides(&[1, 2]).unwrap();
    let unit = [1_u32, 2, 1, 1, 1].map(Token::U32);
    let mut tokens = vec![
        Token::Struct { name: "Spec", len: 8 },
        Token::Str("element"),
        Token::Str("f32"),
        Token::Str("rank"),
        Token::U32(2),
        Token::Str("mode"),
        Token::StructVariant { name: "Mode", variant: "Tiled", len: 1 },
        Token::Str("box_dims"),
        Token::Tuple { len: 5 },
    ];
    tokens.extend([4, 4, 1, 1, 1].map(Token::U32));
    tokens.extend([
        Token::TupleEnd,
        Token::StructVariantEnd,
        Token::Str("element_strides"),
        Token::Tuple { len: 5 },
    ]);
    tokens.extend(unit);
    tokens.extend([Token::TupleEnd, Token::Str("interleave"), Token::Str("None")]);
    tokens.extend([Token::Str("swizzle"), Token::Str("B32")]);
    tokens.extend([Token::Str("l2_promotion"), Token::Str("None")]);
    tokens.extend([Token::Str("oob_fill"), Token::Str("Zero"), Token::StructEnd]);
    assert_tokens(&spec, &tokens);
    let descriptor = encode(&spec, &tensor, Target::Sm90).unwrap();
    let text: &'static str = descriptor.to_string().leak();
    assert_tokens(&descriptor, &[Token::Str(text)]);
}

proptest! {
    #[test]
    fn maps_go_through_text(spec in any_spec()) {
        prop_assert_eq!(spec.to_string().parse(), Ok(within(spec)), "{}", spec);
    }

    #[test]
    fn tensors_go_through_text(address: u64, dims: [u64; 5], strides: [u64; 4], used in 1_usize..=5) {
        let mut tensor = Tensor { address, dims, strides };
        tensor.dims[used..].fill(1);
        tensor.strides[used - 1..].fill(0);
        prop_assert_eq!(tensor.to_string().parse(), Ok(tensor));
    }

    #[test]
    fn descriptors_go_through_text(bytes in proptest::collection::vec(any::<u8>(), 128)) {
        let bytes: [u8; 128] = bytes.try_into().unwrap();
        let descriptor = Descriptor::from(bytes);
        prop_assert_eq!(descriptor.to_string().parse(), Ok(descriptor));
        prop_assert_eq!(<[u8; 128]>::from(descriptor), bytes);
        let slice: &[u8] = descriptor.as_ref();
        prop_assert_eq!(slice, &bytes[..]);
        prop_assert_eq!(bytemuck::bytes_of(&descriptor), &bytes[..]);
    }

    /// No text makes a parser panic.
    #[test]
    fn any_text(text in "[a-z0-9_=,\\[\\] x:-]{0,60}") {
        let _ = (text.parse::<Spec>(), text.parse::<Tensor>(), text.parse::<Descriptor>());
    }

    /// No numbers make a constructor panic, and every map that it returns can be encoded.
    #[test]
    fn any_numbers(
        element in proptest::sample::select(ElementType::ALL),
        box_dims in proptest::collection::vec(prop_oneof![1_u32..300, any::<u32>()], 0..7),
        corners in proptest::collection::vec(-20_i32..20, 0..5),
        uppers in proptest::collection::vec(-20_i32..20, 0..5),
        address: u64,
        dims in proptest::collection::vec(prop_oneof![1_u64..10_000, any::<u64>()], 0..7),
        strides in proptest::option::of(proptest::collection::vec(any::<u64>(), 0..6)),
        target in proptest::sample::select(Target::ALL),
    ) {
        let tensor = Tensor::new(address, element, &dims, strides.as_deref());
        let channels = u32::try_from(box_dims.len()).unwrap() * 8;
        let im2col = Spec::im2col(element, &corners, &uppers, channels, 64);
        for spec in Spec::tiled(element, &box_dims).ok().into_iter().chain(im2col.ok()) {
            let of_spec = spec.tensor(address, &dims, strides.as_deref());
            prop_assert!(of_spec.is_err() || tensor.is_ok());
            for tensor in tensor.iter().chain(&of_spec) {
                let _ = encode(&spec, tensor, target).map_err(|error| error.to_string());
            }
        }
    }
}

/// What `ptx-smith maps` writes without serde (its test `maps` says that it does) is a map.
#[cfg(feature = "serde")]
#[test]
fn drawn_maps_are_read() {
    let lines = include_str!("../../ptx-smith/tests/maps.jsonl").lines();
    for line in lines {
        let written: serde_json::Value = serde_json::from_str(line).unwrap();
        let spec: Spec = serde_json::from_value(written["map"].clone()).unwrap();
        let tensor: Tensor = serde_json::from_value(written["tensor"].clone()).unwrap();
        assert_eq!(serde_json::to_value(spec).unwrap(), written["map"]);
        assert_eq!(serde_json::to_value(tensor).unwrap(), written["tensor"]);
        let target: Target = written["target"].as_str().unwrap().parse().unwrap();
        assert_eq!(encode(&spec, &tensor, target).is_err(), written["bytes"].is_null());
    }
}
