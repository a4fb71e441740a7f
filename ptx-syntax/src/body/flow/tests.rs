//! What is known of a register is true: random programs are run, and every value that a register
//! ever has is among those that its fact allows.

use std::collections::HashMap;

use proptest::prelude::*;
use ptx_types::ir::{Extent, Type, Variable};
use ptx_types::rules::access::Object;
use ptx_types::{ScalarType, Space};

use super::super::storage::{Choice, LateObject, Storage};
use super::super::{Event, VariableUse, parse_body};
use super::{Facts, Line, Referent, Resolved, advance, follow};
use crate::body::fact::{Fact, Linear};
use crate::errors::Errors;

const REGISTERS: usize = 6;
const STEPS: usize = 400;

static BYTES: Type<'static> = Type::Array(Extent::Known(1 << 20), &Type::Scalar(ScalarType::B8));
static OF_A: Variable<'static> = Variable::new(Space::Shared, "A", &BYTES);
static OF_B: Variable<'static> = Variable::new(Space::Shared, "B", &BYTES);

/// Where they lie, for registers of 32 bits: at addresses that nothing divides by chance.
const BASES: [i128; 2] = [1_000_003, 3_000_000_019];

/// How much registers hold.
const MODULUS: i128 = 1 << 32;

fn storages() -> Vec<Storage<'static>> {
    let storage = |index, variable| {
        let late = LateObject::Variable(VariableUse { index, member: None });
        let object = Object::Variable(variable);
        let choice = Choice { object, param: None, late, is_late: false, is_aligned: true };
        Storage { choices: vec![choice] }
    };
    vec![storage(0, &OF_A), storage(1, &OF_B)]
}

fn referent(name: &str) -> Referent {
    match name {
        "A" => Referent::Storage(0),
        "B" => Referent::Storage(1),
        _ => match name.strip_prefix("%r").and_then(|number| number.parse().ok()) {
            Some(number) => Referent::Register(number),
            None => Referent::Other,
        },
    }
}

/// A statement, as PTX and as what an interpreter does.
#[derive(Clone, Debug)]
enum Statement {
    Set(usize, Source),
    Binary(&'static str, usize, usize, Source),
    Mad(usize, usize, i128, usize),
    Select(usize, usize, usize),
    Label(usize),
    Branch(usize, bool),
}

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

    fn value(self, registers: &[Option<i128>; REGISTERS]) -> Option<i128> {
        match self {
            Self::Number(value) => Some(value.rem_euclid(MODULUS)),
            Self::Register(register) => registers[register],
            Self::Address(storage, offset) => Some((BASES[storage] + offset) % MODULUS),
        }
    }
}

impl Statement {
    fn text(&self, is_guarded: bool) -> String {
        let guard = if is_guarded { "@%p " } else { "" };
        match self {
            Self::Set(to, from) => format!("{guard}mov.b32 %r{to}, {};", from.text()),
            Self::Binary(opcode, to, one, other) => {
                let ty = match *opcode {
                    "and" | "or" | "xor" | "shl" => "b32",
                    "mul" => "lo.u32",
                    "min" | "shr" => "u32",
                    _ => "s32",
                };
                format!("{guard}{opcode}.{ty} %r{to}, %r{one}, {};", other.text())
            }
            Self::Mad(to, one, by, other) => {
                format!("{guard}mad.lo.s32 %r{to}, %r{one}, {by}, %r{other};")
            }
            Self::Select(to, one, other) => {
                format!("{guard}selp.b32 %r{to}, %r{one}, %r{other}, %p;")
            }
            Self::Label(label) => format!("L{label}:"),
            Self::Branch(label, true) => format!("@%p bra L{label};"),
            Self::Branch(label, false) => format!("bra L{label};"),
        }
    }
}

/// Small ones, and those at which registers wrap.
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

fn statement() -> impl Strategy<Value = Statement> {
    let register = 0..REGISTERS;
    let number = constant().prop_map(Source::Number);
    let either = prop_oneof![number, register.clone().prop_map(Source::Register)];
    let opcodes = prop::sample::select(vec!["add", "sub", "mul", "and", "or", "xor", "min"]);
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
        1 => (register.clone(), register.clone(), register)
            .prop_map(|(to, one, other)| Statement::Select(to, one, other)),
        2 => (0..4_usize, any::<bool>())
            .prop_map(|(label, is_guarded)| Statement::Branch(label, is_guarded)),
    ]
}

