//! Accesses encoded as a table of bytes, which rustc reads faster than a thousand rows of Rust.
//!
//! A row is a sequence of numbers with seven bits per byte, the lowest first; signed numbers are zigzag-encoded (0,
//! -1, 1, -2, ..). It starts with 0 and the index of a check that is written in Rust, or with one more than the index
//! of an operand, followed by the index of its allowances and by its offset. An offset is one more than the width in
//! bits of the register that it passes through (0 for none), a constant and an addend; or 0, followed by a sum, that
//! width, and the steps, which may be added any number of times.

mod reader;

use alloc::vec::Vec;

pub use reader::{Accesses, Operand, numbers, operands};

use crate::ir::body::{self, zigzag};

/// Appends an offset that is one constant plus a number, through a register of this many bits or none. Returns
/// `None`, and leaves the table unreadable, if the number has more than 64 bits.
pub fn push_constant(bits: u32, constant: usize, known: i128, table: &mut Vec<u8>) -> Option<()> {
    write(1 + bits as usize, table);
    write(constant, table);
    write_signed(known, table)
}

/// Starts an offset of any other form; a sum and steps follow.
pub fn start_offset(table: &mut Vec<u8>) {
    write(0, table);
}

/// Appends a sum: its known part, and products, each of a factor and of Rust constants given by their indices.
/// Returns `None`, and leaves the table unreadable, if a number has more than 64 bits.
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

/// Appends the rest of an offset after its first sum: the width in bits of the register that it passes through, 0
/// for none; the known step; and the number of sums that follow, each of which is a step as well.
pub fn push_steps(bits: u32, known: u64, sums: usize, table: &mut Vec<u8>) {
    write(bits as usize, table);
    body::write(known, table);
    write(sums, table);
}

/// Appends the check with this index among those that are written in Rust.
pub fn push_other(place: usize, table: &mut Vec<u8>) {
    write(0, table);
    write(place, table);
}

/// Appends an operand to a table of operands: the indices of its shape and of its object.
pub fn push_operand([shape, object]: [usize; 2], table: &mut Vec<u8>) {
    write(shape, table);
    write(object, table);
}

/// Appends an access: the indices of its operand and of its allowances. Its offset follows.
pub fn push_access([operand, allow]: [usize; 2], table: &mut Vec<u8>) {
    write(operand + 1, table);
    write(allow, table);
}

/// Appends an access that may need a greater alignment than its declaration guarantees: its index in the results, the
/// number of identical accesses, and the line of the first.
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
