//! Tests of states at joins: at labels that a jump targets, or may target, and with an exhausted
//! budget.

extern crate std;

use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::{Setting, fixpoint, fixpoint_in};
use crate::flow::effort::Effort;
use crate::flow::node::{Node, Referent};
use crate::flow::solver::Before;
use crate::tests::text_nodes::with_nodes;
use crate::values::constants::Constants;
use crate::values::coordinates::{Coordinates, Inputs};
use crate::values::state::State;
use crate::values::value::AbstractValue;

const SETTING: Setting<'static, 'static> =
    Setting { storages: &[], constants: Constants::NONE, coordinates: &Coordinates::ANY };

fn referent(name: &str) -> Referent {
    match name.strip_prefix("%r").and_then(|number| number.parse().ok()) {
        Some(number) => Referent::Register(number),
        None => Referent::Other,
    }
}

fn with<T>(text: &str, read: impl FnOnce(&[Node<'_>]) -> T) -> T {
    with_nodes(&text.replace("; ", ";\n").replace(": ", ":\n"), referent, read)
}

/// The initial state, in which `%r9` is an unknown number.
fn start() -> State {
    let mut start = State::default();
    start.set(9, Rc::new(AbstractValue::unknown()));
    start
}

/// Returns the value of a register before a node: `4n+0 in 0..=8`.
fn value_of(before: &Before<State>, node: usize, register: usize) -> String {
    let Some(state) = &before[node] else { return "never".to_string() };
    match state.get(register).map(|value| &**value) {
        Some(AbstractValue::Number(number)) => {
            let (step, _) = number.step();
            let rest = number.base.known.rem_euclid(i128::from(step.max(1)));
            let known = match (number.value(), number.within) {
                (Some(value), _) => return value.to_string(),
                (None, Some((least, most))) => std::format!(" in {least}..={most}"),
                (None, None) => String::new(),
            };
            std::format!("{step}n+{rest}{known}")
        }
        Some(AbstractValue::Anything) => "anything".to_string(),
        Some(other) => std::format!("{other:?}"),
        None => "nothing".to_string(),
    }
}

fn known(text: &str) -> Before<State> {
    with(text, |nodes| fixpoint(nodes, SETTING, &start()))
}

#[test]
fn a_body_without_statements_has_nothing_before_it() {
    assert!(known("").is_empty());
}

#[test]
fn something_is_known_at_the_start_and_at_labels_that_paths_lead_to() {
    let before = known("L: add.u32 %r1, 1, 2; M: bra O; N: add.u32 %r1, 1, 2; O: ret;");
    let is_known: Vec<bool> = before.iter().map(Option::is_some).collect();
    assert_eq!(is_known, [true, false, true, false, false, false, true, false]);
    assert_eq!(value_of(&before, 2, 1), "3");
    // Adjacent labels, too.
    let before = known("mov.u32 %r1, 4; L: M: N: ret;");
    assert_eq!([1, 2, 3].map(|at| value_of(&before, at, 1)), ["4", "4", "4"]);
    assert!(before[4].is_none());
}

#[test]
fn a_loop_joins_the_states_before_it_and_at_its_end() {
    let before = known("mov.u32 %r1, 0; L: add.u32 %r1, %r1, 4; @%r9 bra L; M: ret;");
    assert_eq!(value_of(&before, 1, 1), "4n+0");
    let before = known(
        "mov.u32 %r1, 0; L: setp.lt.u32 %r2, %r1, 8; @!%r2 bra M; add.u32 %r1, %r1, 4; bra L; M: ret;",
    );
    assert_eq!(value_of(&before, 1, 1), "4n+0 in 0..=8");
    // After the loop, the test has failed.
    assert!(value_of(&before, 6, 1).starts_with("4n+0 in 8..="), "{}", value_of(&before, 6, 1));
}

#[test]
fn a_jump_to_any_label_leads_to_each() {
    let text =
        "mov.u32 %r1, 4; brx.idx %r9, T; L: ret; M: add.u32 %r1, %r1, 4; brx.idx %r9, T; N: ret;";
    let before = known(text);
    for label in [2, 4, 7] {
        assert_eq!(value_of(&before, label, 1), "4n+0", "{label}");
    }
    // Two of them, before any label is visited.
    let text = "mov.u32 %r1, 4; @%r9 brx.idx %r9, T; mov.u32 %r1, 8; brx.idx %r9, T; L: ret;";
    assert_eq!(value_of(&known(text), 4, 1), "4n+0 in 4..=8");
    // The index is a choice, which a launch with as little to do as possible need not make.
    with(text, |nodes| {
        let coordinates = Coordinates::ANY.with(Inputs::Few);
        let setting = Setting { coordinates: &coordinates, ..SETTING };
        assert!(fixpoint(nodes, setting, &start())[4].is_none());
    });
    // A jump that never executes leads nowhere.
    let text = "mov.u32 %r1, 4; mov.u32 %r2, 0; @%r2 brx.idx %r9, T; ret; L: ret;";
    assert!(known(text)[4].is_none());
}

#[test]
fn a_number_that_goes_on_from_register_to_register_gets_to_the_last() {
    let zeros: String =
        (1..=5).fold(String::new(), |text, n| text + &std::format!("mov.u32 %r{n}, 0; "));
    let moves: String = (1..5)
        .rev()
        .fold(String::new(), |text, n| text + &std::format!("mov.u32 %r{}, %r{n}; ", n + 1));
    for jump in ["brx.idx %r9, T;", "bra L;"] {
        let text = std::format!("{zeros}{jump} L: {moves}mov.u32 %r1, 4; {jump}");
        let before = known(&text);
        let found: Vec<String> = (1..=5).map(|register| value_of(&before, 6, register)).collect();
        assert!(found.iter().all(|it| it.starts_with("4n+0")), "{jump} {found:?}");
    }
}

#[test]
fn where_it_takes_too_long_registers_hold_anything_at_labels() {
    let text = "mov.u32 %r1, 4; L: add.u32 %r40, %r1, 4; @%r9 bra L; M: ret;";
    with(text, |nodes| {
        for (steps, values) in [(0, 100), (100, 0), (3, 100)] {
            let before = fixpoint_in(nodes, SETTING, &start(), || {
                Effort::of(0, (0, steps)).with_values(0, (0, values))
            });
            assert_eq!(value_of(&before, 0, 9), "1n+0");
            assert_eq!(value_of(&before, 0, 1), "nothing");
            for label in [1, 4] {
                for register in [0, 1, 9, 40] {
                    let found = value_of(&before, label, register);
                    assert_eq!(found, "anything", "{label} {register} of {steps} {values}");
                }
            }
            assert!(before[2].is_none() && before[3].is_none() && before[5].is_none());
        }
        let before = fixpoint_in(nodes, SETTING, &start(), || Effort::of(0, (0, 10_000)));
        assert_eq!(value_of(&before, 1, 1), "4");
    });
    // Five steps, and one that has to be left.
    let is_known = |steps| {
        with("mov.u32 %r1, 4; mov.u32 %r2, 4; L: ret;", |nodes| {
            let before = fixpoint_in(nodes, SETTING, &start(), || Effort::of(0, (0, steps)));
            value_of(&before, 2, 1) == "4"
        })
    };
    assert_eq!([4, 5, 6, 7].map(is_known), [false, false, true, true]);
    let none = with("L: ret;", |nodes| {
        fixpoint_in(nodes, SETTING, &State::default(), || Effort::of(0, (0, 0)))
    });
    assert_eq!(value_of(&none, 0, 0), "anything");
}
