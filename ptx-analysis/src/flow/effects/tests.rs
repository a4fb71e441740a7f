use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use ptx_interpreter::encode;
use ptx_isa::ir::body::{Amount, Body, Name};

use super::{Action, Effects, Jump, Matrix, TileCopy};
use crate::flow::expression::Expression;
use crate::flow::place::Place;

/// The index of the tested statement.
const STATEMENT: usize = 7;

/// Describes the effects of an instruction with `say`, which may print the tokens of places.
fn of(text: &str, say: impl Fn(&Effects<'_>, &dyn Fn(Place) -> String) -> String) -> String {
    let (encoded, table) = encode(text);
    let body = Body::new(&encoded, &table, &[]);
    let statement = body.statements().next().expect("there is one");
    let instruction = statement.instruction(&[]).expect("it is an instruction");
    let tokens = |place: Place| {
        assert_eq!(place.statement, STATEMENT);
        let of = |n: usize| statement.tokens().nth(n).expect("it has as many");
        let (first, last) = (of(place.tokens.first), of(place.tokens.last));
        statement.text()[first.offset..last.offset + last.text.len()].to_string()
    };
    say(&Effects::of(&instruction, STATEMENT), &tokens)
}

fn shown(value: &Expression<'_>) -> String {
    match value {
        Expression::Name(name) => name.text.to_string(),
        Expression::Amount(amount) => shown_amount(*amount),
        Expression::Add(two, 64) => format!("{} + {}", shown(&two[0]), shown(&two[1])),
        other => format!("{other:?}"),
    }
}

fn shown_amount(amount: Amount) -> String {
    amount.known().map_or("?".to_string(), |number| number.to_string())
}

fn shown_copy(copy: &TileCopy<'_>, tokens: &dyn Fn(Place) -> String) -> String {
    let TileCopy { operands, completes, is_multicast, first, halo } = copy;
    let operands = operands.map_or("-".to_string(), |(tile, map)| format!("{tile} {map}"));
    let first = first.as_ref().map_or("-".to_string(), |(value, place)| {
        format!("{} at {}", shown(value), tokens(*place))
    });
    let (halo, multicast) = (shown_amount(*halo), if *is_multicast { " multicast" } else { "" });
    let completes = if *completes { " completes" } else { "" };
    format!("tile {operands} from {first} halo {halo}{completes}{multicast}")
}

fn shown_matrix(matrix: &Matrix<'_>, tokens: &dyn Fn(Place) -> String) -> String {
    let Matrix { name, place, is_transposed, element, rows } = matrix;
    assert_eq!(tokens(*place), name.text);
    let transposed = if *is_transposed { " transposed" } else { "" };
    format!("{} of {rows} {}{transposed}", name.text, element.unwrap_or("?"))
}

/// Describes the effect of an instruction on mbarriers and matrices.
fn action(text: &str) -> String {
    of(text, |effects, tokens| match &effects.action {
        Action::None => "nothing".to_string(),
        Action::Arrive(times) => {
            format!("arrive {}", times.as_ref().map_or("-".to_string(), |it| shown(it)))
        }
        Action::Invalidate => "invalidate".to_string(),
        Action::Init(count) => format!("init {} at {}", shown(&count.0), tokens(count.1)),
        Action::Expect(count) => format!("expect {} at {}", shown(&count.0), tokens(count.1)),
        Action::Wait(parity) => {
            format!("wait {}", parity.as_ref().map_or("-".to_string(), |it| shown(it)))
        }
        Action::Complete => "complete".to_string(),
        Action::Copy(bytes) => format!("copy {}", shown(bytes)),
        Action::CopyTile(copy) => shown_copy(copy, tokens),
        Action::Multiply(matrices) => {
            let each = matrices.iter().map(|matrix| shown_matrix(matrix, tokens));
            format!("multiply {}", each.collect::<Vec<String>>().join(", "))
        }
    })
}

/// Returns the names that matter to an instruction, in order.
fn names(text: &str) -> Vec<String> {
    let all = of(text, |effects, _| {
        let mut names = Vec::new();
        effects.each_name(&mut |name: Name<'_>| names.push(name.text.to_string()));
        names.join(" ")
    });
    all.split_whitespace().map(str::to_string).collect()
}

#[test]
fn instructions_arrive_at_barriers_and_wait_for_them() {
    for (text, expected) in [
        ("mbarrier.init.shared.b64 [bar], 32;", "init 32 at 32"),
        ("mbarrier.init.shared.b64 [bar], %r1;", "init %r1 at %r1"),
        ("mbarrier.inval.shared.b64 [bar];", "invalidate"),
        ("mbarrier.arrive.shared.b64 %d1, [bar];", "arrive 1"),
        ("mbarrier.arrive.shared.b64 %d1, [bar], 4;", "arrive 4"),
        ("mbarrier.arrive.shared.b64 %d1, [bar], %r1;", "arrive %r1"),
        ("mbarrier.arrive_drop.shared.b64 %d1, [bar];", "arrive -"),
        ("mbarrier.arrive.expect_tx.shared.b64 %d1, [bar], 64;", "expect 64 at 64"),
        ("mbarrier.arrive_drop.expect_tx.shared.b64 _, [bar], 64;", "expect 64 at 64"),
        ("mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 64;", "expect 64 at 64"),
        ("mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 64;", "complete"),
        ("cp.async.mbarrier.arrive.shared.b64 [bar];", "arrive -"),
        ("cp.async.mbarrier.arrive.noinc.shared.b64 [bar];", "arrive 1"),
        ("mbarrier.test_wait.shared.b64 %p1, [bar], %d1;", "wait %d1"),
        ("mbarrier.test_wait.parity.shared.b64 %p1, [bar], %r1;", "wait %r1"),
        ("mbarrier.try_wait.parity.shared.b64 %p1, [bar], 1;", "wait 1"),
        ("mbarrier.try_wait.parity.shared.b64 %p1, [bar], 1, %r2;", "wait 1"),
        ("add.u32 %r1, %r2, 1;", "nothing"),
    ] {
        assert_eq!(action(text), expected, "{text}");
    }
}

#[test]
fn copies_complete_on_barriers() {
    for (text, expected) in [
        (
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [t], [%d1], 64, [bar];",
            "copy 64",
        ),
        (
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [t], [%d1], %r1, [bar];",
            "copy %r1",
        ),
        // The destination and the mbarrier are in another block.
        (
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r2], [t], 64, [%r3];",
            "copy ?",
        ),
        // A multicast to several blocks, each of which has an mbarrier.
        (
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster \
             [t], [%d1], 64, [bar], %h1;",
            "copy ?",
        ),
        ("cp.async.bulk.global.shared::cta.bulk_group [%d1], [t], 64;", "nothing"),
        // A store that is not a bulk copy.
        ("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];", "copy ?"),
    ] {
        assert_eq!(action(text), expected, "{text}");
    }
}

#[test]
fn copies_of_tiles_go_from_maps_to_tiles_or_back() {
    let load = "cp.async.bulk.tensor";
    let to = "shared::cluster.global";
    let completes = "mbarrier::complete_tx::bytes";
    for (text, expected) in [
        (
            format!("{load}.2d.{to}.{completes} [t], [map, {{%r1, %r2}}], [bar];"),
            "tile 0 1 from %r1 at %r1 halo 0 completes",
        ),
        (
            format!("{load}.1d.{to}.tile.{completes} [t], [map, {{32}}], [bar];"),
            "tile 0 1 from 32 at 32 halo 0 completes",
        ),
        (
            format!("{load}.2d.{to}.{completes}.multicast::cluster [t], [map, {{0, 1}}], [bar], %h1;"),
            "tile 0 1 from 0 at 0 halo 0 completes multicast",
        ),
        (
            format!("{load}.2d.global.shared::cta.bulk_group [map, {{%r1, %r2}}], [t];"),
            "tile 1 0 from %r1 at %r1 halo 0",
        ),
        (
            "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [map, {%r1, 0}], [t];"
                .to_string(),
            "tile 1 0 from %r1 at %r1 halo 0",
        ),
        (
            "cp.async.bulk.prefetch.tensor.2d.L2.global [map, {%r1, 0}];".to_string(),
            "tile - from %r1 at %r1 halo 0",
        ),
        // A halo is a number of pixels in the wide modes, and the corner's offset in the other one.
        (
            format!("{load}.3d.{to}.im2col.{completes} [t], [map, {{0, 1, 2}}], [bar], {{5}};"),
            "tile 0 1 from 0 at 0 halo 0 completes",
        ),
        (
            format!("{load}.3d.{to}.im2col::w.{completes} [t], [map, {{0, 1, 2}}], [bar], {{5, 6}};"),
            "tile 0 1 from 0 at 0 halo 5 completes",
        ),
        (
            format!("{load}.3d.{to}.im2col::w::128.{completes} [t], [map, {{0, 1, 2}}], [bar], {{7, 6}};"),
            "tile 0 1 from 0 at 0 halo 7 completes",
        ),
        (
            format!("{load}.3d.{to}.im2col::w.{completes} [t], [map, {{0, 1, 2}}], [bar], {{%h1, 6}};"),
            "tile 0 1 from 0 at 0 halo ? completes",
        ),
        (
            format!("{load}.3d.{to}.im2col::w.{completes} [t], [map, {{0, 1, 2}}], [bar];"),
            "tile 0 1 from 0 at 0 halo 0 completes",
        ),
        (format!("{load}.2d.{to}.{completes} [t], [map], [bar];"), "tile 0 1 from - halo 0 completes"),
    ] {
        assert_eq!(action(&text), expected, "{text}");
    }
}

#[test]
fn matrices_have_the_shape_and_the_types_of_the_multiplication() {
    let multiply = "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.f16 {%f1, %f2}";
    for (rest, expected) in [
        ("%d1, %d2, 1, 1, 1, 0, 1;", "multiply %d1 of 64 bf16, %d2 of 16 f16 transposed"),
        ("%d1, %d2, 1, 1, 1, 1, 0;", "multiply %d1 of 64 bf16 transposed, %d2 of 16 f16"),
        ("%d1, %d2, 1, 1, 1;", "multiply %d1 of 64 bf16, %d2 of 16 f16"),
        // The left matrix is in registers, and has no transpose flag.
        ("{%r1, %r2, %r3, %r4}, %d2, 1, 1, 1, 1;", "multiply %d2 of 16 f16 transposed"),
        ("{%r1, %r2, %r3, %r4}, %d2, 1, 1, 1, 0;", "multiply %d2 of 16 f16"),
    ] {
        assert_eq!(action(&format!("{multiply}, {rest}")), expected, "{rest}");
    }
    let widest = "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.u8 {%r1}, %d1, %d2, 1;";
    assert_eq!(action(widest), "multiply %d1 of 64 s8, %d2 of 256 u8");
    // The shape is not valid.
    let without = "wgmma.mma_async.sync.aligned.f32.bf16.bf16 {%r1}, %d1, %d2, 1;";
    assert_eq!(action(without), "multiply %d1 of 64 ?, %d2 of 0 ?");
}

#[test]
fn control_goes_on_or_to_a_label_or_nowhere() {
    let jump = |text: &str| {
        of(text, |effects, _| {
            let calls = if effects.calls { " calls" } else { "" };
            match &effects.jump {
                Jump::Next => format!("next{calls}"),
                Jump::To(name) => format!("to {}{calls}", name.text),
                Jump::Anywhere => format!("anywhere{calls}"),
                Jump::Ends => format!("ends{calls}"),
            }
        })
    };
    for (text, expected) in [
        ("bra L1;", "to L1"),
        ("@%p1 bra.uni L1;", "to L1"),
        ("bra;", "anywhere"),
        ("brx.idx %r1, targets;", "anywhere"),
        ("exit;", "ends"),
        ("ret;", "ends"),
        ("trap;", "ends"),
        ("call f;", "next calls"),
        ("add.u32 %r1, %r2, 1;", "next"),
    ] {
        assert_eq!(jump(text), expected, "{text}");
    }
}

#[test]
fn the_first_operand_is_written_unless_it_is_taken() {
    let writes = |text: &str| {
        of(text, |effects, _| {
            let name = |name: &Name<'_>| name.text.to_string();
            let writes: Vec<String> = effects.writes.iter().map(name).collect();
            let takes = effects.takes.iter().map(|(name, _)| name.text.to_string());
            format!("{} | {}", writes.join(" "), takes.collect::<Vec<String>>().join(" "))
        })
    };
    for (text, expected) in [
        ("add.u32 %r1, %r2, 1;", "%r1 | "),
        ("ld.global.v2.u32 {%r1, %r2}, [%d1];", "%r1 %r2 | "),
        ("mov.b64 {_, %r2}, %d1;", "%r2 | "),
        ("bra L1;", " | "),
        ("bar.sync %r1, %r2;", " | %r1 %r2"),
        ("bar.sync 0, %r2;", " | %r2"),
    ] {
        assert_eq!(writes(text), expected, "{text}");
    }
}

#[test]
fn an_element_of_a_vector_is_not_followed() {
    let value = |text: &str| of(text, |effects, _| format!("{:?}", effects.value));
    assert!(value("mov.u32 %r1, 5;").contains("Known(5)"), "{}", value("mov.u32 %r1, 5;"));
    assert_eq!(value("mov.u32 %q.x, 5;"), "Made([])");
    assert_eq!(value("mov.b64 {%r1, %r2}, 5;"), "Made([])");
    assert_eq!(value("exit;"), "Made([])");
}

#[test]
fn instructions_without_tracked_effects_are_left_out() {
    let is_nothing = |text: &str| of(text, |effects, _| effects.is_nothing().to_string()) == "true";
    for text in ["nanosleep.u32 20;", "pmevent 1;"] {
        assert!(is_nothing(text), "{text}");
    }
    for text in [
        "@%p1 nanosleep.u32 20;",
        "nanosleep.u32 %r1;",
        "mov.u32 %r1, 5;",
        "bar.sync %r1;",
        "bar.sync 0;",
        "fence.proxy.async;",
        "exit;",
        "call f;",
        "prefetch.global.L2 [t];",
        "mbarrier.inval.shared.b64 [5];",
        "ld.global.nc.u32 _, [5];",
        "wgmma.fence.sync.aligned;",
        "add.u32 _, %r1, 2;",
    ] {
        assert!(!is_nothing(text), "{text}");
    }
}

#[test]
fn every_name_that_matters_is_noted() {
    for (text, expected) in [
        ("add.u32 %r1, %r2, %r3;", &["%r1", "%r2", "%r3"][..]),
        ("@%p1 mov.b64 {%r1, %r2}, %d1;", &["%r1", "%r2", "%d1", "%r1", "%d1", "%p1"]),
        ("bar.sync %r1, %r2;", &["%r2", "%r1", "%r2", "%r1", "%r2"]),
        ("st.shared.u32 [%r1+4], %r2;", &["%r2", "%r1", "%r2"]),
        ("ld.shared.u32 %r1, t[%r2];", &["%r1", "t", "%r2", "t", "%r2"]),
        ("mbarrier.init.shared.b64 [bar], %r1;", &["%r1", "bar", "%r1"]),
        ("mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], %r1;", &["%r1", "bar", "%r1"]),
        ("mbarrier.arrive.shared.b64 _, [bar], %r1;", &["%r1", "bar", "%r1"]),
    ] {
        let mut names = names(text);
        let mut expected: Vec<&str> = expected.to_vec();
        names.sort();
        names.dedup();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(names, expected, "{text}");
    }
    let multiply = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1}, %d1, %d2, 1, 1, 1;";
    for name in ["%f1", "%d1", "%d2"] {
        assert!(names(multiply).iter().any(|it| it == name), "{name}");
    }
}

