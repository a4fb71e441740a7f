//! Tests of the ranges of special registers for each kind of launch, and of how comparisons split
//! the threads.

use alloc::vec::Vec;

use super::*;

/// Returns the indices of each thread of a block, by its linear index.
fn threads([width, height, depth]: [i128; 3]) -> impl Iterator<Item = (i128, [i128; 3])> {
    (0..width * height * depth)
        .map(move |n| (n, [n % width, n / width % height, n / width / height]))
}

fn exactly(extents: [i128; 3]) -> Coordinates {
    Coordinates::attained(Block::Exactly(extents))
}

fn within(threads: [Range; 3]) -> Coordinates {
    Coordinates { threads, ..exactly([32, 8, 8]) }
}

/// Returns a special register with a coefficient, plus a number.
fn sum(name: &str, times: i128, plus: i128) -> Affine {
    let (name, element) = name.split_once('.').unwrap_or((name, ""));
    let register = Affine::special(name, element).expect("it is the same from start to end");
    register.times(times).and_then(|sum| sum.plus(&Affine::number(plus))).expect("it is short")
}

fn compared(one: Affine, comparison: Comparison, other: Affine, is_signed: bool) -> Compared {
    Compared { one, comparison, other, bits: 32, is_signed }
}

#[test]
fn the_lane_of_a_single_thread_is_known() {
    for shape in [[3, 5, 7], [64, 1, 1], [4, 4, 4]] {
        for (n, thread) in threads(shape) {
            let single = Coordinates { threads: thread.map(|it| (it, it)), ..exactly(shape) };
            assert_eq!(single.range(Fixed::Lane), (n % 32, n % 32), "{thread:?} of {shape:?}");
        }
    }
    assert_eq!(exactly([2, 1, 1]).range(Fixed::Lane), (0, 31));
    assert_eq!(Coordinates::attained(Block::Unknown).range(Fixed::Lane), (0, 31));
}

#[test]
fn samples_are_the_threads_at_which_something_may_begin_or_end() {
    let samples = |shape| -> Vec<[i128; 3]> {
        let samples = exactly(shape).samples();
        samples.iter().map(|sample| sample.sample().expect("it is single")).collect()
    };
    let rows = |all: &[i128]| -> Vec<[i128; 3]> { all.iter().map(|x| [*x, 0, 0]).collect() };
    assert_eq!(samples([1, 1, 1]), rows(&[0]));
    assert_eq!(samples([5, 1, 1]), rows(&[1, 4, 2, 0]));
    assert_eq!(samples([32, 1, 1]), rows(&[1, 31, 2, 4, 8, 16, 0]));
    assert_eq!(samples([127, 1, 1]), rows(&[1, 126, 2, 4, 8, 16, 31, 32, 96, 0]));
    let several = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [129, 2, 1]];
    let first = rows(&[2, 4, 8, 16, 31, 32, 128, 129]);
    let all = several.into_iter().chain(first).chain([[0, 2, 0]]).collect::<Vec<_>>();
    assert_eq!(samples([130, 3, 2]), all);
    assert_eq!(Coordinates::attained(Block::AtMost(64)).samples(), []);
    assert_eq!(exactly([64, 1, 1]).sample(), None);
}

#[test]
fn the_first_lanes_of_a_warp_are_found_among_the_first_threads() {
    let one = (0, 0);
    for (of, lanes, expected) in [
        ([(0, 63), one, one], 32, Some([(0, 63), one, one])),
        ([(0, 63), one, one], 31, Some([(0, 30), one, one])),
        ([(0, 63), one, one], 8, Some([(0, 7), one, one])),
        ([(0, 63), one, one], 1, Some([one, one, one])),
        ([(0, 3), (0, 7), (0, 7)], 8, Some([(0, 3), one, one])),
        ([(3, 63), one, one], 4, Some([(3, 3), one, one])),
        ([(4, 63), one, one], 4, None),
        ([(0, 63), (1, 2), one], 4, None),
        ([(0, 63), one, (1, 2)], 4, None),
        ([(0, 63), (0, 2), (1, 2)], 4, None),
        ([(0, 63), (1, 2), (0, 2)], 4, None),
        // A single thread, whose lane is known.
        ([(3, 3), one, one], 4, Some([(3, 3), one, one])),
        ([(4, 4), one, one], 4, None),
        ([(3, 3), (1, 1), one], 4, Some([(3, 3), (1, 1), one])),
        ([(4, 4), (1, 1), one], 4, None),
        ([(4, 4), (1, 1), one], 5, Some([(4, 4), (1, 1), one])),
    ] {
        let found = within(of).in_lanes(lanes).map(|found| found.threads);
        assert_eq!(found, expected, "{lanes} lanes of {of:?}");
    }
}

