//! Operands in brackets that name storage: what the instruction table says of each, and the rules.

use proc_macro2::{Delimiter, TokenStream};
use ptx_types::ir::FunctionKind;
use ptx_types::rules::access::Object;
use ptx_types::rules::instruction::{Extent, Instruction, Place, Role, spaces};
use ptx_types::rules::{self, Operand, Part, TensorAccess};
use ptx_types::{ScalarType, Space};

use super::names::{Resolver, Thing};
use super::operand::{Writer, join, spliced_integer};
use super::token::Token;
use super::{Event, Name, VariableUse, declare};
use crate::errors::Errors;

/// An operand in brackets that starts with a name.
#[derive(Clone, Debug)]
pub struct MemoryOperand {
    /// What the instruction takes it for.
    pub role: Role,
    /// The state space that it goes to; `None` for generic addresses.
    pub space: Option<Space>,
    /// Whether that is said.
    pub is_said: bool,
    /// How many bytes it goes to.
    pub bytes: Amount,
    /// The alignment in bytes that it needs.
    pub align: Amount,
    /// What is added to the name, in bytes.
    pub offset: Amount,
    /// What the instruction says of the tensor, if it takes a map.
    pub tensor: Option<TensorAccess>,
    /// The name.
    pub name: Name,
    /// Where the offset stands; the name where none does.
    pub offset_place: Name,
}

/// A number in an operand.
#[derive(Clone, Debug)]
pub enum Amount {
    /// This one.
    Known(i128),
    /// A Rust constant.
    Splice(TokenStream),
    /// Something else, or nothing.
    Unknown,
}

impl Amount {
    /// The number, if tokens tell it.
    pub fn known(&self) -> Option<i128> {
        match self {
            Self::Known(value) => Some(*value),
            Self::Splice(_) | Self::Unknown => None,
        }
    }

    fn of(tokens: &[Token]) -> Self {
        match tokens {
            [minus, rest @ ..] if minus.is_punct('-') => match Self::of(rest) {
                Self::Known(value) => Self::Known(-value),
                Self::Splice(_) | Self::Unknown => Self::Unknown,
            },
            [Token::Number(text, _)] => declare::integer(text).map_or(Self::Unknown, Self::Known),
            [Token::Splice(tokens, ..)] => match spliced_integer(tokens) {
                Some(value) => Self::Known(value),
                None => Self::Splice(tokens.clone()),
            },
            _ => Self::Unknown,
        }
    }

    fn of_size(bytes: usize) -> Self {
        i128::try_from(bytes).map_or(Self::Unknown, Self::Known)
    }
}

/// An operand that only rustc can judge.
#[derive(Debug)]
pub struct LateOperand {
    /// The operand.
    pub operand: MemoryOperand,
    /// What it names.
    pub object: LateObject,
}

/// What an operand names that rustc judges.
#[derive(Clone, Debug)]
pub enum LateObject {
    /// A variable of the module.
    Variable(VariableUse),
    /// A parameter.
    Param(usize),
    /// What is returned.
    Return(usize),
    /// One of the body's declarations.
    Declaration(usize),
}

