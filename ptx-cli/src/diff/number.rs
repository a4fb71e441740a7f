//! Numbers, however they are spelt.

use ptx_isa::ir::body::{integer, single_bits};
use ptx_isa::{Class, ScalarType};

/// A number of a statement.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Number {
    Integer(i128),
    Single(u32),
    Double(f64),
}

/// The canonical spelling of a number, which an operand of this type takes, if that is known: the same for two numbers that
/// are the same bits there.
pub(super) fn canonical(text: &str, is_negative: bool, ty: Option<ScalarType>) -> String {
    let number = match parse(text) {
        Some(Number::Integer(value)) if is_negative => Number::Integer(-value),
        Some(Number::Double(value)) if is_negative => Number::Double(-value),
        // The minus makes an `.f64` of the bits.
        Some(Number::Single(_)) | None if is_negative => return format!("-{text}"),
        Some(number) => number,
        None => return text.to_owned(),
    };
    let class = ty.map(|ty| (ty.class(), ty.bytes()));
    match (number, class) {
        (Number::Integer(value), Some((Class::Signed | Class::Unsigned | Class::Bits, bytes))) => {
            format!("{:#x}", wrapped(value, bytes))
        }
        (Number::Integer(value), _) => format!("{value:#x}"),
        (Number::Single(bits), Some((Class::Bits, 4))) => format!("{bits:#x}"),
        (Number::Double(value), Some((Class::Bits, 8))) => format!("{:#x}", value.to_bits()),
        (Number::Double(value), Some((Class::Float, 4))) => format!("0f{:08x}", single_bits(value)),
        (Number::Single(bits), _) => format!("0f{bits:08x}"),
        (Number::Double(value), _) => format!("0d{:016x}", value.to_bits()),
    }
}

/// The integer in so many bytes, unless it does not fit there.
fn wrapped(value: i128, bytes: usize) -> i128 {
    match bytes {
        1..=8 => {
            let modulus = 1_i128 << (8 * bytes);
            if (-modulus / 2..modulus).contains(&value) { value.rem_euclid(modulus) } else { value }
        }
        _ => value,
    }
}

fn parse(text: &str) -> Option<Number> {
    let start = text.get(..2).unwrap_or_default();
    let digits = text.get(2..).unwrap_or_default();
    Some(match start {
        "0f" | "0F" => Number::Single(u32::from_str_radix(digits, 16).ok()?),
        "0d" | "0D" => Number::Double(f64::from_bits(u64::from_str_radix(digits, 16).ok()?)),
        "0x" | "0X" | "0b" | "0B" => Number::Integer(integer(text)?),
        _ if text.contains(['.', 'e', 'E']) => Number::Double(text.parse().ok()?),
        _ => Number::Integer(integer(text)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_same(one: &str, other: &str, ty: Option<ScalarType>) -> bool {
        let canonical = |text: &str| match text.strip_prefix('-') {
            Some(digits) => canonical(digits, true, ty),
            None => canonical(text, false, ty),
        };
        canonical(one) == canonical(other)
    }

    #[test]
    fn numbers_of_the_same_bits_are_the_same() {
        let types = ["u32", "f32", "f64", "b32", "b64", "u16"].map(ScalarType::from_name);
        let [word, single, double, bits, long, half] = types;
        for (one, other, ty) in [
            ("0x10", "16", None),
            ("020", "0b10000", None),
            ("16U", "16", word),
            ("-1", "0xFFFFFFFF", word),
            ("-1", "0xFFFF", half),
            ("0f3F800000", "1.0", single),
            ("0f3F800000", "0F3f800000", None),
            ("0f3DCCCCCD", "0.1", single),
            ("0d3FF0000000000000", "1.0", double),
            ("0d3FF0000000000000", "1e0", None),
            ("0f3F800000", "1065353216", bits),
            ("0d3FF0000000000000", "0x3FF0000000000000", long),
        ] {
            assert!(are_same(one, other, ty), "{one} and {other}");
        }
    }

    #[test]
    fn numbers_of_other_bits_differ() {
        let types = ["u32", "f32", "f64", "u64"].map(ScalarType::from_name);
        let [word, single, double, long] = types;
        for (one, other, ty) in [
            ("16", "17", None),
            ("-1", "1", word),
            ("-1", "0xFFFFFFFF", long),
            ("-1", "0xFFFFFFFF", None),
            ("0f3F800000", "1.0", double),
            ("0f3F800000", "0f3F800001", single),
            ("0.0", "-0.0", single),
            ("1", "1.0", single),
            ("0x100000001", "1", word),
        ] {
            assert!(!are_same(one, other, ty), "{one} and {other}");
        }
    }
}