#[test]
fn a_cluster_has_from_1_to_16_blocks() {
    let of = |cluster| exactly([32, 1, 1]).in_cluster(cluster);
    let blocks = |of: &Coordinates| of.range(Fixed::OfCluster);
    for (cluster, expected, last) in [
        (None, (1, 16), None),
        (Some((0, true)), (1, 1), None),
        (Some((1, true)), (1, 1), None),
        (Some((2, true)), (2, 2), Some(1)),
        (Some((2, false)), (1, 2), None),
        (Some((8, true)), (8, 8), Some(7)),
        (Some((16, true)), (16, 16), Some(15)),
        (Some((17, true)), (16, 16), Some(15)),
    ] {
        assert_eq!(blocks(&of(cluster)), expected, "{cluster:?}");
        let rank = of(cluster).in_last_block().map(|it| it.range(Fixed::Rank));
        assert_eq!(rank, last.map(|last| (last, last)), "{cluster:?}");
    }
}

#[test]
fn every_launch_has_the_threads_of_the_first_block() {
    let first = exactly([32, 1, 1]).in_cluster(Some((2, true)));
    let last = first.in_last_block().expect("there are two");
    let any = Coordinates::of(Block::AtMost(32));
    for (coordinates, of, expected) in [
        (first, Fixed::Thread(0), true),
        (any, Fixed::Thread(0), false),
        (first, Fixed::Block(0), true),
        (last, Fixed::Block(0), false),
        (any, Fixed::Block(0), false),
        (any, Fixed::Round(0), true),
        (first, Fixed::Threads(0), true),
        (any, Fixed::Threads(0), false),
        (first, Fixed::Blocks(0), false),
        (last, Fixed::Rank, true),
        (any, Fixed::Rank, false),
    ] {
        assert_eq!(coordinates.has_all(of), expected, "{of:?} of {coordinates:?}");
    }
}

#[test]
fn there_is_one_round_where_none_are_followed_at_once() {
    let at_once = Fixed::Round(0);
    let first = exactly([32, 1, 1]);
    assert_eq!(first.range(at_once), (0, 0));
    assert_eq!(first.range(Fixed::Round(1)), (0, 0));
    assert_eq!(first.with_rounds(0).range(at_once), (0, MOST_ROUNDS - 1));
    assert_eq!(first.with_rounds(0).last_round(0), MOST_ROUNDS - 1);
    assert_eq!(first.with_rounds(0).without_rounds(0).range(at_once), (0, 0));
}

#[test]
fn numbers_are_themselves_in_registers_that_hold_them() {
    for (range, bits, is_signed, expected) in [
        ((0, 255), 8, false, true),
        ((0, 256), 8, false, false),
        ((-1, 255), 8, false, false),
        ((-128, 127), 8, true, true),
        ((-129, 127), 8, true, false),
        ((-128, 128), 8, true, false),
        ((0, (1 << 64) - 1), 64, false, true),
        ((0, 1 << 64), 64, false, false),
        ((-(1 << 63), (1 << 63) - 1), 64, true, true),
        ((0, 1 << 63), 64, true, false),
        // Registers of other widths do not exist, and hold no other numbers.
        ((0, 1), 0, false, true),
        ((0, 2), 0, false, false),
        ((0, 2), 1, false, false),
        ((0, 1 << 64), 128, false, false),
    ] {
        assert_eq!(is_plain(range, bits, is_signed), expected, "{range:?} {bits} {is_signed}");
    }
    let number = |plus| Affine::number(plus);
    for (of, bits, expected) in [
        (sum("%tid.x", 1, 0), 16, true),
        (sum("%tid.x", 1, 0), 10, false),
        (sum("%tid.x", 1, 0), 11, true),
        (sum("%tid.x", 1, -1), 32, false),
        (sum("%ctaid.x", 1, 0), 32, true),
        (sum("%ctaid.x", 2, 0), 32, false),
        (sum("%tid.x", i128::MAX, 0), 64, false),
        (number(127), 8, true),
        (number(128), 8, false),
    ] {
        assert_eq!(Coordinates::fit(&of, bits), expected, "{of:?} in {bits} bits");
    }
}

