//! Accesses as a table of bytes, which rustc reads faster than a thousand rows of Rust.
//!
//! A row is numbers of seven bits a byte, the lowest first; one below zero is written as the smallest odd
//! one (0, -1, 1, -2, ..). It starts with 0 and the place of a check that is written in Rust, or with one
//! more than the place of an operand; then come the place of what is allowed there, and where it starts. An
//! offset is one more than the bits of the register that it went through, 0 for none, a constant and a number
//! that is added; or 0, and then a sum, those bits, and what is added any number of times.

#[cfg(feature = "types")]
mod reader;

use alloc::vec::Vec;

#[cfg(feature = "types")]
pub use reader::{Accesses, Operand, numbers, operands};

use crate::ir::body::{self, zigzag};

/// Appends an offset that is one constant and a number, through a register of so many bits or none. `None`,
/// and nothing that can be read, where the number has more than 64 bits.
pub fn push_constant(bits: u32, constant: usize, known: i128, table: &mut Vec<u8>) -> Option<()> {
    write(1 + bits as usize, table);
    write(constant, table);
    write_signed(known, table)
}

/// Starts an offset that is anything else: a sum and steps follow.
pub fn start_offset(table: &mut Vec<u8>) {
    write(0, table);
}

/// Appends a sum: its known part, and products, each of a factor and of Rust constants by their numbers.
/// `None`, and nothing that can be read, where a number has more than 64 bits.
pub fn push_sum<'s>(
    known: i128,
    products: impl ExactSizeIterator<Item = (i128, &'s [usize])>,
    table: &mut Vec<u8>,
) -> Option<()> {
    write_signed(known, table)?;
    write(products.len(), table);
    for (times, of) in products {
        write_signed(times, table)?;
        write(of.len(), table);
        for constant in of {
            write(*constant, table);
        }
    }
    Some(())
}

/// Appends what is behind the first sum of an offset: the bits of the register that it went through, 0
/// for none; what is added any number of times, as far as it is known; and the number of sums that
/// follow, each of which is added so, too.
pub fn push_steps(bits: u32, known: u64, sums: usize, table: &mut Vec<u8>) {
    write(bits as usize, table);
    body::write(known, table);
    write(sums, table);
}

/// Appends the check in this place among those that are written in Rust.
pub fn push_other(place: usize, table: &mut Vec<u8>) {
    write(0, table);
    write(place, table);
}

/// Appends an operand to a table of them: the places of its shape and of its object.
pub fn push_operand([shape, object]: [usize; 2], table: &mut Vec<u8>) {
    write(shape, table);
    write(object, table);
}

/// Appends an access: the places of its operand, and of what is allowed there. Its offset follows.
pub fn push_access([operand, allow]: [usize; 2], table: &mut Vec<u8>) {
    write(operand + 1, table);
    write(allow, table);
}

/// Appends an access that may need more of its declaration than that promises: its place among what was
/// judged, how many are alike, and the line of the first.
pub fn push_demanded(row: [usize; 3], table: &mut Vec<u8>) {
    for number in row {
        write(number, table);
    }
}

fn write(place: usize, table: &mut Vec<u8>) {
    body::write(place as u64, table);
}

fn write_signed(number: i128, table: &mut Vec<u8>) -> Option<()> {
    let number = i64::try_from(number).ok()?;
    body::write(zigzag(number), table);
    Some(())
}
