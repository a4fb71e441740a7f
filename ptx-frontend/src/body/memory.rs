//! Operands in brackets: what the instruction table says of each.

use proc_macro2::{Delimiter, TokenStream};
use ptx_types::rules::instruction::{
    AccessSize, AddressSpace, Direction, Instruction, Role, Taken, spaces,
};
use ptx_types::rules::{TensorAccess, TensorMode};
use ptx_types::{ScalarType, Space};

use super::operand::{element, join, spliced_integer};
use super::token::Token;
use super::value::{self, Value};
use super::{Name, declare};

/// An operand in brackets that starts with a name.
#[derive(Clone, Debug)]
pub struct MemoryOperand {
    /// Which of the operands in brackets it is, the first being 0; `None` without brackets.
    pub bracket: Option<usize>,
    /// What the instruction takes it for.
    pub role: Role,
    /// What it does there.
    pub direction: Direction,
    /// The state space that it goes to; `None` for generic addresses.
    pub space: Option<Space>,
    /// Whether that is said; of none, whether it is that of the storage.
    pub names_space: bool,
    /// How many bytes it goes to.
    pub bytes: Amount,
    /// The alignment in bytes that it needs.
    pub align: Amount,
    /// The type that it takes each element for.
    pub ty: Option<ScalarType>,
    /// What is added to the name, in bytes.
    pub offset: Amount,
    /// Which element of it is meant, if an index says.
    pub(super) index: Option<Value>,
    /// What is written there, if that is one number.
    pub(super) written: Option<Value>,
    /// What the instruction says of the tensor, if it takes a map.
    pub tensor: Option<TensorAccess>,
    /// The name, of storage or of a register.
    pub name: Name,
    /// Where the offset stands; the name where none does.
    pub offset_place: Name,
}

impl MemoryOperand {
    /// A text that operands have which are alike but for where they start, and no others.
    pub fn key(&self) -> String {
        format!(
            "{:?} {:?} {:?} {} {} {} {:?} {:?}",
            self.role,
            self.direction,
            self.space,
            self.names_space,
            self.bytes.key(),
            self.align.key(),
            self.ty,
            self.tensor
        )
    }
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

    pub(super) fn of(tokens: &[Token]) -> Self {
        match (sum(tokens), tokens) {
            (Some((value, [])), _) => Self::Known(value),
            (_, [Token::Splice(tokens, ..)]) => Self::Splice(tokens.clone()),
            (_, _) => Self::Unknown,
        }
    }

    /// What stands behind a name.
    pub(super) fn added(tokens: &[Token]) -> Self {
        match tokens {
            [] => Self::Known(0),
            [plus, rest @ ..] if plus.is_punct('+') => Self::of(rest),
            [minus, ..] if minus.is_punct('-') => Self::of(tokens),
            [..] => Self::Unknown,
        }
    }

    /// A text that equal amounts have, and no others.
    fn key(&self) -> String {
        match self {
            Self::Known(value) => value.to_string(),
            Self::Splice(tokens) => tokens.to_string(),
            Self::Unknown => String::new(),
        }
    }

    fn of_size(bytes: usize) -> Self {
        i128::try_from(bytes).map_or(Self::Unknown, Self::Known)
    }
}

/// The sum of known integers that tokens start with, and what follows: `2 * 128 + (4 - 8)`.
fn sum(tokens: &[Token]) -> Option<(i128, &[Token])> {
    let (mut value, mut rest) = product(tokens)?;
    while let [operator, after @ ..] = rest {
        let (other, behind);
        if operator.is_punct('+') {
            (other, behind) = product(after)?;
            value = fits(value.checked_add(other)?)?;
        } else if operator.is_punct('-') {
            (other, behind) = product(after)?;
            value = fits(value.checked_sub(other)?)?;
        } else {
            break;
        }
        rest = behind;
    }
    Some((value, rest))
}

