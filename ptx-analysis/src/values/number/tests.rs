//! Tests of partially known numbers: addition, multiplication, joins and wrapping.

use super::*;

fn known(number: i128) -> Linear {
    Linear::exact(Sum::known(number))
}

fn constants(of: &[usize]) -> Sum {
    Sum { known: 0, products: vec![Product { times: 1, of: of.to_vec() }] }
}

/// Returns a Rust constant.
fn constant(n: usize) -> Linear {
    Linear::exact(constants(&[n]))
}

/// Returns any multiple of a Rust constant.
fn multiple_of_constant(n: usize) -> Linear {
    Linear { steps: vec![constants(&[n])], ..known(0) }
}

#[test]
fn what_a_register_holds_is_read_as_one_without_a_sign_or_with_one() {
    for bits in 1..=4_u32 {
        let modulus = 1_i128 << bits;
        for is_signed in [false, true] {
            let first = if is_signed { -(modulus / 2) } else { 0 };
            let all = (first, first + modulus - 1);
            let read = |number: i128| (number - first).rem_euclid(modulus) + first;
            assert_eq!(view(None, bits, is_signed), all);
            for least in -20..=20 {
                for most in least..=least + 18 {
                    let numbers = || (least..=most).map(read);
                    let ends = (numbers().min().expect("one"), numbers().max().expect("one"));
                    let continues = ends.1 - ends.0 == most - least;
                    let expected = if continues { ends } else { all };
                    let found = view(Some((least, most)), bits, is_signed);
                    assert_eq!(found, expected, "{least}..={most} in {bits} bits, {is_signed}");
                }
            }
        }
    }
    for (bits, most) in [(0, 1), (1, 1), (2, 3), (64, (1 << 64) - 1), (65, (1 << 64) - 1)] {
        assert_eq!(view(None, bits, false), (0, most), "{bits} bits");
    }
}

#[test]
fn amounts_are_numbers_or_constants() {
    let same = Constants { values: &[None, None, None], same: &[0, 1, 1] };
    assert_eq!(Sum::of(Amount::Known(7), &same), Some(Sum::known(7)));
    assert_eq!(Sum::of(Amount::Constant(0), &same), Some(constants(&[0])));
    assert_eq!(Sum::of(Amount::Constant(2), &same), Some(constants(&[1])));
    assert_eq!(Sum::of(Amount::Unknown, &same), None);
}

#[test]
fn sums_of_constants_are_added_up_and_multiplied_out() {
    let (a, b) = (constants(&[0]), constants(&[1]));
    let number = Sum::known;
    assert_eq!(a.plus(&a), a.times(&number(2)));
    assert_eq!(a.plus(&a.negative()), number(0));
    assert_eq!(a.plus(&b).plus(&a.negative()), b);
    assert_eq!(a.times(&b), constants(&[0, 1]));
    assert_eq!(b.times(&a), constants(&[0, 1]));
    // (a + 2)(b + 3) = ab + 3a + 2b + 6
    let product = a.plus(&number(2)).times(&b.plus(&number(3)));
    assert_eq!(product.known, 6);
    let times = |of: &[usize]| product.products.iter().find(|it| it.of == of).map(|it| it.times);
    assert_eq!([times(&[0, 1]), times(&[0]), times(&[1])], [Some(1), Some(3), Some(2)]);
    assert_eq!(product.products.len(), 3);
}

#[test]
fn sums_are_long_from_9_products_or_5_constants_on() {
    let of = |count: usize| (0..count).fold(Sum::default(), |sum, n| sum.plus(&constants(&[n])));
    assert!(!of(8).is_long());
    assert!(of(9).is_long());
    assert!(!constants(&[0; 4]).is_long());
    assert!(constants(&[0; 5]).is_long());
    // A long number is not tracked, whether it is the base or a step.
    let two = Linear::exact(of(4).plus(&Sum::known(1)));
    assert_eq!(two.plus(&known(1)).base.products.len(), 4);
    assert_eq!(Linear::exact(of(9)).plus(&known(1)), Linear::unknown());
    let steps = Linear { steps: vec![of(9)], ..known(0) };
    assert_eq!(steps.plus(&known(1)), Linear::unknown());
}

