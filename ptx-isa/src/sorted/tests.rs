use std::collections::{BTreeMap, BTreeSet};
use std::prelude::rust_2024::*;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{MOST_IN_CHUNK, SortedMap, SortedSet};

/// Keys of which some come more than once, and enough for several chunks.
fn keys() -> impl Strategy<Value = Vec<u16>> {
    let ascending = (0_u16..400).prop_map(|n| (0..n).collect());
    prop_oneof![vec(0_u16..300, 0..600), ascending]
}

/// A map, and the entries that it should have.
fn map(keys: &[u16], removed: &[u16]) -> (SortedMap<u16, usize>, BTreeMap<u16, usize>) {
    let (mut map, mut expected) = (SortedMap::new(), BTreeMap::new());
    for (n, key) in keys.iter().enumerate() {
        assert_eq!(map.insert(*key, n), expected.insert(*key, n));
    }
    for key in removed {
        assert_eq!(map.remove(key), expected.remove(key));
    }
    (map, expected)
}

/// Whether a map has chunks as it should, and these entries.
fn check(map: &SortedMap<u16, usize>, expected: &BTreeMap<u16, usize>) {
    assert!(map.chunks.iter().all(|chunk| (1..=MOST_IN_CHUNK).contains(&chunk.len())));
    assert!(map.iter().eq(expected), "{map:?}");
    assert!(map.iter().rev().eq(expected.iter().rev()));
    assert!(map.keys().eq(expected.keys()) && map.values().eq(expected.values()));
    assert!(map.clone().into_iter().eq(expected.clone()));
    assert_eq!((map.len(), map.is_empty()), (expected.len(), expected.is_empty()));
    assert_eq!(std::format!("{map:?}"), std::format!("{expected:?}"));
}

proptest! {
    #[test]
    fn a_map_is_a_map(keys in keys(), removed in vec(0_u16..300, 0..300), at in 0_u16..300, other in 0_u16..300) {
        let (mut map, mut expected) = map(&keys, &removed);
        check(&map, &expected);
        let (from, to) = (at.min(other), at.max(other));
        prop_assert!(map.range(from..to).eq(expected.range(from..to)));
        prop_assert!(map.range(from..=to).rev().eq(expected.range(from..=to).rev()));
        prop_assert!(map.range(from..).eq(expected.range(from..)));
        prop_assert!(map.range(..to).eq(expected.range(..to)));
        prop_assert_eq!(map.get(&at), expected.get(&at));
        prop_assert_eq!(map.get_mut(&at), expected.get_mut(&at));
        prop_assert_eq!(map.contains_key(&at), expected.contains_key(&at));
        prop_assert_eq!(map.entry(at).or_insert(9), expected.entry(at).or_insert(9));
        prop_assert_eq!(map.entry(other).or_default(), expected.entry(other).or_default());
        prop_assert_eq!(map[&other], expected[&other]);
        // The same entries in other chunks.
        prop_assert_eq!(&map, &expected.clone().into_iter().collect());
        map.retain(|key, value| { *value += 1; key % 3 > 0 });
        expected.retain(|key, value| { *value += 1; key % 3 > 0 });
        for value in map.values_mut().chain(expected.values_mut()) {
            *value *= 2;
        }
        check(&map, &expected);
        map.clear();
        prop_assert!(map.is_empty() && map != SortedMap::from([(0, 0)]));
    }

    #[test]
    fn a_set_is_a_set(keys in keys(), more in vec(0_u16..300, 0..100), key in 0_u16..300) {
        let mut set = keys.iter().copied().collect::<SortedSet<_>>();
        let mut expected = keys.into_iter().collect::<BTreeSet<_>>();
        set.extend(&more);
        expected.extend(&more);
        prop_assert_eq!((set.first(), set.last()), (expected.first(), expected.last()));
        prop_assert_eq!((set.pop_first(), set.pop_last()), (expected.pop_first(), expected.pop_last()));
        prop_assert_eq!(set.contains(&key), expected.contains(&key));
        prop_assert_eq!(set.remove(&key), expected.remove(&key));
        prop_assert_eq!((set.insert(key), set.insert(key)), (expected.insert(key), false));
        prop_assert!(set.range(key..).eq(expected.range(key..)));
        set.retain(|key| key % 2 > 0);
        expected.retain(|key| key % 2 > 0);
        prop_assert!(set.iter().eq(&expected) && set.iter().rev().eq(expected.iter().rev()));
        prop_assert_eq!(std::format!("{set:?}"), std::format!("{expected:?}"));
        prop_assert!(set.into_iter().eq(expected));
    }
}
