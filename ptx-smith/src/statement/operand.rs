//! Operands: registers, numbers and addresses.

use std::collections::{BTreeMap, BTreeSet};

use ptx_isa::instruction::{
    AccessSize, AddressSpace, Computes, Direction, GivenOperand, InstructionTypes, NON_COHERENT,
    OperandType, Role, Row, WantedOperand,
};
use ptx_isa::{ScalarType, Space, Version};

use crate::Rng;
use crate::range::Range;

/// The types of registers, each of which a body has in this number.
pub(crate) const REGISTERS: usize = 8;

const TYPES: &[&str] = &[
    "pred", "b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64", "s8", "s16", "s32",
    "s64", "f16", "f16x2", "f32", "f64",
];

/// The formats of numbers that registers of bits have, each with the letter that their names end in.
const FORMATS: &[(&str, &str)] = &[
    ("f16", "f"),
    ("bf16", "g"),
    ("f16x2", "h"),
    ("bf16x2", "i"),
    ("f32", "j"),
    ("f64", "k"),
    ("f32x2", "l"),
    ("tf32", "t"),
    ("u16x2", "u"),
    ("s16x2", "u"),
];

/// The registers of one name: their type, and a letter after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Register {
    /// The type in the declaration.
    pub(crate) ty: &'static str,
    /// The letter; empty without one.
    pub(crate) letter: &'static str,
}

impl Register {
    /// The registers of a type whose name has no letter.
    pub(crate) const fn plain(ty: &'static str) -> Self {
        Self { ty, letter: "" }
    }

    /// The registers with this name: `b32h`.
    fn named(name: &str) -> Option<Self> {
        let of = |name: &str| TYPES.iter().copied().find(|ty| *ty == name);
        if let Some(ty) = of(name) {
            return Some(Self::plain(ty));
        }
        let (at, _) = name.char_indices().last()?;
        let (ty, letter) = name.split_at(at);
        let letters = FORMATS.iter().map(|(_, letter)| *letter).chain(["a", "w"]);
        Some(Self { ty: of(ty)?, letter: letters.into_iter().find(|it| *it == letter)? })
    }
}

/// What a statement names: the module or the body declares what is named.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Name {
    /// A register of this type.
    Register(Register),
    /// A register with an address, by the letter in `forms.txt`.
    Address(char),
    /// A variable, by that letter.
    Variable(char),
    /// A device function, by that letter.
    Function(char),
    /// A list of labels, which is a statement of its own before the one that names it.
    Labels(String),
}

/// The operands of one statement under construction.
pub(super) struct Operands<'r> {
    rng: &'r mut Rng,
    row: &'static Row,
    types: InstructionTypes,
    listed: &'static [OperandType],
    /// The elements of vectors; 0 without a modifier for them.
    lanes: usize,
    /// The state spaces among the modifiers.
    spaces: Vec<(Space, bool)>,
    /// Whether it loads data that stays the same.
    is_non_coherent: bool,
    names: BTreeSet<Name>,
    label: Option<String>,
    /// The register of each letter that stands for the same one in a whole form.
    shared: BTreeMap<char, String>,
}

impl<'r> Operands<'r> {
    pub(super) fn new(rng: &'r mut Rng, row: &'static Row, modifiers: &[(&str, &str)]) -> Self {
        let has = |word: &str| modifiers.iter().any(|(_, modifier)| *modifier == word);
        let lanes = [("v2", 2), ("v4", 4), ("v8", 8)];
        let lanes = lanes.iter().find(|(word, _)| has(word)).map_or(0, |(_, lanes)| *lanes);
        let mut spaces = Vec::new();
        for (n, (separator, word)) in modifiers.iter().enumerate() {
            let space = (*separator == ".").then(|| Space::from_name(word)).flatten();
            let is_cluster = modifiers.get(n + 1) == Some(&("::", "cluster"));
            spaces.extend(space.map(|space| (space, is_cluster)));
        }
        Self {
            types: InstructionTypes::of(modifiers),
            listed: row.operand_types(has).map_or(&[], |(_, types)| types),
            rng,
            row,
            lanes,
            spaces,
            is_non_coherent: has(NON_COHERENT),
            names: BTreeSet::new(),
            label: None,
            shared: BTreeMap::new(),
        }
    }

    /// What was named, and the lowest PTX version that has registers of these types.
    pub(super) fn finish(self) -> (BTreeSet<Name>, Version) {
        let types = self.names.iter().filter_map(|name| match name {
            Name::Register(register) => ScalarType::from_name(register.ty),
            _ => None,
        });
        let since = types.map(ScalarType::since).fold(Version::new(1, 0), Version::newer);
        (self.names, since)
    }

    /// All operands that the table has; `None` if it does not have some.
    pub(super) fn of_table(&mut self) -> Option<Vec<String>> {
        // Operands beyond the least go with modifiers that the table does not have.
        let count = self.row.count.map_or(self.listed.len(), |(least, _)| least);
        (0..count).map(|n| self.nth(n)).collect()
    }

