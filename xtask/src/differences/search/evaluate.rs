//! The value that the PTX ISA gives a constant expression of numbers (section 4.5), by its table 5 alone: neither ptxas nor
//! the rules are asked.

/// A value, with its type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Number {
    /// `.u64`
    Unsigned(u64),
    /// `.s64`
    Signed(i64),
    /// `.f64`
    Float(f64),
}

/// The value of an expression; `None` if it is something else, or the PTX ISA does not say.
pub(super) fn evaluate(expression: &str) -> Option<Number> {
    let mut parser = Parser { tokens: tokens(expression)?, at: 0 };
    let value = parser.conditional()?;
    (parser.at == parser.tokens.len()).then_some(value)
}

/// The operators of two operands, those that bind closest first.
const LEVELS: [&[&str]; 10] = [
    &["*", "/", "%"],
    &["+", "-"],
    &["<<", ">>"],
    &["<", ">", "<=", ">="],
    &["==", "!="],
    &["&"],
    &["^"],
    &["|"],
    &["&&"],
    &["||"],
];

const SIGNS: [&str; 24] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*", "/", "%", "+", "-", "<", ">", "&", "^",
    "|", "~", "!", "?", ":", "(", ")",
];

fn tokens(text: &str) -> Option<Vec<&str>> {
    let (mut rest, mut tokens) = (text.trim(), Vec::new());
    while !rest.is_empty() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
        let length = match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => sign.len(),
            None => {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                // The sign of an exponent belongs to the number.
                let word = &rest[..end];
                let has_exponent = word.ends_with(['e', 'E'])
                    && word.starts_with(|c: char| c.is_ascii_digit() || c == '.')
                    && !word.starts_with("0x")
                    && rest[end..].starts_with(['+', '-']);
                if has_exponent {
                    let digits = &rest[end + 1..];
                    end + 1 + digits.find(|c| !is_word(c)).unwrap_or(digits.len())
                } else {
                    end
                }
            }
        };
        if length == 0 {
            return None;
        }
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

struct Parser<'t> {
    tokens: Vec<&'t str>,
    at: usize,
}

impl<'t> Parser<'t> {
    fn token(&self) -> Option<&'t str> {
        self.tokens.get(self.at).copied()
    }

    fn takes(&mut self, token: &str) -> bool {
        let is_it = self.token() == Some(token);
        self.at += usize::from(is_it);
        is_it
    }

    fn conditional(&mut self) -> Option<Number> {
        let condition = self.binary(LEVELS.len())?;
        if !self.takes("?") {
            return Some(condition);
        }
        let one = self.conditional()?;
        let other = self.takes(":").then(|| self.conditional())??;
        let (one, other) = converted(one, other)?;
        Some(if condition.integer()? != 0 { one } else { other })
    }

    fn binary(&mut self, level: usize) -> Option<Number> {
        let Some(next) = level.checked_sub(1) else { return self.unary() };
        let mut value = self.binary(next)?;
        while let Some(operator) = self.token().filter(|token| LEVELS[next].contains(token)) {
            self.at += 1;
            value = combined(operator, value, self.binary(next)?)?;
        }
        Some(value)
    }

    fn unary(&mut self) -> Option<Number> {
        let token = self.token()?;
        self.at += 1;
        match token {
            "-" => Some(match self.unary()? {
                Number::Unsigned(value) => Number::Unsigned(value.wrapping_neg()),
                Number::Signed(value) => Number::Signed(value.wrapping_neg()),
                Number::Float(value) => Number::Float(-value),
            }),
            "+" => self.unary(),
            "!" => Some(Number::Signed(i64::from(self.unary()?.integer()? == 0))),
            "~" => Some(Number::Unsigned(!self.unary()?.integer()?)),
            "(" => {
                let cast = self.token().filter(|token| matches!(*token, ".s64" | ".u64"));
                let Some(cast) = cast else {
                    let value = self.conditional()?;
                    return self.takes(")").then_some(value);
                };
                self.at += 1;
                let value = self.takes(")").then(|| self.unary())??.integer()?;
                let signed = Number::Signed(value.cast_signed());
                Some(if cast == ".s64" { signed } else { Number::Unsigned(value) })
            }
            literal => number(literal),
        }
    }
}

impl Number {
    /// The bits of an integer.
    pub(super) fn integer(self) -> Option<u64> {
        match self {
            Self::Unsigned(value) => Some(value),
            Self::Signed(value) => Some(value.cast_unsigned()),
            Self::Float(_) => None,
        }
    }
}

fn number(literal: &str) -> Option<Number> {
    let lower = literal.to_ascii_lowercase();
    let bits = |digits: &str, count: usize| {
        (digits.len() == count).then(|| u64::from_str_radix(digits, 16).ok()).flatten()
    };
    if let Some(digits) = lower.strip_prefix("0d") {
        return Some(Number::Float(f64::from_bits(bits(digits, 16)?)));
    }
    if let Some(digits) = lower.strip_prefix("0f") {
        let bits = u32::try_from(bits(digits, 8)?).ok()?;
        return Some(Number::Float(f64::from(f32::from_bits(bits))));
    }
    if literal == "WARP_SZ" {
        return Some(Number::Signed(32));
    }
    let is_hexadecimal = lower.starts_with("0x");
    if !is_hexadecimal && lower.contains(['.', 'e']) {
        return lower.parse().ok().map(Number::Float);
    }
    let digits = lower.strip_suffix('u').unwrap_or(&lower);
    let value = match digits.split_at_checked(2) {
        Some(("0x", digits)) => u64::from_str_radix(digits, 16),
        Some(("0b", digits)) => u64::from_str_radix(digits, 2),
        _ if digits.starts_with('0') && digits.len() > 1 => u64::from_str_radix(&digits[1..], 8),
        _ => digits.parse(),
    };
    let value = value.ok()?;
    Some(match i64::try_from(value) {
        Ok(value) if !lower.ends_with('u') => Number::Signed(value),
        _ => Number::Unsigned(value),
    })
}

