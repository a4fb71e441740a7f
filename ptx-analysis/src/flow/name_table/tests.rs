use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{MOST_PROBES, NameTable, hash};

/// Returns `%r0`, `%r1` and so on, as compilers number registers.
fn registers(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("%r{n}")).collect()
}

/// Returns names whose hashes have the same low bits, as many as a table of 4,096 slots uses.
fn of_one_hash(count: usize) -> Vec<String> {
    let names = (0..).map(|n| format!("h{n}"));
    names.filter(|name| hash(name.as_bytes()).trailing_zeros() >= 12).take(count).collect()
}

/// Fills a table with a number for each name, and compares it with a list at each step.
fn fill(names: &[String]) -> NameTable<'_, usize> {
    let mut table = NameTable::<usize>::default();
    for (n, name) in names.iter().enumerate() {
        assert_eq!(table.get(name), None, "{name}");
        *table.of(name) += n + 1;
        // An earlier one, which may have moved.
        *table.of(&names[n / 2]) += 0;
        assert_eq!(table.entries.len(), n + 1);
        // At least half of the slots are free, and the table is no larger than needed for that.
        assert_eq!(table.slots.len(), (2 * (n + 1) + 1).next_power_of_two().max(64), "{n}");
    }
    for (n, name) in names.iter().enumerate() {
        assert_eq!(table.get(name), Some(&(n + 1)), "{name}");
        assert_eq!(*table.of(name), n + 1, "{name}");
    }
    table
}

#[test]
fn nothing_is_in_an_empty_table() {
    assert_eq!(NameTable::<usize>::default().get(""), None);
    assert_eq!(NameTable::<usize>::default().get("%r0"), None);
}

#[test]
fn of_many_names_none_is_lost_and_each_has_a_slot() {
    let names = registers(40_000);
    let table = fill(&names);
    assert_eq!(table.get("%r40000"), None);
    assert_eq!(table.get(""), None);
    // Lookups in the tree would be slower.
    assert!(table.others.is_empty(), "{}", table.others.len());
}

#[test]
fn names_with_one_hash_are_found_and_take_no_more_slots_than_are_looked_at() {
    let names = of_one_hash(3 * MOST_PROBES);
    let table = fill(&names);
    assert_eq!(table.others.len(), 2 * MOST_PROBES);
    let taken = |slot: &u32| *slot != 0;
    assert!(table.slots[..MOST_PROBES].iter().all(taken));
    assert!(!table.slots[MOST_PROBES..].iter().any(taken));
    assert_eq!(table.get("h"), None);
}

#[test]
fn behind_the_last_slot_is_the_first() {
    let names = (0..).map(|n| format!("h{n}"));
    let names = names.filter(|name| hash(name.as_bytes()).trailing_ones() >= 6);
    let names: Vec<String> = names.take(3).collect();
    let table = fill(&names);
    assert_eq!(table.slots.len(), 64);
    assert_eq!((table.slots[63], &table.slots[..2]), (1, &[2, 3][..]));
}

/// Test vectors from the draft "The FNV Non-Cryptographic Hash Algorithm".
#[test]
fn hashes_are_those_of_fnv_1a() {
    assert_eq!(hash(b""), 0xCBF2_9CE4_8422_2325);
    assert_eq!(hash(b"a"), 0xAF63_DC4C_8601_EC8C);
    assert_eq!(hash(b"foobar"), 0x8594_4171_F739_67E8);
}
