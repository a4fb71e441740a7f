//! Numbers in tables of bytes.

use alloc::vec::Vec;

/// Writes seven bits a byte, the lowest first; the eighth bit is set if more bytes follow.
pub(crate) fn write(mut number: u64, table: &mut Vec<u8>) {
    while number > 0x7F {
        table.push(0x80 | (number & 0x7F) as u8);
        number >>= 7;
    }
    table.push((number & 0x7F) as u8);
}

/// Reads the number that a table starts with, and advances past it.
pub(crate) fn read(rest: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    // Ten bytes have 70 bits. This is not an iterator, because the macro runs it unoptimised, for each token.
    while shift < 70 {
        let [byte, after @ ..] = *rest else { return None };
        *rest = after;
        number |= u64::from(*byte & 0x7F) << shift;
        if *byte & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
    }
    None
}

/// The number that a table starts with, and the rest; like [`read`], in constant code. If the bytes
/// are not a table, the number is arbitrary.
pub(crate) const fn split(table: &[u8]) -> (u64, &[u8]) {
    let (mut number, mut shift, mut rest) = (0_u64, 0, table);
    while let [byte, after @ ..] = rest {
        rest = after;
        number |= ((*byte & 0x7F) as u64).wrapping_shl(shift);
        shift += 7;
        if *byte & 0x80 == 0 {
            break;
        }
    }
    (number, rest)
}

/// Maps small signed numbers to small unsigned ones: 0, -1, 1, -2, .. become 0, 1, 2, 3, ..
pub(crate) const fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63).cast_unsigned()
}

/// The inverse of [`zigzag`].
pub(crate) const fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}