#[test]
fn no_more_than_six_steps_are_kept() {
    let of = |count| (0..count).fold(known(0), |sum, n| sum.plus(&multiple_of_constant(n)));
    assert_eq!(of(5).steps.len(), 5);
    assert_eq!(of(6).steps.len(), 6);
    assert_eq!(of(7), Linear::unknown());
    // An equal or opposite step adds nothing.
    assert_eq!(of(6).plus(&multiple_of_constant(0)).steps.len(), 6);
    assert_eq!(of(6).minus(&multiple_of_constant(0)).steps.len(), 6);
    assert_eq!(of(1).minus(&multiple_of_constant(1)).steps.len(), 2);
}

#[test]
fn a_repeated_step_is_a_power_of_two() {
    for (step, expected) in [(12, 4), (-12, 4), (1 << 63, 1 << 63), (1 << 64, 0), (3 << 70, 0)] {
        let number = Linear::multiple_of(step).plus(&known(0));
        assert_eq!(number.step(), (expected, vec![]), "{step}");
    }
    // Without any computation, it is unchanged.
    assert_eq!(Linear::multiple_of(12).step().0, 12);
    assert_eq!(Linear::multiple_of(1 << 64).step().0, 1);
    let both = Linear { steps: vec![Sum::known(12), Sum::known(18), constants(&[0])], ..known(0) };
    assert_eq!(both.step(), (6, vec![&constants(&[0])]));
}

#[test]
fn ranges_are_kept_that_are_narrower_than_registers_and_not_far_away() {
    let far = 1_i128 << 100;
    for (span, is_kept) in [
        ((0, 0), true),
        ((0, (1 << 64) - 1), true),
        ((0, 1 << 64), false),
        ((far - 1, far - 1), true),
        ((far, far), false),
        ((1 - far, 1 - far), true),
        ((-far, -far), false),
        ((i128::MIN, i128::MIN), false),
        ((i128::MIN, i128::MAX), false),
        ((0, far), false),
        ((-(1 << 99), i128::MAX), false),
    ] {
        let number = Linear::unknown().between(Some(span));
        assert_eq!(number.within, Some(span).filter(|_| is_kept), "{span:?}");
    }
    assert_eq!(known(1).between(Some((0, 2))).within, None);
}

#[test]
fn constants_are_parts_of_numbers_or_of_steps() {
    for (number, expected) in [
        (known(1), true),
        (Linear::unknown(), true),
        (constant(0), false),
        (multiple_of_constant(0), false),
        (constant(0).plus(&Linear::multiple_of(4)), false),
        (constant(0).plus(&multiple_of_constant(1)), false),
    ] {
        assert_eq!(number.is_without_constants(), expected, "{number:?}");
    }
    assert_eq!(known(1).bits, 0);
    assert_eq!(Linear::unknown().bits, 0);
}

#[test]
fn a_number_of_constants_keeps_the_narrowest_register_that_it_went_through() {
    assert_eq!(constant(0).wrapped(32).bits, 32);
    assert_eq!(constant(0).wrapped(32).wrapped(16).bits, 16);
    assert_eq!(constant(0).wrapped(16).wrapped(32).bits, 16);
    assert_eq!(constant(0).wrapped(64).plus(&constant(1).wrapped(32)).bits, 32);
    assert_eq!(constant(0).wrapped(32).plus(&constant(1)).bits, 32);
    // Another step preserves the width, and wrapping to 64 bits changes nothing.
    let open = constant(0).wrapped(32).plus(&multiple_of_constant(1));
    assert_eq!(open.bits, 32);
    assert_eq!(open.clone().wrapped(64).bits, 32);
    assert_eq!(open.clone().wrapped(32).bits, 0);
    assert_eq!(open.clone().wrapped(63).steps, [constants(&[1]), Sum::known(1 << 63)]);
    assert_eq!(open.wrapped(64).steps, [constants(&[1])]);
}

