//! Writes that a kernel must not make, as a checked launch finds them.

use core::fmt;
use std::string::String;

/// Bytes that a kernel wrote although they are not its to write. Counted in bytes from the start of the buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Stray {
    /// The pointer parameter; several if their buffers overlap.
    pub parameter: String,
    /// The size of the buffer in bytes.
    pub len: usize,
    /// The first byte: negative before the buffer.
    pub first: i64,
    /// The last byte.
    pub last: i64,
    /// How many bytes have changed.
    pub count: usize,
}

impl Stray {
    /// Whether it lies outside of the buffer; otherwise the parameter is `#[readonly]`.
    pub fn is_outside(&self) -> bool {
        self.first < 0 || usize::try_from(self.first).is_ok_and(|first| first >= self.len)
    }
}

impl fmt::Display for Stray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { parameter, len, first, last, count } = self;
        let end = i64::try_from(*len).unwrap_or(i64::MAX);
        if !self.is_outside() {
            return match count {
                1 => write!(
                    f,
                    "`{parameter}` is `#[readonly]`, and byte {first} of the {len} of its buffer was written"
                ),
                _ => write!(
                    f,
                    "`{parameter}` is `#[readonly]`, and {count} bytes of its buffer were written, between bytes {first} \
                     and {last} of {len}"
                ),
            };
        }
        let (near, far, place) = if *first < 0 {
            (-last, -first, "before the start")
        } else {
            (first - end + 1, last - end + 1, "after the end")
        };
        let bytes = if *count == 1 { "byte was" } else { "bytes were" };
        write!(f, "`{parameter}`: {count} {bytes} written {near}")?;
        if far != near {
            write!(f, " to {far}")?;
        }
        let plural = if far == 1 { "byte" } else { "bytes" };
        write!(f, " {plural} {place} of its buffer of {len} bytes")
    }
}

#[cfg(test)]
mod tests {
    use std::string::{String, ToString as _};

    use super::Stray;

    #[test]
    fn messages_count_from_the_buffer() {
        let text = |first, last, count| {
            Stray { parameter: String::from("to"), len: 400, first, last, count }.to_string()
        };
        let lines = [
            (
                text(400, 403, 4),
                "`to`: 4 bytes were written 1 to 4 bytes after the end of its buffer of 400 bytes",
            ),
            (
                text(400, 400, 1),
                "`to`: 1 byte was written 1 byte after the end of its buffer of 400 bytes",
            ),
            (
                text(-1, -1, 1),
                "`to`: 1 byte was written 1 byte before the start of its buffer of 400 bytes",
            ),
            (
                text(-512, -5, 99),
                "`to`: 99 bytes were written 5 to 512 bytes before the start of its buffer of 400 bytes",
            ),
            (
                text(0, 0, 1),
                "`to` is `#[readonly]`, and byte 0 of the 400 of its buffer was written",
            ),
            (
                text(8, 399, 77),
                "`to` is `#[readonly]`, and 77 bytes of its buffer were written, between bytes 8 and 399 of 400",
            ),
        ];
        for (text, expected) in lines {
            assert_eq!(text, expected);
        }
    }
}
