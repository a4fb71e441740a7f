//! Tests of operations: exact for known numbers, and with ranges for others.

use super::*;
use crate::values::launch::{Affine, Block};

fn of(bits: u32, is_signed: bool) -> Operator<'static> {
    Operator { bits, is_signed, coordinates: &Coordinates::ANY }
}

fn known(number: i128) -> Linear {
    Linear::exact(Sum::known(number))
}

fn from_to(least: i128, most: i128) -> Linear {
    Linear::unknown().between(Some((least, most)))
}

fn thread() -> Linear {
    Linear::special("%tid", "x")
}

/// Returns the range of the result; the whole register if it is unknown.
fn ends(operator: Operator<'_>, how: Computes, operands: &[Linear]) -> Option<(i128, i128)> {
    operator.compute(how, operands).map(|number| operator.view(&number))
}

#[test]
fn numbers_of_24_bits_are_cut_from_their_registers() {
    let multiply = |is_signed, one: i128, other: i128| {
        of(32, is_signed).compute(Computes::Product24, &[known(one), known(other)])?.value()
    };
    assert_eq!(multiply(true, 0x40_0000, 1), Some(0x40_0000));
    assert_eq!(multiply(true, 0x80_0000, 1), Some(-0x80_0000));
    assert_eq!(multiply(true, 0x100_0003, 5), Some(15));
    assert_eq!(multiply(false, 0x80_0000, 1), Some(0x80_0000));
    assert_eq!(multiply(false, -1, 2), Some(0x1ff_fffe));
    let most = 1 << 23;
    for (is_signed, one, expected) in [
        (false, from_to(0, 2 * most - 1), Some((0, 4 * most - 2))),
        (false, from_to(0, 2 * most), None),
        (true, from_to(-most, most - 1), Some((-2 * most, 2 * most - 2))),
        (true, from_to(-most, most), None),
        (true, from_to(-most - 1, 0), None),
    ] {
        for operands in [[one.clone(), known(2)], [known(2), one.clone()]] {
            let found = ends(of(32, is_signed), Computes::Product24, &operands);
            assert_eq!(found, expected, "{is_signed} {one:?}");
        }
    }
}

#[test]
fn differences_have_no_sign() {
    for (one, other, expected) in [
        ((5, 9), (1, 2), (3, 8)),
        ((1, 2), (5, 9), (3, 8)),
        ((0, 5), (3, 4), (0, 4)),
        ((0, 5), (4, 9), (0, 9)),
        ((2, 5), (1, 2), (0, 4)),
        ((1, 2), (2, 5), (0, 4)),
        ((3, 3), (3, 9), (0, 6)),
    ] {
        let operands = [from_to(one.0, one.1), from_to(other.0, other.1), known(100)];
        let found = ends(of(32, true), Computes::SumOfDifference, &operands);
        assert_eq!(found, Some((expected.0 + 100, expected.1 + 100)), "{one:?} {other:?}");
    }
}

#[test]
fn funnels_shift_by_32_bits_at_most_or_by_the_lowest_five_bits() {
    let (low, high) = (0x1234_5678, 0x0bcd_ef01);
    let both = (high << 32) | low;
    for by in [0_i128, 1, 4, 31, 32, 33, 63, -1, -(1 << 31), 5 - (1 << 31)] {
        for (wraps, by_bits) in
            [(0, if (0..32).contains(&by) { by } else { 32 }), (1, by.rem_euclid(32))]
        {
            let shifted = |is_left| {
                let operands = [low, high, by, is_left, wraps].map(known);
                of(32, false).compute(Computes::FunnelShift, &operands)?.value()
            };
            let signed = |bits: i128| Some(signed_in(bits & 0xffff_ffff, 32));
            assert_eq!(shifted(1), signed((both << by_bits) >> 32), "left by {by}, {wraps}");
            assert_eq!(shifted(0), signed(both >> by_bits), "right by {by}, {wraps}");
        }
    }
    let unknown = [known(1), known(0), Linear::unknown(), known(1), known(1)];
    assert_eq!(of(32, false).compute(Computes::FunnelShift, &unknown), None);
}

