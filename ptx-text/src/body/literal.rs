//! Numbers of Rust and C where PTX has others (PTX ISA 4.5).

/// What is wrong with a literal that Rust reads as a number and PTX does not, and what to write; `None` if PTX has it.
pub(super) fn fault(text: &str) -> Option<String> {
    // A loop's counter may be negative.
    let bytes = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let (bits, is_double) = match bytes {
        [b'0', b'f' | b'F', digits @ ..] => (digits, false),
        [b'0', b'd' | b'D', digits @ ..] => (digits, true),
        _ => return integer_or_decimal(text.trim_start_matches('-')),
    };
    let (needed, ty, example) =
        if is_double { (16, ".f64", "0d3FF0000000000000") } else { (8, ".f32", "0f3F800000") };
    if bits.len() == needed && bits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let count = bits.iter().filter(|digit| digit.is_ascii_hexdigit()).count();
    Some(format!(
        "`{text}` has {count} hexadecimal digits, and the bits of a `{ty}` are {needed}; write all of them, as in `{example}`"
    ))
}

fn integer_or_decimal(text: &str) -> Option<String> {
    let (radix, digits) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &text[2..]),
        [b'0', b'b' | b'B', ..] => (2, &text[2..]),
        [b'0', b'o', ..] => (8, &text[2..]),
        _ => (10, text),
    };
    let suffix = suffix(digits, radix);
    let number = &text[..text.len() - suffix.len()];
    let plain = number.replace('_', "");
    let meant = if radix == 8 {
        u128::from_str_radix(&plain[2..], 8).map_or_else(|_| plain.clone(), |it| it.to_string())
    } else {
        plain.clone()
    };
    if !matches!(suffix, "" | "U") {
        let is_rust = matches!(suffix.as_bytes(), [b'u' | b'i' | b'f', b'0'..=b'9' | b's', ..]);
        return Some(if is_rust {
            format!(
                "PTX's numbers have no type, and `{suffix}` is one; write `{meant}`, or splice a Rust constant, `#({text})`"
            )
        } else {
            format!("PTX's numbers have no suffix `{suffix}`; write `{meant}`")
        });
    }
    if radix == 8 {
        return Some(format!("`{text}` is octal in Rust alone; write `{meant}`"));
    }
    (plain != number).then(|| format!("PTX's numbers have no `_`; write `{meant}{suffix}`"))
}

/// The letters after the digits of a number without its prefix.
fn suffix(digits: &str, radix: u32) -> &str {
    let is_part = |c: char| c.is_digit(radix) || c == '_';
    let mut rest = digits.trim_start_matches(is_part);
    if radix == 10 {
        rest = rest.strip_prefix('.').unwrap_or(rest).trim_start_matches(is_part);
        if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
            let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if exponent.starts_with(is_part) {
                rest = exponent.trim_start_matches(is_part);
            }
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn numbers_of_ptx_have_no_fault() {
        for text in [
            "0",
            "7",
            "-7",
            "017",
            "10U",
            "0x1F",
            "0X1fU",
            "0b101",
            "0b1U",
            "1.",
            "1.5",
            "1e5",
            "1e-5",
            "1.5E+3",
            "0f3F800000",
            "0F3f800000",
            "0d3FF0000000000000",
            "0D3FF0000000000000",
        ] {
            assert_eq!(fault(text), None, "{text}");
        }
    }

    #[test]
    fn other_numbers_have_one_and_what_is_meant() {
        for (text, meant) in [
            ("5u", "`5`"),
            ("10L", "`10`"),
            ("10ull", "`10`"),
            ("1.0f", "`1.0`"),
            ("1e3f", "`1e3`"),
            ("5u32", "`#(5u32)`"),
            ("1.0f32", "`#(1.0f32)`"),
            ("0x1F_u32", "`0x1F`"),
            ("0o17", "`15`"),
            ("1_000", "`1000`"),
            ("0xFF_FFU", "`0xFFFFU`"),
            ("0f3F80", "has 4 hexadecimal digits"),
            ("0f3F8000000", "has 9 hexadecimal digits"),
            ("0d3FF0", "the bits of a `.f64` are 16"),
        ] {
            let fault = fault(text).unwrap_or_default();
            assert!(fault.contains(meant), "{text}: {fault}");
        }
    }
}