fn product(tokens: &[Token]) -> Option<(i128, &[Token])> {
    let (mut value, mut rest) = factor(tokens)?;
    while let [times, after @ ..] = rest
        && times.is_punct('*')
    {
        let (other, behind) = factor(after)?;
        value = fits(value.checked_mul(other)?)?;
        rest = behind;
    }
    Some((value, rest))
}

fn factor(tokens: &[Token]) -> Option<(i128, &[Token])> {
    let (first, rest) = tokens.split_first()?;
    let value = match first {
        Token::Number(text, _) => declare::integer(text)?,
        Token::Splice(tokens, ..) => spliced_integer(tokens)?,
        Token::Group(Delimiter::Parenthesis, inner, ..) => match sum(inner)? {
            (value, []) => value,
            (_, [..]) => return None,
        },
        Token::Punct('-', _) => {
            let (value, rest) = factor(rest)?;
            return Some((fits(-value)?, rest));
        }
        Token::Punct('+', _) => return factor(rest),
        Token::Punct(..) | Token::Word(..) | Token::Text(..) | Token::Group(..) => return None,
    };
    Some((value, rest))
}

/// A number, if ptxas computes it without wrapping around.
fn fits(value: i128) -> Option<i128> {
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value).then_some(value)
}

/// The operands in brackets of an instruction that start with a name.
pub(super) fn read(
    opcode: &str,
    modifiers: &[(&str, &str)],
    operands: &[&[Token]],
) -> Vec<MemoryOperand> {
    let Some(row) = Instruction::find(opcode, modifiers) else { return Vec::new() };
    let in_brackets = operands.iter().filter_map(|operand| match operand {
        [Token::Group(Delimiter::Bracket, inner, ..), ..] => Some(inner.as_slice()),
        operand => element(operand).map(|(_, _, after)| &operand[..operand.len() - after.len()]),
    });
    let mut found = Vec::new();
    for (bracket, (address, inner)) in row.addresses.iter().zip(in_brackets).enumerate() {
        if matches!(address.role, Role::Handle | Role::TensorMemory) {
            continue;
        }
        // A tensor map stands before its coordinates.
        let end = inner.iter().position(|token| token.is_punct(',')).unwrap_or(inner.len());
        let Some((name, added)) = join(&inner[..end]) else { continue };
        let (index, added, offset_place) = index_of(&name, added);
        let (space, names_space) = space_of(address.place, modifiers);
        let (bytes, align) = extent(address.extent, modifiers, operands);
        let role = address.role;
        // Behind the only address that `st` has, and `atom` has none that is only written.
        let written = match (address.direction, operands) {
            (Direction::Write, [_, value]) if role == Role::Data => Some(value::operand(value)),
            (_, _) => None,
        };
        found.push(MemoryOperand {
            bracket: Some(bracket),
            role,
            direction: address.direction,
            space,
            names_space,
            bytes,
            align,
            ty: (address.extent == AccessSize::Typed).then(|| scalar(modifiers)).flatten(),
            offset: Amount::added(added),
            index,
            written,
            tensor: address
                .tensor
                .zip(tensor(modifiers))
                .map(|(direction, (rank, mode))| TensorAccess { rank, mode, direction }),
            name,
            offset_place,
        });
    }
    found.extend(row.taken.and_then(|it| taken(it, modifiers, operands)));
    found
}

/// The operand whose address is taken, or is made another kind of address.
fn taken(taken: Taken, modifiers: &[(&str, &str)], operands: &[&[Token]]) -> Option<MemoryOperand> {
    let (name, added) = join(operands.get(taken.operand)?)?;
    let (index, added, offset_place) = index_of(&name, added);
    let (space, names_space) = space_of(taken.place, modifiers);
    Some(MemoryOperand {
        bracket: None,
        role: Role::Data,
        direction: Direction::Taken,
        space,
        names_space,
        bytes: Amount::Unknown,
        align: Amount::Unknown,
        ty: scalar(modifiers),
        offset: Amount::added(added),
        index,
        written: None,
        tensor: None,
        offset_place,
        name,
    })
}

