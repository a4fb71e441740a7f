//! Tables of checks while rustc evaluates constants.

use crate::ir::body::{split, unzigzag};
use crate::rules::OperandFacts;
use crate::rules::access::Object;
use crate::rules::checked::{Check, Checked, facts, is_broken};
use crate::rules::deferred::{plus, times, to_step};
use crate::rules::{Offset, StorageAccess, gcd, signed_in};
use crate::splice::{Number, whole_of};

/// The accesses of a function: a table, and what its rows name by their places.
#[derive(Clone, Copy, Debug)]
pub struct Accesses<'a> {
    /// The table.
    pub table: &'a [u8],
    /// The constants that offsets are made of.
    pub constants: &'a [Number],
    /// Operands, but for where they start.
    pub operands: &'a [Operand<'a>],
    /// Codes of hazards that are allowed.
    pub allowed: &'a [&'a [&'a str]],
    /// Checks that are written in Rust.
    pub others: &'a [Check<'a>],
}

/// An operand, but for where it starts, what it goes to, and what of the rules is the same wherever that is.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a> {
    shape: &'a StorageAccess<'a>,
    object: &'a Object<'a>,
    facts: OperandFacts,
    may_demand: bool,
}

/// Operands, of which a table has two numbers each: the places of its shape and of its object.
#[allow(clippy::cast_possible_truncation)] // of places, which a `usize` wrote
pub const fn operands<'a, const N: usize>(
    table: &[u8],
    shapes: &'a [StorageAccess<'a>],
    objects: &'a [Object<'a>],
) -> [Operand<'a>; N] {
    let mut reader = Reader { table, at: 0, constants: &[] };
    let mut all = [Operand::of(&shapes[0], &objects[0]); N];
    let mut i = 0;
    while i < N {
        all[i] = Operand::of(&shapes[reader.number() as usize], &objects[reader.number() as usize]);
        i += 1;
    }
    all
}

impl<'a> Operand<'a> {
    const fn of(shape: &'a StorageAccess<'a>, object: &'a Object<'a>) -> Self {
        let (facts, may_demand) = facts(shape, object);
        Self { shape, object, facts, may_demand }
    }
}

#[allow(clippy::cast_possible_truncation)] // of places, which a `usize` wrote
impl<'a> Accesses<'a> {
    /// What reads the rows from this byte of the table on.
    pub(in crate::rules) const fn from(&self, at: usize) -> Reader<'a> {
        Reader { table: self.table, at, constants: self.constants }
    }

    /// The next row, unless nothing can be said of it.
    pub(in crate::rules) const fn next_suspect(
        &self,
        reader: &mut Reader<'a>,
    ) -> Option<Check<'a>> {
        let operand = reader.number() as usize;
        if operand == 0 {
            return Some(self.others[reader.number() as usize]);
        }
        let (operand, allow) = (&self.operands[operand - 1], reader.number() as usize);
        let offset = reader.offset();
        if !operand.may_demand
            && !is_broken(
                &operand.facts,
                StorageAccess { offset, ..*operand.shape },
                *operand.object,
            )
        {
            return None;
        }
        Some(self.check(operand, allow, offset))
    }

    /// The next row.
    const fn next(&self, reader: &mut Reader<'a>) -> Check<'a> {
        match reader.number() as usize {
            0 => self.others[reader.number() as usize],
            operand => {
                let allow = reader.number() as usize;
                self.check(&self.operands[operand - 1], allow, reader.offset())
            }
        }
    }

    const fn check(&self, operand: &Operand<'a>, allow: usize, offset: Offset) -> Check<'a> {
        let of = Checked::Operand(operand.shape, operand.object, offset);
        Check { of, allow: self.allowed[allow], is_reached: true }
    }

    /// The row behind so many others, from this byte on.
    pub(in crate::rules) const fn behind(&self, at: usize, mut others: usize) -> Check<'a> {
        let mut reader = self.from(at);
        while others > 0 {
            let _ = self.next(&mut reader);
            others -= 1;
        }
        self.next(&mut reader)
    }
}

/// What a table is read with: its constants.
///
/// While constants are evaluated a call costs more than what it does here, and so does each constant that it
/// names.
pub(in crate::rules) struct Reader<'t> {
    table: &'t [u8],
    at: usize,
    constants: &'t [Number],
}

#[allow(clippy::cast_possible_truncation)] // of places, which a `usize` wrote, and of a register's bits
impl Reader<'_> {
    const fn number(&mut self) -> u64 {
        let byte = self.table[self.at];
        self.at += 1;
        if byte & 0x80 == 0 {
            return byte as u64;
        }
        let (number, rest) = split(self.table.split_at(self.at - 1).1);
        self.at = self.table.len() - rest.len();
        number
    }

    const fn sum(&mut self) -> i128 {
        let mut sum = unzigzag(self.number()) as i128;
        let mut products = self.number();
        while products > 0 {
            let mut product = unzigzag(self.number()) as i128;
            let mut factors = self.number();
            while factors > 0 {
                product = times(product, whole_of(self.constants[self.number() as usize]));
                factors -= 1;
            }
            sum = plus(sum, product);
            products -= 1;
        }
        sum
    }

    const fn offset(&mut self) -> Offset {
        let form = self.number();
        if form > 0 {
            let constant = whole_of(self.constants[self.number() as usize]);
            let base = plus(constant, unzigzag(self.number()) as i128);
            let base = if form == 1 { base } else { signed_in(base, form as u32 - 1) };
            return Offset { base, step: 0 };
        }
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
    let (mut rest, mut part): (&mut [Number], _) = (&mut all, 0);
    while part < parts.len() {
        let (numbers, after) = rest.split_at_mut(parts[part].len());
        numbers.copy_from_slice(parts[part]);
        (rest, part) = (after, part + 1);
    }
    all
}
