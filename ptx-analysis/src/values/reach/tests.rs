//! Tests of the locations that operands certainly access: the extremes of sums over threads and iterations.

use super::*;
use crate::values::launch::Block;
use crate::values::number::Linear;

fn visit(offset: Affine, align: Option<i128>) -> Visit<'static> {
    let located = Located {
        storage: 0,
        is_pointee: false,
        via: None,
        offset: Linear::unknown(),
        bits: 32,
        rank: None,
    };
    let (at, settled, lanes, round) = ((0, 0), Settled::NOTHING, 32, None);
    Visit { at, located, offset, align, settled, room: None, lanes, round }
}

/// Returns a sum of the thread indices with coefficients, plus a number.
fn threads(times: [i128; 3], plus: i128) -> Affine {
    ["x", "y", "z"].iter().zip(times).fold(Affine::number(plus), |sum, (element, times)| {
        let register = Affine::special("%tid", element).and_then(|it| it.times(times));
        register.and_then(|register| sum.plus(&register)).expect("it is short")
    })
}

fn noted(visits: Vec<Visit<'static>>, block: [i128; 3]) -> Extremes<'static> {
    let mut reaches = Reaches::default();
    for visit in visits {
        reaches.note(visit, &Coordinates::attained(Block::Exactly(block)));
    }
    reaches.of.remove(&((0, 0), (0, false))).expect("it was noted")
}

#[test]
fn the_ends_are_those_of_the_threads_that_there_are() {
    let (first, last) = (Some([0, 0, 0]), |x, y, z| Some([x, y, z]));
    for (times, plus, least, most) in [
        ([0, 0, 0], 4, (4, None), (4, None)),
        ([4, 0, 0], 4, (4, first), (32, last(7, 0, 0))),
        ([-4, 0, 0], 4, (-24, last(7, 0, 0)), (4, first)),
        ([4, 32, 0], 0, (0, first), (124, last(7, 3, 0))),
        ([4, -32, 0], 0, (-96, last(0, 3, 0)), (28, last(7, 0, 0))),
        ([0, 0, 128], 0, (0, first), (128, last(0, 0, 1))),
    ] {
        let found = noted(vec![visit(threads(times, plus), None)], [8, 4, 2]);
        let of = |reach: Reach| (reach.offset, reach.thread);
        assert_eq!((of(found.least), of(found.most)), (least, most), "{times:?} and {plus}");
        assert_eq!(found.misaligned, None);
    }
}

#[test]
fn misalignment_is_found_at_the_first_or_second_thread() {
    let found = |times, plus, align| {
        let found = noted(vec![visit(threads(times, plus), align)], [8, 4, 2]);
        found.misaligned.map(|reach| (reach.offset, reach.thread))
    };
    assert_eq!(found([4, 0, 0], 0, Some(4)), None);
    assert_eq!(found([4, 0, 0], 0, Some(8)), Some((4, Some([1, 0, 0]))));
    assert_eq!(found([8, 4, 0], 0, Some(8)), Some((4, Some([0, 1, 0]))));
    assert_eq!(found([8, 8, 4], 0, Some(8)), Some((4, Some([0, 0, 1]))));
    assert_eq!(found([-4, 0, 0], 0, Some(8)), Some((-28, Some([7, 0, 0]))));
    assert_eq!(found([0, 0, 0], 4, Some(8)), Some((4, None)));
    assert_eq!(found([0, 0, 0], 4, Some(1)), None);
    assert_eq!(found([0, 0, 0], 4, Some(0)), None);
    assert_eq!(found([0, 0, 0], 4, None), None);
}

#[test]
fn where_there_is_one_thread_there_is_no_second() {
    let places = |block| {
        let found = noted(vec![visit(threads([4, 32, 0], 0), Some(8))], block);
        (found.first.iter().map(|reach| reach.offset).collect::<Vec<_>>(), found.misaligned)
    };
    assert_eq!(places([1, 1, 1]), (vec![0], None));
    assert_eq!(places([1, 2, 1]), (vec![0, 32], None));
    assert_eq!(places([2, 1, 1]).0, [0, 4]);
    assert_eq!(places([2, 2, 1]).0, [0, 4, 32]);
}

#[test]
fn the_ends_of_several_paths_are_the_ends_of_all() {
    let visits = [8, 4, 12, 4].map(|plus| visit(Affine::number(plus), Some(8)));
    let found = noted(visits.to_vec(), [8, 1, 1]);
    assert_eq!((found.least.offset, found.most.offset), (4, 12));
    assert_eq!(found.misaligned.map(|reach| reach.offset), Some(4));
    assert_eq!(found.first.iter().map(|reach| reach.offset).collect::<Vec<_>>(), [8, 4, 12]);
    // The first eight are kept.
    let visits = (0..12).map(|n| visit(Affine::number(n * 4), None));
    let found = noted(visits.collect(), [8, 1, 1]);
    assert_eq!(found.first.iter().map(|reach| reach.offset).max(), Some(28));
    assert_eq!(found.first.len(), MOST_KEPT);
}

#[test]
fn an_alignment_that_is_proven_once_is_not_doubted() {
    let proven = || {
        let settled = Settled { is_aligned: true, ..Settled::NOTHING };
        Visit { settled, ..visit(Affine::number(4), None) }
    };
    let open = || visit(Affine::number(4), None);
    for (visits, expected) in [
        ([open(), open()], false),
        ([open(), proven()], true),
        ([proven(), open()], true),
        ([proven(), proven()], true),
    ] {
        assert_eq!(noted(visits.to_vec(), [8, 1, 1]).settled.is_aligned, expected);
    }
}

#[test]
fn registers_wrap_where_operands_go() {
    for (bits, offset, expected) in
        [(32, 1 << 31, -(1 << 31)), (64, 1 << 31, 1 << 31), (0, 1 << 70, 1 << 70), (1, 3, -1)]
    {
        let mut visit = visit(Affine::number(offset), None);
        visit.located.bits = bits;
        assert_eq!(noted(vec![visit], [8, 1, 1]).least.offset, expected, "{bits} bits");
    }
}

/// The label of a loop, the number of completed iterations, and the index of the batch.
type Round = (usize, i128, Option<usize>);

#[test]
fn rounds_that_are_followed_at_once_are_the_first_two_and_the_last() {
    let rounds = |n| Affine::rounds(n, 4);
    let of = |offset: Affine, at_once, last| -> Vec<(i128, Round)> {
        let visit = Visit { round: Some((9, 2, at_once)), ..visit(offset, None) };
        let all = visit.in_rounds(0, last).into_iter();
        all.map(|it| (it.offset.added(), it.round.expect("it is in a loop"))).collect()
    };
    assert_eq!(of(rounds(0), Some(0), 0), [(0, (9, 2, None))]);
    assert_eq!(of(rounds(0), Some(0), 1), [(0, (9, 2, None)), (4, (9, 3, None))]);
    let all = [(0, (9, 2, None)), (4, (9, 3, None)), (20, (9, 7, None))];
    assert_eq!(of(rounds(0), Some(0), 5), all);
    // The iteration of the innermost loop counts.
    let inner = [(0, (9, 2, Some(1))), (4, (9, 2, Some(1)))];
    assert_eq!(of(rounds(0), Some(1), 1), inner);
    assert_eq!(of(rounds(0), None, 1), [(0, (9, 2, None)), (4, (9, 2, None))]);
    assert_eq!(of(rounds(1), Some(0), 5), [(0, (9, 2, Some(0)))]);
    // The iteration is the one that accesses the location.
    let coordinates = Coordinates::attained(Block::Exactly([8, 1, 1])).with_rounds(0);
    for (at_once, expected) in [(Some(0), 3 + coordinates.last_round(0)), (Some(1), 3), (None, 3)] {
        let visit = Visit { round: Some((9, 2, at_once)), ..visit(rounds(0), None) };
        let reach = visit.reach(&coordinates, End::Most).expect("it is near");
        assert_eq!(reach.round, Some((9, expected)), "{at_once:?}");
    }
}

#[test]
fn the_first_round_out_of_bounds_is_found() {
    let coordinates = Coordinates::attained(Block::Exactly([1, 1, 1])).with_rounds(0);
    let found = |start, step, last: i128| {
        let offset = Affine::number(start).plus(&Affine::rounds(0, step)).expect("it is short");
        let visit = Visit { room: Some(last), round: Some((9, 2, Some(0))), ..visit(offset, None) };
        let mut reaches = Reaches::default();
        reaches.note(visit, &coordinates);
        let extremes = reaches.of.remove(&((0, 0), (0, false))).expect("it was noted");
        extremes.beyond.map(|reach| (reach.offset, reach.round))
    };
    // Two iterations were completed before.
    let round = |number| Some((9, number));
    assert_eq!(found(0, 32, 400), Some((416, round(16))));
    assert_eq!(found(384, -32, 400), Some((-32, round(16))));
    assert_eq!(found(384, 0xffff_ffe0, 400), Some((-32, round(16))));
    assert_eq!(found(0, 0x7fff_ffff, 400), Some((0x7fff_ffff, round(4))));
    assert_eq!(found(416, -32, 400), Some((416, round(3))));
    assert_eq!(found(4, 0, 400), None);
    assert_eq!(found(0, 1, 1 << 20), None);
}
