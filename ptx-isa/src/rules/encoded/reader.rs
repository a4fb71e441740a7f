//! Reads tables of checks during constant evaluation.

use crate::constant::{Number, whole_of};
use crate::ir::body::{split, unzigzag};
use crate::rules::OperandFacts;
use crate::rules::access::Object;
use crate::rules::checked::{Check, Checked, facts, is_broken};
use crate::rules::deferred::{plus, times, to_step};
use crate::rules::{Offset, StorageAccess, gcd, signed_in};

/// The accesses of a function: a table, and the lists into which its rows index.
#[derive(Clone, Copy, Debug)]
pub struct Accesses<'a> {
    /// The table.
    pub table: &'a [u8],
    /// The constants in offsets.
    pub constants: &'a [Number],
    /// Operands without their offsets.
    pub operands: &'a [Operand<'a>],
    /// The codes of hazards that are allowed.
    pub allowed: &'a [&'a [&'a str]],
    /// The checks that are written in Rust.
    pub others: &'a [Check<'a>],
}

/// An operand without its offset, its object, and the facts about it that do not depend on the offset.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a> {
    shape: &'a StorageAccess<'a>,
    object: &'a Object<'a>,
    facts: OperandFacts,
    may_demand: bool,
}

/// Reads operands from a table with two numbers for each: the indices of its shape and of its object.
#[allow(clippy::cast_possible_truncation)] // indices, which were written from a `usize`
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

#[allow(clippy::cast_possible_truncation)] // indices, which were written from a `usize`
impl<'a> Accesses<'a> {
    /// A reader of the rows from this byte of the table on.
    pub(in crate::rules) const fn from(&self, at: usize) -> Reader<'a> {
        Reader { table: self.table, at, constants: self.constants }
    }

    /// Reads the next row, and returns it unless it cannot break a rule.
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

    /// Reads the next row.
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

    /// The row after this many others, starting at this byte.
    pub(in crate::rules) const fn after(&self, at: usize, mut others: usize) -> Check<'a> {
        let mut reader = self.from(at);
        while others > 0 {
            let _ = self.next(&mut reader);
            others -= 1;
        }
        self.next(&mut reader)
    }
}

/// The reader of a table, with its constants.
///
/// During constant evaluation, a call costs more than its body, and so does each constant that it names.
pub(in crate::rules) struct Reader<'t> {
    table: &'t [u8],
    at: usize,
    constants: &'t [Number],
}