#[test]
fn sums_that_may_not_fit_a_register_decide_nothing() {
    use Comparison::Less;
    let first = Coordinates { threads: [(0, 0); 3], ..exactly([8, 1, 1]) };
    let five = || Affine::number(5);
    for (one, other, is_signed, expected) in [
        (sum("%tid.x", 1, 0), five(), false, Some(true)),
        (sum("%tid.x", 1, 5), five(), false, Some(false)),
        (sum("%tid.x", 1, -1), five(), true, Some(true)),
        (sum("%tid.x", 1, -1), five(), false, None),
        (five(), sum("%tid.x", 1, -1), false, None),
        (sum("%tid.x", 1, 1 << 31), five(), true, None),
    ] {
        let compared = compared(one, Less, other, is_signed);
        assert_eq!(first.decides(&compared), expected, "{compared:?}");
        let known = first.compare(&compared).ok();
        assert_eq!(known, expected, "{compared:?}");
    }
}

#[test]
fn the_launch_decides_what_threads_are_compared_with_and_not_rounds() {
    use Comparison::Less;
    let conditions = |coordinates: Coordinates, one, other| {
        let compared = coordinates.compare(&compared(one, Less, other, true));
        compared.expect_err("it is not decided").is_some()
    };
    let block = exactly([8, 1, 1]);
    let five = || Affine::number(5);
    assert!(conditions(block, sum("%tid.x", 1, 0), five()));
    assert!(conditions(block, five(), sum("%tid.x", 1, 0)));
    assert!(!conditions(block.with_rounds(0), Affine::rounds(0, 1), five()));
    assert!(!conditions(block.with_rounds(0), five(), Affine::rounds(0, 1)));
    assert!(!conditions(block, sum("%tid.x", i128::MAX, 0), five()));
    assert!(!conditions(block, five(), sum("%tid.x", i128::MAX, 0)));
}

#[test]
fn comparisons_cut_threads_where_they_say_something_else() {
    use Comparison::{Equal, Less};
    let one = (0, 0);
    let parts = |of: Coordinates, one, comparison, plus| -> Option<Vec<[Range; 3]>> {
        let parts = of.split(&compared(one, comparison, Affine::number(plus), true))?;
        Some(parts.iter().map(|part| part.threads).collect())
    };
    let (x, y, z) = (|| sum("%tid.x", 1, 0), || sum("%tid.y", 1, 0), || sum("%tid.z", 1, 0));
    let row = |all: &[Range]| Some(all.iter().map(|x| [*x, one, one]).collect::<Vec<_>>());
    let of = exactly([8, 1, 1]);
    assert_eq!(parts(of, x(), Less, 3), row(&[(0, 2), (3, 7)]));
    assert_eq!(parts(of, x(), Equal, 3), row(&[(0, 2), (3, 3), (4, 7)]));
    assert_eq!(parts(of, x(), Equal, 0), row(&[(0, 0), (1, 7)]));
    assert_eq!(parts(of, x(), Equal, 7), row(&[(0, 6), (7, 7)]));
    let of = exactly([1, 1, 8]);
    assert_eq!(parts(of, z(), Less, 3), Some([[one, one, (0, 2)], [one, one, (3, 7)]].into()));
    // A value that is the same for all is not split.
    let of = exactly([1, 8, 1]);
    let both = x().plus(&y()).expect("it is short");
    assert_eq!(parts(of, both, Less, 3), Some([[one, (0, 2), one], [one, (3, 7), one]].into()));
    // If two values vary, splitting one of them decides nothing.
    let both = x().plus(&y()).expect("it is short");
    assert_eq!(parts(exactly([8, 8, 1]), both, Less, 3), None);
    // These threads may not exist.
    assert_eq!(parts(Coordinates::of(Block::Exactly([8, 1, 1])), x(), Less, 3), None);
}

#[test]
fn rounds_are_cut_behind_the_first_ones() {
    let of = exactly([8, 1, 1]).with_rounds(0);
    let rounds = Affine::rounds(0, 4);
    let parts = of.split(&compared(rounds, Comparison::Less, Affine::number(10), true));
    let parts = parts.expect("the first ones are decided");
    assert_eq!(parts.iter().map(|part| part.last_round(0)).collect::<Vec<_>>(), [2]);
}
