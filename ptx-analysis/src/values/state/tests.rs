//! Tests of states: what tests prove about registers, how long that holds, and what remains of it at
//! joins.

extern crate std;

use alloc::boxed::Box;
use alloc::vec;

use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;
use ptx_isa::rules::AddressKind;

use super::*;
use crate::flow::effects::Effects;
use crate::values::address::KnownAddress;
use crate::values::claim::Truth;
use crate::values::number::Sum;

fn number(value: i128) -> AbstractValue {
    AbstractValue::Number(Linear::exact(Sum::known(value)))
}

fn between(least: i128, most: i128) -> AbstractValue {
    AbstractValue::Number(Linear::unknown().between(Some((least, most))))
}

fn address(offset: Linear) -> AbstractValue {
    let (storage, is_pointee, kind, bits, rank) = (0, false, AddressKind::Own, 32, None);
    AbstractValue::Address(KnownAddress { storage, is_pointee, kind, offset, bits, rank })
}

fn bound(register: usize, range: (i128, i128)) -> Rc<Claim> {
    Rc::new(Claim::Bound(Bound { register, range, bits: 32, is_signed: true }))
}

/// Creates the fact that an address in this storage is aligned to 16 bytes.
fn aligned(storage: usize) -> Rc<Claim> {
    let (is_pointee, offset) = (false, Linear::exact(Sum::default()));
    Rc::new(Claim::Aligned { storage, is_pointee, offset, to: Some(16) })
}

/// Creates a predicate with these bounds: the registers are 0 to 3 if it holds, and otherwise at least 4.
fn test(registers: &[usize]) -> AbstractValue {
    let all = |range: (i128, i128)| registers.iter().map(|it| bound(*it, range)).collect();
    AbstractValue::Truth(Truth::unknown().as_bit().with(all((0, 3)), all((4, 100))))
}

fn state(values: &[(usize, AbstractValue)]) -> State {
    let mut state = State::default();
    for (register, value) in values {
        state.set(*register, Rc::new(value.clone()));
    }
    state
}

fn value_of(state: &State, register: usize) -> Option<AbstractValue> {
    state.get(register).map(|value| (**value).clone())
}

/// Returns the registers that a register carries information about.
fn tested(state: &State, register: usize) -> Vec<usize> {
    let Some(AbstractValue::Truth(truth)) = value_of(state, register) else { return Vec::new() };
    let all: SortedSet<usize> = truth.bounds().map(|bound| bound.register).collect();
    all.into_iter().collect()
}

