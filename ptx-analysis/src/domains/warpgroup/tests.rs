use alloc::vec::Vec;

use super::*;

/// Creates states in which a register may belong to a multiplication, and another may be written.
fn states() -> Vec<State> {
    let parts = [Part::Accumulator, Part::Fragment, Part::Copy];
    let all = parts.into_iter().flat_map(|part| {
        (0..2).flat_map(move |groups| (4..6).map(move |of| Pending { part, groups, of }))
    });
    let pending = core::iter::once(None).chain(all.map(Some));
    let with_written = pending.flat_map(|pending| {
        [None, Some(7)].map(|written| State {
            pending: pending.map(|pending| (3, pending)).into_iter().collect(),
            written: written.into_iter().collect(),
            ..State::default()
        })
    });
    with_written.collect()
}

#[test]
fn a_join_keeps_the_facts_of_both_paths() {
    for one in states() {
        for other in states() {
            let mut joined = one.clone();
            let is_changed = joined.join(&other, false);
            assert_eq!(is_changed, joined != one, "{one:?} {other:?}");
            let mut turned = other.clone();
            turned.join(&one, false);
            assert_eq!(joined, turned);
            assert!(!joined.clone().join(&other, false));
            let both: SortedSet<usize> =
                one.written.iter().copied().filter(|n| other.written.contains(n)).collect();
            assert_eq!(joined.written, both);
            let (Some(mine), Some(others)) = (one.pending.get(&3), other.pending.get(&3)) else {
                assert!(joined.pending.is_empty());
                continue;
            };
            let Some(pending) = joined.pending.get(&3) else {
                // A use that is wrong for a fragment is correct for a copy.
                assert_eq!(SortedSet::from([mine.part as u8, others.part as u8]).len(), 2);
                assert!(![mine.part, others.part].contains(&Part::Accumulator));
                continue;
            };
            assert_eq!(pending.groups, mine.groups.max(others.groups));
            assert_eq!(pending.of, mine.of.min(others.of));
            let mut parts = [mine.part, others.part].into_iter();
            let part = parts.find(|part| *part != Part::Accumulator);
            assert_eq!(pending.part, part.unwrap_or(Part::Accumulator));
        }
    }
}

#[test]
fn a_join_that_gives_up_keeps_only_what_it_leaves_as_it_is() {
    for one in states() {
        for other in states() {
            let (mut joined, mut without) = (one.clone(), one.clone());
            let is_changed = joined.join(&other, true);
            without.join(&other, false);
            assert_eq!(is_changed, joined != one || without != one, "{one:?} {other:?}");
            let is_kept = without.pending == one.pending;
            let expected = if is_kept { one.pending.clone() } else { SortedMap::new() };
            assert_eq!(joined.pending, expected, "{one:?} {other:?}");
        }
    }
}

#[test]
fn fences_and_groups_of_any_path_count_and_multiplications_without_one_of_all_paths() {
    let of = |n: u8| State {
        is_fenced: n & 1 != 0,
        is_fresh: n & 2 != 0,
        is_committed: n & 4 != 0,
        is_open: n & 8 != 0,
        ..State::default()
    };
    for one in 0..16 {
        for other in 0..16 {
            let mut joined = of(one);
            let is_changed = joined.join(&of(other), false);
            assert_eq!(joined, of((one | other) & 7 | one & other & 8));
            assert_eq!(is_changed, joined != of(one));
        }
    }
}

#[test]
fn where_nothing_is_known_nothing_is_wrong() {
    for mut state in states() {
        state.is_open = true;
        state.forget();
        let State { is_fenced, is_fresh, is_committed, is_open, pending, written } = state;
        assert!(is_fenced && is_fresh && is_committed && !is_open);
        assert!(pending.is_empty() && written.is_empty());
    }
}
