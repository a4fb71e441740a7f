//! Accesses as a table of bytes, which rustc reads faster than a thousand rows of Rust.
//!
//! A row is numbers of seven bits a byte, the lowest first; one below zero is written as the smallest odd
//! one (0, -1, 1, -2, ..). It starts with 0 and the place of a check that is written in Rust, or with one
//! more than the place of an operand's shape; then come the places of its object and of what is allowed
//! there, where it starts, and what is added any number of times.

use alloc::vec::Vec;

use super::access::Object;
use super::copy::{BarrierCount, Counted};
use super::deferred::{Check, Checked, plus, times, to_step};
use super::{Offset, StorageAccess, gcd, signed_in};
use crate::splice::{Number, whole_of};

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
    write_number(known, table);
    write(sums, table);
}

/// Appends the check in this place among those that are written in Rust.
pub fn push_other(place: usize, table: &mut Vec<u8>) {
    write(0, table);
    write(place, table);
}

/// Appends an operand: the places of its shape, of its object, and of what is allowed there. Its offset
/// follows.
pub fn push_operand([shape, object, allow]: [usize; 3], table: &mut Vec<u8>) {
    for place in [shape + 1, object, allow] {
        write(place, table);
    }
}

fn write(place: usize, table: &mut Vec<u8>) {
    write_number(place as u64, table);
}

fn write_number(mut number: u64, table: &mut Vec<u8>) {
    while number > 0x7F {
        table.push(0x80 | (number & 0x7F) as u8);
        number >>= 7;
    }
    table.push((number & 0x7F) as u8);
}

fn write_signed(number: i128, table: &mut Vec<u8>) -> Option<()> {
    let number = i64::try_from(number).ok()?;
    write_number((number << 1 ^ number >> 63).cast_unsigned(), table);
    Some(())
}

/// What a table is read with: its constants.
struct Reader<'t> {
    table: &'t [u8],
    at: usize,
    constants: &'t [Number],
}

impl Reader<'_> {
    const fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.table[self.at];
            self.at += 1;
            number |= ((byte & 0x7F) as u64) << shift;
            if byte & 0x80 == 0 {
                return number;
            }
            shift += 7;
        }
    }

    #[allow(clippy::cast_possible_truncation)] // a `usize` wrote it
    const fn place(&mut self) -> usize {
        self.number() as usize
    }

    const fn signed(&mut self) -> i128 {
        let number = self.number();
        ((number >> 1).cast_signed() ^ -(number & 1).cast_signed()) as i128
    }

    const fn sum(&mut self) -> i128 {
        let mut sum = self.signed();
        let mut products = self.number();
        while products > 0 {
            let mut product = self.signed();
            let mut factors = self.number();
            while factors > 0 {
                product = times(product, whole_of(self.constants[self.place()]));
                factors -= 1;
            }
            sum = plus(sum, product);
            products -= 1;
        }
        sum
    }

    #[allow(clippy::cast_possible_truncation)] // of a register's bits
    const fn offset(&mut self) -> Offset {
        let (base, bits) = (self.sum(), self.number() as u32);
        let base = if bits == 0 { base } else { signed_in(base, bits) };
        let mut step = self.number();
        let mut steps = self.number();
        while steps > 0 {
            step = gcd(step, to_step(self.sum()));
            steps -= 1;
        }
        Offset { base, step }
    }
}

/// Numbers in parts, `N` in all, as one table.
pub const fn numbers<const N: usize>(parts: &[&[Number]]) -> [Number; N] {
    let mut all = [Number::Bits(0); N];
    let (mut part, mut n, mut i) = (0, 0, 0);
    while i < N {
        if n == parts[part].len() {
            (part, n) = (part + 1, 0);
        } else {
            all[i] = parts[part][n];
            (n, i) = (n + 1, i + 1);
        }
    }
    all
}

/// The checks of a table, of which there are `N`.
pub const fn checks<'a, const N: usize>(
    table: &[u8],
    constants: &[Number],
    shapes: &'a [StorageAccess<'a>],
    objects: &'a [Object<'a>],
    allowed: &[&'a [&'a str]],
    others: &[Check<'a>],
) -> [Check<'a>; N] {
    const NOTHING: Checked<'static> =
        Checked::Count(BarrierCount { of: Counted::Arrivals, value: 1, by_copies: false });
    let mut all = [Check { of: NOTHING, allow: &[], is_reached: true }; N];
    let mut reader = Reader { table, at: 0, constants };
    let mut i = 0;
    while i < N {
        all[i] = match reader.place() {
            0 => others[reader.place()],
            shape => {
                let (object, allow) = (reader.place(), reader.place());
                let of = Checked::Operand(&shapes[shape - 1], &objects[object], reader.offset());
                Check { of, allow: allowed[allow], is_reached: true }
            }
        };
        i += 1;
    }
    all
}
