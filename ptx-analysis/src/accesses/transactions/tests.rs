//! Tests of which mbarriers may be the same, and how many are compared.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use core::fmt::Write as _;

use super::*;
use crate::tests::sample::Sample;
use crate::values::number::Product;

fn exact(storage: usize, is_pointee: bool, offset: Sum) -> Barrier {
    Barrier::Exact(storage, is_pointee, Linear::exact(offset))
}

fn constant(n: usize, known: i128) -> Sum {
    Sum { known, products: vec![Product { times: 1, of: vec![n] }] }
}

fn register(register: usize, of: Option<(usize, bool)>) -> Barrier {
    Barrier::Register(register, 1, Sum::known(0), of)
}

/// Checks both directions.
#[track_caller]
fn may_be(one: &Barrier, other: &Barrier) -> bool {
    assert_eq!(one.may_be(other), other.may_be(one), "{one:?} {other:?}");
    one.may_be(other)
}

#[test]
fn places_of_one_variable_differ_by_a_known_number_of_bytes() {
    let at = |offset| exact(1, false, Sum::known(offset));
    assert!(!may_be(&at(0), &at(8)));
    assert!(!may_be(&at(0), &exact(2, false, Sum::known(0))));
    assert!(!may_be(&at(0), &exact(2, false, constant(0, 0))));
    // The constant is arbitrary, but the added offsets differ.
    assert!(may_be(&at(8), &exact(1, false, constant(0, 0))));
    assert!(may_be(&at(0), &exact(1, false, constant(0, 0))));
    assert!(may_be(&exact(1, false, constant(0, 8)), &exact(1, false, constant(1, 0))));
    assert!(!may_be(&exact(1, false, constant(0, 8)), &exact(1, false, constant(0, 0))));
}

#[test]
fn where_pointers_lead_may_be_any_barrier() {
    let pointee = exact(1, true, Sum::known(0));
    let through = register(3, Some((1, true)));
    for other in [
        exact(2, false, Sum::known(0)),
        exact(2, true, Sum::known(8)),
        register(4, None),
        register(4, Some((2, false))),
        register(4, Some((2, true))),
        Barrier::Unknown,
    ] {
        assert!(may_be(&pointee, &other), "{other:?}");
        assert!(may_be(&through, &other), "{other:?}");
    }
}

#[test]
fn addresses_in_other_variables_are_of_other_barriers() {
    let inside = register(3, Some((1, false)));
    assert!(may_be(&inside, &exact(1, false, Sum::known(8))));
    assert!(!may_be(&inside, &exact(2, false, Sum::known(8))));
    assert!(may_be(&inside, &register(4, Some((1, false)))));
    assert!(!may_be(&inside, &register(4, Some((2, false)))));
    for other in [exact(1, false, Sum::known(0)), inside, register(4, None), Barrier::Unknown] {
        assert!(may_be(&register(3, None), &other), "{other:?}");
        assert!(may_be(&Barrier::Unknown, &other), "{other:?}");
    }
}

/// Returns the number of findings with this many mbarriers between labels, one of which expects too much, and
/// this many more whose bytes are expected elsewhere.
fn found(barriers: usize, strays: usize) -> usize {
    let copy = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
    let mut text = format!(
        ".global .align 16 .b8 data[64];
         .entry k() {{
         .shared .align 8 .b64 bars[2048];
         .shared .align 8 .b64 others[2048];
         .shared .align 16 .b8 room[64];
         .reg .b64 %d<4>;
         mov.u64 %d1, data;
         mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bars], 32;
         {copy} [room], [%d1], 16, [bars];\n"
    );
    for n in 1..barriers {
        let _ = writeln!(text, "mbarrier.arrive.shared::cta.b64 %d2, [bars+{}];", n * 8);
    }
    text += "L:\n";
    for n in 0..strays {
        let _ = writeln!(text, "{copy} [room], [%d1], 16, [others+{}];", n * 8);
    }
    text += "ret;\n}\n";
    let all = Sample::of(&text).checked();
    all.iter().filter(|line: &&String| line.contains(" A041 ")).count()
}

#[test]
fn too_many_barriers_are_not_compared() {
    assert_eq!(found(1, 0), 1);
    assert_eq!(found(1024, 0), 1);
    assert_eq!(found(1025, 0), 0);
    assert_eq!(found(1, 1024), 1);
    assert_eq!(found(1, 1025), 0);
}
