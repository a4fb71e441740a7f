//! Tests of what stands where a label, a function, a prototype, a predicate or another word has to.

use super::{Arg, Args, NONE};
use crate::instruction::{COMPLETE, WordKind};

/// Something that stands where something else has to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Misplaced<'a> {
    /// Its name; empty if it is not a name.
    pub name: &'a str,
    /// What it is, as a predicate: "is a variable".
    pub is: &'static str,
    /// What has to stand there.
    pub wanted: Wanted,
}

/// What has to stand somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The label to which `bra` jumps.
    Label,
    /// A label in `.branchtargets`.
    BranchTarget,
    /// A function in `.calltargets`.
    CallTarget,
    /// The label of a `.branchtargets`.
    List,
    /// The index of `brx.idx`.
    Index,
    /// A function, or a register with the address of one.
    Callee,
    /// The address of a function.
    Pointer,
    /// The label of a `.callprototype` or a `.calltargets`.
    Prototype,
    /// The same, where nothing stands.
    SomePrototype,
    /// Nothing, where a prototype stands.
    NoPrototype,
    /// A predicate.
    Predicate,
    /// A modifier of this instruction.
    Modifier(&'static str),
    /// An operand of this instruction, which has this form.
    Operand(&'static str, &'static str),
    /// Nothing, where an operand of this instruction stands.
    Nothing(&'static str, &'static str),
    /// A label before a directive.
    LabelBefore,
    /// Nothing, where a word follows an operand.
    NoSuffix,
    /// Nothing, where a part of an opcode stands after modifiers or for the second time.
    PartOfOpcode,
    /// A word of this kind, of which there is none like it.
    Word(WordKind),
}

impl<'a> Misplaced<'a> {
    /// What stands there, and what it is, in a message with these words about what has to, and this fix.
    const fn explained(self, wanted: &'static str, fix: &'static str) -> Args<'a> {
        let what = if self.name.is_empty() { Arg::Str("this") } else { Arg::Name(self.name) };
        [what, Arg::Str(self.is), Arg::Str(wanted), Arg::Str(fix)]
    }
}

pub(super) const fn not_a_target(found: Misplaced<'_>) -> Option<Args<'_>> {
    Some(match found.wanted {
        Wanted::Label => {
            found.explained(", but `bra` jumps to a label of this body", "write the name of one")
        }
        Wanted::Index => found
            .explained(", but the index of `brx.idx` is an integer of 32 bits", "convert it first"),
        Wanted::Callee => found.explained(
            ", but a call names a function, or a register that holds the address of one",
            "write one of these",
        ),
        Wanted::Pointer => found.explained(
            ", but the address of a function is an integer of 64 bits",
            "declare the register as `.b64`",
        ),
        Wanted::SomePrototype => [
            Arg::Str("a call through"),
            Arg::Name(found.name),
            Arg::Str(" needs a prototype"),
            Arg::Str(
                "write `P: .callprototype _ ();` with its parameters before the call, and `, P` at the end of it",
            ),
        ],
        Wanted::NoPrototype => [
            Arg::Name(found.name),
            Arg::Str("is a function, whose parameters are declared"),
            NONE,
            Arg::Str("remove the prototype, which is for calls through a register"),
        ],
        Wanted::Operand(opcode, form) => [
            Arg::Name(opcode),
            Arg::Str("lacks an operand"),
            NONE,
            Arg::Named("write it as in `#`", form),
        ],
        Wanted::Nothing(opcode, form) => [
            Arg::Name(opcode),
            Arg::Str("has no such operand"),
            NONE,
            Arg::Named("write it as in `#`", form),
        ],
        _ => return None,
    })
}

pub(super) const fn no_such_directive(found: Misplaced<'_>) -> Option<Args<'_>> {
    let wanted = match found.wanted {
        Wanted::List => "`brx.idx` takes its targets from the label of a `.branchtargets`",
        Wanted::Prototype => {
            "a call through a register takes the label of a `.callprototype` or `.calltargets`"
        }
        _ => return None,
    };
    Some(found.explained(wanted, ""))
}

pub(super) const fn control_directive(found: Misplaced<'_>) -> Option<Args<'_>> {
    Some(match found.wanted {
        Wanted::BranchTarget => found
            .explained(", but `.branchtargets` lists labels of this body", "write the name of one"),
        Wanted::CallTarget => {
            found.explained(", but `.calltargets` lists functions", "write the name of one")
        }
        Wanted::LabelBefore => [
            Arg::Str("no label names this"),
            Arg::Name(found.name),
            NONE,
            Arg::Named("write one before it, as in `P: # ..`", found.name),
        ],
        _ => return None,
    })
}

pub(super) const fn not_a_predicate(found: Misplaced<'_>) -> Option<Args<'_>> {
    match found.wanted {
        Wanted::Predicate => Some(found.explained("", "")),
        _ => None,
    }
}

pub(super) const fn misplaced_word(found: Misplaced<'_>) -> Option<Args<'_>> {
    let modifier = Arg::Modifier(found.name, u16::MAX);
    Some(match found.wanted {
        Wanted::Modifier(opcode) => {
            [modifier, Arg::Str("is not a modifier of "), Arg::Name(opcode), Arg::Str("remove it")]
        }
        Wanted::NoSuffix => [
            modifier,
            Arg::Str("has no meaning after an operand"),
            NONE,
            Arg::Str("remove it, or write an element, `.x`, `.y`, `.z` or `.w`"),
        ],
        Wanted::PartOfOpcode => [
            modifier,
            Arg::Str("is part of an opcode, not a modifier"),
            NONE,
            Arg::Str("write it once, before types and state spaces"),
        ],
        Wanted::Word(kind) => {
            const { assert!(COMPLETE.major == 9 && COMPLETE.minor == 0, "the words say so") };
            let (what, is) = match kind {
                WordKind::Opcode => (Arg::Name(found.name), "an instruction"),
                WordKind::Modifier | WordKind::Submodifier => (modifier, "a modifier"),
            };
            [
                what,
                Arg::Named("is not # of PTX 9.0 or an older version", is),
                NONE,
                Arg::Str("write one that is, or the version that has it"),
            ]
        }
        _ => return None,
    })
}
