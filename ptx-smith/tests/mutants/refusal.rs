//! What ptxas refuses a text for, by its messages.

use ptx_smith::mutant::{Place, place_of_line};

use crate::assembler::Message;

/// What a refusal is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Class {
    /// A declaration, a directive, a space or a type.
    Declaration,
    /// The syntax of a declaration or a directive.
    Syntax,
    /// A version or a target that lacks something.
    Need,
    /// The types or the state spaces that an instruction names.
    Form,
    /// Anything else of an instruction, its syntax included.
    Instruction,
    /// The options of ptxas, or what only a linker knows.
    CommandLine,
}

impl Class {
    /// Whether the refusals are compared with those of the reader.
    pub(crate) fn is_compared(self) -> bool {
        match self {
            Self::Declaration | Self::Syntax | Self::Need | Self::Form => true,
            Self::Instruction | Self::CommandLine => false,
        }
    }
}

/// A refusal by ptxas.
pub(crate) struct Refusal {
    pub(crate) class: Class,
    /// The message without names and numbers.
    pub(crate) kind: String,
}

impl Refusal {
    /// The refusal with these messages: it is about a declaration if one of them is.
    pub(crate) fn of(messages: &[Message], text: &str) -> Self {
        let each = messages
            .iter()
            .map(|message| Self { class: class(message, text), kind: kind(&message.words) });
        each.min_by_key(|refusal| refusal.class).expect("a refusal has a message")
    }
}

/// Parts of messages about the options, and about symbols that only a linker finds.
const OF_COMMAND_LINE: &[&str] = &[
    "gpu-name",
    "--compile-only",
    "Unresolved extern",
    "is not defined for option",
    "SM version specified by .target",
];

/// Parts of messages about the types and state spaces that an instruction names.
const OF_FORM: &[&str] = &[
    "nexpected instruction types",
    "ncorrect instruction type",
    "nexpected number of instruction types",
    "State space incorrect for instruction",
    "nexpected number of state spaces",
    "No state space qualifier expected",
];

fn class(message: &Message, text: &str) -> Class {
    let words = &message.words;
    if OF_COMMAND_LINE.iter().any(|part| words.contains(part)) {
        return Class::CommandLine;
    }
    if OF_FORM.iter().any(|part| words.contains(part)) {
        return Class::Form;
    }
    // Their lines are those of the source file where the text names one.
    let is_of_type = words.contains("an instruction type") || words.contains("declaration");
    let is_of_instruction = words.contains("instruction") || words.starts_with("Unknown modifier");
    if is_of_instruction && !is_of_type {
        return Class::Instruction;
    }
    let places = message.line.map(|line| place_of_line(text, line)).unwrap_or_default();
    let is_of_instruction = places.contains(&Place::Instruction)
        && !places.contains(&Place::Local)
        && !places.contains(&Place::Signature);
    if is_of_instruction {
        Class::Instruction
    } else if words.contains("Parsing error") {
        Class::Syntax
    } else if words.contains("requires") || words.contains("not support") {
        Class::Need
    } else {
        Class::Declaration
    }
}

/// A message with `'_'` for what it quotes, and `N` for numbers.
fn kind(words: &str) -> String {
    let mut made = String::new();
    for (n, part) in words.split('\'').enumerate() {
        if n % 2 == 1 {
            made.push_str("'_'");
            continue;
        }
        let mut is_number = false;
        for c in part.chars() {
            if c.is_ascii_digit() {
                if !is_number {
                    made.push('N');
                }
            } else {
                made.push(c);
            }
            is_number = c.is_ascii_digit();
        }
    }
    made
}
