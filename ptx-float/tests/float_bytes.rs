//! Reinterpretation of bytes as slices of small floats, and back.

use half::{bf16, f16};
use ptx_float::{
    Bf16x2, E2M1, E2M1x2, E2M1x4, E2M3, E2M3x2, E2M3x4, E3M2, E4M3, E4M3x4, E5M2, F16x2, Tf32,
    Ue4m3, Ue8m0,
};
use ptx_float::{
    BytesError, Dense, Format, Padded, Storage, as_bytes, as_bytes_mut, from_bytes, from_bytes_mut,
};

/// Bytes that are aligned to 8.
#[repr(align(8))]
struct Aligned<const N: usize>([u8; N]);

/// Checks all patterns of a byte.
fn patterns<T: Storage + PartialEq + core::fmt::Debug>(mask: u8, name: &str, of: impl Fn(u8) -> T) {
    for byte in 0..=u8::MAX {
        match from_bytes::<T>(&[0, byte]) {
            Ok(values) => {
                assert_eq!(byte & !mask, 0, "{name} {byte:#x}");
                assert_eq!(values, [of(0), of(byte)]);
                assert_eq!(as_bytes(values), [0, byte]);
            }
            Err(error) => {
                assert_ne!(byte & !mask, 0, "{name} {byte:#x}");
                let bits = match mask {
                    0x7f => "upper bit is",
                    0x3f => "upper 2 bits are",
                    _ => "upper 4 bits are",
                };
                let article = if name.starts_with('e') { "an" } else { "a" };
                assert_eq!(
                    error.to_string(),
                    format!(
                        "byte 1 is {byte:#04x}, which is not {article} {name}: its {bits} not zero"
                    ),
                );
            }
        }
    }
}

#[test]
fn a_byte_is_a_value_or_the_error_names_the_bits() {
    patterns(0xff, "e4m3", E4M3::from_bits);
    patterns(0xff, "e5m2", E5M2::from_bits);
    patterns(0xff, "ue8m0", Ue8m0::from_bits);
    patterns(0x7f, "ue4m3", Ue4m3::from_bits);
    patterns(0x3f, "e2m3", E2M3::from_bits);
    patterns(0x3f, "e3m2", E3M2::from_bits);
    patterns(0x0f, "e2m1", E2M1::from_bits);
    patterns(0xff, "e2m1x2", E2M1x2::from_bits);
}

#[test]
fn the_first_invalid_byte_is_named() {
    let bytes = Aligned([0x3f, 0x08, 0x08, 0x3f, 0x3f, 0xc1, 0xff, 0xff]);
    assert_eq!(
        from_bytes::<E2M3>(&bytes.0).unwrap_err().to_string(),
        "byte 5 is 0xc1, which is not an e2m3: its upper 2 bits are not zero",
    );
    assert_eq!(
        from_bytes::<E2M3x2>(&bytes.0).unwrap_err().to_string(),
        "byte 5 is 0xc1, which is not part of an E2M3x2: its upper 2 bits are not zero",
    );
    let error = from_bytes::<E2M3x4>(&bytes.0).unwrap_err();
    let name = "E2M3x4";
    assert_eq!(error, BytesError::Pattern { at: 5, byte: 0xc1, mask: 0x3f, name, size: 4 });
    assert_eq!(
        from_bytes::<E2M3x4>(&bytes.0[..4]).map(|values| values[0].lanes()[3].to_bits()),
        Ok(0x3f),
    );
}

/// 13 bits of a `tf32` are below its code.
#[test]
fn lower_bits_are_named_as_well() {
    let mut bytes = Aligned([0, 0, 0x80, 0x3f, 0, 0xe0, 0xff, 0x7f]);
    let values = from_bytes::<Tf32>(&bytes.0).expect("no bit is in the way");
    assert_eq!(values[0], Tf32::ONE);
    assert!(values[1].is_nan());
    bytes.0[5] = 0xf0;
    assert_eq!(
        from_bytes::<Tf32>(&bytes.0).unwrap_err().to_string(),
        "byte 5 is 0xf0, which is not part of a tf32: its lower 5 bits are not zero",
    );
    bytes.0[4] = 1;
    assert_eq!(
        from_bytes::<Tf32>(&bytes.0).unwrap_err().to_string(),
        "byte 4 is 0x01, which is not part of a tf32: its bits are not zero",
    );
}