#[allow(clippy::cast_possible_truncation)] // indices, which were written from a `usize`, and widths of registers
impl Reader<'_> {
    const fn number(&mut self) -> u64 {
        match self.table[self.at] {
            byte @ ..0x80 => {
                self.at += 1;
                byte as u64
            }
            0x80.. => {
                let (number, rest) = split(self.table.split_at(self.at).1);
                self.at = self.table.len() - rest.len();
                number
            }
        }
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

/// Concatenates numbers, `N` in all, into one table.
pub const fn numbers<const N: usize>(parts: &[&[Number]]) -> [Number; N] {
    const UNSET: Number = Number::Bits(0);
    let mut all = [UNSET; N];
    let (mut rest, mut part): (&mut [Number], _) = (&mut all, 0);
    while part < parts.len() {
        let (numbers, after) = rest.split_at_mut(parts[part].len());
        numbers.copy_from_slice(parts[part]);
        (rest, part) = (after, part + 1);
    }
    all
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::instruction::{Direction, Role};
    use crate::ir::body::write;
    use crate::ir::{Type, Variable};
    use crate::rules::copy::{BarrierCount, Counted};
    use crate::rules::encoded::{
        push_access, push_constant, push_operand, push_other, push_steps, push_sum, start_offset,
    };
    use crate::rules::{AccessForm, Settled, Via};
    use crate::scalar::ScalarType;
    use crate::space::{Space, Spaces};

    const CONSTANTS: &[Number] = &[int(10), int(-3), int(1 << 40), int(u64::MAX as i128)];

    const fn int(value: i128) -> Number {
        Number::Int { negative: value < 0, magnitude: value.unsigned_abs() }
    }

    fn reader(table: &[u8]) -> Reader<'_> {
        Reader { table, at: 0, constants: CONSTANTS }
    }

    /// Reads an offset, which must be the whole table.
    fn offset(table: &[u8]) -> Offset {
        let mut reader = reader(table);
        let offset = reader.offset();
        assert_eq!(reader.at, table.len(), "all of it is read");
        offset
    }

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let all = [0, 1, 2, 126, 127, 128, 129, 255, 256, 16_383, 16_384, 1 << 35, u64::MAX];
        let mut table = Vec::new();
        for number in all {
            write(number, &mut table);
        }
        let mut reader = reader(&table);
        for number in all {
            assert_eq!(reader.number(), number);
        }
        assert_eq!(reader.at, table.len());
    }

    #[test]
    fn a_constant_and_a_number_go_through_a_register() {
        for (bits, constant, known, expected) in [
            (0, 0, 0, 10),
            (0, 0, 7, 17),
            (0, 0, -17, -7),
            (0, 1, 0, -3),
            (0, 2, 5, (1 << 40) + 5),
            (0, 3, 1, 1 << 64),
            (64, 3, 1, 0),
            (64, 3, 0, -1),
            (32, 2, 5, 5),
            (32, 0, (1 << 31) - 10, -(1 << 31)),
            (32, 0, (1 << 31) - 11, (1 << 31) - 1),
            (16, 0, 32_757, 32_767),
            (16, 0, 32_758, -32_768),
            (1, 0, 0, 0),
            (1, 0, 1, -1),
        ] {
            let mut table = Vec::new();
            push_constant(bits, constant, known, &mut table).expect("it has 64 bits");
            let expected = Offset { base: expected, step: 0 };
            assert_eq!(offset(&table), expected, "{bits} bits: {constant} and {known}");
        }
    }

    #[test]
    fn numbers_of_more_than_64_bits_are_not_written() {
        for (number, is_written) in [
            (i128::from(i64::MAX), true),
            (i128::from(i64::MIN), true),
            (i128::from(i64::MAX) + 1, false),
            (i128::from(i64::MIN) - 1, false),
        ] {
            let mut table = Vec::new();
            assert_eq!(push_constant(0, 0, number, &mut table).is_some(), is_written);
            assert_eq!(push_sum(number, [].into_iter(), &mut table).is_some(), is_written);
            let products = [(number, &[0_usize][..])];
            assert_eq!(push_sum(0, products.into_iter(), &mut table).is_some(), is_written);
        }
    }

    type Product<'a> = (i128, &'a [usize]);

    #[test]
    fn a_sum_has_a_number_and_products_of_constants() {
        let cases: &[(i128, &[Product<'_>], i128)] = &[
            (5, &[], 5),
            (-5, &[], -5),
            (5, &[(2, &[])], 7),
            (5, &[(2, &[0])], 25),
            (5, &[(2, &[0, 1])], -55),
            (5, &[(-1, &[1, 1, 1]), (300, &[0]), (1, &[2])], (1 << 40) + 3_032),
        ];
        for (known, products, expected) in cases {
            for bits in [0, 1, 32, 64] {
                let mut table = Vec::new();
                start_offset(&mut table);
                push_sum(*known, products.iter().copied(), &mut table).expect("small");
                push_steps(bits, 16, 0, &mut table);
                let base = if bits == 0 { *expected } else { signed_in(*expected, bits) };
                let found = offset(&table);
                assert_eq!(found, Offset { base, step: 16 }, "{known} {products:?} in {bits}");
            }
        }
    }

    #[test]
    fn a_repeated_step_is_the_common_divisor_of_all_steps() {
        for (known, sums, expected) in [
            (0, &[][..], 0),
            (1, &[], 1),
            (12, &[], 12),
            (0, &[(8, 0)], 8),
            (64, &[(24, 0)], 8),
            (64, &[(0, 1)], 2),
            (64, &[(16, 0), (4, 0)], 4),
            (64, &[(4, 0), (16, 0), (128, 0)], 4),
            (0, &[(0, 0)], 0),
        ] {
            let mut table = Vec::new();
            start_offset(&mut table);
            push_sum(7, [].into_iter(), &mut table).expect("small");
            push_steps(0, known, sums.len(), &mut table);
            for (number, times) in sums {
                // Ten is a constant as well.
                let products = [(*times, &[0_usize][..])];
                push_sum(*number, products.into_iter(), &mut table).expect("small");
            }
            assert_eq!(offset(&table), Offset { base: 7, step: expected }, "{known} {sums:?}");
        }
    }

    #[test]
    fn numbers_in_parts_are_one_table() {
        let [a, b, c] = [1, 2, 3].map(int);
        assert_eq!(numbers::<3>(&[&[a], &[], &[b, c]]), [a, b, c]);
        assert_eq!(numbers::<3>(&[&[a, b], &[c]]), [a, b, c]);
        assert_eq!(numbers::<0>(&[]), []);
    }

    const WORD: Type<'static> = Type::Scalar(ScalarType::U32);
    const NAMES: [&str; 3] = ["a", "b", "c"];

    /// A load of this many bytes by name, with an alignment of its size.
    const fn load(bytes: usize) -> StorageAccess<'static> {
        let form = AccessForm {
            role: Role::Data,
            direction: Direction::Read,
            space: Some(Space::Global),
            names_space: true,
            nameable: Spaces::ALL,
            sub_space: None,
            ty: None,
            may_be_nothing: false,
            unified: None,
            tensor: None,
            isa_align: None,
        };
        StorageAccess {
            form,
            bytes: Some(bytes),
            align: Some(bytes),
            via: Via::Name,
            offset: Offset::exact(0),
            settled: Settled::NOTHING,
            only_where: None,
            reached: None,
        }
    }

    /// The subject of a check: the name, size and offset of an operand, or a count.
    fn told(check: &Check<'_>) -> (&'static str, i128, i128, usize) {
        let allowed = check.allow.len();
        assert!(check.is_reached);
        match check.of {
            Checked::Operand(shape, object, offset) => {
                let name = NAMES.into_iter().find(|name| *name == object.name()).expect("known");
                let bytes = i128::try_from(shape.bytes.unwrap_or_default()).expect("small");
                (name, bytes, offset.base, allowed)
            }
            Checked::Count(count) => ("count", count.value, 0, allowed),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn rows_name_operands_and_checks_by_their_places() {
        let variables = NAMES.map(|name| Variable::new(Space::Global, name, &WORD));
        let objects = [
            Object::Variable(&variables[0]),
            Object::Variable(&variables[1]),
            Object::Variable(&variables[2]),
        ];
        let shapes = [load(1), load(2), load(8)];
        let mut table = Vec::new();
        for places in [[0, 2], [1, 0], [2, 1]] {
            push_operand(places, &mut table);
        }
        let operands = operands::<3>(&table, &shapes, &objects);
        let (mut table, mut starts) = (Vec::new(), Vec::new());
        // Each row is an operand, its allowances and its offset; or a check.
        for (operand, allow, known) in [(0, 0, 0), (1, 1, 200), (2, 0, 0), (0, 1, -10), (1, 0, 0)] {
            starts.push(table.len());
            push_access([operand, allow], &mut table);
            start_offset(&mut table);
            push_sum(known, [].into_iter(), &mut table).expect("small");
            push_steps(0, 0, 0, &mut table);
        }
        starts.push(table.len());
        push_other(1, &mut table);
        let [of_3, of_4] = [3, 4].map(|value| Check {
            of: Checked::Count(BarrierCount { of: Counted::Bytes, value, by_copies: true }),
            allow: &["A020"],
            is_reached: true,
        });
        let accesses = Accesses {
            table: &table,
            constants: CONSTANTS,
            operands: &operands,
            allowed: &[&[], &["A020"]],
            others: &[of_3, of_4],
        };
        let expected = [
            ("c", 1, 0, 0),
            ("a", 2, 200, 1),
            ("b", 8, 0, 0),
            ("c", 1, -10, 1),
            ("a", 2, 0, 0),
            ("count", 4, 0, 1),
        ];
        for (n, expected) in expected.into_iter().enumerate() {
            assert_eq!(told(&accesses.after(0, n)), expected, "behind {n} others");
            assert_eq!(told(&accesses.after(starts[n], 0)), expected, "from byte {}", starts[n]);
        }
        // Accesses that are inside and aligned break no rule, but one of eight bytes may need more alignment of a
        // word.
        let mut reader = accesses.from(0);
        let suspects = [false, true, true, true, false, true];
        for (is_suspect, expected) in suspects.into_iter().zip(expected) {
            let found = accesses.next_suspect(&mut reader);
            assert_eq!(found.as_ref().map(told), is_suspect.then_some(expected));
        }
        assert_eq!(reader.at, table.len());
    }

    #[test]
    fn what_may_need_more_alignment_is_a_suspect_though_nothing_is_broken() {
        let bytes = Type::Array(crate::ir::Extent::Known(64), &WORD);
        let variable = Variable::new(Space::Global, "a", &bytes);
        let objects = [Object::Variable(&variable)];
        for (bytes, is_suspect) in [(4, false), (8, true)] {
            let shapes = [load(bytes)];
            let operands = operands::<1>(&[0, 0], &shapes, &objects);
            let mut table = Vec::new();
            push_access([0, 0], &mut table);
            push_constant(0, 0, -10, &mut table).expect("small");
            let accesses = Accesses {
                table: &table,
                constants: CONSTANTS,
                operands: &operands,
                allowed: &[&[]],
                others: &[],
            };
            let found = accesses.next_suspect(&mut accesses.from(0));
            assert_eq!(found.is_some(), is_suspect, "{bytes}");
        }
    }
}
