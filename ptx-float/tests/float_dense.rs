//! Elements of 6 and 4 bits without gaps: each is written and read without affecting its neighbours.

use ptx_float::{Cvt, Dense, Format, Padded, SubByte};
use ptx_float::{E2M1, E2M3, E3M2, E4M3};

/// Writes every element over every pattern of its own bits and of its neighbours'.
fn overwrite<E: SubByte + PartialEq + core::fmt::Debug, const BYTES: usize>() {
    for filler in [0, 0xff, 0x55, 0xaa, 0x3c] {
        let len = Dense::<E, BYTES>::LEN;
        for n in 0..len {
            for code in 0..1 << E::FORMAT.bits {
                let element = E::from_storage(code);
                let (mut dense, mut padded) = (
                    Dense::<E, BYTES>::from_bytes([filler; BYTES]),
                    Padded::<E>::from_bytes([filler; 16]),
                );
                let before: Vec<E> = (0..len).filter_map(|i| dense.get(i)).collect();
                let beside = padded.elements();
                assert!(dense.set(n, element));
                assert_eq!(padded.set(n, element), n < 16);
                for (i, before) in before.into_iter().enumerate() {
                    let expected = if i == n { element } else { before };
                    assert_eq!(dense.get(i), Some(expected), "{i} after {n} over {filler:#x}");
                }
                for (i, before) in beside.into_iter().enumerate() {
                    let expected = if i == n { element } else { before };
                    assert_eq!(padded.get(i), Some(expected), "{i} after {n} over {filler:#x}");
                }
            }
        }
        let mut dense = Dense::<E, BYTES>::from_bytes([filler; BYTES]);
        assert!(!dense.set(len, E::from_storage(0)));
        assert_eq!((dense.get(len), dense.to_bytes()), (None, [filler; BYTES]));
        let mut padded = Padded::<E>::from_bytes([filler; 16]);
        assert!(!padded.set(16, E::from_storage(0)));
        assert_eq!((padded.get(15).is_some(), padded.get(16)), (true, None));
    }
}

#[test]
fn writing_an_element_keeps_its_neighbours() {
    overwrite::<E2M1, 8>();
    overwrite::<E2M3, 12>();
    overwrite::<E3M2, 12>();
}

#[test]
fn padded_elements_are_those_that_they_are_made_of() {
    let elements: [E2M1; 16] =
        core::array::from_fn(|n| E2M1::from_bits(u8::try_from(n).expect("it is small")));
    assert_eq!(Padded::from_elements(elements).elements(), elements);
    assert_eq!(Padded::from_elements(elements).to_bytes()[8..], [0; 8]);
    let elements: [E3M2; 16] =
        core::array::from_fn(|n| E3M2::from_bits(u8::try_from(n * 4 + 1).expect("it is small")));
    assert_eq!(Padded::from_elements(elements).elements(), elements);
    assert_eq!(Padded::from_elements(elements).to_bytes()[12..], [0; 4]);
    let dense = Dense::<E3M2, 12>::from_elements(elements);
    assert!(dense.iter().eq(elements) && dense.iter().len() == 16);
    assert_eq!(Padded::from_elements(elements).payload(), dense.as_bytes());
}

/// Random bits of four lanes: the lower half is for the first two.
#[test]
fn each_half_of_the_random_bits_has_two_lanes() {
    for n in 0..16 {
        let x = f32::from_bits(0x3f80_0000 | (0x10_0000 - (1 << (n + 4))));
        let goes_up = |cvt| E4M3::from_f32_with(x, cvt) != E4M3::ONE;
        assert_eq!(Cvt::rs_x4(1 << n).map(goes_up), [true, true, false, false], "{n}");
        assert_eq!(Cvt::rs_x4(1 << (n + 16)).map(goes_up), [false, false, true, true], "{n}");
    }
}

#[test]
fn integers_and_far_numbers_are_rounded_once() {
    for n in [0_u64, 1, 2, 3, 5, 17, 448, 449, u64::MAX] {
        #[allow(clippy::cast_precision_loss)] // numbers above 448 saturate
        let x = n as f64;
        let cvt = Cvt::RN.satfinite();
        assert_eq!(Format::E4M3.encode_u64(n, cvt), Format::E4M3.encode_f64(x, cvt), "{n}");
    }
    for (x, expected) in [(f64::MAX, 0x7e), (-f64::MAX, 0xfe), (f64::MIN_POSITIVE, 0), (5e-324, 0)]
    {
        assert_eq!(Format::E4M3.encode_f64(x, Cvt::RN.satfinite()), expected, "{x}");
    }
    assert_eq!(Format::E4M3.encode_f64(5e-324, Cvt::RP), 1);
}
