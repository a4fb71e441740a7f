//! Tests of combined tests: AND, OR and XOR of predicates, selections, and masks.

use alloc::format;

use ptx_isa::rules::AddressKind;

use super::*;

fn aligned(storage: usize, offset: i128, to: Option<i128>) -> Claim {
    let offset = Linear::exact(Sum::known(offset));
    Claim::Aligned { storage, is_pointee: false, offset, to }
}

/// Creates one or more facts, each about different storage.
fn all(of: &[usize]) -> Vec<Rc<Claim>> {
    of.iter().map(|storage| Rc::new(aligned(*storage, 0, Some(16)))).collect()
}

/// Creates a bit from the facts that follow if it is not zero, and if it is.
fn bit(nonzero: &[usize], zero: &[usize]) -> Truth {
    Truth { nonzero: Some(all(nonzero)), zero: Some(all(zero)), mask: 1, address: None }
}

fn with_mask(mask: i128) -> Truth {
    Truth { mask, ..bit(&[1], &[2]) }
}

#[test]
fn both_hold_where_bits_are_anded_and_either_where_they_are_ored() {
    let (one, other) = (bit(&[1, 5], &[2, 6]), bit(&[3, 5], &[4, 6]));
    assert_eq!(one.and(&other), bit(&[1, 5, 3], &[6]));
    assert_eq!(one.or(&other), bit(&[5], &[2, 6, 4]));
    assert_eq!(one.join(&other), bit(&[5], &[6]));
    assert_eq!(one.whichever().nonzero, Some(all(&[])));
    // With more than one bit, zero may also mean that they have no bits in common.
    let more = Truth { mask: 3, ..other.clone() };
    assert_eq!(one.and(&more).zero, Some(all(&[])));
    assert_eq!(more.and(&one).zero, Some(all(&[])));
    assert_eq!(more.and(&one).nonzero, Some(all(&[3, 5, 1])));
}

#[test]
fn bits_that_are_combined_have_those_of_both_or_either() {
    for (one, other, and, or) in [
        (1, 1, 1, 1),
        (6, 3, 2, 7),
        (6, 1, 0, 7),
        (6, 0, 0, 6),
        (6, -1, 6, -1),
        (-1, 6, 6, -1),
        (-1, -1, -1, -1),
    ] {
        let (mine, others) = (with_mask(one), with_mask(other));
        assert_eq!(mine.and(&others).mask, and, "{one} and {other}");
        assert_eq!(mine.or(&others).mask, or, "{one} or {other}");
        assert_eq!(mine.join(&others).mask, or, "{one} or {other}");
        assert_eq!(bit(&[], &[]).select(&mine, &others).mask, or, "{one} or {other}");
    }
}

#[test]
fn a_mask_that_leaves_all_bits_leaves_what_follows() {
    for (mask, by, is_left) in [
        (0, 0, true),
        (0, 1, true),
        (1, 1, true),
        (1, 3, true),
        (1, 2, false),
        (15, 7, false),
        (15, -1, true),
        (-1, -1, false),
        (-1, 15, false),
    ] {
        let masked = with_mask(mask).masked(by);
        let zero = Some(all(if is_left { &[2] } else { &[] }));
        assert_eq!(masked, Truth { zero, ..with_mask(mask) }, "{mask} by {by}");
    }
}

#[test]
fn bits_of_which_nothing_is_known_may_be_any() {
    assert_eq!(Truth::unknown().mask, -1);
    assert_eq!(with_mask(1).whichever().mask, -1);
    assert_eq!(with_mask(1).possible().mask, -1);
    assert_eq!(with_mask(1).moved().mask, -1);
    assert_eq!(with_mask(15).as_bit().mask, 1);
    assert_eq!(with_mask(15).negated(), bit(&[2], &[1]));
    let number = |value| Truth::of_number(&Linear::exact(Sum::known(value)));
    assert_eq!([number(0).mask, number(1).mask, number(2).mask, number(-1).mask], [1, 1, -1, -1]);
    assert_eq!((number(0).nonzero, number(0).zero), (None, Some(all(&[]))));
    assert_eq!((number(2).nonzero, number(2).zero), (Some(all(&[])), None));
    let address = KnownAddress {
        storage: 0,
        is_pointee: false,
        kind: AddressKind::Own,
        offset: Linear::exact(Sum::default()),
        bits: 32,
        rank: None,
    };
    let of = |mask| Truth::of_lowest_bits(core::slice::from_ref(&address), mask);
    assert_eq!((of(None).mask, of(None).address.is_some()), (-1, true));
    assert_eq!((of(Some(0x70)).mask, of(Some(0x70)).address.is_some()), (0x70, false));
    assert_eq!(of(Some(0x70)).zero, Some(vec![Rc::new(aligned(0, 0, Some(0x80)))]));
    let two = Truth::of_lowest_bits(&[address.clone(), address.clone()], None);
    assert_eq!(two.address, None);
}

