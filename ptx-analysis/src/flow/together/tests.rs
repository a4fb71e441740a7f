use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use ptx_interpreter::encode;
use ptx_isa::ir::body::{Body, Name};

use super::{Arrival, Together};
use crate::flow::expression::Expression;

fn shown(value: &Expression<'_>) -> String {
    match value {
        Expression::Name(name) => name.text.to_string(),
        Expression::Amount(amount) => {
            amount.known().map_or("?".to_string(), |number| number.to_string())
        }
        other => format!("{other:?}"),
    }
}

/// Describes the collective operation of an instruction, and the names in it.
fn together(text: &str) -> String {
    let (encoded, table) = encode(text);
    let body = Body::new(&encoded, &table, &[]);
    let statement = body.statements().next().expect("there is one");
    let instruction = statement.instruction(&[]).expect("it is an instruction");
    let Some(together) = Together::of(&instruction, 3) else { return "nothing".to_string() };
    let mut names: Vec<&str> = Vec::new();
    together.each_name(&mut |name: Name<'_>| names.push(name.text));
    let shown = match &together {
        Together::Block(arrival) => {
            let Arrival { number, count, waits } = &**arrival;
            let count = count.as_ref().map_or("all".to_string(), |(count, place)| {
                let token = statement.tokens().nth(place.tokens.first).expect("it has as many");
                assert_eq!((place.statement, shown(count)), (3, token.text.to_string()));
                shown(count)
            });
            format!("{} of {count}{}", shown(number), if *waits { " waits" } else { "" })
        }
        Together::Fence => "fence".to_string(),
        Together::Commit => "commit".to_string(),
        Together::Wait(left, place) => {
            assert_eq!(place.tokens, instruction.opcode_at);
            format!("wait {left:?}")
        }
        Together::Multiply(fragment, place) => {
            assert_eq!(place.tokens, instruction.opcode_at);
            format!("multiply {}", fragment.len())
        }
    };
    format!("{shown}: {}", names.join(" "))
}

#[test]
fn threads_arrive_at_barriers_of_their_block() {
    for (text, expected) in [
        ("bar.sync 0;", "0 of all waits: "),
        ("bar.sync 1, 64;", "1 of 64 waits: "),
        ("barrier.sync %r1, %r2;", "%r1 of %r2 waits: %r1 %r2"),
        ("bar.arrive 2, %r2;", "2 of %r2: %r2"),
        ("bar.red.and.pred %p1, 3, %p2;", "3 of all waits: "),
        ("bar.red.popc.u32 %r1, %r3, 64, %p2;", "%r3 of 64 waits: %r3"),
        ("bar.red.popc.u32 %r1;", "? of all waits: "),
        ("bar.sync;", "? of all waits: "),
    ] {
        assert_eq!(together(text), expected, "{text}");
    }
}

#[test]
fn warpgroups_multiply_and_wait() {
    let multiply = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1, %f2}";
    for (text, expected) in [
        ("wgmma.fence.sync.aligned;", "fence: "),
        ("wgmma.commit_group.sync.aligned;", "commit: "),
        ("wgmma.wait_group.sync.aligned 0;", "wait Some(0): "),
        ("wgmma.wait_group.sync.aligned 3;", "wait Some(3): "),
        ("wgmma.wait_group.sync.aligned %r1;", "wait None: "),
        ("add.u32 %r1, %r2, 1;", "nothing"),
    ] {
        assert_eq!(together(text), expected, "{text}");
    }
    let from_memory = format!("{multiply}, %d1, %d2, 1, 1, 1;");
    assert_eq!(together(&from_memory), "multiply 0: ");
    let from_registers = format!("{multiply}, {{%r1, %r2, %r3, %r4}}, %d2, 1, 1, 1;");
    assert_eq!(together(&from_registers), "multiply 4: %r1 %r2 %r3 %r4");
}
