//! The unsafe code of the crate with small values: what Miri runs in seconds, and looks at for undefined behaviour.

use std::str::FromStr as _;

use half::f16;
use ptx_types::float::{
    Dense, DenseVec, Padded, as_bytes, as_bytes_mut, from_bytes, quantize_blocks,
};
use ptx_types::tensor::{Descriptor, ElementType, Spec, Swizzle, describe, difference, encode};
use ptx_types::{
    E2M1, E2M1x2, E2M3, E2M3x4, E4M3, E5M2, F16x2, Number, Target, Tf32, Ue8m0, V2, V3, V4, splice,
};

/// Bytes that start at a multiple of 8.
#[repr(align(8))]
struct Aligned<const N: usize>([u8; N]);

#[test]
fn vectors_have_their_lanes() {
    assert_eq!(V2::new([1_u8, 2]).to_array(), [1, 2]);
    assert_eq!(
        V3::new([1.0_f32, 2.0, 3.0]).to_array().map(f32::to_bits),
        [1.0_f32, 2.0, 3.0].map(f32::to_bits)
    );
    let mut four = V4::new([1_u16, 2, 3, 4]);
    four[3] = 9;
    assert_eq!((four[3], size_of_val(&four), align_of_val(&four)), (9, 8, 8));
    assert_eq!((size_of::<V3<u32>>(), align_of::<V3<u32>>()), (16, 16));
}

#[test]
fn bytes_are_values_and_values_bytes() {
    let bytes = Aligned([0x00, 0x3c, 0x01, 0x00, 0xff, 0x7b, 0x00, 0x80]);
    let halves = from_bytes::<f16>(&bytes.0).expect("every pattern is a value");
    assert_eq!((halves[0], halves.len()), (f16::ONE, 4));
    assert_eq!(as_bytes(halves), bytes.0);
    assert!(from_bytes::<f16>(&bytes.0[1..3]).is_err());
    assert!(from_bytes::<E2M3>(&bytes.0).is_err());
    let pairs = from_bytes::<F16x2>(&bytes.0).expect("every pattern is a value");
    assert_eq!(pairs[0].lanes()[0], f16::ONE);
    let mut nibbles = [E2M1x2::from_bits(0xf1); 3];
    as_bytes_mut(&mut nibbles)[1] = 0x02;
    assert_eq!(nibbles[1].to_bits(), 0x02);
    assert!(bytemuck::checked::try_cast_slice::<f32, Tf32>(&[1.0, 0.5]).is_ok());
    assert!(bytemuck::checked::try_cast_slice::<u8, E2M3>(&[0x3f, 0x40]).is_err());
    assert_eq!(bytemuck::bytes_of(&E2M3x4::from_bits(u32::MAX)), [0x3f; 4]);
}

#[test]
fn elements_lie_side_by_side() {
    let elements: [E2M3; 16] =
        std::array::from_fn(|n| E2M3::from_bits(u8::try_from(n * 4 + 1).expect("small")));
    let mut dense = Dense::<E2M3, 12>::from_elements(elements);
    let mut padded = Padded::from_elements(elements);
    assert!(dense.iter().eq(elements) && padded.elements() == elements);
    for n in [0, 5, 15] {
        assert!(dense.set(n, E2M3::ONE) && padded.set(n, E2M3::ONE));
        assert_eq!((dense.get(n), padded.get(n)), (Some(E2M3::ONE), Some(E2M3::ONE)));
    }
    assert!(!dense.set(16, E2M3::ONE) && padded.get(16).is_none());
    let some = DenseVec::<E2M1>::from_f32s(&[0.5, -1.0, 6.0]);
    assert_eq!((some.as_bytes(), some.len()), (&[0xa1, 0x07][..], 3));
}

#[test]
fn slices_are_converted() {
    let values: Vec<f32> = (0..64_u8).map(|n| f32::from(n) - 30.5).collect();
    let mut elements = vec![E4M3::default(); 64];
    let mut scales = vec![Ue8m0::ONE; 2];
    quantize_blocks::<_, _, 32>(&values, &mut elements, &mut scales).expect("the lengths fit");
    let first = elements[0].to_f32() * scales[0].to_f32();
    assert!((first + 30.5).abs() < 2.0, "{first}");
    assert_eq!(E5M2::from_str("1.75").map(E5M2::to_bits), Ok(0x3f));
    assert!(matches!(splice(-1.5_f64), Number::F64(bits) if bits == (-1.5_f64).to_bits()));
}

#[test]
fn descriptors_are_128_bytes() {
    let spec = Spec::tiled(ElementType::Bf16, &[64, 8]).expect("a map").with_swizzle(Swizzle::B128);
    let tensor = spec.tensor(0x7f00_0000_0000, &[1024, 64], None).expect("a tensor");
    let descriptor = encode(&spec, &tensor, Target::Sm90).expect("it is legal");
    let bytes: [u8; 128] = *descriptor.as_bytes();
    assert_eq!(bytemuck::bytes_of(&descriptor), bytes);
    assert_eq!(Descriptor::from_bytes(bytes), descriptor);
    assert!(describe(&bytes).to_string().starts_with("tiled map"));
    let zeros: Descriptor = bytemuck::Zeroable::zeroed();
    assert!(!difference(&bytes, zeros.as_bytes()).to_string().is_empty());
    assert_eq!((size_of::<Descriptor>(), align_of::<Descriptor>()), (128, 128));
}
