//! Numbers in tables of bytes.

use alloc::vec::Vec;

/// Seven bits a byte, the lowest first; the eighth says that more follow.
pub(in crate::ir) fn write(mut number: u64, table: &mut Vec<u8>) {
    while number > 0x7F {
        table.push(0x80 | (number & 0x7F) as u8);
        number >>= 7;
    }
    table.push((number & 0x7F) as u8);
}

/// The number that a table starts with, which is taken off.
pub(in crate::ir) fn read(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
