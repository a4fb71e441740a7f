//! Numbers in tables of bytes.

use alloc::vec::Vec;

/// Seven bits a byte, the lowest first; the eighth says that more follow.
pub(crate) fn write(mut number: u64, table: &mut Vec<u8>) {
    while number > 0x7F {
        table.push(0x80 | (number & 0x7F) as u8);
        number >>= 7;
    }
    table.push((number & 0x7F) as u8);
}

/// The number that a table starts with, which is taken off.
pub(crate) fn read(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    // Ten bytes have 70 bits.
    for n in 0..10 {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7F) << (7 * n);
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// The number that a table starts with, and what follows; as [`read`], while constants are evaluated. Of
/// what is not a table, any.
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

/// Small numbers of either sign as small ones without: 0, -1, 1, -2, ..
pub(crate) const fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63).cast_unsigned()
}

/// The number that [`zigzag`] made this of.
pub(crate) const fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}