#[test]
fn an_exclusive_or_with_a_known_bit_is_the_bit_or_its_opposite() {
    let one = bit(&[1], &[2]);
    let known = |value: i128| Truth::of_number(&Linear::exact(Sum::known(value)));
    assert_eq!(one.exclusive_or(&known(1)), one.negated());
    assert_eq!(one.exclusive_or(&known(0)), one);
    assert_eq!(one.exclusive_or(&known(2)), Truth::unknown());
    assert_eq!(with_mask(3).exclusive_or(&known(1)), Truth::unknown());
    assert_eq!(one.exclusive_or(&one), Truth::unknown());
}

#[test]
fn alignment_is_proven_at_a_multiple_from_the_tested_address() {
    for (tested, to, offset, align, expected) in [
        (0, Some(16), 0, Some(16), true),
        (0, Some(16), 32, Some(16), true),
        (0, Some(16), 8, Some(16), false),
        (8, Some(16), 8, Some(16), true),
        (8, Some(16), -8, Some(16), true),
        (0, Some(16), 8, Some(8), true),
        (0, Some(16), 0, Some(32), false),
        (0, Some(16), 32, Some(32), false),
        (0, Some(16), 3, Some(1), true),
        (0, Some(16), 3, Some(0), true),
        (0, None, 0, Some(32), true),
        (0, None, 8, Some(32), false),
        // The required alignment is not known.
        (0, Some(16), 8, None, true),
        (0, None, 3, None, true),
    ] {
        let (claim, at) = (aligned(1, tested, to), Linear::exact(Sum::known(offset)));
        let text = format!("{tested} to {to:?} proves {offset} to {align:?}");
        assert_eq!(claim.proves((1, false), &at, align), expected, "{text}");
        assert!(!claim.proves((2, false), &at, align), "{text}");
        assert!(!claim.proves((1, true), &at, align), "{text}");
    }
    let claim = aligned(1, 0, Some(16));
    assert!(claim.proves((1, false), &Linear::unknown(), Some(16)));
    assert!(!claim.proves((1, false), &Linear::unknown(), Some(32)));
    let bound = Bound { register: 1, range: (0, 0), bits: 32, is_signed: false };
    assert!(!Claim::Bound(bound).proves((1, false), &Linear::exact(Sum::default()), Some(1)));
}

#[test]
fn the_claims_that_were_proven_last_are_kept() {
    let kept: Vec<usize> = (0..MOST_CLAIMS).collect();
    assert_eq!(both(&Some(all(&kept)), &Some(all(&[]))), Some(all(&kept)));
    assert_eq!(both(&Some(all(&kept)), &Some(all(&[0]))), Some(all(&kept)));
    let more: Vec<usize> = (1..=MOST_CLAIMS).collect();
    assert_eq!(both(&Some(all(&kept)), &Some(all(&[MOST_CLAIMS]))), Some(all(&more)));
    assert_eq!(both(&None, &Some(all(&[1]))), None);
    assert_eq!(both(&Some(all(&[1])), &None), None);
    assert_eq!(either(&None, &Some(all(&[1]))), Some(all(&[1])));
    assert_eq!(either(&Some(all(&[1])), &None), Some(all(&[1])));
}

fn bound(register: usize) -> Rc<Claim> {
    Rc::new(Claim::Bound(Bound { register, range: (0, 7), bits: 32, is_signed: false }))
}

fn launch(than: i128) -> Rc<LaunchCondition> {
    let condition = LaunchCondition::new(&[("%tid.x", 1)], Comparison::Less, &[], than);
    Rc::new(condition.expect("few registers"))
}

fn constants(known: i128) -> Condition {
    let (one, other) = (Sum::known(known), Sum::known(4));
    Condition { one, comparison: Comparison::Less, other, bits: 32, is_signed: false }
}