#[test]
fn four_bytes_are_picked_of_two_registers() {
    let pick = |one: Linear, selection: i128| {
        let operands = [one, known(0x7766_5544), known(selection)];
        let number = of(32, false).compute(Computes::Permutation, &operands)?;
        number.value().map(|value| value.rem_euclid(1 << 32))
    };
    let one = || known(0x3322_1180);
    assert_eq!(pick(one(), 0x3210), Some(0x3322_1180));
    assert_eq!(pick(one(), 0x7654), Some(0x7766_5544));
    assert_eq!(pick(one(), 0x4321), Some(0x4433_2211));
    assert_eq!(pick(one(), 0x3218), Some(0x3322_11ff));
    assert_eq!(pick(one(), 0x3219), Some(0x3322_1100));
    // Only four bytes are selected: the fifth, whose sign is not known, does not matter.
    assert_eq!(pick(from_to(0, 255), 0x8_7654), Some(0x7766_5544));
    assert_eq!(pick(from_to(0, 255), 0x7658), None);
}

#[test]
fn fields_end_where_registers_end() {
    for (bits, value, first, length, expected) in [
        (32, 0x1234, 4, 8, Some(0x23)),
        (32, 0xf0, 4, 4, Some(-1)),
        (32, 0xf0, 4, 0, Some(0)),
        (32, -8, 2, 255, Some(-2)),
        (32, 8, 256, 4, None),
        (32, 8, 4, 256, None),
        (32, -1, 32, 4, Some(-1)),
        (32, -2, 255, 4, Some(-1)),
        (64, 0, 64, 4, Some(0)),
        (64, 1, 64, 4, Some(0)),
        (64, -1, 64, 4, Some(-1)),
        (64, 1 << 62, 62, 2, Some(1)),
        (64, 1 << 62, 62, 1, Some(-1)),
    ] {
        let operands = [value, first, length].map(known);
        let number = of(bits, true).compute(Computes::ExtractField, &operands);
        let found = number.and_then(|number| number.value());
        assert_eq!(found, expected, "{bits} bits: {length} of {value} from {first}");
    }
    // Beyond 32 bits, ptxas and hardware differ.
    for value in [0, 1, 8] {
        let operands = [value, 32, 4].map(known);
        assert_eq!(ends(of(32, true), Computes::ExtractField, &operands), Some((-1, 0)));
    }
    let of_unknown = |is_signed, first: i128, length: i128| {
        let operands = [Linear::unknown(), known(first), known(length)];
        ends(of(32, is_signed), Computes::ExtractField, &operands)
    };
    assert_eq!(of_unknown(true, 0, 4), Some((-8, 7)));
    assert_eq!(of_unknown(true, 0, 40), Some((-(1 << 31), (1 << 31) - 1)));
    assert_eq!(of_unknown(false, 0, 4), Some((0, 15)));
    assert_eq!(of_unknown(false, 30, 4), Some((0, 3)));
    assert_eq!(of_unknown(false, 4, 255), Some((0, (1 << 28) - 1)));
}

#[test]
fn fields_are_inserted_into_registers() {
    for (bits, first, length, expected) in [
        (32, 4, 8, Some(0x7fff_faaf)),
        (32, 0, 32, Some(0xaa)),
        (32, 0, 255, Some(0xaa)),
        (32, 0, 256, None),
        (32, 256, 1, None),
        (32, 1, 31, Some(0x155)),
        (32, 1, 32, None),
        (32, 31, 32, None),
        (32, 32, 32, Some(0x7fff_ffff)),
        (64, 1, 32, Some(0x154 | 1)),
    ] {
        let operands = [0xaa, 0x7fff_ffff, first, length].map(known);
        let number = of(bits, false).compute(Computes::InsertField, &operands);
        let found = number.and_then(|number| number.value());
        assert_eq!(found, expected, "{bits} bits: {length} from {first}");
    }
}

#[test]
fn what_a_division_leaves_is_between_zero_and_what_was_divided() {
    for (one, by, expected) in [
        ((-3, 1), (5, 5), (-4, 1)),
        ((-3, 0), (5, 5), (-4, 0)),
        ((0, 100), (5, 5), (0, 4)),
        ((0, 100), (3, 5), (0, 4)),
        ((0, 2), (5, 5), (0, 2)),
        ((0, 100), (1, 1), (0, 0)),
        ((0, 100), (8, 8), (0, 7)),
        ((0, 100), (9, 9), (0, 8)),
        ((-100, 100), (8, 8), (-7, 7)),
    ] {
        let by = if by.0 == by.1 { known(by.0) } else { from_to(by.0, by.1) };
        let rest = of(32, true).remainder(&from_to(one.0, one.1), &by);
        assert_eq!(of(32, true).view(&rest), expected, "{one:?} by {by:?}");
    }
    // A power of two preserves divisibility.
    let sixteens = Linear::multiple_of(4).between(Some((0, 1000)));
    assert_eq!(of(32, true).remainder(&sixteens, &known(16)).step().0, 4);
    assert_eq!(of(32, true).remainder(&sixteens, &known(24)).step().0, 1);
    assert_eq!(of(32, true).remainder(&known(17), &known(5)).value(), Some(2));
    assert_eq!(of(32, true).remainder(&known(-17), &known(5)).value(), Some(-2));
    assert_eq!(of(32, true).remainder(&known(17), &known(0)), Linear::unknown());
}

