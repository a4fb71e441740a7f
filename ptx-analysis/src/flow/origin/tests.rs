//! Tests of which registers are computed from which others.

extern crate std;

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;

use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;

use super::*;
use crate::flow::effects::Effects;

fn referent(name: &str) -> Referent {
    match name.strip_prefix("%r").and_then(|number| number.parse().ok()) {
        Some(number) => Referent::Register(number),
        None => Referent::Other,
    }
}

fn with(text: &str, test: impl FnOnce(&[Node<'_>], Writers)) {
    let (encoded, table) = encode(&text.replace("; ", ";\n"));
    let body = Body::new(&encoded, &table, &[]);
    let instructions = body.statements().map(|it| it.instruction(&[]).expect("an instruction"));
    let resolved = |(n, instruction)| {
        Box::new(Resolved::new(Effects::of(&instruction, n), Vec::new(), referent))
    };
    let mut nodes: Vec<Node<'_>> =
        instructions.enumerate().map(resolved).map(Node::Instruction).collect();
    nodes.insert(0, Node::Label("L"));
    let writers = Writers::of(&nodes);
    test(&nodes, writers);
}

/// `%r4` is computed from `%r1` and `%r2` through `%r3`, and `%r5` from none of these.
const CHAIN: &str = "add.u32 %r3, %r1, %r2; mul.lo.u32 %r4, %r3, 8; mov.u32 %r5, %r6; \
                     add.u32 %r3, %r3, 1;";

#[test]
fn it_is_counted_how_many_instructions_write_a_register() {
    with(CHAIN, |_, writers| {
        for (register, expected) in [(1, 0), (3, 2), (4, 1), (5, 1), (6, 0), (9, 0)] {
            assert_eq!(writers.count(register), expected, "%r{register}");
        }
    });
}

#[test]
fn a_register_depends_on_what_it_is_computed_from() {
    with(CHAIN, |nodes, writers| {
        for (of, on, expected) in [
            (4, 1, true),
            (4, 2, true),
            (4, 3, true),
            (4, 4, true),
            (4, 5, false),
            (4, 6, false),
            (3, 1, true),
            (3, 4, false),
            (5, 6, true),
            (5, 1, false),
            (1, 4, false),
        ] {
            assert_eq!(writers.depend(nodes, vec![of], on), expected, "%r{of} on %r{on}");
        }
        assert!(writers.depend(nodes, vec![5, 4], 1));
        assert!(writers.depend(nodes, vec![4, 5], 6));
        assert!(!writers.depend(nodes, Vec::new(), 1));
    });
}

#[test]
fn an_exhausted_budget_assumes_dependence() {
    with(CHAIN, |nodes, writers| {
        let mut asked = 0;
        while !writers.depend(nodes, vec![4], 6) {
            asked += 1;
            assert!(!writers.effort.get().is_spent(), "{asked}");
            assert!(asked < 1 << 20);
        }
        assert!(asked > 0);
        assert!(writers.effort.get().is_spent());
        // From then on, so are all others, except for those that need no search.
        assert!(writers.depend(nodes, vec![5], 1));
        assert!(writers.depend(nodes, vec![1], 4));
    });
}

#[test]
fn each_instruction_that_has_a_part_is_noted_once() {
    let noted = |text: &str, of: usize| {
        let mut all: Vec<String> = Vec::new();
        with(text, |nodes, writers| {
            let note = &mut |it: &Resolved<'_>| {
                all.push(it.effects.statement.to_string());
                Some(())
            };
            writers.trace(nodes, vec![of], note).expect("it is never stopped");
        });
        all.sort();
        all.join(" ")
    };
    assert_eq!(noted(CHAIN, 4), "0 1 3");
    assert_eq!(noted(CHAIN, 3), "0 3");
    assert_eq!(noted(CHAIN, 5), "2");
    assert_eq!(noted(CHAIN, 6), "");
    // An instruction that writes two registers, both of which are read.
    let both = "mov.b64 {%r1, %r2}, %r3; add.u32 %r4, %r1, %r2;";
    assert_eq!(noted(both, 4), "0 1");
}
