//! Tests of the executions that are followed.

extern crate std;

use alloc::boxed::Box;
use alloc::string::String;

use ptx_interpreter::encode;
use ptx_isa::ir::body::{Body, Name};
use ptx_isa::ir::{Extent, Function, FunctionKind, Param, Type, Variable};
use ptx_isa::rules::access::Object;
use ptx_isa::{ScalarType, Space};

use super::*;
use crate::flow::effects::Effects;
use crate::flow::labels::Labels;
use crate::flow::node::Referent;
use crate::flow::object::{DeferredObject, VariableUse};
use crate::flow::place::Place;
use crate::flow::storage::{Choice, Storage};
use crate::values::constants::Constants;
use crate::values::launch::Block;
use crate::values::number::Sum;

fn number(value: i128) -> AbstractValue {
    AbstractValue::Number(Linear::exact(Sum::known(value)))
}

static BYTES: Type<'static> = Type::Array(Extent::Known(4096), &Type::Scalar(ScalarType::B8));
static OF_A: Variable<'static> = Variable::new(Space::Shared, "A", &BYTES);
static WORD: Type<'static> = Type::Scalar(ScalarType::B32);

/// The function that calls of `g` refer to.
static CALLED: Function<'static> =
    Function { params: &[Param::new("a", &WORD)], ..Function::new(FunctionKind::Device, "g") };

/// The arguments of a call, and whether it returns.
type Passed<'a> = (&'a [&'static str], bool);

fn with<T>(
    text: &str,
    (arguments, returns): Passed<'_>,
    read: impl FnOnce(&mut Run<'_, '_>) -> T,
) -> T {
    let (encoded, table) = encode(&text.replace("; ", ";\n").replace(": ", ":\n"));
    let body = Body::new(&encoded, &table, &[]);
    let referent = |name: &str| match name.strip_prefix("%r").and_then(|it| it.parse().ok()) {
        Some(number) => Referent::Register(number),
        None if name == "A" => Referent::Storage(0),
        None => Referent::Other,
    };
    let mut nodes: Vec<Node<'_>> = Vec::new();
    for (n, statement) in body.statements().enumerate() {
        let Some(instruction) = statement.instruction(&[]) else {
            nodes.push(Node::Label(statement.text()));
            continue;
        };
        let mut effects = Effects::of(&instruction, n);
        if effects.calls {
            let argument = |text: &&'static str| {
                let name = Name { text, element: "", token: 0 };
                (Expression::Name(name), Place::new(n, name.at()))
            };
            let arguments = arguments.iter().map(argument).collect();
            effects.set_call(Some(Call { index: 3, function: &CALLED, arguments, returns }));
        }
        nodes.push(Node::Instruction(Box::new(Resolved::new(effects, Vec::new(), referent))));
    }
    let mut labels = Labels::new();
    for node in &nodes {
        labels.note(node);
    }
    labels.link(&mut nodes);
    let id = DeferredObject::Variable(VariableUse { index: 0, member: None });
    let storages = [Storage::of(vec![Choice::of_param(Object::Variable(&OF_A), None, id)])];
    let coordinates = attained();
    let setting =
        Setting { storages: &storages, constants: Constants::NONE, coordinates: &coordinates };
    let loops = Loops::of(&nodes);
    let wanted: SortedSet<(usize, usize)> = (0..nodes.len()).map(|at| (at, 0)).collect();
    let uncertain_guards = UncertainGuards::default();
    read(&mut Run::new(&nodes, setting, &loops, (&wanted, &uncertain_guards)))
}

fn attained() -> Coordinates {
    Coordinates::attained(Block::Exactly([8, 1, 1]))
}

fn start(at: usize, end: Option<usize>, held: &[(usize, AbstractValue)]) -> Start {
    let mut state = State::default();
    for (register, value) in held {
        state.set(*register, Rc::new(value.clone()));
    }
    Start { at, state, coordinates: attained(), end }
}

/// Returns the arguments of the calls that certainly happen.
fn passed(run: &Run<'_, '_>) -> Vec<String> {
    let calls = run.calls();
    assert!(calls.iter().all(|(index, _)| *index == 3));
    calls.iter().map(|(_, call)| std::format!("{:?}", call.arguments)).collect()
}

/// Returns the nodes with memory accesses, and the offsets.
fn places(run: &Run<'_, '_>) -> Vec<(usize, i128)> {
    run.reaches.of.iter().map(|(((at, _), _), it)| (*at, it.least.offset)).collect()
}