#[test]
fn bytes_are_whole_values_at_their_alignment() {
    let mut bytes = Aligned([0; 9]);
    let address = bytes.0.as_ptr().addr();
    assert_eq!(
        from_bytes::<f16>(&bytes.0[..7]).unwrap_err().to_string(),
        "7 bytes are not a multiple of 2",
    );
    assert_eq!(
        from_bytes_mut::<f16>(&mut bytes.0[..1]).unwrap_err().to_string(),
        "1 byte is not a multiple of 2",
    );
    let expected = BytesError::Alignment { address: address + 1, align: 2 };
    assert_eq!(from_bytes::<bf16>(&bytes.0[1..]).unwrap_err(), expected);
    assert_eq!(from_bytes_mut::<E2M1x4>(&mut bytes.0[1..]).unwrap_err(), expected);
    assert_eq!(
        expected.to_string(),
        format!("the bytes are at {:#x}, which is not a multiple of 2", address + 1),
    );
    assert_eq!(
        from_bytes::<E4M3x4>(&bytes.0[2..6]).unwrap_err(),
        BytesError::Alignment { address: address + 2, align: 4 },
    );
    assert_eq!(from_bytes::<E4M3x4>(&bytes.0[4..8]).map(<[_]>::len), Ok(1));
    assert_eq!(from_bytes::<E4M3x4>(&bytes.0[1..1]).map(<[_]>::len), Ok(0));
    assert_eq!(from_bytes_mut::<f16>(&mut bytes.0[1..1]).map(|values| values.len()), Ok(0));
    // Elements without gaps have no alignment.
    assert_eq!(from_bytes::<Dense<E3M2, 3>>(&bytes.0[1..7]).map(<[_]>::len), Ok(2));
    assert_eq!(
        from_bytes::<Dense<E3M2, 3>>(&bytes.0[1..8]).unwrap_err(),
        BytesError::Length { len: 7, size: 3 },
    );
    assert_eq!(from_bytes::<Padded<E2M1>>(&[0xff; 32]).map(<[_]>::len), Ok(2));
}

#[test]
fn writes_through_bytes_change_the_values() {
    let mut values = [E4M3::ZERO, E4M3::ONE];
    as_bytes_mut(&mut values)[0] = 0x40;
    assert_eq!(values, [E4M3::from_f32(2.0), E4M3::ONE]);
    let mut bytes = Aligned([0; 4]);
    from_bytes_mut::<f16>(&mut bytes.0).expect("two values")[1] = f16::ONE;
    assert_eq!(bytes.0, [0, 0, 0, 0x3c]);
    from_bytes_mut::<Dense<E2M1, 2>>(&mut bytes.0).expect("two values")[0] =
        Dense::from_elements([E2M1::ONE; 4]);
    assert_eq!(bytes.0, [0x22, 0x22, 0, 0x3c]);
    let halves = from_bytes::<F16x2>(&bytes.0).expect("a value");
    assert_eq!(halves[0].lanes()[1], f16::ONE);
    assert_eq!(from_bytes::<Bf16x2>(&bytes.0).map(as_bytes), Ok(&bytes.0[..]));
}

/// Exactly the names that the crate `safetensors` writes.
#[test]
fn formats_have_the_names_of_safetensors() {
    use safetensors::Dtype;
    let known = [
        (Format::F16, Dtype::F16),
        (Format::BF16, Dtype::BF16),
        (Format::E4M3, Dtype::F8_E4M3),
        (Format::E5M2, Dtype::F8_E5M2),
        (Format::UE8M0, Dtype::F8_E8M0),
        (Format::E2M3, Dtype::F6_E2M3),
        (Format::E3M2, Dtype::F6_E3M2),
        (Format::E2M1, Dtype::F4),
    ];
    for format in Format::ALL {
        let dtype = known.iter().find(|(known, _)| known == *format).map(|(_, dtype)| *dtype);
        let name = dtype.map(|dtype| dtype.to_string());
        assert_eq!(format.safetensors_name(), name.as_deref(), "{}", format.name);
        if let (Some(name), Some(dtype)) = (name, dtype) {
            assert_eq!(Format::from_safetensors_name(&name), Some(*format));
            assert_eq!(usize::try_from(format.bits), Ok(dtype.bitsize()));
        }
    }
    for name in ["F32", "I8", "f4", "F8", ""] {
        assert_eq!(Format::from_safetensors_name(name), None, "{name}");
    }
}