/// Notes the operands in brackets of an instruction that name something.
pub(super) fn note(
    opcode: &str,
    modifiers: &[(&str, &str)],
    operands: &[&[Token]],
    writer: &mut Writer,
) {
    let Some(row) = Instruction::find(opcode, modifiers) else { return };
    let in_brackets = operands.iter().filter_map(|operand| match operand {
        [Token::Group(Delimiter::Bracket, inner, ..), ..] => Some(inner.as_slice()),
        _ => None,
    });
    for (address, inner) in row.addresses.iter().zip(in_brackets) {
        if matches!(address.role, Role::Handle | Role::TensorMemory) {
            continue;
        }
        // A tensor map stands before its coordinates.
        let end = inner.iter().position(|token| token.is_punct(',')).unwrap_or(inner.len());
        let Some((name, added)) = join(&inner[..end]) else { continue };
        let offset = match added {
            [] => Amount::Known(0),
            [plus, rest @ ..] if plus.is_punct('+') => Amount::of(rest),
            [..] => Amount::Unknown,
        };
        let offset_place = match added {
            [_, first, ..] => Name {
                text: String::new(),
                start: first.span(),
                end: added.last().map_or(name.end, Token::end),
            },
            [] | [_] => name.clone(),
        };
        let (space, is_said) = match address.place {
            Place::Named(n) => (spaces(modifiers).nth(n), true),
            Place::Always(space) => (Some(space), false),
            Place::Generic | Place::Own | Place::Elsewhere => (None, false),
        };
        let (bytes, align) = extent(address.extent, modifiers, operands);
        let role = address.role;
        writer.event(Event::Operand(Box::new(MemoryOperand {
            role,
            space,
            is_said,
            bytes,
            align,
            offset,
            tensor: (role == Role::Map).then(|| tensor(modifiers)).flatten(),
            name,
            offset_place,
        })));
    }
}

/// What modifiers say of a tensor.
fn tensor(modifiers: &[(&str, &str)]) -> Option<TensorAccess> {
    let rank = modifiers.iter().find_map(|(_, word)| match *word {
        "1d" => Some(1),
        "2d" => Some(2),
        "3d" => Some(3),
        "4d" => Some(4),
        "5d" => Some(5),
        _ => None,
    })?;
    let is_im2col = modifiers.iter().any(|(dot, word)| *dot == "." && word.starts_with("im2col"));
    Some(TensorAccess { rank, is_im2col })
}

/// How many bytes an instruction goes to, and the alignment that it needs.
fn extent(extent: Extent, modifiers: &[(&str, &str)], operands: &[&[Token]]) -> (Amount, Amount) {
    let words = || modifiers.iter().filter(|(dot, _)| *dot == ".").map(|(_, word)| *word);
    let count = |n: usize| operands.get(n).map_or(Amount::Unknown, |tokens| Amount::of(tokens));
    match extent {
        Extent::Typed => {
            let Some(scalar) = words().find_map(ScalarType::from_name) else {
                return (Amount::Unknown, Amount::Unknown);
            };
            let lanes = words().find_map(|word| match word {
                "v2" => Some(2),
                "v4" => Some(4),
                "v8" => Some(8),
                _ => None,
            });
            let bytes = Amount::of_size(scalar.bytes() * lanes.unwrap_or(1));
            (bytes.clone(), bytes)
        }
        Extent::Fixed(bytes, align) => (Amount::of_size(bytes), Amount::of_size(align)),
        Extent::Counted(n, align) => (count(n), Amount::of_size(align)),
        // Fewer bytes are read where another operand stands behind the count.
        Extent::CountedAlignedAtMost(n) if operands.len() > n + 1 => (Amount::Unknown, count(n)),
        Extent::CountedAligned(n) | Extent::CountedAlignedAtMost(n) => (count(n), count(n)),
        Extent::Row if words().any(|word| word == "m8n8") => {
            (Amount::of_size(16), Amount::of_size(16))
        }
        Extent::Row => (Amount::Unknown, Amount::of_size(16)),
        Extent::Fragment(n) => {
            let register = if words().any(|word| word == "f64") { 8 } else { 4 };
            let align = match operands.get(n).copied() {
                Some([Token::Group(Delimiter::Brace, inner, ..)]) => {
                    let commas = inner.iter().filter(|token| token.is_punct(',')).count();
                    Amount::of_size(register * (commas + 1))
                }
                Some(_) | None => Amount::Unknown,
            };
            (Amount::Unknown, align)
        }
        Extent::Aligned(align) => (Amount::Unknown, Amount::of_size(align)),
        Extent::Unknown => (Amount::Unknown, Amount::Unknown),
    }
}

impl MemoryOperand {
    /// The operand as far as tokens tell.
    fn known(&self) -> Operand {
        let size = |amount: &Amount| amount.known().and_then(|value| usize::try_from(value).ok());
        Operand {
            role: self.role,
            space: self.space,
            is_said: self.is_said,
            bytes: size(&self.bytes),
            align: size(&self.align),
            offset: self.offset.known(),
            tensor: self.tensor,
        }
    }

