//! The fixpoint is sound: random programs are executed, and every value that a register
//! holds is admitted by its abstract value; facts that tests prove hold, and nodes
//! that are reported as unreachable are not reached.

extern crate std;

mod paths;

use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use std::collections::HashMap;

use proptest::prelude::*;
use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;
use ptx_isa::ir::{Extent, Type, Variable};
use ptx_isa::rules::access::Object;
use ptx_isa::{ScalarType, Space};

use super::{Setting, fixpoint};
use crate::flow::effects::Effects;
use crate::flow::labels::Labels;
use crate::flow::node::{Node, Referent, Resolved};
use crate::flow::object::DeferredObject;
use crate::flow::object::VariableUse;
use crate::flow::storage::{Choice, Storage};
use crate::tests::soundness::values::{Facts, Held};
use crate::values::constants::Constants;
use crate::values::coordinates::Coordinates;
use crate::values::state::State;
use crate::values::value::AbstractValue;

const REGISTERS: usize = 6;
const PREDICATES: usize = 3;
const STEPS: usize = 400;

static BYTES: Type<'static> = Type::Array(Extent::Known(1 << 20), &Type::Scalar(ScalarType::B8));
static OF_A: Variable<'static> = Variable::new(Space::Shared, "A", &BYTES);
static OF_B: Variable<'static> = Variable::new(Space::Shared, "B", &BYTES);

/// The addresses of the storage, for 32-bit registers.
type Bases = [i128; 2];

/// Generates unaligned addresses, and some that powers of two divide.
fn bases() -> impl Strategy<Value = Bases> {
    let one = prop::sample::select(vec![1_000_003, 1_000_008, 1_000_000, 1_000_016]);
    let other = prop::sample::select(vec![3_000_000_019, 3_000_000_032, 3_000_000_004]);
    (one, other).prop_map(|(one, other)| [one, other])
}

/// The number of values of a register.
const MODULUS: i128 = 1 << 32;

fn storages() -> Vec<Storage<'static>> {
    let storage = |index, variable| {
        let id = DeferredObject::Variable(VariableUse { index, member: None });
        let object = Object::Variable(variable);
        let choice = Choice {
            object,
            param: None,
            id,
            is_deferred: false,
            is_aligned: true,
            is_foreign: false,
        };
        Storage::of(vec![choice])
    };
    vec![storage(0, &OF_A), storage(1, &OF_B)]
}

fn referent(name: &str) -> Referent {
    match name {
        "A" => Referent::Storage(0),
        "B" => Referent::Storage(1),
        _ => match name.strip_prefix("%r").and_then(|number| number.parse().ok()) {
            Some(number) => Referent::Register(number),
            None => match name.strip_prefix("%p").and_then(|number| number.parse::<usize>().ok()) {
                Some(number) => Referent::Register(REGISTERS + number),
                None => Referent::Other,
            },
        },
    }
}

