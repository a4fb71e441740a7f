//! Vectors of elements of 4 and 6 bits without gaps.

#![allow(clippy::float_cmp)] // the values are exact

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use ptx_float::{BytesError, Dense, DenseVec, LengthMismatch, SubByte};
use ptx_float::{E2M1, E2M3, E3M2};

/// Numbers over the whole range of the format, and some beyond it.
#[allow(clippy::cast_precision_loss)] // they are small
fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|n| (n as f32 * 0.37 - 9.0) * if n % 2 == 0 { 1.0 } else { -0.8 }).collect()
}

/// Checks vectors of every length against elements that are converted one by one.
fn check_lengths<E: SubByte + PartialEq + core::fmt::Debug>() {
    for len in 0..=150 {
        let values = numbers(len);
        let each: Vec<E> = values.iter().map(|x| E::convert(*x, E::CVT)).collect();
        let mut dense = DenseVec::<E>::from_f32s(&values);
        assert_eq!((dense.len(), dense.is_empty()), (len, len == 0));
        assert_eq!(dense.iter().collect::<Vec<_>>(), each);
        assert_eq!(dense.iter().next_back(), each.last().copied());
        assert_eq!(dense.get(len), None);
        let expected: Vec<f32> = each.iter().map(|element| element.value()).collect();
        assert_eq!(dense.to_f32s(), expected);
        assert_eq!(
            dense.write_f32s(&mut vec![0.0; len + 1]),
            Err(LengthMismatch { what: "destination", found: len + 1, needed: len }),
        );

        let bits = usize::try_from(E::FORMAT.bits).expect("it is small");
        let bytes = dense.as_bytes().to_vec();
        assert_eq!(bytes.len(), (len * bits).div_ceil(8));
        // Bit by bit, with the first element in the lowest bits.
        for bit in 0..bytes.len() * 8 {
            let expected =
                each.get(bit / bits).is_some_and(|x| x.to_storage() >> (bit % bits) & 1 == 1);
            assert_eq!(bytes[bit / 8] >> (bit % 8) & 1 == 1, expected, "bit {bit} of {len}");
        }
        assert_eq!(DenseVec::from_bytes(bytes.clone(), len), Ok(dense.clone()));
        assert_eq!(each.iter().copied().collect::<DenseVec<E>>(), dense);
        assert_eq!(dense.clone().into_bytes(), bytes);

        let top = E::from_storage(u32::MAX);
        for (n, element) in each.iter().enumerate() {
            let before = dense.clone();
            assert!(dense.set(n, top));
            for (i, found) in dense.iter().enumerate() {
                assert_eq!(Some(found), if i == n { Some(top) } else { before.get(i) });
            }
            assert_eq!(dense.get(n), Some(top));
            assert!(dense.set(n, *element));
            assert_eq!(dense, before);
        }
        assert!(!dense.set(len, top));
        dense.push(top);
        assert_eq!((dense.len(), dense.get(len)), (len + 1, Some(top)));
        assert_eq!(dense.iter().take(len).collect::<Vec<_>>(), each);
        assert_eq!(DenseVec::<E>::zeros(len), vec![E::from_storage(0); len].into_iter().collect());
    }
}

#[test]
fn elements_of_every_length_are_those_that_were_converted_one_by_one() {
    check_lengths::<E2M1>();
    check_lengths::<E2M3>();
    check_lengths::<E3M2>();
}

#[test]
fn units_are_the_whole_ones() {
    let mut dense = DenseVec::<E2M3>::zeros(11);
    assert_eq!((dense.units().len(), dense.units_mut().len()), (2, 2));
    dense.units_mut()[1] = Dense::from_elements([E2M3::ONE; 4]);
    assert_eq!(dense.to_f32s(), [0., 0., 0., 0., 1., 1., 1., 1., 0., 0., 0.]);
    assert_eq!(DenseVec::<E2M1>::zeros(11).units().len(), 5);
}

#[test]
fn it_is_laid_out_as_an_array_is() {
    let values = numbers(16);
    let array = Dense::<E3M2, 12>::from_f32_slice(&values).expect("as many as there are");
    assert_eq!(DenseVec::<E3M2>::from_f32s(&values).as_bytes(), array.as_bytes());
}