#[test]
fn numbers_wrap_in_registers_of_1_to_64_bits() {
    let large = (1 << 66) + (1 << 64) + 5;
    for (bits, expected) in
        [(0, large), (1, -1), (2, 1), (3, -3), (64, 5), (65, large), (128, large)]
    {
        assert_eq!(known(large).wrapped(bits).value(), Some(expected), "{bits} bits");
    }
    let thread = || Linear::special("%tid", "x");
    assert_eq!(thread().wrapped(32).launch, thread().launch);
    assert_eq!(thread().wrapped(31).launch, None);
    let span = Some((0, (1 << 31) - 1));
    assert_eq!(Linear::unknown().between(span).wrapped(32).within, span);
    assert_eq!(Linear::unknown().between(span).wrapped(31).within, span);
    assert_eq!(Linear::unknown().between(span).wrapped(30).within, None);
}

#[test]
fn numbers_are_extended_by_zeros_or_by_their_sign() {
    for (value, bits, is_signed, expected) in [
        (-1, 8, false, 255),
        (255, 8, true, -1),
        (127, 8, true, 127),
        (-1, 32, false, (1 << 32) - 1),
        (-1, 64, false, (1 << 64) - 1),
        (-1, 64, true, -1),
        (-1, 128, false, (1 << 64) - 1),
    ] {
        assert_eq!(
            known(value).extended(bits, is_signed).value(),
            Some(expected),
            "{value} {bits}"
        );
    }
}

#[test]
fn bits_that_change_are_multiples_of_the_lowest() {
    let twelve = Linear::multiple_of(16).plus(&known(4));
    for (bits, step, base) in [
        (known(0), 16, 4),
        (known(8), 8, 4),
        (known(1 << 20), 16, 4),
        (Linear::multiple_of(32).plus(&known(8)), 8, 4),
        (Linear::multiple_of(8).plus(&known(32)), 8, 4),
    ] {
        let number = twelve.with_bits_of(&bits);
        assert_eq!((number.step().0, number.base.value()), (step, Some(base)), "{bits:?}");
    }
    assert_eq!(twelve.with_bits_of(&constant(0)), Linear::unknown());
    assert_eq!(known(4).with_bits_of(&known(1 << 63)).step().0, 1 << 63);
    assert_eq!(known(4).with_bits_of(&known(1 << 64)), known(4));
}

#[test]
fn one_of_two_numbers_is_as_known_as_both() {
    let twelve = Linear::multiple_of(12);
    assert_eq!(twelve.join(&twelve), twelve);
    assert_eq!(known(4).join(&known(20)).step().0, 16);
    assert_eq!(known(4).join(&known(20)).within, Some((4, 20)));
    assert_eq!(known(20).join(&known(4)).within, Some((4, 20)));
    let tested = |number: Linear| number.between(Some((0, 7))).tested(true);
    let (one, other) = (tested(twelve.clone()), Linear::unknown().between(Some((0, 9))));
    assert!(!one.join(&other).is_tested);
    assert!(one.join(&tested(Linear::multiple_of(4))).is_tested);
    assert!(one.plus(&other).is_tested);
    assert!(other.plus(&one).is_tested);
    assert!(!other.plus(&other).is_tested);
}

#[test]
fn what_the_launch_decides_is_added_to_numbers_alone() {
    let thread = || Linear::special("%tid", "x");
    let number = |sum: &Linear| sum.launch.as_ref().map(|sum| sum.added());
    assert_eq!(number(&thread().plus(&known(3))), Some(3));
    assert_eq!(number(&known(3).plus(&thread())), Some(3));
    assert_eq!(number(&thread().plus(&Linear::unknown())), None);
    assert_eq!(number(&thread().plus(&constant(0))), None);
    assert_eq!(number(&Linear::multiple_of(4).plus(&known(3))), None);
    assert_eq!(number(&known(2).plus(&known(3))), None);
    assert_eq!(number(&thread().plus(&known(3)).times(&known(4))), Some(12));
    assert_eq!(number(&known(4).times(&thread().plus(&known(3)))), Some(12));
    assert_eq!(number(&thread().times(&thread())), None);
}