#[test]
fn certain_calls_are_recorded_with_their_arguments() {
    let pass = |value: i128| {
        let number = AbstractValue::Number(Linear::exact(Sum::known(value)));
        std::format!("{:?}", [crate::values::argument::Argument::of(&number, &[])])
    };
    let one: Passed<'_> = (&["%r1"], true);
    for (text, expected) in [
        ("mov.u32 %r1, 7; call g; ret;", vec![pass(7)]),
        ("mov.u32 %r1, 7; mov.u32 %r2, 1; @%r2 call g; ret;", vec![pass(7)]),
        // They do not happen, or may not happen.
        ("mov.u32 %r1, 7; mov.u32 %r2, 0; @%r2 call g; ret;", vec![]),
        ("mov.u32 %r1, 7; @%r9 call g; ret;", vec![]),
        ("mov.u32 %r1, 7; ret; call g;", vec![]),
    ] {
        let found = with(text, one, |run| {
            run.from(start(0, None, &[(9, AbstractValue::unknown())]));
            passed(run)
        });
        assert_eq!(found, expected, "{text}");
    }
    // A call whose arguments do not match the function's parameters is not a call of it.
    let text = "mov.u32 %r1, 7; call g; ret;";
    for arguments in [&[][..], &["%r1", "%r1"][..]] {
        let found = with(text, (arguments, true), |run| {
            run.from(start(0, None, &[]));
            passed(run)
        });
        assert!(found.is_empty(), "{arguments:?}");
    }
    // Nor is a call certain for threads that may not exist.
    let found = with(text, one, |run| {
        run.from(Start { coordinates: Coordinates::ANY, ..start(0, None, &[]) });
        passed(run)
    });
    assert!(found.is_empty());
    // Of several, the first ones and the last are kept.
    let found = with("call g; ret;", one, |run| {
        (0..6).for_each(|n| run.from(start(0, None, &[(1, number(n))])));
        passed(run)
    });
    assert_eq!(found, [0, 1, 2, 5].map(pass));
}

#[test]
fn behind_a_call_that_may_not_come_back_nothing_is_sure() {
    let text = "ld.shared.b32 %r1, [A]; call g; ld.shared.b32 %r1, [A+4]; ret;";
    let found = |returns, text: &str| {
        with(text, (&["%r1"], returns), |run| {
            run.from(start(0, None, &[(9, AbstractValue::unknown())]));
            places(run)
        })
    };
    assert_eq!(found(true, text), [(0, 0), (2, 4)]);
    assert_eq!(found(false, text), [(0, 0)]);
    let never = "mov.u32 %r2, 0; @%r2 call g; ld.shared.b32 %r1, [A+4]; ret;";
    assert_eq!(found(false, never), [(2, 4)]);
}

#[test]
fn a_path_does_not_leave_its_bounds() {
    // 0 L: 1 ld 2 M: 3 ld 4 bra 5 ld
    let text = |jump: &str| {
        std::format!(
            "L: ld.shared.b32 %r1, [A]; M: ld.shared.b32 %r1, [A+4]; {jump} \
             ld.shared.b32 %r1, [A+8]; ret;"
        )
    };
    let found = |jump: &str, end: Option<usize>| {
        with(&text(jump), (&[], true), |run| {
            run.from(start(2, end, &[(2, number(0)), (3, number(1))]));
            places(run)
        })
    };
    assert_eq!(found("@%r2 bra L;", None), [(3, 4), (5, 8)]);
    assert_eq!(found("@%r2 bra L;", Some(4)), [(3, 4)]);
    assert_eq!(found("@%r2 bra L;", Some(5)), [(3, 4), (5, 8)]);
    assert_eq!(found("@%r3 bra L;", Some(4)), [(3, 4)]);
    assert_eq!(found("@%r3 bra L;", None), [(1, 0), (3, 4)]);
}

#[test]
fn the_ways_of_a_branch_join_where_no_jump_leads_beyond() {
    let join =
        |text: &str, branch, target| with(text, (&[], true), |run| run.join_of(branch, target));
    // The join directly follows the branch.
    assert_eq!(join("@%r9 bra L; L: ret;", 0, 1), Some((1, vec![])));
    let text = "setp.eq.u32 %r9, %r8, 0; @%r9 bra L; mov.u32 %r1, 1; add.u32 %r2, %r1, 1; L: ret;";
    assert_eq!(join(text, 1, 4), Some((4, vec![1, 2])));
    // 0 bra L  1 mov  2 bra M  3 L:  4 mov  5 M:
    let text = "@%r9 bra L; mov.u32 %r1, 1; bra M; L: mov.u32 %r2, 1; M: ret;";
    assert_eq!(join(text, 0, 3), Some((5, vec![1, 2])));
    // Backward jumps, the end of the body, and untracked control flow.
    for inner in ["bra K;", "exit;", "call g;", "brx.idx %r9, T;"] {
        let text = std::format!("K: @%r9 bra L; mov.u32 %r1, 1; {inner} L: ret;");
        assert_eq!(join(&text, 1, 4), None, "{inner}");
    }
    assert_eq!(join("L: mov.u32 %r1, 1; @%r9 bra L; ret;", 2, 0), None);
    // A branch to the start of a loop, and into one.
    let text = "@%r9 bra L; mov.u32 %r1, 1; L: mov.u32 %r2, 1; @%r8 bra L; ret;";
    assert_eq!(join(text, 0, 2), Some((2, vec![1])));
    let text = "@%r9 bra M; mov.u32 %r1, 1; L: mov.u32 %r2, 1; M: mov.u32 %r3, 1; @%r8 bra L; ret;";
    assert_eq!(join(text, 0, 4), None);
}
