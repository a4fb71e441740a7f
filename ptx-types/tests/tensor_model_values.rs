//! The effects of tensor copies on values: reductions and rounding.

use ptx_types::tensor::model::{Operands, Reduction, load, reduce};
use ptx_types::tensor::{ElementType, Spec, Tensor};

/// The result of a reduction of the old value with the tile's; both are the second element of their rows.
fn reduced(element: ElementType, reduction: Reduction, old: u64, tile: u64) -> u64 {
    let bytes = element.bits() as usize / 8;
    let row = 256 / element.bits();
    let spec = Spec::tiled_unchecked(element, 1, [row, 0, 0, 0, 0]);
    let tensor = Tensor::dense(0, element, [row.into(), 1, 1, 1, 1]);
    let (mut global, mut shared) = ([0; 32], [0; 32]);
    global[bytes..2 * bytes].copy_from_slice(&old.to_le_bytes()[..bytes]);
    shared[bytes..2 * bytes].copy_from_slice(&tile.to_le_bytes()[..bytes]);
    reduce(&spec, &tensor, &Operands::new(&[0]), reduction, &mut global, &shared, 0).unwrap();
    let mut value = [0; 8];
    value[..bytes].copy_from_slice(&global[bytes..2 * bytes]);
    u64::from_le_bytes(value)
}

/// The result of each reduction of integers, in 128 bits.
fn expected(reduction: Reduction, old: i128, tile: i128) -> i128 {
    match reduction {
        Reduction::Add => old + tile,
        Reduction::Min => old.min(tile),
        Reduction::Max => old.max(tile),
        Reduction::Inc if old >= tile => 0,
        Reduction::Inc => old + 1,
        Reduction::Dec if old == 0 || old > tile => tile,
        Reduction::Dec => old - 1,
        Reduction::And => old & tile,
        Reduction::Or => old | tile,
        Reduction::Xor => old ^ tile,
    }
}

#[test]
fn integers_are_reduced_as_integers() {
    let values = [0, 1, 2, 5, 6, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 40, 1 << 63, u64::MAX];
    for (element, is_signed) in [
        (ElementType::U32, false),
        (ElementType::I32, true),
        (ElementType::U64, false),
        (ElementType::I64, true),
    ] {
        let bits = element.bits();
        let mask = u64::MAX >> (64 - bits);
        let widened = |value: u64| {
            let value = i128::from(value & mask);
            if is_signed && value >> (bits - 1) == 1 { value - (1 << bits) } else { value }
        };
        for reduction in Reduction::ALL.iter().filter(|one| one.takes(element)) {
            for old in values.map(|value| value & mask) {
                for tile in values.map(|value| value & mask) {
                    let found = reduced(element, *reduction, old, tile);
                    let wanted = expected(*reduction, widened(old), widened(tile));
                    assert_eq!(
                        widened(found),
                        widened((wanted & i128::from(mask)).try_into().unwrap()),
                        "{element:?} {reduction:?} {old} {tile}"
                    );
                }
            }
        }
    }
}

#[test]
fn reductions_are_defined_for_some_elements() {
    let takes = |reduction: Reduction| -> Vec<&str> {
        ElementType::ALL.iter().filter(|one| reduction.takes(**one)).map(|one| one.name()).collect()
    };
    let (words, ordered) = (["u32", "i32", "u64"], ["u32", "i32", "u64", "i64", "f16", "bf16"]);
    assert_eq!(takes(Reduction::Min), ordered);
    assert_eq!(takes(Reduction::Max), ordered);
    assert_eq!([Reduction::Inc, Reduction::Dec].map(takes), [["u32"]; 2]);
    assert_eq!([Reduction::And, Reduction::Or, Reduction::Xor].map(takes), [words; 3]);
    assert_eq!(
        takes(Reduction::Add),
        ["u32", "i32", "u64", "f16", "f32", "f64", "bf16", "f32_ftz", "tf32", "tf32_ftz"]
    );
}

/// Values in ascending order, where -0 is less than +0.
#[test]
fn halves_are_ordered() {
    let f16 = [
        0xfc00, 0xfbff, 0xbc01, 0xbc00, 0x8002, 0x8001, 0x8000, 0, 1, 2, 3, 0x3c00, 0x3c01, 0x7bff,
        0x7c00,
    ];
    let bf16 = [
        0xff80, 0xff7f, 0xbf81, 0xbf80, 0x8002, 0x8001, 0x8000, 0, 1, 2, 3, 0x3f80, 0x3f81, 0x7f7f,
        0x7f80,
    ];
    for (element, all, nan) in [(ElementType::F16, f16, 0x7e01), (ElementType::Bf16, bf16, 0x7fc1)]
    {
        for (i, one) in all.into_iter().enumerate() {
            for (j, other) in all.into_iter().enumerate() {
                assert_eq!(reduced(element, Reduction::Min, one, other), all[i.min(j)]);
                assert_eq!(reduced(element, Reduction::Max, one, other), all[i.max(j)]);
            }
            // A NaN loses to a number on either side; two NaNs give the canonical one.
            for reduction in [Reduction::Min, Reduction::Max] {
                assert_eq!(reduced(element, reduction, nan, one), one);
                assert_eq!(reduced(element, reduction, one, nan), one);
                assert_eq!(reduced(element, reduction, nan, nan), 0x7fff);
            }
        }
    }
}

