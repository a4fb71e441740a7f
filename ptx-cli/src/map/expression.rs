//! Expressions over the lane of a warp.

use crate::arguments::number;

/// An expression, and where it is read.
#[derive(Debug)]
struct Reader<'t> {
    rest: &'t str,
    lane: i64,
    /// How many parentheses and signs are open.
    depth: u32,
}

/// The operators of each level of precedence, weakest first, as in C.
const LEVELS: [&[&str]; 6] = [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];

/// The most parentheses and signs within each other.
const DEEPEST: u32 = 64;

/// The value of an expression for a lane.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn value(text: &str, lane: u32) -> Result<i64, String> {
    let mut reader = Reader { rest: text, lane: lane.into(), depth: 0 };
    let value = reader.level(0)?;
    match reader.rest.trim_start() {
        "" => Ok(value),
        rest => Err(format!("`{rest}` has no meaning here; write an operator before it")),
    }
}

impl Reader<'_> {
    fn level(&mut self, level: usize) -> Result<i64, String> {
        let Some(operators) = LEVELS.get(level) else { return self.operand() };
        let mut left = self.level(level + 1)?;
        while let Some(operator) = self.operator(operators) {
            let right = self.level(level + 1)?;
            left = apply(operator, left, right).ok_or_else(|| {
                format!("`{left} {operator} {right}` has no value, for lane {}", self.lane)
            })?;
        }
        Ok(left)
    }

    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        let rest = self.rest.trim_start();
        let found = operators.iter().copied().find(|operator| rest.starts_with(operator))?;
        self.rest = &rest[found.len()..];
        Some(found)
    }

    fn operand(&mut self) -> Result<i64, String> {
        let rest = self.rest.trim_start();
        if let Some(inner) = rest.strip_prefix(['(', '-']) {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(format!(
                    "more than {DEEPEST} parentheses and signs are open; write fewer"
                ));
            }
            self.rest = inner;
            let value = if rest.starts_with('-') {
                self.operand()?.checked_neg().ok_or("the number is too large")?
            } else {
                let value = self.level(0)?;
                self.rest = self.rest.trim_start().strip_prefix(')').ok_or("a `)` is missing")?;
                value
            };
            self.depth -= 1;
            return Ok(value);
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        self.rest = &rest[length..];
        match word {
            "" => Err("a number or `lane` is missing".to_owned()),
            "lane" => Ok(self.lane),
            _ => number(word)
                .ok()
                .and_then(|number| i64::try_from(number).ok())
                .ok_or_else(|| format!("`{word}` is not a number; write a number or `lane`")),
        }
    }
}

fn apply(operator: &str, left: i64, right: i64) -> Option<i64> {
    match operator {
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        "&" => Some(left & right),
        "<<" => left.checked_mul(1_i64.checked_shl(u32::try_from(right).ok()?)?),
        ">>" => left.checked_shr(u32::try_from(right).ok()?),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        _ => left.checked_rem(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_read_as_in_c() {
        for (text, expected) in [
            ("lane", 13),
            ("1 + 2 * lane", 27),
            ("(lane % 8) * 16", 80),
            ("lane >> 3 << 4", 16),
            ("lane & 7 ^ 1", 4),
            ("lane & 6 | 1", 5),
            ("0x10-lane", 3),
            ("-(lane) + 20", 7),
            ("1 << 2 + 1", 8),
        ] {
            assert_eq!(value(text, 13), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("", "a number or `lane` is missing"),
            ("lan", "`lan` is not a number"),
            ("lane 2", "`2` has no meaning here"),
            ("(lane", "a `)` is missing"),
            ("lane % 0", "`13 % 0` has no value"),
            ("1 << 70", "`1 << 70` has no value"),
            ("9223372036854775807 + lane", "has no value"),
            ("\u{e9}", "is not a number"),
        ] {
            let error = value(text, 13).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert!(value(&"(".repeat(100_000), 0).expect_err("deep").contains("more than 64"));
    }
}
