//! What stands where a label, a function, a prototype or a predicate has to.

use ptx_isa::instruction::WordKind;

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
    /// Nothing, where a part of an opcode stands behind modifiers or for the second time.
    PartOfOpcode,
    /// A word of this kind, of which there is none like it.
    Word(WordKind),
}

impl Wanted {
    /// Whether it is the label of a directive.
    pub const fn is_of_directives(self) -> bool {
        matches!(self, Self::List | Self::Prototype)
    }
}