#[test]
fn floats_are_added() {
    let add = |element, old, tile| reduced(element, Reduction::Add, old, tile);
    // 1.5 + 2.25, and infinities without a sum.
    assert_eq!(add(ElementType::F16, 0x3e00, 0x4080), 0x4380);
    assert_eq!(add(ElementType::F16, 0x7c00, 0xfc00), 0x7fff);
    assert_eq!(add(ElementType::F16, 0x7e00, 0x3c00), 0x7fff);
    assert_eq!(add(ElementType::Bf16, 0x3fc0, 0x4010), 0x4070);
    assert_eq!(add(ElementType::Bf16, 0x7f80, 0xff80), 0x7fff);
    let single = |value: f32| u64::from(value.to_bits());
    let (small, half) = (single(f32::MIN_POSITIVE), single(f32::MIN_POSITIVE / 2.0));
    let sign = 0x8000_0000;
    for element in [ElementType::F32, ElementType::F32Ftz, ElementType::Tf32, ElementType::Tf32Ftz]
    {
        assert_eq!(add(element, single(1.5), single(2.25)), single(3.75), "{element:?}");
        assert_eq!(add(element, single(f32::INFINITY), single(f32::NEG_INFINITY)), 0x7fff_ffff);
        assert_eq!(add(element, single(1.0), single(f32::NAN)), 0x7fff_ffff);
        // Subnormal inputs and results become zero with their sign.
        let is_flushed = matches!(element, ElementType::F32Ftz | ElementType::Tf32Ftz);
        let or = |flushed, kept| if is_flushed { flushed } else { kept };
        assert_eq!(add(element, half, half), or(0, small), "{element:?}");
        assert_eq!(add(element, half | sign, half | sign), or(sign, small | sign), "{element:?}");
        assert_eq!(add(element, half | sign, sign), or(sign, half | sign), "{element:?}");
        let (one, other) = (single(f32::MIN_POSITIVE * 1.5), small | sign);
        assert_eq!(add(element, one, other), or(0, half), "{element:?}");
        assert_eq!(add(element, one | sign, small), or(sign, half | sign), "{element:?}");
        assert_eq!(add(element, single(1.0), half), single(1.0), "{element:?}");
        assert_eq!(add(element, 1, 0), or(0, 1), "{element:?}");
    }
    let double = |value: f64| value.to_bits();
    let (infinity, nan, other) =
        (double(f64::INFINITY), 0x7ff8_0000_0000_1234, 0xfff8_0000_0000_0056);
    let add = |old, tile| add(ElementType::F64, old, tile);
    assert_eq!(add(double(1.5), double(2.25)), double(3.75));
    assert_eq!(add(infinity, double(f64::NEG_INFINITY)), 0xfff8_0000_0000_0000);
    assert_eq!(
        (add(infinity, infinity), add(nan, double(1.0)), add(double(1.0), nan)),
        (infinity, nan, nan)
    );
    assert_eq!((add(nan, other), add(other, nan)), (other, nan));
}

#[test]
fn a_load_rounds_to_tf32() {
    // Ties round to even, infinities are kept, and every NaN becomes the canonical one.
    let cases: [(u32, u32); 16] = [
        (0, 0),
        (0x3f80_0000, 0x3f80_0000),
        (0x3f80_0fff, 0x3f80_0000),
        (0x3f80_1000, 0x3f80_0000),
        (0x3f80_1001, 0x3f80_2000),
        (0x3f80_2fff, 0x3f80_2000),
        (0x3f80_3000, 0x3f80_4000),
        (0x3f80_3001, 0x3f80_4000),
        (0x3f80_5000, 0x3f80_4000),
        (0xbf80_3000, 0xbf80_4000),
        (0x0000_1001, 0x0000_2000),
        (0x7f7f_ffff, 0x7f80_0000),
        (0x7f80_0000, 0x7f80_0000),
        (0xff80_0000, 0xff80_0000),
        (0x7f80_0001, 0x7fff_e000),
        (0xffc0_0000, 0x7fff_e000),
    ];
    for element in [ElementType::Tf32, ElementType::Tf32Ftz, ElementType::F32, ElementType::F32Ftz]
    {
        let spec = Spec::tiled_unchecked(element, 1, [16, 0, 0, 0, 0]);
        let tensor = Tensor::dense(0, element, [16, 1, 1, 1, 1]);
        let global: Vec<u8> = cases.iter().flat_map(|(bits, _)| bits.to_le_bytes()).collect();
        let mut tile = [0xee; 64];
        load(&spec, &tensor, &Operands::new(&[0]), &global, &mut tile, 0).unwrap();
        let rounds = matches!(element, ElementType::Tf32 | ElementType::Tf32Ftz);
        for ((bits, rounded), found) in cases.iter().zip(tile.as_chunks::<4>().0) {
            let expected = if rounds { rounded } else { bits };
            assert_eq!(u32::from_le_bytes(*found), *expected, "{element:?} {bits:#x}");
        }
    }
}
