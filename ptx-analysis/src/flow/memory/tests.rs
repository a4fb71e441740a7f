//! Tests of the memory operands of instructions, following PTX ISA: the operand, the state space, the size, and the
//! alignment.

extern crate std;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;
use ptx_isa::rules::TensorMode;

use super::*;

fn with<T>(text: &str, read: impl FnOnce(&[MemoryOperand<'_>]) -> T) -> T {
    let (encoded, table) = encode(text);
    let body = Body::new(&encoded, &table, &[]);
    let statement = body.statements().next().expect("there is one");
    let instruction = statement.instruction(&[]).expect("it is an instruction");
    read(&MemoryOperand::all(&instruction, 7))
}

fn short(amount: Amount) -> String {
    match amount {
        Amount::Known(known) => known.to_string(),
        Amount::Constant(n) => format!("constant {n}"),
        Amount::Unknown => "?".to_string(),
    }
}

/// Formats an operand: `0: Data Read Shared 4/4 at A+8`.
fn one(operand: &MemoryOperand<'_>) -> String {
    let form = operand.form;
    let bracket = operand.bracket.map_or_else(|| "taken".to_string(), |n| n.to_string());
    let space = form.space.map_or_else(|| "generic".to_string(), |space| format!("{space:?}"));
    let named = if form.names_space { "" } else { " or generic" };
    let (bytes, align, offset) = (operand.bytes, operand.align, operand.offset);
    let mut all = format!(
        "{bracket}: {:?} {:?} {space}{named} {}/{} at {}+{}",
        form.role,
        form.direction,
        short(bytes),
        short(align),
        operand.name.text,
        short(offset)
    );
    if operand.index.is_some() {
        all += " indexed";
    }
    if operand.written.is_some() {
        all += " written";
    }
    if form.may_be_nothing {
        all += " perhaps";
    }
    if form.unified == Some(true) {
        all += " unified";
    }
    all
}

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, expected) in rows {
        let found: Vec<String> = with(text, |all| all.iter().map(one).collect());
        let found = found.join("; ");
        if found != *expected {
            wrong.push(format!("{text} {found}, and not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_type_and_the_vector_give_the_size() {
    check(&[
        ("ld.shared.b32 %r0, [A];", "0: Data Read Shared 4/4 at A+0"),
        ("ld.shared.u8 %r0, [A+3];", "0: Data Read Shared 1/1 at A+3"),
        ("ld.global.v2.b32 {%r0, %r1}, [%d0+8];", "0: Data Read Global 8/8 at %d0+8"),
        ("ld.global.v4.f32 {%r0, %r1, %r2, %r3}, [%d0];", "0: Data Read Global 16/16 at %d0+0"),
        ("ld.global.v8.b32 {%r0}, [%d0];", "0: Data Read Global 32/32 at %d0+0"),
        ("ld.b64 %d0, [%d1-8];", "0: Data Read generic or generic 8/8 at %d1+-8"),
        (
            "ld.unified.b32 %r0, [%d1].unified;",
            "0: Data Read generic or generic 4/4 at %d1+0 unified",
        ),
        ("ld.shared.b32 %r0, [A[%r1]];", "0: Data Read Shared 4/4 at A+0 indexed"),
        ("ld.shared %r0, [A];", "0: Data Read Shared ?/? at A+0"),
        // Elements of registers are not tracked.
        ("ld.shared.b32 %r0, [%r1.x];", "0: Data Read Shared 4/4 at %r1+?"),
        ("ld.shared.b32 %r0, [%r1.x+4];", "0: Data Read Shared 4/4 at %r1+?"),
        // A number does not refer to storage that a body names.
        ("ld.shared.b32 %r0, [16];", ""),
        ("st.shared.b32 [A], %r0;", "0: Data Write Shared 4/4 at A+0 written"),
        ("st.shared.v2.b32 [A], {%r0, %r1};", "0: Data Write Shared 8/8 at A+0 written"),
        ("atom.shared.add.u32 %r0, [A], 1;", "0: Data ReadWrite Shared 4/4 at A+0"),
        ("atom.shared.min.s32 %r0, [A], 1;", "0: Data ReadWrite Shared 4/4 at A+0"),
        ("red.global.max.u64 [%d0], 1;", "0: Data ReadWrite Global 8/8 at %d0+0"),
        ("red.global.add.u64 [%d0], 1;", "0: Data ReadWrite Global 8/8 at %d0+0"),
        ("prefetch.global.L1 [%d0];", "0: Data Cache Global ?/? at %d0+0"),
        ("prefetchu.L1 [%d0];", "0: Data Cache generic or generic ?/? at %d0+0"),
        ("unheard.of [A];", ""),
    ]);
}

#[test]
fn an_operand_gives_the_size() {
    check(&[
        ("discard.global.L2 [%d0], 128;", "0: Data Write Global 128/128 at %d0+0 written"),
        (
            "cp.async.ca.shared.global [A], [%d0], 8;",
            "0: Data Write Shared 8/8 at A+0; 1: Data Read Global 8/8 at %d0+0",
        ),
        (
            "cp.async.ca.shared.global [A], [%d0], 8, %r0;",
            "0: Data Write Shared 8/8 at A+0; 1: Data Read Global ?/8 at %d0+0 perhaps",
        ),
        (
            "cp.async.ca.shared.global [A], [%d0];",
            "0: Data Write Shared ?/? at A+0 written; 1: Data Read Global ?/? at %d0+0",
        ),
        (
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [A], [%d0], 64, [B];",
            "0: Data Write Shared 64/16 at A+0; 1: Data Read Global 64/16 at %d0+0; \
             2: Barrier ReadWrite Shared or generic 8/8 at B+0",
        ),
        ("mbarrier.init.shared.b64 [B], 1;", "0: Barrier ReadWrite Shared 8/8 at B+0"),
    ]);
}

#[test]
fn a_tensor_map_is_read_whatever_is_written_behind_it() {
    check(&[(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [M, {%r0, %r1}], [A];",
        "0: Map Read Global or generic 128/64 at M+0; 1: Data Read Shared ?/128 at A+0",
    )]);
}

#[test]
fn matrices_are_as_aligned_as_their_rows() {
    check(&[
        (
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [A];",
            "0: Data Read Shared 16/16 at A+0",
        ),
        (
            "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0, %r1}, [A];",
            "0: Data Read Shared ?/16 at A+0",
        ),
        (
            "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [A];",
            "0: Data Read Shared ?/16 at A+0",
        ),
        (
            "wmma.load.a.sync.aligned.row.m8n8k4.shared.f64 {%d0, %d1}, [A];",
            "0: Data Read Shared ?/16 at A+0",
        ),
        (
            "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [A], {%r0, %r1, %r2, %r3};",
            "0: Data Write Shared ?/8 at A+0 written",
        ),
        (
            "wmma.load.a.sync.aligned.row.m16n16k16.shared.s4 %r0, [A];",
            "0: Data Read Shared ?/? at A+0",
        ),
    ]);
}

#[test]
fn an_address_is_taken_of_the_second_operand() {
    check(&[
        ("mov.u64 %d0, A;", "taken: Data Taken generic ?/? at A+0"),
        ("mov.u64 %d0, A+16;", "taken: Data Taken generic ?/? at A+16"),
        ("mov.u64 %d0, A[%r1];", "taken: Data Taken generic ?/? at A+0 indexed"),
        ("mov.u64 %d0, 7;", ""),
        ("cvta.shared.u64 %d0, A;", "taken: Data Taken Shared ?/? at A+0"),
        ("cvta.to.shared.u64 %d0, %d1;", "taken: Data Taken generic or generic ?/? at %d1+0"),
        ("mapa.shared::cluster.u32 %r0, %r1, 1;", "taken: Data Taken Shared ?/? at %r1+0"),
    ]);
}

#[test]
fn textures_and_tensor_memory_are_no_storage_of_the_body() {
    check(&[
        ("tex.2d.v4.f32.s32 {%r0, %r1, %r2, %r3}, [T, {%r4, %r5}];", ""),
        ("suld.b.1d.b32.trap %r0, [S, {%r1}];", ""),
        ("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r0}, [%r1];", ""),
    ]);
}

#[test]
fn the_addresses_of_as_many_threads_count_as_there_are_rows() {
    for (text, expected) in [
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [A];", 8),
        ("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0, %r1}, [A];", 16),
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [A];", 32),
        ("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0, %r1}, [A];", 16),
        ("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%r0, %r1, %r2, %r3}, [A];", 32),
        ("stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [A], {%r0};", 8),
        ("stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [A], {%r0, %r1};", 16),
        ("ld.shared.b32 %r0, [A];", 32),
        ("mov.u64 %d0, A;", 32),
    ] {
        assert_eq!(with(text, |all| all[0].lanes), expected, "{text}");
    }
}

#[test]
fn the_type_is_that_of_each_element() {
    for (text, expected) in [
        ("ld.shared.v2.s32 {%r0, %r1}, [A];", Some(ScalarType::S32)),
        ("mov.b64 %d0, A;", Some(ScalarType::B64)),
        ("ld.shared %r0, [A];", None),
        ("cp.async.ca.shared.global [A], [%d0], 8;", None),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [A];", None),
    ] {
        assert_eq!(with(text, |all| all[0].form.ty), expected, "{text}");
    }
}

#[test]
fn only_loads_can_say_unified() {
    for (text, expected) in [
        ("ld.global.b32 %r0, [%d0].unified;", Some(true)),
        ("ld.global.b32 %r0, [%d0];", Some(false)),
        ("st.global.b32 [%d0], %r0;", None),
        ("mov.u64 %d0, A;", None),
    ] {
        assert_eq!(with(text, |all| all[0].form.unified), expected, "{text}");
    }
}

#[test]
fn a_part_of_a_space_is_named_behind_two_colons() {
    for (text, expected) in [
        ("ld.param::entry.u32 %r0, [A];", Some(SubSpace::Entry)),
        ("ld.param::func.u32 %r0, [A];", Some(SubSpace::Func)),
        ("ld.param.u32 %r0, [A];", None),
        ("ld.shared::cta.u32 %r0, [A];", Some(SubSpace::Cta)),
        ("ld.shared::cluster.u32 %r0, [A];", Some(SubSpace::Cluster)),
        ("ld.shared.u32 %r0, [A];", None),
        ("mapa.shared::cluster.u32 %r0, A, 1;", Some(SubSpace::Cluster)),
    ] {
        assert_eq!(with(text, |all| all[0].form.sub_space), expected, "{text}");
    }
    assert_eq!(sub_space(&[(".", "shared"), (".", "cta")]), None);
    assert_eq!(sub_space(&[("::", "shared"), ("::", "cta")]), None);
    assert_eq!(sub_space(&[(".", "param"), ("::", "cta")]), None);
    assert_eq!(sub_space(&[(".", "shared"), ("::", "entry")]), None);
    assert_eq!(sub_space(&[("::", "param"), ("::", "entry")]), None);
    assert_eq!(sub_space(&[(".", "param"), (".", "func")]), None);
    assert_eq!(sub_space(&[(".", "x"), (".", "shared"), ("::", "cta")]), Some(SubSpace::Cta));
}

#[test]
fn the_rank_is_known_unless_the_coordinates_contradict_it() {
    let of = |coordinates: &str| {
        let text = format!(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4\
             .mbarrier::complete_tx::bytes [A], [M{coordinates}], [B];"
        );
        with(&text, |all| all.iter().map(|it| it.form.tensor).collect::<Vec<_>>())
    };
    let (mode, direction) = (TensorMode::Gather4, Direction::Read);
    for (coordinates, rank) in [
        (", {%r0, %r1, %r2, %r3, %r4}", Some(2)),
        (", {%r0, %r1}", None),
        (", {%r0, %r1, %r2, %r3, %r4, %r5}", None),
        ("", Some(2)),
    ] {
        let access = TensorAccess { rank, mode, direction };
        assert_eq!(of(coordinates), [None, Some(access), None], "{coordinates}");
    }
}

#[test]
fn an_offset_has_its_own_place() {
    let places = |text: &str| {
        with(text, |all| {
            let tokens = |place: Place| (place.statement, place.tokens);
            (tokens(all[0].place), tokens(all[0].offset_place))
        })
    };
    for text in ["ld.shared.b32 %r0, [A];", "mov.u64 %d0, A;"] {
        let (name, offset) = places(text);
        assert_eq!((name.0, name), (7, offset), "{text}");
    }
    for text in ["ld.shared.b32 %r0, [A+8];", "mov.u64 %d0, A+8;", "ld.shared.b32 %r0, [A[%r1]];"] {
        let (name, offset) = places(text);
        assert_eq!((name.0, offset.0), (7, 7), "{text}");
        assert_ne!(name.1, offset.1, "{text}");
    }
}