    /// The operand in this place; `None` if the table does not have it.
    pub(super) fn nth(&mut self, n: usize) -> Option<String> {
        let ty = *self.listed.get(n)?;
        if ty.is_address() == Some(true) {
            let nth = self.listed[..n].iter().filter(|ty| ty.is_address() == Some(true)).count();
            return self.address_of_table(nth);
        }
        let elements = self.lanes;
        let wanted = ty.wanted(&self.types, elements)?;
        if elements > 0 {
            let register = self.register_type(wanted, true);
            return Some(self.vector(register, elements));
        }
        let may_be_number = n > 0 && self.row.computes != Computes::Conversion;
        if may_be_number
            && self.rng.one_in(5)
            && let Some(number) = self.number(wanted)
        {
            return Some(number);
        }
        let register = self.register_type(wanted, false);
        Some(self.register(register))
    }

    /// A type of registers that fit.
    fn register_type(&mut self, wanted: WantedOperand, is_vector: bool) -> Register {
        let fits = |name: &&str| {
            let ty = ScalarType::from_name(name);
            ty.is_some_and(|ty| wanted.takes(GivenOperand::Register(ty)))
        };
        let bits = match wanted.ty.bytes() {
            _ if wanted.ty == ScalarType::Pred => "pred",
            1 => "b8",
            2 => "b16",
            4 => "b32",
            8 => "b64",
            _ => "b128",
        };
        let letter = FORMATS.iter().find(|(format, _)| *format == wanted.ty.name());
        let bits = Register { ty: bits, letter: letter.map_or("", |(_, letter)| *letter) };
        let own = TYPES.iter().copied().find(|name| *name == wanted.ty.name());
        let own = own.map_or(bits, Register::plain);
        if wanted.any_kind || is_vector || wanted.ty.is_float() || !wanted.ty.is_fundamental() {
            return self.rng.pick(&[own, bits]);
        }
        // `.f16x2` counts as a predicate for ptxas, and `.b128` is newer than most instructions.
        let is_plain = |name: &&str| !matches!(*name, "f16x2" | "b128");
        let all: Vec<&str> = TYPES.iter().copied().filter(fits).filter(is_plain).collect();
        match self.rng.below(4) {
            0 | 1 => own,
            2 => bits,
            _ if all.is_empty() => own,
            _ => Register::plain(self.rng.pick(&all)),
        }
    }

    fn register(&mut self, register: Register) -> String {
        self.names.insert(Name::Register(register));
        let Register { ty, letter } = register;
        format!("%{ty}{letter}_{}", self.rng.below(REGISTERS))
    }

    /// Registers in braces: different ones, since they may be written.
    fn vector(&mut self, register: Register, elements: usize) -> String {
        self.names.insert(Name::Register(register));
        let Register { ty, letter } = register;
        let first = self.rng.below(REGISTERS);
        let all = (0..elements).map(|n| format!("%{ty}{letter}_{}", (first + n) % REGISTERS));
        format!("{{{}}}", all.collect::<Vec<_>>().join(", "))
    }

    /// A number that fits.
    fn number(&mut self, wanted: WantedOperand) -> Option<String> {
        if wanted.any_kind || !wanted.ty.is_fundamental() || wanted.ty == ScalarType::Pred {
            return None;
        }
        if wanted.takes(GivenOperand::Integer(1)) && matches!(wanted.ty.bytes(), 2 | 4 | 8) {
            return Some(self.rng.within(1, 7).to_string());
        }
        match wanted.ty {
            ScalarType::F32 => Some("0f3FC00000".to_owned()),
            ScalarType::F64 => Some("0d3FF8000000000000".to_owned()),
            _ => None,
        }
    }

    /// The `nth` address of the row.
    fn address_of_table(&mut self, nth: usize) -> Option<String> {
        let address = self.row.addresses.get(nth)?;
        let align = match address.size {
            AccessSize::Typed => {
                let [_, ty] = self.types.last_two();
                ty?.bytes() * self.lanes.max(1)
            }
            AccessSize::Fixed(_, align)
            | AccessSize::Aligned(align)
            | AccessSize::Counted(_, align) => align,
            AccessSize::MatrixRow => 16,
            AccessSize::CountedAligned(_) | AccessSize::CountedAlignedAtMost(_) => return None,
            AccessSize::Fragment(_) | AccessSize::Unknown => 32,
        };
        let letter = match address.role {
            Role::Data => match self.letter(address.space) {
                's' if address.direction == Direction::Write => 'a',
                letter => letter,
            },
            Role::Barrier => 'b',
            Role::Map => 'x',
            Role::Texture => 't',
            Role::Surface => 'u',
            Role::TensorMemory => 'T',
        };
        Some(format!("[{}]", self.address(letter, align)))
    }

    /// The letter of a state space.
    fn letter(&self, space: AddressSpace) -> char {
        let named = match space {
            AddressSpace::Named(n) => self.spaces.get(n).copied(),
            AddressSpace::Always(space) => Some((space, false)),
            AddressSpace::Generic | AddressSpace::Own | AddressSpace::Elsewhere => None,
        };
        match named {
            Some((Space::Global, _)) => 'g',
            Some((Space::Shared, true)) => 'r',
            Some((Space::Shared, false)) => 's',
            Some((Space::Local, _)) => 'l',
            Some((Space::Const, _)) => 'c',
            Some((Space::Param, _)) => 'p',
            _ => 'x',
        }
    }

