//! Tests of register maps, and of what their copies share.

use super::*;
use crate::values::number::{Linear, Sum};
use crate::values::value::AbstractValue;

fn number(value: i128) -> Rc<AbstractValue> {
    Rc::new(AbstractValue::Number(Linear::exact(Sum::known(value))))
}

#[test]
fn registers_hold_what_was_written_last() {
    let mut registers = Registers::<AbstractValue>::default();
    assert!(registers.get(0).is_none());
    for (n, register) in [5, 40_000, 0, 31, 32, 1023, 1024, 5].into_iter().enumerate() {
        registers.set(register, number(n as i128));
    }
    let value = |register| registers.get(register).cloned();
    assert_eq!(value(5), Some(number(7)));
    assert_eq!(value(40_000), Some(number(1)));
    assert_eq!(value(32), Some(number(4)));
    for register in [1, 33, 39_999, 2_000_000] {
        assert_eq!(value(register), None, "{register}");
    }
}

#[test]
fn a_join_takes_what_one_holds_and_asks_about_the_rest() {
    let (mut few, mut many) = (Registers::default(), Registers::default());
    few.set(3, number(3));
    few.set(4, number(4));
    many.set(4, number(5));
    many.set(70_000, number(6));
    let (mut one, mut other) = (few.clone(), many.clone());
    let mut join = |_: &Rc<AbstractValue>, _: &Rc<AbstractValue>| Some(number(9));
    assert!(one.join(&many, &mut join));
    assert!(other.join(&few, &mut join));
    for joined in [&one, &other] {
        assert_eq!(joined.get(3), Some(&number(3)));
        assert_eq!(joined.get(4), Some(&number(9)));
        assert_eq!(joined.get(70_000), Some(&number(6)));
    }
    assert_eq!(few.get(4), Some(&number(4)));
    assert!(!one.join(&few, &mut |_, _| None));
    assert!(!one.clone().join(&one, &mut join));
}

#[test]
fn there_is_place_for_powers_of_32() {
    let mut registers = Registers::<AbstractValue>::default();
    assert_eq!(registers.end(), 32);
    for (register, end) in [(31, 32), (32, 1024), (1023, 1024), (1024, 32_768)] {
        registers.set(register, number(1));
        assert_eq!(registers.end(), end, "{register}");
    }
    for (last, end) in [(0, 32), (31, 32), (32, 1024), (1023, 1024), (1024, 32_768)] {
        let filled = Registers::filled(&number(7), last);
        assert_eq!(filled.end(), end, "{last}");
        for register in 0..end {
            assert_eq!(filled.get(register), Some(&number(7)), "{register} of {last}");
        }
        assert_eq!(filled.get(end), None);
    }
}

#[test]
fn registers_differ_where_they_do_not_hold_the_same() {
    let one = number(1);
    let of = |all: &[usize]| {
        let mut registers = Registers::default();
        for register in all {
            registers.set(*register, Rc::clone(&one));
        }
        registers
    };
    for (mine, others, expected) in [
        (&[][..], &[][..], &[][..]),
        (&[0, 31], &[0, 31], &[]),
        (&[0, 31], &[0], &[31]),
        (&[0], &[0, 32, 70_000], &[32, 70_000]),
        (&[5, 1024], &[4, 1024], &[4, 5]),
        (&[33, 1055], &[34], &[33, 34, 1055]),
    ] {
        assert_eq!(of(mine).differences(&of(others)), expected, "{mine:?} {others:?}");
        assert_eq!(of(others).differences(&of(mine)), expected, "{others:?} {mine:?}");
    }
    // An equal value from elsewhere is not known to be equal.
    let mut registers = of(&[3, 4]);
    registers.set(4, number(1));
    assert_eq!(registers.differences(&of(&[3, 4])), [4]);
}

#[test]
fn shared_values_are_not_joined() {
    let mut one = Registers::default();
    for register in [0, 40, 2000] {
        one.set(register, number(1));
    }
    let mut other = one.clone();
    let mut never = |_: &Rc<AbstractValue>, _: &Rc<AbstractValue>| panic!("they are the same");
    assert!(!other.join(&one, &mut never));
    other.set(2000, number(2));
    let mut two = |_: &Rc<AbstractValue>, other: &Rc<AbstractValue>| {
        assert_eq!(other, &number(1));
        Some(number(3))
    };
    assert!(other.join(&one, &mut two));
    assert_eq!(other.get(2000), Some(&number(3)));
    assert_eq!(other.get(40), Some(&number(1)));
}

#[test]
fn what_only_one_holds_is_kept_wherever_it_stands() {
    for last in [1, 30, 31, 32, 63, 1023, 1024] {
        let (mut one, mut other) = (Registers::default(), Registers::default());
        one.set(0, number(1));
        one.set(last, number(2));
        other.set(0, number(3));
        let mut take = |_: &Rc<AbstractValue>, other: &Rc<AbstractValue>| Some(Rc::clone(other));
        let mut joined = one.clone();
        assert!(joined.join(&other, &mut take));
        let held = (joined.get(0).cloned(), joined.get(last).cloned());
        assert_eq!(held, (Some(number(3)), Some(number(2))), "{last}");
        let mut joined = other.clone();
        assert!(joined.join(&one, &mut take));
        let held = (joined.get(0).cloned(), joined.get(last).cloned());
        assert_eq!(held, (Some(number(1)), Some(number(2))), "{last}");
        // A changed value is joined at every position.
        let mut third = one.clone();
        third.set(last, number(4));
        assert!(third.join(&one, &mut take));
        assert_eq!(third.get(last), Some(&number(2)), "{last}");
    }
}

#[test]
fn shared_subtrees_are_not_joined() {
    let shared = number(1);
    let mut one = Registers::default();
    one.set(0, Rc::clone(&shared));
    let mut other = one.clone();
    one.set(1, number(2));
    other.set(1, number(3));
    let mut join = |mine: &Rc<AbstractValue>, _: &Rc<AbstractValue>| {
        assert!(!Rc::ptr_eq(mine, &shared));
        None
    };
    assert!(!one.join(&other, &mut join));
}

#[test]
fn what_a_join_makes_the_same_is_shared() {
    for register in [0, 40] {
        let (mut one, mut other) = (Registers::default(), Registers::default());
        one.set(register, number(1));
        other.set(register, number(2));
        let mut take = |_: &Rc<AbstractValue>, other: &Rc<AbstractValue>| Some(Rc::clone(other));
        assert!(one.join(&other, &mut take));
        let both = one.root.as_ref().zip(other.root.as_ref());
        assert!(both.is_some_and(|(one, other)| Rc::ptr_eq(one, other)), "{register}");
    }
}