/// The usual conversions: `.u64` if one of the integers is.
fn converted(one: Number, other: Number) -> Option<(Number, Number)> {
    match (one, other) {
        (Number::Float(_), Number::Float(_)) | (Number::Signed(_), Number::Signed(_)) => {
            Some((one, other))
        }
        _ => Some((Number::Unsigned(one.integer()?), Number::Unsigned(other.integer()?))),
    }
}

fn combined(operator: &str, one: Number, other: Number) -> Option<Number> {
    let truth = |is_true: bool| Some(Number::Signed(i64::from(is_true)));
    match operator {
        "%" => {
            let remainder = one.integer()?.checked_rem(other.integer()?)?;
            return Some(Number::Signed(remainder.cast_signed()));
        }
        "&" => return Some(Number::Unsigned(one.integer()? & other.integer()?)),
        "|" => return Some(Number::Unsigned(one.integer()? | other.integer()?)),
        "^" => return Some(Number::Unsigned(one.integer()? ^ other.integer()?)),
        "&&" => return truth(one.integer()? != 0 && other.integer()? != 0),
        "||" => return truth(one.integer()? != 0 || other.integer()? != 0),
        "<<" | ">>" => {
            let count = u32::try_from(other.integer()?).ok().filter(|count| *count < 64)?;
            return Some(match (operator, one) {
                (_, Number::Float(_)) => return None,
                ("<<", Number::Signed(value)) => Number::Signed(value << count),
                ("<<", Number::Unsigned(value)) => Number::Unsigned(value << count),
                (_, Number::Signed(value)) => Number::Signed(value >> count),
                (_, Number::Unsigned(value)) => Number::Unsigned(value >> count),
            });
        }
        _ => {}
    }
    let ordering = match converted(one, other)? {
        (Number::Float(one), Number::Float(other)) => one.partial_cmp(&other),
        (Number::Signed(one), Number::Signed(other)) => Some(one.cmp(&other)),
        (one, other) => Some(one.integer()?.cmp(&other.integer()?)),
    };
    match operator {
        "<" => return truth(ordering?.is_lt()),
        "<=" => return truth(ordering?.is_le()),
        ">" => return truth(ordering?.is_gt()),
        ">=" => return truth(ordering?.is_ge()),
        "==" => return truth(ordering?.is_eq()),
        "!=" => return truth(ordering?.is_ne()),
        _ => {}
    }
    Some(match (operator, converted(one, other)?) {
        ("+", (Number::Float(one), Number::Float(other))) => Number::Float(one + other),
        ("-", (Number::Float(one), Number::Float(other))) => Number::Float(one - other),
        ("*", (Number::Float(one), Number::Float(other))) => Number::Float(one * other),
        ("/", (Number::Float(one), Number::Float(other))) => Number::Float(one / other),
        ("/", (Number::Signed(one), Number::Signed(other))) => {
            Number::Signed(one.checked_div(other)?)
        }
        ("/", (one, other)) => Number::Unsigned(one.integer()?.checked_div(other.integer()?)?),
        (operator, (one, other)) => {
            let (left, right) = (one.integer()?, other.integer()?);
            let value = match operator {
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                _ => left.wrapping_mul(right),
            };
            if matches!(one, Number::Signed(_)) {
                Number::Signed(value.cast_signed())
            } else {
                Number::Unsigned(value)
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_the_values_and_types_of_table_5() {
        let all = [
            ("(1 ? -1 : 0U) < 0", Number::Signed(0)),
            ("(5U % 3U) - 3 < 0", Number::Signed(1)),
            ("~1 >> 2", Number::Unsigned(!1 >> 2)),
            ("-7 * (3 + 4) && !5", Number::Signed(0)),
            ("1.5 * 2.5e+0 - 1.0 / 4.0", Number::Float(3.5)),
            ("(0f3F800000)", Number::Float(1.0)),
            ("0x10 + 010 + 0b11 + 1U", Number::Unsigned(28)),
            ("1 ? 1.5 : 2.5", Number::Float(1.5)),
            ("(.s64) 0xffffffffffffffff < 0", Number::Signed(1)),
            ("2 + 3 * 4 == 14 | 1", Number::Unsigned(1)),
        ];
        for (text, value) in all {
            assert_eq!(evaluate(text), Some(value), "{text}");
        }
        for text in
            ["", "1 +", "x", "1 / 0", "1.5 % 2", "{1}", "1 2", "(-9223372036854775807 - 1) / -1"]
        {
            assert_eq!(evaluate(text), None, "{text}");
        }
    }
}
