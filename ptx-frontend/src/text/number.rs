//! Numbers (PTX ISA 4.5).

/// Whether a text is a PTX number: an integer, decimal or not, or a floating-point number, decimal or
/// given by its bits.
pub(super) fn is_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.is_empty() {
        return false;
    }
    if bytes == b"0" || bytes[0] != b'0' && bytes.iter().all(u8::is_ascii_digit) {
        return true;
    }
    match bytes {
        [b'0', b'x' | b'X', digits @ ..] => {
            let digits = unsigned(digits);
            !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit)
        }
        [b'0', b'b' | b'B', digits @ ..] => {
            let digits = unsigned(digits);
            !digits.is_empty() && digits.iter().all(|digit| matches!(digit, b'0' | b'1'))
        }
        [b'0', b'f' | b'F', digits @ ..] => {
            digits.len() == 8 && digits.iter().all(u8::is_ascii_hexdigit)
        }
        [b'0', b'd' | b'D', digits @ ..] => {
            digits.len() == 16 && digits.iter().all(u8::is_ascii_hexdigit)
        }
        _ if bytes.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) => is_decimal(bytes),
        [b'0', digits @ ..] => unsigned(digits).iter().all(|digit| matches!(digit, b'0'..=b'7')),
        digits => unsigned(digits).iter().all(u8::is_ascii_digit),
    }
}

/// The digits before the `U` of an unsigned integer.
fn unsigned(digits: &[u8]) -> &[u8] {
    digits.strip_suffix(b"U").unwrap_or(digits)
}

/// Whether it is a decimal floating-point number: digits with a decimal point, an exponent, or both.
fn is_decimal(bytes: &[u8]) -> bool {
    let end = bytes.iter().position(|byte| matches!(byte, b'e' | b'E'));
    let (mantissa, exponent) = match end {
        Some(end) => (&bytes[..end], Some(&bytes[end + 1..])),
        None => (bytes, None),
    };
    let mut parts = mantissa.split(|byte| *byte == b'.');
    let is_mantissa = parts.clone().count() <= 2
        && parts.clone().any(|digits| !digits.is_empty())
        && parts.all(|digits| digits.iter().all(u8::is_ascii_digit));
    let is_exponent = exponent.is_none_or(|exponent| {
        let digits =
            exponent.strip_prefix(b"+").or(exponent.strip_prefix(b"-")).unwrap_or(exponent);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    });
    is_mantissa && is_exponent
}