fn with<T>(text: &str, read: impl FnOnce(&Resolved<'_>) -> T) -> T {
    let (encoded, table) = encode(text);
    let body = Body::new(&encoded, &table, &[]);
    let statement = body.statements().next().expect("there is one");
    let instruction = statement.instruction(&[]).expect("it is an instruction");
    let referent = |name: &str| match name.strip_prefix("%r").and_then(|it| it.parse().ok()) {
        Some(number) => Referent::Register(number),
        None => Referent::Other,
    };
    read(&Box::new(Resolved::new(Effects::of(&instruction, 0), Vec::new(), referent)))
}

fn join(one: &mut State, other: &State, widening: Widening<'_>) -> Change {
    one.join(other, widening, &mut Effort::of(0, (0, 1 << 20)))
}

#[test]
fn facts_about_a_register_are_forgotten_where_it_is_written() {
    let mut known = state(&[(0, between(0, 7)), (1, between(0, 7)), (5, test(&[0, 1]))]);
    assert_eq!(tested(&known, 5), [0, 1]);
    known.set(0, Rc::new(number(9)));
    assert_eq!(tested(&known, 5), [1]);
    known.set(1, Rc::new(number(9)));
    assert_eq!(value_of(&known, 5), Some(AbstractValue::unknown()));
    // A register that no longer carries information about others is unaffected by writes to them.
    let mut known = state(&[(5, test(&[0])), (5, number(1)), (0, number(2))]);
    assert_eq!(value_of(&known, 5), Some(number(1)));
    known.set(5, Rc::new(test(&[2])));
    known.set(0, Rc::new(number(3)));
    assert_eq!(tested(&known, 5), [2]);
}

#[test]
fn a_register_keeps_no_facts_about_its_previous_value() {
    let known = state(&[(5, test(&[0, 5]))]);
    assert_eq!(tested(&known, 5), [0]);
    assert_eq!(value_of(&state(&[(5, test(&[5]))]), 5), Some(AbstractValue::unknown()));
}

#[test]
fn the_first_tests_are_forgotten_when_there_are_too_many() {
    let first = 100;
    let of_tests = |count: usize| {
        let tests: Vec<_> = (0..count).map(|n| (first + n, test(&[n]))).collect();
        state(&tests)
    };
    let of = |state: &State, count: usize| -> Vec<usize> {
        (0..count).filter(|n| !tested(state, first + n).is_empty()).collect()
    };
    let all = |from: usize, to: usize| (from..to).collect::<Vec<_>>();
    assert_eq!(of(&of_tests(MOST_TESTS), MOST_TESTS), all(0, MOST_TESTS));
    assert_eq!(of(&of_tests(MOST_TESTS + 1), MOST_TESTS + 1), all(1, MOST_TESTS + 1));
    // The same holds after a join.
    let mut one = of_tests(MOST_TESTS);
    let mut other = one.clone();
    other.set(first + MOST_TESTS, Rc::new(test(&[MOST_TESTS])));
    one.set(first + MOST_TESTS, Rc::new(number(0)));
    join(&mut one, &other, Widening::None);
    assert!(one.tests.len() <= MOST_TESTS);
}

#[test]
fn a_guard_decides_whether_an_instruction_runs() {
    let follows = |text: &str, guard: Option<AbstractValue>, runs: bool| {
        let known = guard.map_or_else(State::default, |it| state(&[(1, it)]));
        with(text, |it| known.follows(it, runs))
    };
    let (plain, guarded, negated) = ("add.u32 %r9, %r9, 1;", "@%r1 bra L;", "@!%r1 bra L;");
    let none = Some(Vec::new());
    assert_eq!(follows(plain, None, true), none);
    assert_eq!(follows(plain, None, false), None);
    for (value, holds, fails) in [
        (Some(number(1)), none.clone(), None),
        (Some(number(0)), None, none.clone()),
        (Some(between(0, 1)), none.clone(), none.clone()),
        (Some(AbstractValue::Anything), none.clone(), none.clone()),
        (None, none.clone(), none.clone()),
        (Some(test(&[0])), Some(vec![bound(0, (0, 3))]), Some(vec![bound(0, (4, 100))])),
    ] {
        assert_eq!(follows(guarded, value.clone(), true), holds, "{value:?}");
        assert_eq!(follows(guarded, value.clone(), false), fails, "{value:?}");
        assert_eq!(follows(negated, value.clone(), true), fails, "{value:?}");
        assert_eq!(follows(negated, value.clone(), false), holds, "{value:?}");
    }
}

#[test]
fn limits_are_next_to_the_ends_of_what_a_guard_proves() {
    let known = state(&[(1, test(&[0])), (2, number(1))]);
    let limits =
        |text: &str| with(text, |it| known.limits(it).into_iter().collect::<SortedSet<_>>());
    let last = i128::from(i32::MAX);
    assert_eq!(limits("@%r1 bra L;"), [-1, 0, 3, 4, 100, 101, last].into());
    assert_eq!(limits("@!%r1 bra L;"), [-1, 0, 3, 4, 100, 101, last].into());
    assert_eq!(limits("@%r2 bra L;"), SortedSet::new());
    assert_eq!(limits("@%p7 bra L;"), SortedSet::new());
    assert_eq!(limits("bra L;"), SortedSet::new());
}

#[test]
fn where_a_guarded_instruction_runs_its_guard_holds() {
    let known = state(&[(0, between(0, 7)), (1, test(&[0]))]);
    let held_in = |state: Option<State>| state.and_then(|state| value_of(&state, 0));
    let tested = |least, most| {
        let number = Linear::unknown().between(Some((least, most))).tested(true);
        Some(AbstractValue::Number(number))
    };
    for (text, runs, not) in
        [("@%r1 bra L;", tested(0, 3), tested(4, 7)), ("@!%r1 bra L;", tested(4, 7), tested(0, 3))]
    {
        with(text, |it| {
            let here = known.where_it_runs(it).map(Cow::into_owned);
            assert_eq!(held_in(here), runs, "{text}");
            assert_eq!(held_in(known.after(it, true)), runs, "{text}");
            assert_eq!(held_in(known.after(it, false)), not, "{text}");
        });
    }
    // It never executes.
    let known = state(&[(0, between(8, 200)), (1, test(&[0]))]);
    with("@%r1 bra L;", |it| {
        assert_eq!(known.where_it_runs(it), None);
        assert_eq!(known.after(it, true), None);
        assert!(known.after(it, false).is_some());
    });
    // Without a guard, the state is unchanged.
    with("bra L;", |it| {
        assert!(matches!(known.where_it_runs(it), Some(Cow::Borrowed(_))));
        assert_eq!(known.after(it, true), Some(known.clone()));
        assert_eq!(known.after(it, false), None);
    });
}

#[test]
fn behind_a_jump_it_is_known_what_its_guard_holds() {
    let guard = |value: AbstractValue, runs: bool| {
        let known = state(&[(1, value)]);
        let after = with("@%r1 bra L;", |it| known.after(it, runs))?;
        value_of(&after, 1)
    };
    let outcome = |value: AbstractValue, runs: bool| {
        let truth = guard(value, runs).and_then(|it| it.truth()).expect("it is a truth");
        (truth.nonzero.is_some(), truth.zero.is_some())
    };
    for value in [test(&[0]), between(0, 1), AbstractValue::unknown()] {
        assert_eq!(outcome(value.clone(), true), (true, false), "{value:?}");
        assert_eq!(outcome(value.clone(), false), (false, true), "{value:?}");
    }
    assert_eq!(guard(number(1), true), Some(number(1)));
    assert_eq!(guard(number(0), false), Some(number(0)));
    assert_eq!(guard(AbstractValue::Anything, true), Some(AbstractValue::Anything));
}

#[test]
fn what_was_proven_last_stands_last_and_what_was_first_is_dropped() {
    let all = |from: usize, to: usize| (from..to).map(aligned).collect::<Vec<_>>();
    let known = State::default().with(all(0, 3)).expect("they hold");
    assert_eq!(known.claims, all(0, 3));
    let again = known.clone().with(vec![aligned(0)]).expect("it holds");
    assert_eq!(again.claims, [aligned(1), aligned(2), aligned(0)]);
    let full = State::default().with(all(0, MOST_CLAIMS)).expect("they hold");
    assert_eq!(full.claims, all(0, MOST_CLAIMS));
    let more = full.clone().with(all(MOST_CLAIMS, MOST_CLAIMS + 2)).expect("they hold");
    assert_eq!(more.claims, all(2, MOST_CLAIMS + 2));
    let same = full.with(vec![aligned(0)]).expect("it holds");
    assert_eq!(same.claims.len(), MOST_CLAIMS);
    assert_eq!(same.claims[MOST_CLAIMS - 1], aligned(0));
    // A bound refines the register, and is not kept as a fact.
    let known = state(&[(0, between(0, 7))]).with(vec![bound(0, (0, 3)), bound(1, (0, 3))]);
    let known = known.expect("they hold");
    assert_eq!(known.claims, []);
    assert!(known.get(1).is_none());
    assert!(state(&[(0, between(4, 7))]).with(vec![bound(0, (0, 3))]).is_none());
}

#[test]
fn facts_of_both_paths_survive_a_join() {
    let of = |claims: &[usize]| State {
        claims: claims.iter().map(|it| aligned(*it)).collect(),
        ..State::default()
    };
    for (mine, other, expected, change) in [
        (vec![0, 1], vec![1, 0], vec![0, 1], Change::None),
        (vec![0, 1], vec![1, 2], vec![1], Change::Changed),
        (vec![0], vec![], vec![], Change::Changed),
        (vec![], vec![0], vec![], Change::None),
    ] {
        let mut joined = of(&mine);
        assert_eq!(join(&mut joined, &of(&other), Widening::None), change, "{mine:?} {other:?}");
        assert_eq!(joined, of(&expected), "{mine:?} {other:?}");
    }
}

#[test]
fn facts_about_a_register_hold_where_both_paths_agree() {
    let (zero, one) = (|| (0, between(0, 7)), || (1, between(0, 7)));
    // Both paths have the information, and it is dropped when the register is written.
    let mut both = state(&[zero(), one(), (5, test(&[0]))]);
    let same = both.clone();
    assert_eq!(join(&mut both, &same, Widening::None), Change::None);
    assert_eq!(tested(&both, 5), [0]);
    both.set(0, Rc::new(number(9)));
    assert!(tested(&both, 5).is_empty());
    // It carries information about two registers, and keeps it for one when the other is written.
    for written in [0, 1] {
        let mut both = state(&[zero(), one(), (5, test(&[0, 1]))]);
        let same = both.clone();
        join(&mut both, &same, Widening::None);
        both.set(written, Rc::new(number(9)));
        assert_eq!(tested(&both, 5), [1 - written]);
    }
    // One carries more information than the other.
    let mut both = state(&[zero(), one(), (5, test(&[0, 1]))]);
    let other = state(&[zero(), one(), (5, test(&[1]))]);
    assert_eq!(join(&mut both, &other, Widening::None), Change::Changed);
    assert_eq!((tested(&both, 5), &both.tests), (vec![1], &vec![(1, 5)]));
    // Only one path has written it; the other may write it later.
    for (mine, other) in [
        (state(&[zero(), (5, test(&[0]))]), state(&[zero()])),
        (state(&[zero()]), state(&[zero(), (5, test(&[0]))])),
    ] {
        let mut both = mine;
        join(&mut both, &other, Widening::None);
        assert_eq!((tested(&both, 5), &both.tests), (vec![], &vec![]));
    }
    // Information from the other path is also dropped in time.
    let mut both = state(&[
        zero(),
        (5, AbstractValue::Truth(Truth::of_number(&Linear::exact(Sum::known(0))))),
    ]);
    let other = state(&[zero(), (5, test(&[0]))]);
    join(&mut both, &other, Widening::None);
    assert_eq!(tested(&both, 5), [0]);
    both.set(0, Rc::new(number(9)));
    assert!(tested(&both, 5).is_empty());
}

#[test]
fn a_join_reports_whether_anything_changed_or_was_widened() {
    let limits = SortedSet::from([8]);
    for (mine, other, widening, expected, change) in [
        (between(0, 5), between(1, 4), Widening::None, between(0, 5), Change::None),
        (between(0, 5), between(0, 6), Widening::None, between(0, 6), Change::Changed),
        (between(0, 5), between(0, 6), Widening::To(&limits), between(0, 8), Change::Widened),
        (between(0, 5), between(0, 8), Widening::To(&limits), between(0, 8), Change::Changed),
        (between(0, 5), between(0, 6), Widening::Ranges, AbstractValue::unknown(), Change::Widened),
        (between(0, 5), between(0, 6), Widening::All, AbstractValue::unknown(), Change::Widened),
        (between(0, 5), between(0, 5), Widening::All, between(0, 5), Change::None),
        (number(4), number(4), Widening::All, number(4), Change::None),
        (
            number(4),
            AbstractValue::Anything,
            Widening::All,
            AbstractValue::Anything,
            Change::Changed,
        ),
        (
            AbstractValue::unknown(),
            between(0, 6),
            Widening::None,
            AbstractValue::unknown(),
            Change::None,
        ),
    ] {
        let mut joined = state(&[(3, mine.clone())]);
        let found = join(&mut joined, &state(&[(3, other.clone())]), widening);
        assert_eq!(
            (value_of(&joined, 3), found),
            (Some(expected), change),
            "{mine:?} {other:?} {widening:?}"
        );
    }
    // A number that may also be an address is the same on both paths.
    let AbstractValue::Address(at) = address(Linear::exact(Sum::default())) else { return };
    let masked = || AbstractValue::Truth(Truth::of_lowest_bits(core::slice::from_ref(&at), None));
    let mut joined = state(&[(3, masked())]);
    assert_eq!(join(&mut joined, &state(&[(3, masked())]), Widening::None), Change::None);
    assert_eq!(value_of(&joined, 3), Some(masked()));
    // A register that only one path has written keeps that value.
    let mut joined = state(&[]);
    assert_eq!(join(&mut joined, &state(&[(3, number(4))]), Widening::All), Change::Changed);
    assert_eq!(value_of(&joined, 3), Some(number(4)));
}

#[test]
fn an_end_that_grows_goes_on_to_the_next_limit() {
    let limits = SortedSet::from([-20, -10, 0, 10, 20]);
    let was = between(-5, 5);
    for (range, expected) in [
        ((-5, 5), Some((-5, 5))),
        ((-4, 4), Some((-4, 4))),
        ((-5, 6), Some((-5, 10))),
        ((-5, 10), Some((-5, 10))),
        ((-5, 11), Some((-5, 20))),
        ((-5, 21), None),
        ((-6, 5), Some((-10, 5))),
        ((-10, 5), Some((-10, 5))),
        ((-11, 5), Some((-20, 5))),
        ((-21, 5), None),
        ((-6, 6), Some((-10, 10))),
    ] {
        let widened = between(range.0, range.1).widened_to(&was, &limits);
        assert_eq!(widened.range(), expected, "{range:?}");
    }
    assert_eq!(between(0, 1).widened_to(&AbstractValue::unknown(), &limits).range(), None);
    assert_eq!(between(0, 1).widened_to(&AbstractValue::Anything, &limits).range(), None);
    let ranged = address(Linear::unknown().between(Some((0, 8))));
    assert_eq!(ranged.range(), Some((0, 8)));
    assert_eq!(ranged.clone().widened_to(&ranged, &limits), address(Linear::unknown()));
    assert_eq!(AbstractValue::Anything.range(), None);
}

#[test]
fn values_that_keep_changing_are_widened() {
    let four = || Linear::multiple_of(4);
    let descriptor = |offset: i128| {
        let AbstractValue::Address(address) = address(Linear::exact(Sum::known(offset))) else {
            return AbstractValue::Anything;
        };
        AbstractValue::Descriptor(address, crate::values::value::Cut::Masked, Rc::default())
    };
    for (now, was, expected) in [
        // Only the range has changed.
        (
            AbstractValue::Number(four().between(Some((0, 8)))),
            AbstractValue::Number(four().between(Some((0, 4)))),
            AbstractValue::Number(four()),
        ),
        (AbstractValue::Number(four()), number(4), AbstractValue::unknown()),
        (test(&[0]), test(&[1]), AbstractValue::unknown()),
        (address(four()), address(Linear::exact(Sum::known(4))), address(Linear::unknown())),
        (descriptor(0), descriptor(16), AbstractValue::Anything),
        (descriptor(0), descriptor(0), descriptor(0)),
        (AbstractValue::Truncated(0), number(0), AbstractValue::Anything),
        (AbstractValue::Anything, number(0), AbstractValue::Anything),
    ] {
        assert_eq!(now.clone().widened(&was), expected, "{now:?} {was:?}");
    }
}

#[test]
fn where_nothing_is_known_all_registers_hold_anything() {
    for last in [0, 31, 32, 1023, 1024] {
        let known = State::anything(last);
        let is_anything = |it| value_of(&known, it) == Some(AbstractValue::Anything);
        assert!((0..=last).all(is_anything), "{last}");
    }
    let one = state(&[(0, number(1)), (1, number(2))]);
    let mut other = one.clone();
    assert!(one.differences(&other).is_empty());
    other.set(1, Rc::new(number(3)));
    assert_eq!(one.differences(&other), [1]);
}
