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
        let bytes = if *count == 1 { "byte" } else { "bytes" };
        let end = i64::try_from(*len).unwrap_or(i64::MAX);
        if !self.is_outside() {
            return write!(
                f,
                "`{parameter}` is `#[readonly]`, and {count} {bytes} of its buffer were written, the first at {first} \
                 and the last at {last} of {len}"
            );
        }
        let (near, far, place) = if *first < 0 {
            (-last, -first, "before the start")
        } else {
            (first - end + 1, last - end + 1, "after the end")
        };
        write!(f, "`{parameter}`: {count} {bytes} were written {near}")?;
        if far != near {
            write!(f, " to {far}")?;
        }
        let plural = if far == 1 { "byte" } else { "bytes" };
        write!(f, " {plural} {place} of its buffer of {len} bytes")
    }
}
