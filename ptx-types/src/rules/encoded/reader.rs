//! Tables of checks while rustc evaluates constants.

use crate::ir::body::{split, unzigzag};
use crate::rules::access::Object;
use crate::rules::copy::{BarrierCount, Counted};
use crate::rules::deferred::{Check, Checked, plus, times, to_step};
use crate::rules::{Offset, StorageAccess, gcd, signed_in};
use crate::splice::{Number, whole_of};

/// What a table is read with: its constants.
struct Reader<'t> {
    table: &'t [u8],
    constants: &'t [Number],
}

impl Reader<'_> {
    const fn number(&mut self) -> u64 {
        let (number, rest) = split(self.table);
        self.table = rest;
        number
    }

    #[allow(clippy::cast_possible_truncation)] // a `usize` wrote it
    const fn place(&mut self) -> usize {
        self.number() as usize
    }

    const fn signed(&mut self) -> i128 {
        unzigzag(self.number()) as i128
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
    let mut reader = Reader { table, constants };
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
