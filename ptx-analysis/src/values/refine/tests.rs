//! Tests of refined numbers: the part of a number that is in a range.

use super::*;

fn exactly(number: i128) -> Linear {
    Linear::exact(Sum::known(number))
}

fn bound(range: (i128, i128), bits: u32, is_signed: bool) -> Bound {
    Bound { register: 0, range, bits, is_signed }
}

fn with(number: Linear, bound: &Bound) -> Option<Linear> {
    let refined = refined(bound, &Rc::new(AbstractValue::Number(number)))?;
    match &*refined {
        AbstractValue::Number(number) => Some(number.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_range_leaves_the_first_to_the_last_number_that_is_in_it() {
    for step in [1, 2, 4, 8] {
        for base in 0..step {
            let number = Linear::multiple_of(step).plus(&exactly(base)).between(Some((0, 20)));
            for least in 0..24 {
                for most in least..24 {
                    let is_in = |number: &i128| *number <= 20 && (*number - base) % step == 0;
                    let all = || (least..=most).filter(is_in);
                    let expected = all().min().zip(all().max());
                    let found = with(number.clone(), &bound((least, most), 32, false));
                    let span = found.and_then(|found| found.span());
                    assert_eq!(span, expected, "{step}n+{base} in {least}..={most}");
                }
            }
        }
    }
}

#[test]
fn a_number_that_is_known_is_in_a_range_or_it_never_is() {
    for (value, range, bits, is_signed, is_in) in [
        (5, (0, 5), 32, false, true),
        (5, (5, 9), 32, false, true),
        (5, (0, 4), 32, false, false),
        (5, (6, 9), 32, false, false),
        (-1, (0, 4), 32, false, false),
        (-1, (0, (1 << 32) - 1), 32, false, true),
        (-1, (-1, 4), 32, true, true),
        (-1, (0, 4), 32, true, false),
    ] {
        let expected = is_in.then(|| exactly(value));
        assert_eq!(with(exactly(value), &bound(range, bits, is_signed)), expected, "{value}");
    }
    // With a constant in it, it may be any number.
    let products = alloc::vec![crate::values::number::Product { times: 1, of: alloc::vec![0] }];
    let constant = Linear::exact(Sum { known: 7, products });
    assert_eq!(with(constant.clone(), &bound((0, 4), 32, false)), Some(constant.clone()));
    // Any multiple of four and a constant.
    let open = constant.plus(&Linear::multiple_of(4));
    let found = with(open, &bound((1, 6), 32, false)).expect("it may be");
    assert_eq!(found.span(), Some((1, 6)));
}

#[test]
fn a_range_that_adds_nothing_proves_nothing() {
    let number = Linear::multiple_of(4).between(Some((4, 8)));
    assert_eq!(with(number.clone(), &bound((0, 9), 32, false)), Some(number.clone()));
    assert_eq!(with(number.clone(), &bound((4, 8), 32, false)), Some(number.clone()));
    let proven = with(number, &bound((4, 9), 32, true)).expect("it may be");
    assert!(!proven.is_tested);
    let less = Linear::unknown().between(Some((0, 9)));
    assert!(with(less, &bound((1, 9), 32, false)).expect("it may be").is_tested);
    // Without a known range, the whole width of the register is assumed.
    let all = (0, (1 << 32) - 1);
    let found = with(Linear::unknown(), &bound(all, 32, false)).expect("it may be");
    assert_eq!((found.span(), found.is_tested), (Some(all), true));
    // A single remaining number is known, unless it is a symbolic sum, which joins with itself elsewhere.
    let found = with(Linear::multiple_of(4), &bound((5, 8), 32, false));
    assert_eq!(found, Some(exactly(8)));
    let found = with(Linear::special("%tid", "x"), &bound((8, 8), 32, false));
    let found = found.expect("it may be");
    assert_eq!((found.launch.is_some(), found.span()), (true, Some((8, 8))));
}

#[test]
fn comparisons_prove_ranges_of_registers_of_1_to_64_bits() {
    let unknown = || AbstractValue::Number(Linear::unknown());
    let one = || AbstractValue::Number(exactly(1));
    for (bits, expected) in [(0, false), (1, true), (2, true), (64, true), (65, false)] {
        let (mine, others) = (unknown(), one());
        let sides = ((Some(3), &mine), (None, &others));
        let compared = with_bounds(unknown(), sides, Comparison::Equal, (bits, false), Inputs::Any);
        assert_eq!(matches!(compared, AbstractValue::Truth(_)), expected, "{bits} bits");
    }
}

#[test]
fn comparisons_leave_the_part_of_a_range_in_which_they_may_hold() {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let all = || (0..=6).flat_map(|least| (least..=6).map(move |most| (least, most)));
    for comparison in [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual] {
        for mine in all() {
            for others in all() {
                let may_hold = |number: &i128| {
                    (others.0..=others.1).any(|it| comparison.holds_in(*number, it, 32, true))
                };
                let holds = || (mine.0..=mine.1).filter(may_hold);
                let Some(expected) = holds().min().zip(holds().max()) else { continue };
                let text = alloc::format!("{mine:?} {comparison:?} {others:?}");
                assert_eq!(narrowed(mine, comparison, others), expected, "{text}");
            }
        }
    }
}

#[test]
fn inputs_decide_comparisons_only_where_they_are_assumed_to_be_few() {
    let given = Linear::unknown().between(Some((0, 100)));
    let given = AbstractValue::Number(Linear { is_given: true, ..given });
    let two = AbstractValue::Number(exactly(2));
    let is_less = |inputs| {
        let sides = ((Some(0), &given), (None, &two));
        let compared =
            with_bounds(AbstractValue::unknown(), sides, Comparison::Less, (32, false), inputs);
        match compared {
            AbstractValue::Number(number) => number.value(),
            _ => None,
        }
    };
    assert_eq!(is_less(Inputs::Any), None);
    assert_eq!(is_less(Inputs::Few), Some(1));
}
