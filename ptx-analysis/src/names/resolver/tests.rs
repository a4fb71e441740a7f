//! Tests of the names listed for undeclared ones.

use alloc::string::String;
use core::fmt::Write as _;

use super::*;
use crate::tests::sample::Sample;

/// Returns how many names are listed for each undeclared one, with this many registers.
fn listed(registers: usize, undeclared: usize) -> Vec<usize> {
    let mut text = String::from(".entry k() {\n");
    for n in 0..registers {
        let _ = writeln!(text, ".reg .b32 r{n};");
    }
    for n in 0..undeclared {
        let _ = writeln!(text, "mov.b32 r0, x{n};");
    }
    text += "ret;\n}\n";
    let report = Sample::of(&text).report();
    let visible = |problem: &Problem<'_>| match problem {
        Problem::Undeclared(name) => Some(name.visible.len()),
        _ => None,
    };
    report.findings.iter().filter_map(|finding| visible(&finding.problem)).collect()
}

#[test]
fn not_too_many_names_are_listed_in_all() {
    assert_eq!(listed(5, 3), [5, 5, 5]);
    let many = listed(1024, 1026);
    assert_eq!(many[..1025], [1024; 1025]);
    // More would exceed a million.
    assert_eq!(many[1025..], [0]);
}