/// A program with each label once, and which of its statements are guarded.
fn program() -> impl Strategy<Value = Vec<(Statement, bool)>> {
    let statements = prop::collection::vec((statement(), prop::bool::weighted(0.2)), 4..40);
    (statements, prop::collection::vec(any::<prop::sample::Index>(), 4)).prop_map(
        |(mut statements, places)| {
            for (label, place) in places.into_iter().enumerate() {
                let at = place.index(statements.len() + 1);
                statements.insert(at, (Statement::Label(label), false));
            }
            statements
        },
    )
}

fn allows(linear: &Linear, value: i128) -> bool {
    let step = linear.steps.iter().map(|step| step.value().expect("no splices"));
    let step = step.fold(0_u128, |all, step| gcd(all, step.unsigned_abs()));
    let apart = (value - linear.base.value().expect("no splices")).rem_euclid(MODULUS);
    if step == 0 { apart == 0 } else { apart.unsigned_abs().is_multiple_of(step) }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
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
        "shr" => one >> other,
        _ => one << other,
    };
    value.rem_euclid(MODULUS)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn facts_are_true(program in program(), choices in prop::collection::vec(any::<bool>(), 64)) {
        let text: String =
            program.iter().map(|(statement, is_guarded)| statement.text(*is_guarded) + "\n").collect();
        let mut errors = Errors::default();
        let body = parse_body(text.parse().expect("tokens"), &mut errors);
        prop_assert!(errors.is_empty(), "{text}");
        let lines: Vec<Line<'_>> = body
            .events
            .iter()
            .filter_map(|event| match event {
                Event::Label(name) => Some(Line::Label(&name.text)),
                Event::Step(step) => {
                    let mut names = Vec::new();
                    step.value.each_name(&mut |name| {
                        names.push((name.text.as_str(), referent(&name.text)));
                    });
                    for name in &step.writes {
                        names.push((name.text.as_str(), referent(&name.text)));
                    }
                    Some(Line::Step(Resolved { step, names, allowed: Vec::new() }))
                }
                _ => None,
            })
            .collect();
        prop_assert_eq!(lines.len(), program.len());
        let storages = storages();
        let before = follow(&lines, &storages, Facts::default());
        let labels: HashMap<usize, usize> = program
            .iter()
            .enumerate()
            .filter_map(|(i, (statement, _))| match statement {
                Statement::Label(label) => Some((*label, i)),
                _ => None,
            })
            .collect();

        // Facts where control is, as the judge walks: from the last label on.
        let mut registers = [None; REGISTERS];
        let (mut at, mut choice) = (0, choices.iter().cycle());
        let mut facts = Facts::default();
        for _ in 0..STEPS {
            let Some((statement, is_guarded)) = program.get(at) else { break };
            if let Some(known) = &before[at] {
                facts = known.clone();
            } else {
                prop_assert!(!matches!(statement, Statement::Label(_)) && at > 0, "{text}");
            }
            for (register, value) in registers.iter().enumerate() {
                let Some(value) = *value else { continue };
                let is_true = match facts.get(register).map(|fact| &**fact) {
                    None => false,
                    Some(Fact::Anything | Fact::Descriptor(..)) => true,
                    Some(Fact::Number(number)) => allows(number, value),
                    Some(Fact::Address(address)) => {
                        allows(&address.offset, value - BASES[address.storage])
                    }
                };
                prop_assert!(
                    is_true, "%r{register} is {value} before line {at}, and {:?}\n{text}",
                    facts.get(register)
                );
            }
            let is_chosen = *choice.next().expect("it goes on");
            let old = registers;
            let mut set = |to: &usize, value: Option<i128>| {
                if !is_guarded || is_chosen {
                    registers[*to] = value;
                }
            };
            let mut next = at + 1;
            match statement {
                Statement::Set(to, from) => set(to, from.value(&old)),
                Statement::Binary(opcode, to, one, other) => {
                    let both = old[*one].zip(other.value(&old));
                    set(to, both.map(|(one, other)| compute(opcode, one, other)));
                }
                Statement::Mad(to, one, by, other) => {
                    let both = old[*one].map(|one| compute("mul", one, *by)).zip(old[*other]);
                    set(to, both.map(|(one, other)| compute("add", one, other)));
                }
                Statement::Select(to, one, other) => {
                    set(to, if is_chosen { old[*one] } else { old[*other] });
                }
                Statement::Label(_) => {}
                Statement::Branch(label, is_guarded) => {
                    if !is_guarded || is_chosen {
                        next = labels[label];
                    }
                }
            }
            if let Line::Step(resolved) = &lines[at] {
                advance(resolved, &storages, &mut facts);
            }
            at = next;
        }
    }
}