#[test]
fn more_follows_of_what_can_be() {
    let one = bit(&[1], &[2]);
    assert_eq!(one.clone().with(all(&[3]), all(&[4, 5])), bit(&[1, 3], &[2, 4, 5]));
    let never_zero = one.clone().settled(false);
    assert_eq!(never_zero, Truth { zero: None, ..one.clone() });
    assert_eq!(never_zero.with(all(&[3]), all(&[4])), Truth { zero: None, ..bit(&[1, 3], &[]) });
    assert_eq!(one.clone().settled(true), Truth { nonzero: None, ..one });
}

#[test]
fn something_is_known_where_anything_follows() {
    assert!(!Truth::unknown().is_known());
    assert!(!bit(&[], &[]).is_known());
    assert!(bit(&[1], &[]).is_known() && bit(&[], &[1]).is_known() && bit(&[1], &[1]).is_known());
    assert!(bit(&[], &[]).settled(true).is_known() && bit(&[], &[]).settled(false).is_known());
    let one = bit(&[1], &[2]);
    assert_eq!((one.claims(false), one.claims(true)), (&one.nonzero, &one.zero));
    assert!(with_mask(1).is_bit());
    assert!([0, 2, 3, -1].iter().all(|mask| !with_mask(*mask).is_bit()));
}

#[test]
fn bounds_of_a_register_end_where_it_is_written() {
    let truth = bit(&[1], &[2]).with(vec![bound(5), bound(6)], vec![bound(5)]);
    assert_eq!(truth.bounds().map(|bound| bound.register).collect::<Vec<_>>(), [5, 6, 5]);
    assert_eq!(truth.clone().without(5), bit(&[1], &[2]).with(vec![bound(6)], vec![]));
    assert_eq!(truth.clone().without(6), bit(&[1], &[2]).with(vec![bound(5)], vec![bound(5)]));
    assert_eq!(truth.clone().without(1), truth);
    assert_eq!(bit(&[1], &[]).settled(true).bounds().count(), 0);
}

#[test]
fn other_threads_may_prove_what_either_outcome_does() {
    let truth = bit(&[1], &[2]).with(vec![bound(5)], vec![Rc::new(Claim::Launch(launch(3)))]);
    let any = |storage| Rc::new(aligned(storage, 0, None));
    let all = Some(vec![any(1), any(2)]);
    let possible = Truth { nonzero: all.clone(), zero: all, mask: -1, address: None };
    assert_eq!(truth.possible(), possible);
    let never = bit(&[1], &[2]).settled(true).possible();
    assert_eq!((never.nonzero, never.zero), (Some(vec![any(2)]), Some(vec![any(2)])));
}

#[test]
fn a_selection_proves_what_both_of_its_ways_do() {
    let chosen = bit(&[1, 2], &[3]).select(&bit(&[4, 5], &[6]), &bit(&[4], &[6, 7]));
    assert_eq!(chosen, bit(&[4], &[6]));
    // If the second is never zero, a zero result comes from the first, and the third was not zero.
    let never_zero = bit(&[4], &[]).settled(false);
    let chosen = bit(&[1], &[3]).select(&bit(&[5], &[6]), &never_zero);
    assert_eq!(chosen, bit(&[], &[1, 6]));
    let chosen = bit(&[1], &[3]).select(&never_zero, &bit(&[5], &[6]));
    assert_eq!(chosen, bit(&[], &[3, 6]));
}

#[test]
fn constant_and_launch_conditions_are_separated() {
    let claims = [
        Rc::new(Claim::Launch(launch(1))),
        Rc::new(Claim::Constants(constants(1))),
        Rc::new(aligned(1, 0, None)),
        Rc::new(Claim::Launch(launch(2))),
        Rc::new(Claim::Constants(constants(2))),
        bound(1),
    ];
    assert_eq!(conditions(&claims), [constants(1), constants(2)]);
    assert_eq!(only_where(&claims), Some(launch(2)));
    assert_eq!(only_where(&claims[..2]), Some(launch(1)));
    assert_eq!(only_where(&claims[1..3]), None);
    assert!(conditions(&claims[2..4]).is_empty());
    for claim in claims.iter().filter(|claim| !matches!(&***claim, Claim::Aligned { .. })) {
        assert!(!claim.proves((1, false), &Linear::unknown(), None), "{claim:?}");
    }
}
