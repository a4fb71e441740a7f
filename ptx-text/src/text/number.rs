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

/// The number of digits before a name in a token after `.align`, `8p`, which ptxas reads as a number and a name; `None` for a
/// number.
pub fn digits_before_name(text: &str) -> Option<usize> {
    let is_one = is_number(text) || text.contains('.');
    (!is_one).then(|| text.bytes().take_while(u8::is_ascii_digit).count())
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

/// What to write instead of a malformed number: the number that is probably meant, or else the forms of numbers.
pub(super) fn meant(text: &str) -> String {
    /// The longest number that is corrected.
    const LONGEST: usize = 64;
    let candidates = || {
        let plain = text.replace('_', "");
        let start = plain.get(..2).unwrap_or_default().to_ascii_lowercase();
        let digits = plain.get(2..).unwrap_or_default();
        let without_suffix = plain.trim_end_matches(['f', 'F', 'l', 'L', 'u', 'U']);
        let is_decimal = plain.bytes().all(|byte| byte.is_ascii_digit());
        [
            (start == "0f").then(|| format!("0d{digits}")),
            (start == "0d").then(|| format!("0f{digits}")),
            (is_decimal && start.starts_with('0')).then(|| plain.trim_start_matches('0').into()),
            Some(without_suffix.to_owned()),
            Some(plain),
        ]
    };
    if let Some((number, word)) = text.split_once('.')
        && word.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && word.len() > 1
        && is_number(number)
    {
        return format!("a space before the `.`, as in `{number} .{word}`");
    }
    let found = if text.len() > LONGEST {
        None
    } else {
        candidates().into_iter().flatten().find(|candidate| is_number(candidate))
    };
    match found {
        Some(number) => format!("`{number}`"),
        None if matches!(text.get(..2), Some("0f" | "0F")) => {
            "8 hexadecimal digits after `0f`, as in `0f3F800000`".to_owned()
        }
        None if matches!(text.get(..2), Some("0d" | "0D")) => {
            "16 hexadecimal digits after `0d`, as in `0d3FF0000000000000`".to_owned()
        }
        None => "decimal digits, `0x1F`, `0b101` or `017`, or `1.5`, `0f3F800000` or `0d3FF0000000000000`".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn the_number_that_is_meant_is_named() {
        for (written, expected) in [
            ("1.0f", "`1.0`"),
            ("1L", "`1`"),
            ("7ull", "`7`"),
            ("5_12", "`512`"),
            ("089", "`89`"),
            ("0f3FF0000000000000", "`0d3FF0000000000000`"),
            ("0d3F800000", "`0f3F800000`"),
            ("0f3F80", "8 hexadecimal digits after `0f`, as in `0f3F800000`"),
            ("4.param", "a space before the `.`, as in `4 .param`"),
            ("1.f", "`1.`"),
            ("0d3FF", "16 hexadecimal digits after `0d`, as in `0d3FF0000000000000`"),
        ] {
            assert_eq!(meant(written), expected, "{written}");
        }
        assert!(meant("0XG4").starts_with("decimal digits, "));
    }
}