#[test]
fn bytes_are_as_many_as_the_elements_fill() {
    let message =
        |bytes: &[u8], len| DenseVec::<E2M3>::from_bytes(bytes, len).unwrap_err().to_string();
    assert_eq!(message(&[0; 2], 5), "5 elements of e2m3 take 4 bytes, but there are 2");
    assert_eq!(message(&[0; 1], 2), "2 elements of e2m3 take 2 bytes, but there is 1");
    assert_eq!(message(&[0; 2], 1), "1 element of e2m3 take 1 byte, but there are 2");
    assert_eq!(
        message(&[0; 4], usize::MAX),
        format!(
            "{} elements of e2m3 take {} bytes, but there are 4",
            usize::MAX,
            usize::MAX / 4 * 3 + 3
        ),
    );
    for (len, used) in [(1, 6), (2, 4), (3, 2)] {
        let bytes = vec![0xff_u8; (len * 6_usize).div_ceil(8)];
        let (at, mask) = (bytes.len() - 1, (1_u8 << used) - 1);
        let error = DenseVec::<E3M2>::from_bytes(bytes.clone(), len).unwrap_err();
        assert_eq!(error, BytesError::Pattern { at, byte: 0xff, mask, name: "e3m2", size: 3 });
        let mut bytes = bytes;
        bytes[at] = mask;
        let dense = DenseVec::<E3M2>::from_bytes(bytes, len).expect("no bit is behind the last");
        assert!(dense.iter().all(|element| element.to_bits() == 0x3f));
    }
    assert_eq!(
        DenseVec::<E2M1>::from_bytes([0x10], 1).unwrap_err().to_string(),
        "byte 0 is 0x10, which is not part of an e2m1: its upper 4 bits are not zero",
    );
    assert_eq!(DenseVec::<E2M1>::from_bytes([0xff], 2).map(|dense| dense.len()), Ok(2));
}

fn hash<T: Hash>(x: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    x.hash(&mut hasher);
    hasher.finish()
}

/// With 4 bits, a zero appended after an odd number of elements leaves the bytes the same, but not the length.
#[test]
fn length_and_elements_make_them_equal() {
    let (one, two) = (DenseVec::<E2M1>::zeros(1), DenseVec::<E2M1>::zeros(2));
    assert_eq!(one.as_bytes(), two.as_bytes());
    assert!(one != two && hash(&one) != hash(&two));
    let other = DenseVec::from_iter([E2M1::ONE]);
    assert!(one != other && hash(&one) != hash(&other));
    assert_eq!(hash(&one), hash(&one.clone()));
    assert_eq!(DenseVec::<E2M1>::default(), DenseVec::new());
    assert_eq!(format!("{other:?}"), format!("{:?}", [E2M1::ONE]));
}

#[test]
fn elements_are_appended() {
    let mut dense = DenseVec::from_iter([E2M3::ONE]);
    dense.extend([E2M3::MAX, E2M3::MIN]);
    assert_eq!(dense.to_f32s(), [1.0, 7.5, -7.5]);
}

#[cfg(feature = "serde")]
#[test]
fn serde_has_the_length_and_the_bytes() {
    use serde_test::{Token, assert_de_tokens, assert_de_tokens_error, assert_tokens};

    let dense = DenseVec::<E2M1>::from_f32s(&[0.5, -1.0, 6.0]);
    let start = [Token::Tuple { len: 2 }, Token::U64(3)];
    let with = |bytes: &[Token]| [&start, bytes, &[Token::TupleEnd]].concat();
    assert_tokens(&dense, &with(&[Token::Bytes(&[0xa1, 0x07])]));
    assert_de_tokens(&dense, &with(&[Token::ByteBuf(&[0xa1, 0x07])]));
    let numbers = [Token::Seq { len: None }, Token::U8(0xa1), Token::U8(0x07), Token::SeqEnd];
    assert_de_tokens(&dense, &with(&numbers));
    assert_de_tokens_error::<DenseVec<E2M1>>(
        &with(&[Token::Bytes(&[0xa1])]),
        "3 elements of e2m1 take 2 bytes, but there is 1",
    );
}
