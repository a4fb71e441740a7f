//! Statements, decoded once and executed often.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::instruction::spaces;
use ptx_isa::ir::body::{Body, Immediate, Instruction, Name, Operand, OperandKind, StatementKind};
use ptx_isa::special;

use super::arithmetic::{Operation, operation};
use super::carries::{Carrying, carrying};
use super::integer::Integer;

/// A label or an instruction.
pub(super) struct Node<'a> {
    /// Its guard predicate, and whether it executes if the guard is false.
    pub(super) guard: Option<(usize, bool)>,
    pub(super) action: Action<'a>,
}

/// The action of an instruction.
pub(super) enum Action<'a> {
    /// No modelled effect.
    Nothing,
    /// Branches to this node.
    Branch(usize),
    /// Waits until all threads arrive.
    Waits,
    /// Exits the thread.
    Ends,
    /// Returns to the caller, or exits the thread.
    Returns,
    /// Calls a function.
    Call { function: &'a str, to: Vec<Actual<'a>>, from: Vec<Actual<'a>> },
    /// Not modelled.
    Unknown,
    /// Computes a result.
    Compute { to: Vec<Destination>, from: Vec<Source<'a>>, operation: Operation },
    /// Converts an address to a generic one, or a generic address to one in a state space.
    Generic { to: usize, from: Source<'a>, space: Space, is_to: bool },
    /// Computes with the carry-in, and possibly writes the carry-out.
    Carry { to: Option<usize>, from: Vec<Source<'a>>, operation: Carrying, writes: bool },
    /// Maps an address to the block of the cluster with a rank.
    Remote { to: usize, address: Source<'a>, rank: Source<'a>, width: Integer },
    /// Returns the rank of the block that an address belongs to.
    Rank { to: usize, from: Source<'a> },
    /// Accesses memory.
    Access(Access<'a>),
}

/// A memory access: it loads into registers, or stores their contents.
pub(super) struct Access<'a> {
    pub(super) operands: Vec<Bracket<'a>>,
    pub(super) to: Vec<Option<usize>>,
    pub(super) from: Vec<Source<'a>>,
    pub(super) element: Integer,
    /// The `.param` variable that it accesses.
    pub(super) param: Option<&'a str>,
}

/// An argument of a call, or the destination of a result.
pub(super) enum Actual<'a> {
    /// A `.param` variable.
    Param(&'a str),
    Source(Source<'a>),
}

/// An operand in brackets.
pub(super) struct Bracket<'a> {
    pub(super) address: Source<'a>,
    /// The width of the address.
    pub(super) width: Integer,
    pub(super) bytes: u32,
}

/// A register that receives a part of the result.
#[derive(Clone, Copy)]
pub(super) struct Destination {
    pub(super) register: usize,
    shift: u32,
    mask: u64,
}

impl Destination {
    pub(super) fn part(self, value: u64) -> u64 {
        value >> self.shift & self.mask
    }

    fn whole(register: usize) -> Self {
        Self { register, shift: 0, mask: u64::MAX }
    }
}

/// The source of a number.
pub(super) enum Source<'a> {
    Register(usize),
    Number(u64),
    Symbol(&'a str),
    Special(&'a str, &'a str),
    Not(Box<Source<'a>>),
    Sum(Box<Source<'a>>, u64),
}

/// Decodes the labels and instructions of a body, and the names of its registers.
pub(super) fn decode<'a>(
    body: &Body<'a>,
    constants: &[Option<i128>],
) -> (Vec<Node<'a>>, Vec<&'a str>) {
    let mut decoder = Decoder::default();
    let is_node = |kind| matches!(kind, StatementKind::Label | StatementKind::Instruction);
    let statements: Vec<_> =
        body.statements().filter(|statement| is_node(statement.kind())).collect();
    for (n, statement) in statements.iter().enumerate() {
        if statement.kind() == StatementKind::Label {
            decoder.labels.insert(statement.text(), n);
        }
    }
    let node = |statement: &ptx_isa::ir::body::Statement<'a>| match statement.instruction(constants)
    {
        Some(instruction) => Node {
            guard: instruction
                .guard
                .map(|guard| (decoder.register(guard.name.text), guard.is_negated)),
            action: decoder.action(&instruction).unwrap_or(Action::Unknown),
        },
        None => Node { guard: None, action: Action::Nothing },
    };
    let nodes = statements.iter().map(node).collect();
    (nodes, decoder.names)
}

#[derive(Default)]
struct Decoder<'a> {
    labels: BTreeMap<&'a str, usize>,
    registers: BTreeMap<&'a str, usize>,
    names: Vec<&'a str>,
}

impl<'a> Decoder<'a> {
    fn register(&mut self, name: &'a str) -> usize {
        let next = self.names.len();
        let number = *self.registers.entry(name).or_insert(next);
        if number == next {
            self.names.push(name);
        }
        number
    }

    fn named(&mut self, name: Name<'a>) -> Source<'a> {
        if special::is_special(name.text) {
            Source::Special(name.text, name.element)
        } else if name.text.starts_with('%') {
            Source::Register(self.register(name.text))
        } else {
            Source::Symbol(name.text)
        }
    }

    fn source(&mut self, operand: &Operand<'a>) -> Option<Source<'a>> {
        Some(match &operand.kind {
            OperandKind::Name(name) => self.named(*name),
            OperandKind::Offset(name, added, _) => {
                let added = Integer { bits: 64, is_signed: true }.write(added.known()?);
                Source::Sum(Box::new(self.named(*name)), added)
            }
            OperandKind::Immediate(Immediate::Float(_)) => return None,
            OperandKind::Immediate(_) => {
                let value = operand.amount().known()?;
                Source::Number(Integer { bits: 64, is_signed: true }.write(value))
            }
            OperandKind::Not(inner) => Source::Not(Box::new(self.source(inner)?)),
            _ => return None,
        })
    }

    fn sources(&mut self, operands: &[Operand<'a>]) -> Option<Vec<Source<'a>>> {
        operands.iter().map(|operand| self.source(operand)).collect()
    }

    /// Returns what a computation writes: one register, two predicates, or the parts of one
    /// number.
    fn destinations(&mut self, operand: &Operand<'a>, bits: u32) -> Option<Vec<Destination>> {
        let mask = |bits: u32| if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        Some(match &operand.kind {
            OperandKind::Name(name) if name.text == "_" => Vec::new(),
            OperandKind::Name(name) => vec![Destination::whole(self.register(name.text))],
            OperandKind::Pair(one, other) => {
                let pair = [(*one, 0), (*other, 1)];
                let named = pair.into_iter().filter(|(name, _)| name.text != "_");
                named
                    .map(|(name, shift)| Destination {
                        register: self.register(name.text),
                        shift,
                        mask: 1,
                    })
                    .collect()
            }
            OperandKind::Vector(parts) => {
                let each = bits / u32::try_from(parts.len()).ok()?;
                let mut all = Vec::new();
                for (part, n) in parts.iter().zip(0..) {
                    let name = part.name()?;
                    if name.text != "_" {
                        let register = self.register(name.text);
                        all.push(Destination { register, shift: n * each, mask: mask(each) });
                    }
                }
                all
            }
            _ => return None,
        })
    }

    fn action(&mut self, instruction: &Instruction<'a>) -> Option<Action<'a>> {
        let words: Vec<&str> = instruction.modifiers.iter().map(|it| it.word).collect();
        let operands = instruction.operands.as_slice();
        Some(match instruction.opcode {
            "bra" => Action::Branch(*self.labels.get(operands.first()?.name()?.text)?),
            "exit" | "trap" => Action::Ends,
            "ret" => Action::Returns,
            "call" => self.call(operands)?,
            "bar" | "barrier" if !words.contains(&"arrive") => Action::Waits,
            "bar" | "barrier" | "membar" | "fence" | "nanosleep" | "prefetch" => Action::Nothing,
            "ld" | "ldu" | "st" | "red" | "atom" => self.access(instruction, &words)?,
            "mapa" => {
                let [to, address, rank] = operands else { return None };
                Action::Remote {
                    to: self.register(to.name()?.text),
                    address: self.source(address)?,
                    rank: self.source(rank)?,
                    width: Integer::of(words.last()?)?,
                }
            }
            "getctarank" => {
                let [to, from] = operands else { return None };
                Action::Rank { to: self.register(to.name()?.text), from: self.source(from)? }
            }
            "addc" | "subc" | "madc" => self.carry(instruction, &words)?,
            "add" | "sub" | "mad" if words.contains(&"cc") => self.carry(instruction, &words)?,
            "cvta" => {
                let [to, from] = operands else { return None };
                let space = spaces(&instruction.pairs()).next()?;
                let to = self.register(to.name()?.text);
                Action::Generic {
                    to,
                    from: self.source(from)?,
                    space,
                    is_to: words.contains(&"to"),
                }
            }
            "mov" => self.mov(&words, operands)?,
            opcode => {
                let (to, from) = operands.split_first()?;
                let to = self.destinations(to, 0)?;
                // Of two predicates, the second bit is the complement.
                let operation = operation(opcode, &words)?;
                let to = match (opcode, to.as_slice()) {
                    ("setp", [one]) if one.mask == u64::MAX => {
                        vec![Destination { mask: 1, ..*one }]
                    }
                    _ => to,
                };
                Action::Compute { to, from: self.sources(from)?, operation }
            }
        })
    }

    /// Decodes `mov`, which can also unpack and pack numbers.
    fn mov(&mut self, words: &[&str], operands: &[Operand<'a>]) -> Option<Action<'a>> {
        let [to, from] = operands else { return None };
        let bits = words.first().and_then(|word| Integer::of(word)).map_or(1, |ty| ty.bits);
        if let OperandKind::Vector(parts) = &from.kind {
            let each = bits / u32::try_from(parts.len()).ok()?;
            let mask = Integer { bits: each, is_signed: false };
            let operation: Operation = Box::new(move |from| {
                from.iter().rev().fold(0, |all, part| all << each | mask.write((*part).into()))
            });
            let to = self.destinations(to, bits)?;
            return Some(Action::Compute { to, from: self.sources(parts)?, operation });
        }
        let operation = operation("mov", words)?;
        let to = self.destinations(to, bits)?;
        Some(Action::Compute { to, from: vec![self.source(from)?], operation })
    }

    fn carry(&mut self, instruction: &Instruction<'a>, words: &[&str]) -> Option<Action<'a>> {
        let (to, from) = instruction.operands.split_first()?;
        let to = to.name().filter(|name| name.text != "_");
        Some(Action::Carry {
            to: to.map(|name| self.register(name.text)),
            from: self.sources(from)?,
            operation: carrying(instruction.opcode, words)?,
            writes: words.contains(&"cc"),
        })
    }

    /// Decodes `call (r), f, (a, b);`, `call f, (a, b);` or `call f;`.
    fn call(&mut self, operands: &[Operand<'a>]) -> Option<Action<'a>> {
        let (to, rest) = match operands {
            [Operand { kind: OperandKind::Arguments(to), .. }, rest @ ..] => (to.as_slice(), rest),
            rest => (&[][..], rest),
        };
        let (function, from) = match rest {
            [function] => (function, &[][..]),
            [function, Operand { kind: OperandKind::Arguments(from), .. }] => {
                (function, from.as_slice())
            }
            _ => return None,
        };
        let mut actual = |operand: &Operand<'a>| {
            Some(match self.source(operand)? {
                Source::Symbol(name) => Actual::Param(name),
                source => Actual::Source(source),
            })
        };
        let to = to.iter().map(&mut actual).collect::<Option<Vec<_>>>()?;
        let from = from.iter().map(&mut actual).collect::<Option<Vec<_>>>()?;
        Some(Action::Call { function: function.name()?.text, to, from })
    }

    fn access(&mut self, instruction: &Instruction<'a>, words: &[&str]) -> Option<Action<'a>> {
        let element = words.iter().rev().find_map(|word| Integer::of(word))?;
        let count = match words.iter().find(|word| matches!(**word, "v2" | "v4" | "v8")) {
            Some(&"v2") => 2,
            Some(&"v4") => 4,
            Some(_) => 8,
            None => 1,
        };
        let mut operands = Vec::new();
        for operand in &instruction.operands {
            let OperandKind::Address(inner) = &operand.kind else { continue };
            let address = self.source(inner.first()?)?;
            // In these programs, 64-bit registers have this name.
            let is_wide = match &address {
                Source::Register(register) => self.is_wide(*register),
                Source::Sum(inner, _) => match **inner {
                    Source::Register(register) => self.is_wide(register),
                    _ => true,
                },
                _ => true,
            };
            let width = Integer { bits: if is_wide { 64 } else { 32 }, is_signed: false };
            operands.push(Bracket { address, width, bytes: element.bits / 8 * count });
        }
        let parts = |operand: &'_ Operand<'a>| match &operand.kind {
            OperandKind::Vector(parts) => parts.clone(),
            _ => vec![operand.clone()],
        };
        let (mut to, mut from) = (Vec::new(), Vec::new());
        match instruction.opcode {
            "ld" | "ldu" | "atom" => {
                for part in parts(instruction.operands.first()?) {
                    let name = part.name()?;
                    to.push((name.text != "_").then(|| self.register(name.text)));
                }
            }
            "st" => from = self.sources(&parts(instruction.operands.get(1)?))?,
            _ => {}
        }
        let param = match operands.as_slice() {
            [Bracket { address: Source::Symbol(name), .. }] if words.contains(&"param") => {
                Some(*name)
            }
            _ => None,
        };
        Some(Action::Access(Access { operands, to, from, element, param }))
    }

    fn is_wide(&self, register: usize) -> bool {
        self.names[register].starts_with("%d") || self.names[register].starts_with("%rd")
    }
}
