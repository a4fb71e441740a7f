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