/// A statement, as PTX and as an interpreter executes it.
#[derive(Clone, Debug)]
enum Statement {
    Set(usize, Source),
    Binary(&'static str, usize, usize, Source),
    Mad(usize, usize, i128, usize),
    Convert(&'static str, bool, usize, usize),
    Select(usize, Source, Source, usize),
    Compare(&'static str, bool, usize, usize, Source),
    Logic(&'static str, usize, usize, usize),
    Not(usize, usize),
    Label(usize),
    Branch(usize),
}

/// A predicate, and whether it is negated.
type Guard = Option<(usize, bool)>;

#[derive(Clone, Copy, Debug)]
enum Source {
    Number(i128),
    Register(usize),
    Address(usize, i128),
}

impl Source {
    fn text(self) -> String {
        match self {
            Self::Number(value) => value.to_string(),
            Self::Register(register) => format!("%r{register}"),
            Self::Address(0, offset) => format!("A+{offset}"),
            Self::Address(_, offset) => format!("B+{offset}"),
        }
    }

    fn value(self, registers: &[Option<i128>; REGISTERS], bases: Bases) -> Option<i128> {
        match self {
            Self::Number(value) => Some(value.rem_euclid(MODULUS)),
            Self::Register(register) => registers[register],
            Self::Address(storage, offset) => Some((bases[storage] + offset) % MODULUS),
        }
    }
}

impl Statement {
    fn text(&self, guard: Guard) -> String {
        let guard = match guard {
            Some((predicate, false)) => format!("@%p{predicate} "),
            Some((predicate, true)) => format!("@!%p{predicate} "),
            None => String::new(),
        };
        match self {
            Self::Set(to, from) => format!("{guard}mov.b32 %r{to}, {};", from.text()),
            Self::Binary(opcode, to, one, other) => {
                let ty = match *opcode {
                    "and" | "or" | "xor" | "shl" => "b32",
                    "mul" => "lo.u32",
                    "min" | "shr" | "rem" => "u32",
                    _ => "s32",
                };
                format!("{guard}{opcode}.{ty} %r{to}, %r{one}, {};", other.text())
            }
            Self::Mad(to, one, by, other) => {
                format!("{guard}mad.lo.s32 %r{to}, %r{one}, {by}, %r{other};")
            }
            Self::Convert(narrow, is_read, to, one) => {
                let sign = &narrow[..1];
                let types = if *is_read {
                    format!("{sign}32.{narrow}")
                } else {
                    format!("{narrow}.{sign}32")
                };
                format!("{guard}cvt.{types} %r{to}, %r{one};")
            }
            Self::Select(to, one, other, by) => {
                format!("{guard}selp.b32 %r{to}, {}, {}, %p{by};", one.text(), other.text())
            }
            Self::Compare(comparison, is_signed, to, one, other) => {
                let ty = if *is_signed { "s32" } else { "u32" };
                format!("{guard}setp.{comparison}.{ty} %p{to}, %r{one}, {};", other.text())
            }
            Self::Logic(opcode, to, one, other) => {
                format!("{guard}{opcode}.pred %p{to}, %p{one}, %p{other};")
            }
            Self::Not(to, one) => format!("{guard}not.pred %p{to}, %p{one};"),
            Self::Label(label) => format!("L{label}:"),
            Self::Branch(label) => format!("{guard}bra L{label};"),
        }
    }
}

/// Generates small constants, and those where registers wrap.
fn constant() -> impl Strategy<Value = i128> {
    let at = prop::sample::select(vec![0, 1_i128 << 31, (1 << 32) - 64, 0x1000_0010, 0xffff_fff0]);
    (at, -64_i128..64).prop_map(|(at, value)| if at == 0 { value } else { (at + value) % MODULUS })
}

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![
        constant().prop_map(Source::Number),
        (0..REGISTERS).prop_map(Source::Register),
        (0..2_usize, 0..64_i128).prop_map(|(storage, offset)| Source::Address(storage, offset)),
    ]
}

// Statements whose results this test computes by itself, as a second opinion beside the interpreter, which runs the bodies of
// ptx-smith.
fn statement() -> impl Strategy<Value = Statement> {
    let register = 0..REGISTERS;
    let predicate = 0..PREDICATES;
    let masks = prop::sample::select(vec![0, 1, 3, 7, 15, 31, 0xff, 0xffff_fff0]);
    let number = prop_oneof![constant(), masks].prop_map(Source::Number).boxed();
    let either = prop_oneof![number.clone(), register.clone().prop_map(Source::Register)].boxed();
    let bit = (0..2_i128).prop_map(Source::Number);
    let chosen = prop_oneof![bit, register.clone().prop_map(Source::Register)].boxed();
    let zero = prop_oneof![2 => Just(Source::Number(0)), 1 => either.clone()];
    let opcodes = prop::sample::select(vec![
        "add", "sub", "mul", "and", "and", "or", "or", "xor", "min", "rem",
    ]);
    let logic = prop::sample::select(vec!["and", "or", "xor"]);
    let narrow = prop::sample::select(vec!["u8", "s8", "u16", "s16"]);
    let comparisons = prop::sample::select(vec!["eq", "ne", "lt", "le", "gt", "ge"]);
    prop_oneof![
        3 => (register.clone(), source()).prop_map(|(to, from)| Statement::Set(to, from)),
        5 => (opcodes, register.clone(), register.clone(), either)
            .prop_map(|(opcode, to, one, other)| Statement::Binary(opcode, to, one, other)),
        2 => (any::<bool>(), register.clone(), register.clone(), 0..33_i128)
            .prop_map(|(left, to, one, by)| {
                let opcode = if left { "shl" } else { "shr" };
                Statement::Binary(opcode, to, one, Source::Number(by))
            }),
        2 => (register.clone(), register.clone(), constant(), register.clone())
            .prop_map(|(to, one, by, other)| Statement::Mad(to, one, by, other)),
        2 => (narrow, any::<bool>(), register.clone(), register.clone())
            .prop_map(|(narrow, is_read, to, one)| Statement::Convert(narrow, is_read, to, one)),
        1 => (register.clone(), chosen.clone(), chosen, predicate.clone())
            .prop_map(|(to, one, other, by)| Statement::Select(to, one, other, by)),
        4 => (comparisons, any::<bool>(), predicate.clone(), register, zero)
            .prop_map(|(how, is_signed, to, one, other)| {
                Statement::Compare(how, is_signed, to, one, other)
            }),
        2 => (logic, predicate.clone(), predicate.clone(), predicate.clone())
            .prop_map(|(opcode, to, one, other)| Statement::Logic(opcode, to, one, other)),
        1 => (predicate.clone(), predicate).prop_map(|(to, one)| Statement::Not(to, one)),
        3 => (0..4_usize).prop_map(Statement::Branch),
    ]
}

fn guard() -> impl Strategy<Value = Guard> {
    prop::option::weighted(0.3, (0..PREDICATES, any::<bool>()))
}

/// Generates a program with each label once, and the guards of its statements.
fn program() -> impl Strategy<Value = Vec<(Statement, Guard)>> {
    let statements = prop::collection::vec((statement(), guard()), 4..40);
    (statements, prop::collection::vec(any::<prop::sample::Index>(), 4)).prop_map(
        |(mut statements, places)| {
            for (label, place) in places.into_iter().enumerate() {
                let at = place.index(statements.len() + 1);
                statements.insert(at, (Statement::Label(label), None));
            }
            statements
        },
    )
}

fn compute(opcode: &str, one: i128, other: i128) -> i128 {
    let value = match opcode {
        "add" => one + other,
        "sub" => one - other,
        "mul" => one * other,
        "and" => one & other,
        "or" => one | other,
        "xor" => one ^ other,
        "min" => one.min(other),
        // A division by zero has an unspecified result.
        "rem" => one.checked_rem(other).unwrap_or(MODULUS - 1),
        "shr" => one >> other,
        _ => one << other,
    };
    value.rem_euclid(MODULUS)
}

/// Returns the result of a comparison of two registers.
fn compare(comparison: &str, is_signed: bool, one: i128, other: i128) -> bool {
    let read = |value: i128| {
        if is_signed && value >= MODULUS / 2 { value - MODULUS } else { value }
    };
    let (one, other) = (read(one), read(other));
    match comparison {
        "eq" => one == other,
        "ne" => one != other,
        "lt" => one < other,
        "le" => one <= other,
        "gt" => one > other,
        _ => one >= other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn known_values_are_true(
        program in program(),
        bases in bases(),
        choices in prop::array::uniform3(any::<bool>()),
    ) {
        let text: String =
            program.iter().map(|(statement, guard)| statement.text(*guard) + "\n").collect();
        let (encoded, table) = encode(&text);
        let body = Body::new(&encoded, &table, &[]);
        let mut nodes: Vec<Node<'_>> = body.statements().enumerate().map(|(n, statement)| {
            let Some(instruction) = statement.instruction(&[]) else {
                return Node::Label(statement.text());
            };
            let effects = Effects::of(&instruction, n);
            Node::Instruction(Box::new(Resolved::new(effects, Vec::new(), referent)))
        }).collect();
        prop_assert_eq!(nodes.len(), program.len());
        let mut labels = Labels::new();
        for node in &nodes {
            labels.note(node);
        }
        labels.link(&mut nodes);
        let storages = storages();
        // Predicates have initial values, as from a caller.
        let mut start = State::default();
        for predicate in 0..PREDICATES {
            start.set(REGISTERS + predicate, Rc::new(AbstractValue::unknown()));
        }
        let setting = Setting {
            storages: &storages,
            constants: Constants::NONE,
            coordinates: &Coordinates::ANY,
        };
        let before = fixpoint(&nodes, setting, &start).into_iter();
        let before: Vec<Option<State>> = before.map(|known| known.map(Rc::unwrap_or_clone)).collect();
        let labels: HashMap<usize, usize> = program
            .iter()
            .enumerate()
            .filter_map(|(i, (statement, _))| match statement {
                Statement::Label(label) => Some((*label, i)),
                _ => None,
            })
            .collect();

        // The state at the current node, computed from the last label on, as the rule checks do.
        let mut registers = [None; REGISTERS];
        let mut predicates = [None; PREDICATES];
        for (predicate, chosen) in predicates.iter_mut().zip(choices) {
            *predicate = Some(chosen);
        }
        let facts =
            Facts { bases: &bases, special: &|_| None, coordinates: &Coordinates::ANY, registers: &|_| None };
        let (mut at, mut state) = (0, None);
        for _ in 0..STEPS {
            let Some((statement, guard)) = program.get(at) else { break };
            if let Some(known) = &before[at] {
                state = Some(known.clone());
            } else {
                prop_assert!(!matches!(statement, Statement::Label(_)) && at > 0, "{text}");
            }
            let Some(known) = state.take() else {
                prop_assert!(false, "control never gets to line {at}, and is there\n{text}");
                return Ok(());
            };
            for claim in &known.claims {
                prop_assert!(facts.holds(claim), "{claim:?} before line {at}\n{text}");
            }
            let of_predicates = predicates.iter().map(|value: &Option<bool>| value.map(i128::from));
            let values = registers.iter().copied().chain(of_predicates);
            for (register, value) in values.enumerate() {
                let Some(value) = value else { continue };
                let held = Held { bits: if register < REGISTERS { 32 } else { 1 }, value };
                let is_known = known.get(register).is_some_and(|known| facts.allow(known, held));
                prop_assert!(
                    is_known, "register {register} is {value} before line {at}, and {:?}\n{text}",
                    known.get(register)
                );
            }
            // A comparison of unwritten registers decides nothing.
            let reads = match statement {
                Statement::Select(.., by) => Some(*by),
                _ => None,
            };
            if guard.map(|(by, _)| by).into_iter().chain(reads).any(|by| predicates[by].is_none()) {
                break;
            }
            let holds = |predicate: usize| predicates[predicate] == Some(true);
            let runs = guard.is_none_or(|(predicate, is_negated)| holds(predicate) != is_negated);
            let mut next = at + 1;
            if runs {
                let old = registers;
                match statement {
                    Statement::Set(to, from) => registers[*to] = from.value(&old, bases),
                    Statement::Binary(opcode, to, one, other) => {
                        let both = old[*one].zip(other.value(&old, bases));
                        registers[*to] = both.map(|(one, other)| compute(opcode, one, other));
                    }
                    Statement::Mad(to, one, by, other) => {
                        let both = old[*one].map(|one| compute("mul", one, *by)).zip(old[*other]);
                        registers[*to] = both.map(|(one, other)| compute("add", one, other));
                    }
                    Statement::Convert(narrow, _, to, one) => {
                        let bits = if narrow.ends_with('8') { 8 } else { 16 };
                        registers[*to] = old[*one].map(|one| {
                            let low = one % (1 << bits);
                            let is_negative = narrow.starts_with('s') && low >= 1 << (bits - 1);
                            if is_negative { low - (1 << bits) + MODULUS } else { low }
                        });
                    }
                    Statement::Select(to, one, other, by) => {
                        let from = if holds(*by) { one } else { other };
                        registers[*to] = from.value(&old, bases);
                    }
                    Statement::Compare(comparison, is_signed, to, one, other) => {
                        let both = old[*one].zip(other.value(&old, bases));
                        predicates[*to] = both
                            .map(|(one, other)| compare(comparison, *is_signed, one, other));
                    }
                    Statement::Logic(opcode, to, one, other) => {
                        let both = predicates[*one].zip(predicates[*other]);
                        predicates[*to] = both.map(|(one, other)| match *opcode {
                            "and" => one && other,
                            "or" => one || other,
                            _ => one != other,
                        });
                    }
                    Statement::Not(to, one) => {
                        predicates[*to] = predicates[*one].map(|one: bool| !one);
                    }
                    Statement::Label(_) => {}
                    Statement::Branch(label) => next = labels[label],
                }
            }
            state = match &nodes[at] {
                Node::Instruction(resolved) => setting.after(resolved, known),
                Node::Label(_) | Node::Nothing => Some(known),
            };
            at = next;
        }
    }
}