#[test]
fn shifts_to_the_right_take_32_bits_of_their_distance() {
    let shift = |is_signed, value: i128, by: i128| {
        of(32, is_signed).shift_right(&known(value), &known(by)).value()
    };
    for (by, expected) in [
        (0, 0x7000_0000),
        (4, 0x0700_0000),
        (28, 7),
        (31, 0),
        (32, 0),
        (-1, 0),
        (-(1 << 31), 0),
        (1 << 32, 0x7000_0000),
    ] {
        assert_eq!(shift(false, 0x7000_0000, by), Some(expected), "by {by}");
        assert_eq!(shift(true, 0x7000_0000, by), Some(expected), "by {by}");
    }
    assert_eq!(shift(true, -16, 2), Some(-4));
    assert_eq!(shift(true, -16, 40), Some(-1));
    assert_eq!(shift(false, -16, 28), Some(15));
    // A range of shift amounts.
    let range = of(32, false).shift_right(&from_to(16, 64), &from_to(1, 3));
    assert_eq!(of(32, false).view(&range), (2, 32));
    let all = of(32, true).shift_right(&from_to(-64, -16), &from_to(1, 3));
    assert_eq!(of(32, true).view(&all), (-32, -2));
}

#[test]
fn quotients_of_threads_are_sums_only_for_one_divisor() {
    let eighths = thread().times(&known(8));
    let divide = |by: Linear| of(32, false).compute(Computes::Quotient, &[eighths.clone(), by]);
    let four = divide(known(4)).expect("it is known");
    assert_eq!(four.launch, thread().times(&known(2)).launch);
    let several = divide(from_to(4, 8)).expect("it is in a range");
    assert_eq!(several.launch, None);
    assert_eq!(several.within, Some((0, 2046)));
    assert_eq!(divide(from_to(0, 8)), None);
    assert_eq!(divide(known(0)), None);
}

#[test]
fn bits_are_counted_in_their_register() {
    use Computes::{FirstBit, LeadingZeros, Population};
    for (how, bits, is_signed, value, expected) in [
        (Population, 32, false, -1, 32),
        (Population, 64, false, -1, 64),
        (LeadingZeros, 32, false, 1, 31),
        (LeadingZeros, 64, false, 1, 63),
        (LeadingZeros, 32, false, 0, 32),
        (LeadingZeros, 32, false, -1, 0),
        (FirstBit, 32, false, 1, 0),
        (FirstBit, 32, false, 0, -1),
        (FirstBit, 32, false, -1, 31),
        (FirstBit, 32, true, -1, -1),
        (FirstBit, 32, true, -2, 0),
        (FirstBit, 64, true, 1 << 40, 40),
    ] {
        let number = of(bits, is_signed).compute(how, &[known(value)]);
        let found = number.and_then(|number| number.value());
        assert_eq!(found, Some(expected), "{how:?} of {value} in {bits} bits");
    }
    for (how, bits, expected) in [
        (Population, 32, (0, 32)),
        (LeadingZeros, 64, (0, 64)),
        (FirstBit, 32, (-1, 31)),
        (FirstBit, 64, (-1, 63)),
    ] {
        let number = of(bits, false).compute(how, &[Linear::unknown()]).expect("there are few");
        assert_eq!(number.within, Some(expected), "{how:?} in {bits} bits");
    }
}

#[test]
fn a_sum_bounds_a_number_unless_registers_wrap_it() {
    let coordinates = Coordinates::of(Block::Exactly([257, 1, 1]));
    let operator = |bits| Operator { coordinates: &coordinates, ..of(bits, false) };
    let thread = || thread().between(Some((0, 5)));
    assert_eq!(operator(9).span(&thread()), Some((0, 256)));
    assert_eq!(operator(8).span(&thread()), Some((0, 5)));
    let coordinates = Coordinates::of(Block::Exactly([256, 1, 1]));
    let operator = |bits| Operator { coordinates: &coordinates, ..of(bits, false) };
    assert_eq!(operator(8).span(&thread()), Some((0, 255)));
    let far = Affine::special("%tid", "x").and_then(|sum| sum.plus(&Affine::number(1000)));
    let far = Linear::of(far.expect("it is short"));
    assert_eq!(operator(8).span(&far), Some((1000, 1255)));
}
