//! Why bytes are not small floats.

use core::fmt;

use crate::message::Count;

/// The reason why bytes are not a slice of small floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BytesError {
    /// The last value is incomplete.
    Length {
        /// The number of bytes.
        len: usize,
        /// The size of a value in bytes.
        size: usize,
    },
    /// The address is not aligned for the values.
    Alignment {
        /// The address of the bytes.
        address: usize,
        /// The required alignment.
        align: usize,
    },
    /// A bit is set that is zero in every value.
    Pattern {
        /// The index of the byte in the slice.
        at: usize,
        /// The byte.
        byte: u8,
        /// The bits that this byte of a value can have set.
        mask: u8,
        /// The type of which it should be a value, or part of one.
        name: &'static str,
        /// The size of a value in bytes.
        size: usize,
    },
    /// The number of bytes does not match the number of elements stored without gaps.
    Count {
        /// The number of bytes.
        found: usize,
        /// The number of bytes that the elements take; `None` if it overflows `usize`.
        needed: Option<usize>,
        /// The number of elements.
        elements: usize,
        /// The type of the elements.
        name: &'static str,
    },
}

crate::message::debug_as_message!(BytesError);

impl fmt::Display for BytesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Length { len, size } => {
                let verb = if len == 1 { "is" } else { "are" };
                write!(f, "{} {verb} not a multiple of {size}", Count(len, "byte"))
            }
            Self::Alignment { address, align } => {
                write!(f, "the bytes are at {address:#x}, which is not a multiple of {align}")
            }
            Self::Pattern { at, byte, mask, name, size } => {
                let part = if size == 1 { "" } else { "part of " };
                let article = if name.starts_with(['e', 'E']) { "an" } else { "a" };
                write!(f, "byte {at} is {byte:#04x}, which is not {part}{article} {name}: its ")?;
                let side = if mask & 1 == 1 { "upper" } else { "lower" };
                match mask.count_zeros() {
                    8 => f.write_str("bits are not zero"),
                    1 => write!(f, "{side} bit is not zero"),
                    count => write!(f, "{side} {count} bits are not zero"),
                }
            }
            Self::Count { found, needed, elements, name } => {
                write!(f, "{} of {name} take ", Count(elements, "element"))?;
                match needed {
                    Some(needed) => write!(f, "{}", Count(needed, "byte"))?,
                    None => f.write_str("more bytes than can be addressed")?,
                }
                write!(f, ", but there {} {found}", if found == 1 { "is" } else { "are" })
            }
        }
    }
}

impl core::error::Error for BytesError {}
