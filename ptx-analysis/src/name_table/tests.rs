use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::NameTable;

#[test]
fn each_name_has_its_own() {
    let names: Vec<String> = (0..1000).map(|n| format!("%r{n}")).collect();
    let mut table = NameTable::<usize>::default();
    for (n, name) in names.iter().enumerate() {
        assert_eq!(*table.of(name), 0);
        *table.of(name) = n;
    }
    for (n, name) in names.iter().enumerate() {
        assert_eq!(*table.of(name), n);
    }
}

#[test]
fn of_many_names_none_is_lost() {
    let names: Vec<String> = (0..40_000).map(|n| format!("%r{n}")).collect();
    let mut table = NameTable::<usize>::default();
    for (n, name) in names.iter().enumerate() {
        assert_eq!(table.get(name), None, "{name}");
        *table.of(name) += n + 1;
        // One from before, which may be elsewhere now.
        *table.of(&names[n / 2]) += 0;
    }
    for (n, name) in names.iter().enumerate() {
        assert_eq!(table.get(name), Some(&(n + 1)), "{name}");
    }
    assert_eq!(table.get("%r40000"), None);
    assert_eq!(table.get(""), None);
}
