use alloc::vec::Vec;

use ptx_isa::rules::Comparison;

use super::*;
use crate::values::launch::Affine;

fn sum(name: &str, element: &str, times: i128) -> Affine {
    let register = Affine::special(name, element).expect("it is the same from start to end");
    register.times(times).expect("it is short")
}

fn condition(one: &Affine, comparison: Comparison, other: &Affine) -> Rc<LaunchCondition> {
    one.condition(comparison, other).expect("it is a condition")
}

#[test]
fn threads_are_counted_by_their_numbers() {
    let block = Block::Exactly([5, 4, 3]);
    let equal = |name, element, number| {
        condition(&sum(name, element, 1), Comparison::Equal, &Affine::number(number))
    };
    let count = |conditions: &[Rc<LaunchCondition>]| most(block, conditions);
    assert_eq!(count(&[]), Some(60));
    assert_eq!(count(&[equal("%tid", "x", 4)]), Some(12));
    assert_eq!(count(&[equal("%tid", "y", 0)]), Some(15));
    assert_eq!(count(&[equal("%tid", "z", 2)]), Some(20));
    assert_eq!(count(&[equal("%tid", "x", 5)]), Some(0));
    assert_eq!(count(&[equal("%tid", "x", 1), equal("%tid", "y", 1)]), Some(3));
    // Of 60 threads, those with the indices 31 and 32 to 59 and 0 to 27 in the second warp.
    assert_eq!(count(&[equal("%laneid", "", 31)]), Some(1));
    assert_eq!(count(&[equal("%laneid", "", 0)]), Some(2));
    assert_eq!(count(&[equal("%laneid", "", 27)]), Some(2));
    assert_eq!(count(&[equal("%laneid", "", 28)]), Some(1));
    assert_eq!(count(&[equal("%ntid", "x", 5)]), Some(60));
    assert_eq!(count(&[equal("%ntid", "y", 3)]), Some(0));
    // Other launch-dependent values may satisfy the condition for each of them.
    assert_eq!(count(&[equal("%ctaid", "x", 7)]), Some(60));
    assert_eq!(most(Block::AtMost(32), &[]), None);
    assert_eq!(most(Block::Unknown, &[]), None);
}

#[test]
fn sums_of_numbers_are_compared() {
    let block = Block::Exactly([4, 4, 1]);
    let all: Vec<(i128, i128)> = (0..4).flat_map(|y| (0..4).map(move |x| (x, y))).collect();
    for plus in -3..4 {
        for times in [1, 2, -1] {
            let left = sum("%tid", "x", times).plus(&Affine::number(plus)).expect("it is short");
            let less = condition(&left, Comparison::Less, &sum("%tid", "y", 1));
            let expected = all.iter().filter(|(x, y)| times * x + plus < *y).count();
            assert_eq!(most(block, &[less]), Some(expected as i128), "{times} {plus}");
        }
    }
}
