//! Tests of how many stores and loads are compared.

use alloc::string::String;

use crate::tests::sample::Sample;

/// Returns how many of these loads are found after this many stores to the same bytes.
fn found(stores: usize, loads: usize) -> usize {
    let mut text =
        String::from(".global .b32 g;\n.entry k() {\n.reg .b32 %r<2>;\nmov.b32 %r1, 1;\n");
    text += &"st.global.b32 [g], %r1;\n".repeat(stores);
    text += &"ld.global.nc.b32 %r0, [g];\n".repeat(loads);
    text += "ret;\n}\n";
    let all = Sample::of(&text).checked();
    all.iter().filter(|line| line.contains("A061")).count()
}

#[test]
fn too_many_pairs_are_not_compared() {
    assert_eq!(found(1, 1), 1);
    assert_eq!(found(256, 256), 256);
    assert_eq!(found(257, 256), 0);
    assert_eq!(found(256, 257), 0);
    assert_eq!(found(0, 3), 0);
    assert_eq!(found(3, 0), 0);
}