    /// An address without its brackets.
    fn address(&mut self, letter: char, align: usize) -> String {
        let letter = match letter {
            // What the statement takes as data that stays the same is in no variable that others write.
            'g' if self.is_non_coherent => 'x',
            'w' => match self.letter(AddressSpace::Named(0)) {
                's' => 'a',
                letter => letter,
            },
            'M' if self.spaces.first().is_some_and(|(space, _)| *space == Space::Shared) => 'a',
            'M' => 'g',
            // A generic address has 64 bits.
            'b' | 'k' if self.spaces.is_empty() => letter.to_ascii_uppercase(),
            letter => letter,
        };
        if matches!(letter, 'b' | 'B' | 'q' | 'P') {
            self.names.insert(Name::Address(letter));
            let n = self.rng.below(4);
            return self.shared.entry(letter).or_insert_with(|| format!("%a{letter}_{n}")).clone();
        }
        let has_variable = matches!(letter, 'g' | 's' | 'l' | 'c' | 'p' | 'm' | 't' | 'u');
        let has_register = !matches!(letter, 'l' | 'c' | 'p' | 'm' | 't' | 'u');
        let is_variable = has_variable && (!has_register || self.rng.one_in(2));
        let base = if is_variable {
            self.names.insert(Name::Variable(letter));
            variable(letter).to_owned()
        } else {
            self.names.insert(Name::Address(letter));
            format!("%a{letter}_{}", self.rng.below(4))
        };
        if matches!(letter, 't' | 'u' | 'm' | 'd' | 'T' | 'k' | 'K' | 'n') || self.rng.one_in(3) {
            return base;
        }
        let room = if matches!(letter, 'l' | 'c' | 'p') { 128 } else { 1024 };
        let offset = align * self.rng.below(room / align.max(1));
        if offset == 0 { base } else { format!("{base}+{offset}") }
    }

    /// A text with registers, addresses and numbers in place of their placeholders.
    pub(super) fn substituted(&mut self, text: &str) -> String {
        let mut written = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['%', '<', '^']) {
            written.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(after) = rest.strip_prefix('^') {
                written.push('|');
                rest = after;
            } else if let Some((inner, after)) =
                rest.strip_prefix('<').and_then(|rest| rest.split_once('>'))
            {
                written.push_str(&self.placeholder(inner));
                rest = after;
            } else {
                let name = &rest[1..];
                let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
                let (name, after) = name.split_at(end);
                rest = after;
                let Some(register) = Register::named(name) else {
                    written.push('%');
                    written.push_str(name);
                    continue;
                };
                match rest.strip_prefix('*') {
                    Some(after) => {
                        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
                        let elements = after[..end].parse().unwrap_or(1);
                        written.push_str(&self.vector(register, elements));
                        rest = &after[end..];
                    }
                    None => written.push_str(&self.register(register)),
                }
            }
        }
        written.push_str(rest);
        written
    }

    /// What stands for `<..>`.
    fn placeholder(&mut self, inner: &str) -> String {
        if let Some(range) = Range::parse(inner) {
            return range.draw(self.rng).to_string();
        }
        let (letter, align) = inner.split_once(':').unwrap_or((inner, "32"));
        let letter = letter.chars().next().unwrap_or('x');
        match letter {
            'L' | 'J' => {
                let label = self.label().to_owned();
                if letter == 'L' {
                    return label;
                }
                self.names.insert(Name::Labels(label.clone()));
                format!("T{label}")
            }
            'F' | 'R' => {
                self.names.insert(Name::Function(letter));
                if letter == 'F' {
                    return "plain".to_owned();
                }
                let (result, argument) = (Register::plain("u32"), Register::plain("u32"));
                format!("({}), counted, ({})", self.register(result), self.register(argument))
            }
            'G' | 'S' | 'C' => {
                let letter = letter.to_ascii_lowercase();
                self.names.insert(Name::Variable(letter));
                variable(letter).to_owned()
            }
            // What a statement writes there may be read by another thread at the same time.
            's' => self.address('a', align.parse().unwrap_or(16)),
            letter => self.address(letter, align.parse().unwrap_or(16)),
        }
    }

    /// The label of this statement, which no other has.
    fn label(&mut self) -> &str {
        let rng = &mut *self.rng;
        self.label.get_or_insert_with(|| format!("L{:08x}", rng.next() & 0xffff_ffff))
    }
}

/// The name of a variable, by its letter.
fn variable(letter: char) -> &'static str {
    match letter {
        'g' => "GLOBALS",
        's' => "TILE",
        'l' => "STACK",
        'c' => "TABLE",
        'm' => "MAP",
        't' => "TEXTURE",
        'u' => "SURFACE",
        _ => "DATA",
    }
}
