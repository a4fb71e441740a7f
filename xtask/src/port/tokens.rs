//! The tokens of a PTX file.

/// A PTX file without its comments and without `.loc` and `.file`, which extend to the end of the line.
/// The line numbers do not change.
pub(super) fn strip(ptx: &str) -> String {
    let mut text = String::with_capacity(ptx.len());
    let mut rest = ptx;
    while let Some(first) = rest.chars().next() {
        let is_text = !rest.starts_with("//") && !rest.starts_with("/*");
        let end = if rest.starts_with("//") {
            rest.find('\n')
        } else if let Some(inner) = rest.strip_prefix("/*") {
            inner.find("*/").map(|end| end + 4)
        } else if let Some(inner) = rest.strip_prefix('"') {
            inner.find('"').map(|end| end + 2)
        } else {
            Some(first.len_utf8())
        };
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        if is_text {
            text.push_str(part);
        } else {
            text.push(' ');
            text.extend(part.chars().filter(|c| *c == '\n'));
        }
        rest = after;
    }
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        if !matches!(line.split_whitespace().next(), Some(".loc" | ".file")) {
            kept.push_str(line);
        }
        kept.push('\n');
    }
    kept
}

/// Whether a character can be part of a name.
pub(super) fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%')
}

/// The position in a stripped file.
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The current line, from 1; the last line at the end of the file.
    pub(super) fn line(&self) -> usize {
        let line = self.text[..self.at].matches('\n').count() + 1;
        line.min(self.text.lines().count())
    }

    /// The next token, without consuming it.
    pub(super) fn peek(&mut self) -> Option<&'t str> {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        let length = |from: usize, accept: fn(char) -> bool| {
            rest[from..].find(|c| !accept(c)).map_or(rest.len(), |length| from + length)
        };
        let end = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            '.' => length(1, is_of_name),
            c if c.is_ascii_digit() => {
                let end = length(0, |c| is_of_name(c) || c == '.');
                let is_bits = ["0x", "0X", "0f", "0F", "0d", "0D"].iter();
                let is_bits = is_bits.copied().any(|prefix| rest.starts_with(prefix));
                let has_exponent = !is_bits
                    && rest[..end].ends_with(['e', 'E'])
                    && rest[end..].starts_with(['+', '-']);
                if has_exponent { length(end + 1, |c| c.is_ascii_digit()) } else { end }
            }
            c if is_of_name(c) => length(0, is_of_name),
            c => c.len_utf8(),
        };
        Some(&rest[..end])
    }

    /// Consumes the next token.
    pub(super) fn take(&mut self) -> Result<&'t str, String> {
        let token = self.peek().ok_or("the file ends in the middle of an item; it is cut off")?;
        self.at += token.len();
        Ok(token)
    }

    /// Consumes this token, if it is next.
    pub(super) fn accept(&mut self, token: &str) -> bool {
        let is_next = self.peek() == Some(token);
        if is_next {
            self.at += token.len();
        }
        is_next
    }

    /// Consumes this token, which must be next.
    pub(super) fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.accept(token) { Ok(()) } else { Err(self.unexpected(&format!("`{token}`"))) }
    }

    /// The error for a token other than the expected one.
    pub(super) fn unexpected(&mut self, wanted: &str) -> String {
        let found = self.peek().map_or("the end of the file".to_owned(), |t| format!("`{t}`"));
        format!("expected {wanted}, but found {found}; is this PTX?")
    }

    /// A number that is not negative.
    pub(super) fn number(&mut self) -> Result<u64, String> {
        let token = self.take()?;
        let number = integer(token).and_then(|number| u64::try_from(number).ok());
        number.ok_or_else(|| format!("expected a number, but found `{token}`; is this PTX?"))
    }

    /// The text between the braces that open here.
    pub(super) fn braces(&mut self) -> Result<&'t str, String> {
        self.expect("{")?;
        let (start, mut depth) = (self.at, 1_usize);
        while depth > 0 {
            match self.take()? {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
        }
        Ok(&self.text[start..self.at - 1])
    }
}

/// A PTX integer: decimal, `0x`, `0b` or octal, with an optional `U`, and a sign.
pub(super) fn integer(text: &str) -> Option<i128> {
    let (digits, sign) = match text.strip_prefix('-') {
        Some(digits) => (digits, -1),
        None => (text, 1),
    };
    let digits = digits.strip_suffix('U').unwrap_or(digits);
    let radix = |digits: &str, radix| {
        let is_unsigned = digits.starts_with(|c: char| c.is_ascii_hexdigit());
        is_unsigned.then(|| i128::from_str_radix(digits, radix).ok())?
    };
    let value = if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        radix(hex, 16)
    } else if let Some(binary) = digits.strip_prefix("0b").or(digits.strip_prefix("0B")) {
        radix(binary, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        radix(digits, 8)
    } else {
        radix(digits, 10)
    };
    value.map(|value| sign * value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_where_they_are() {
        let text = strip("a // b\n/* c\n d */ e\n\t.loc 1 2 3\n.pragma \"// no comment\";\n");
        assert_eq!(text, "a  \n \n e\n\n.pragma \"// no comment\";\n");
    }

    #[test]
    fn text_that_is_not_ptx_is_read_to_its_end() {
        for text in ["1eé", "1e+", "0f", "\"open", ". .é", "{ {", "0x", "1.5e-3é"] {
            let stripped = strip(text);
            let mut tokens = Tokens::new(&stripped);
            while tokens.take().is_ok() {}
            assert!(tokens.peek().is_none(), "{text}");
            assert!(Tokens::new(&stripped).braces().is_err(), "{text}");
        }
    }

    #[test]
    fn integers() {
        for (text, value) in [("12", 12), ("-0x1F", -31), ("017", 15), ("0b11U", 3), ("0", 0)] {
            assert_eq!(integer(text), Some(value), "{text}");
        }
        for text in ["", "--1", "+1", "0x", "1.5", "x"] {
            assert_eq!(integer(text), None, "{text}");
        }
    }
}