    fn has_splice(&self) -> bool {
        let amounts = [&self.bytes, &self.align, &self.offset];
        amounts.iter().any(|amount| matches!(amount, Amount::Splice(_)))
    }
}

impl<'a: 'b, 'b> Resolver<'_, 'a, 'b> {
    /// The rules of an operand that names storage: early as far as tokens tell, else noted for rustc.
    pub(super) fn check_operand(&mut self, operand: &'b MemoryOperand, errors: &mut Errors) {
        let (function, text) = (self.context.function, operand.name.text.as_str());
        let (object, late, is_late) = match (self.lookup(text), function.kind) {
            (Some(Thing::Param(i)), FunctionKind::Kernel) => {
                (Object::EntryParam(&function.params[i].variable), LateObject::Param(i), false)
            }
            (Some(Thing::Param(i)), FunctionKind::Device) => {
                (Object::Input(&function.params[i].variable), LateObject::Param(i), false)
            }
            (Some(Thing::Return(i)), _) => {
                (Object::Return(&function.returns[i].variable), LateObject::Return(i), false)
            }
            (Some(Thing::Declared(declaration, n)), _) => {
                let ir = self.lower(declaration);
                let is_param = declaration.space == Space::Param;
                let object = if is_param { Object::LocalParam(ir) } else { Object::Variable(ir) };
                (object, LateObject::Declaration(n), declaration.has_splice())
            }
            (Some(Thing::Other), _) => return,
            (None, _) => {
                self.check_named(operand, errors);
                return;
            }
        };
        // Where the alignment of a parameter is a Rust constant, rustc knows it.
        let is_param = matches!(late, LateObject::Param(_) | LateObject::Return(_));
        let is_aligned = !is_param || object.variable().align.is_some();
        self.judge(operand, object, (late, is_late, is_aligned), errors);
    }

    /// One that names a variable of the module, or several where `cfg` chooses.
    fn check_named(&mut self, operand: &'b MemoryOperand, errors: &mut Errors) {
        let symbols = self.context.symbols;
        let Some((found, ptx_name)) = symbols.variables(&operand.name.text) else { return };
        for symbol in found {
            let member = symbol.ir.ty.family().map(|_| ptx_name.clone());
            let late = LateObject::Variable(VariableUse { index: symbol.index, member });
            if found.len() > 1 {
                self.operands.push(LateOperand { operand: operand.clone(), object: late });
                continue;
            }
            let arena = &self.context.lowering.arena;
            let ir = arena.alloc(symbol.ir.member(arena.alloc_str(&ptx_name)));
            let object = Object::Variable(ir);
            self.judge(operand, object, (late, false, !symbol.is_aligned_late), errors);
        }
    }

    fn judge(
        &mut self,
        operand: &MemoryOperand,
        object: Object<'_>,
        (late, mut is_late, is_aligned): (LateObject, bool, bool),
        errors: &mut Errors,
    ) {
        let variable = object.variable();
        if variable.space == Space::Reg {
            return;
        }
        let mut is_refused = false;
        for violation in rules::check_operand(operand.known(), object) {
            if self.context.function.allows(violation.rule.code) {
                continue;
            }
            let by_alignment = violation.rule.code == "A022";
            if is_late || by_alignment && !is_aligned {
                is_late = true;
                continue;
            }
            is_refused = true;
            let is_offset = violation.rule.blames == Part::Offset;
            let place = if is_offset { &operand.offset_place } else { &operand.name };
            errors.on(place.tokens(), violation);
        }
        let is_unknown = !variable.ty.is_known()
            || variable.bytes().is_none() && !variable.is_dynamic()
            || operand.has_splice();
        if !is_refused && (is_late || is_unknown) {
            self.operands.push(LateOperand { operand: operand.clone(), object: late });
        }
    }
}