#[test]
fn numbers_are_narrow_that_have_less_than_32_bits() {
    let takes = |text: &str| of(text, |effects, _| format!("{:?}", effects.takes_numbers));
    for (text, expected) in [
        ("add.f32 %f1, %f2, %f3;", "Some(false)"),
        ("add.f16x2 %r1, %r2, %r3;", "Some(true)"),
        ("cvt.f32.f16 %f1, %h1;", "Some(true)"),
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};",
            "Some(true)",
        ),
        // Moves copy any bits.
        ("mov.f32 %f1, %f2;", "None"),
        ("add.u32 %r1, %r2, %r3;", "None"),
        ("frob.f16 %h1, %h2;", "None"),
    ] {
        assert_eq!(takes(text), expected, "{text}");
    }
}

#[test]
fn accesses_that_may_be_flags_order_what_other_threads_do() {
    let order = |text: &str| of(text, |effects, _| format!("{:?}", effects.order()));
    let threads = "Some((Threads, Unknown))";
    for (text, expected) in [
        ("ld.acquire.gpu.global.u32 %r1, [%d1];", threads),
        ("st.volatile.shared.u32 [%r1], %r2;", threads),
        ("fence.acq_rel.gpu;", threads),
        (
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1], 1, [%r2];",
            threads,
        ),
        ("ld.global.u32 %r1, [%d1];", "None"),
        ("mbarrier.init.relaxed.shared.b64 [bar], 1;", "None"),
        ("mov.volatile.u32 %r1, %r2;", "None"),
        ("cp.async.wait_group 3;", "Some((Wait(Copies, 0), Known(3)))"),
        ("cp.async.bulk.commit_group;", "Some((Commit(Bulk), Unknown))"),
    ] {
        assert_eq!(order(text), expected, "{text}");
    }
}

#[test]
fn moves_are_copies_and_unknown_instructions_are_none() {
    let is_copy = |text: &str| of(text, |effects, _| effects.is_copy.to_string()) == "true";
    assert!(is_copy("mov.u32 %r1, %r2;"));
    assert!(!is_copy("add.u32 %r1, %r2, %r3;"));
    assert!(!is_copy("frob.u32 %r1, %r2;"));
}
