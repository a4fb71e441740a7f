//! Tests of block sizes, and of sums of special registers.

use super::*;

#[test]
fn blocks_have_from_1_to_1024_threads() {
    for (block, most, x, z) in [
        (Block::Unknown, 1024, (1, 1024), (1, 64)),
        (Block::AtMost(0), 1, (1, 1), (1, 1)),
        (Block::AtMost(1), 1, (1, 1), (1, 1)),
        (Block::AtMost(48), 48, (1, 48), (1, 48)),
        (Block::AtMost(128), 128, (1, 128), (1, 64)),
        (Block::AtMost(2000), 1024, (1, 1024), (1, 64)),
        (Block::Exactly([8, 4, 2]), 64, (8, 8), (2, 2)),
        (Block::Exactly([0, 1, 1]), 1, (0, 0), (1, 1)),
        (Block::Exactly([1, 1, 1]), 1, (1, 1), (1, 1)),
        (Block::Exactly([1024, 2, 1]), 1024, (1024, 1024), (1, 1)),
        (Block::Exactly([i128::MAX, 2, 1]), 1024, (i128::MAX, i128::MAX), (1, 1)),
    ] {
        assert_eq!(block.most_threads(), most, "{block:?}");
        assert_eq!((block.threads(0), block.threads(2)), (x, z), "{block:?}");
    }
}

#[test]
fn sums_of_four_registers_are_kept() {
    let sum = |names: &[(&str, &str)]| {
        let registers = names.iter().map(|(name, element)| Affine::special(name, element));
        registers.flatten().try_fold(Affine::number(1), |sum, one| sum.plus(&one))
    };
    let names = [("%tid", "x"), ("%tid", "y"), ("%tid", "z"), ("%ntid", "x"), ("%ntid", "y")];
    assert_eq!(sum(&names[..3]).map(|sum| sum.terms().count()), Some(3));
    assert_eq!(sum(&names[..4]).map(|sum| sum.terms().count()), Some(4));
    assert_eq!(sum(&names), None);
    // The same register again adds no term.
    let five = [names[0], names[1], names[2], names[3], names[0]];
    assert_eq!(sum(&five).map(|sum| sum.times_of(Fixed::Thread(0))), Some(2));
}

#[test]
fn sums_are_divided_by_what_goes_into_each_part() {
    let sum = |times, plus| {
        let thread = Affine::special("%tid", "x").and_then(|thread| thread.times(times));
        thread.and_then(|thread| thread.plus(&Affine::number(plus))).expect("it is short")
    };
    for (times, plus, by, expected) in [
        (8, 4, 4, Some((2, 1))),
        (8, 7, 4, Some((2, 1))),
        (8, -1, 4, Some((2, -1))),
        (8, 0, 1, Some((8, 0))),
        (8, 0, 16, None),
        (8, 0, 0, None),
        (8, 0, -4, None),
    ] {
        let divided = expected.map(|(times, plus)| sum(times, plus));
        assert_eq!(sum(times, plus).divided(by), divided, "{times} and {plus} by {by}");
    }
    assert_eq!(Affine::number(5).divided(0), None);
}