/// The index behind a name, what is added instead, and where either stands.
fn index_of<'t>(name: &Name, added: &'t [Token]) -> (Option<Value>, &'t [Token], Name) {
    match added {
        [Token::Group(Delimiter::Bracket, inner, ..)] => {
            let place = Name::over(inner).unwrap_or_else(|| name.clone());
            (Some(value::operand(inner)), &[], place)
        }
        added => (None, added, place_of(name, added)),
    }
}

/// Where an offset stands, behind its sign; the name where none does.
fn place_of(name: &Name, added: &[Token]) -> Name {
    added.get(1..).and_then(Name::over).unwrap_or_else(|| name.clone())
}

/// The state space of an address, and whether it is said.
fn space_of(place: AddressSpace, modifiers: &[(&str, &str)]) -> (Option<Space>, bool) {
    match place {
        AddressSpace::Named(n) => {
            let space = spaces(modifiers).nth(n);
            (space, space.is_some())
        }
        AddressSpace::Always(space) => (Some(space), false),
        AddressSpace::Own => (None, true),
        AddressSpace::Generic | AddressSpace::Elsewhere => (None, false),
    }
}

/// The type among modifiers.
fn scalar(modifiers: &[(&str, &str)]) -> Option<ScalarType> {
    modifiers
        .iter()
        .filter(|(dot, _)| *dot == ".")
        .find_map(|(_, word)| ScalarType::from_name(word))
}

/// What modifiers say of a tensor: its rank and the mode.
pub(super) fn tensor(modifiers: &[(&str, &str)]) -> Option<(u32, TensorMode)> {
    let rank = modifiers.iter().find_map(|(_, word)| match *word {
        "1d" => Some(1),
        "2d" => Some(2),
        "3d" => Some(3),
        "4d" => Some(4),
        "5d" => Some(5),
        _ => None,
    })?;
    let at = modifiers
        .iter()
        .position(|(dot, word)| *dot == "." && (*word == "tile" || word.starts_with("im2col")));
    let words = |n: usize| at.and_then(|at| modifiers.get(at + n)).map(|(_, word)| *word);
    let mode = match (words(0), words(1), words(2)) {
        (Some("tile"), Some("gather4"), _) => TensorMode::Gather4,
        (Some("tile"), Some("scatter4"), _) => TensorMode::Scatter4,
        (Some("tile") | None, ..) => TensorMode::Tile,
        (Some(_), Some("w"), Some("128")) => TensorMode::Im2colW128,
        (Some(_), Some("w"), _) => TensorMode::Im2colW,
        (Some(_), ..) => TensorMode::Im2col,
    };
    Some((rank, mode))
}

/// How many bytes an instruction goes to, and the alignment that it needs.
fn extent(
    extent: AccessSize,
    modifiers: &[(&str, &str)],
    operands: &[&[Token]],
) -> (Amount, Amount) {
    let words = || modifiers.iter().filter(|(dot, _)| *dot == ".").map(|(_, word)| *word);
    let count = |n: usize| operands.get(n).map_or(Amount::Unknown, |tokens| Amount::of(tokens));
    match extent {
        AccessSize::Typed => {
            let Some(scalar) = scalar(modifiers) else {
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
        AccessSize::Fixed(bytes, align) => (Amount::of_size(bytes), Amount::of_size(align)),
        AccessSize::Counted(n, align) => (count(n), Amount::of_size(align)),
        // Fewer bytes are read where another operand stands behind the count.
        AccessSize::CountedAlignedAtMost(n) if operands.len() > n + 1 => {
            (Amount::Unknown, count(n))
        }
        AccessSize::CountedAligned(n) | AccessSize::CountedAlignedAtMost(n) => (count(n), count(n)),
        AccessSize::Row if words().any(|word| word == "m8n8") => {
            (Amount::of_size(16), Amount::of_size(16))
        }
        AccessSize::Row => (Amount::Unknown, Amount::of_size(16)),
        AccessSize::Fragment(n) => {
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
        AccessSize::Aligned(align) => (Amount::Unknown, Amount::of_size(align)),
        AccessSize::Unknown => (Amount::Unknown, Amount::Unknown),
    }
}
