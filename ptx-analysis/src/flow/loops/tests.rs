//! Tests of which loops have other entries, compared with a simple reference implementation.

extern crate std;

use super::*;
use crate::flow::node::Referent;
use crate::tests::text_nodes::with_nodes;

#[test]
fn the_extremes_of_ranges_are_those_of_their_numbers() {
    let numbers = [7, 3, 9, 3, 0, 8, 5, 6, 1];
    for length in 0..=numbers.len() {
        let of = |which| Extremes::of(numbers[..length].to_vec(), which);
        let (least, most) = (of(usize::min), of(usize::max));
        for start in 0..=length {
            for stop in 0..=length {
                let range = numbers.get(start..stop).unwrap_or_default();
                let text = std::format!("{start}..{stop} of {length}");
                assert_eq!(least.over(start, stop), range.iter().min().copied(), "{text}");
                assert_eq!(most.over(start, stop), range.iter().max().copied(), "{text}");
            }
        }
    }
}

#[test]
fn loops_are_entered_by_jumps_from_outside_to_behind_their_labels() {
    let mut seed = 1_usize;
    let mut below = |most: usize| {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (seed >> 40) % most
    };
    let mut seen = [0; 2];
    for _ in 0..5_000 {
        let count = 1 + below(8);
        let jumps: Vec<(usize, usize)> = (0..count).map(|_| (below(12), below(12))).collect();
        let mut ends = SortedMap::new();
        for (from, target) in jumps.iter().filter(|(from, target)| target <= from) {
            let end = ends.entry(*target).or_insert(*from);
            *end = (*end).max(*from);
        }
        let is_entered = |(label, end): &(&usize, &usize)| {
            jumps.iter().any(|(from, target)| {
                (**label + 1..=**end).contains(target) && !(**label..=**end).contains(from)
            })
        };
        let expected: SortedSet<usize> = ends.iter().filter(is_entered).map(|it| *it.0).collect();
        seen[usize::from(!expected.is_empty())] += 1;
        assert_eq!(entered(&ends, &jumps), expected, "{jumps:?}");
    }
    assert!(seen.iter().all(|times| *times > 500), "{seen:?}");
}

/// Returns the loops of a body.
fn loops(text: &str) -> Loops {
    with_nodes(text, |_| Referent::Other, Loops::of)
}

#[test]
fn a_loop_goes_from_its_label_to_the_last_jump_back() {
    // 0 L: 1 2 3 M: 4 5, and so on.
    let found = loops("L:\n@%p1 bra M;\n@%p2 bra L;\nM:\n@%p1 bra L;\n@%p3 bra M;\nret;");
    assert_eq!((found.end(0), found.end(3), found.end(1)), (Some(4), Some(5), None));
    // A jump from before M enters the loop at M, but at its label.
    assert_eq!(found.closed().collect::<Vec<_>>(), [(3, 5)]);
    let found = loops("bra M;\nL:\nadd.u32 %r1, %r1, 1;\nM:\n@%p1 bra L;\nret;");
    assert_eq!((found.end(1), found.end(3)), (Some(4), None));
    assert_eq!(found.closed().collect::<Vec<_>>(), []);
}

#[test]
fn a_jump_to_any_label_may_enter_all() {
    let found = loops("L:\nadd.u32 %r1, %r1, 1;\n@%p1 bra L;\nbrx.idx %r1, T;\nret;");
    assert_eq!(found.end(0), Some(2));
    assert_eq!(found.closed().collect::<Vec<_>>(), []);
}
