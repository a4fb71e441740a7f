//! What only bodies in Rust have.

use ptx_isa::instruction::WordKind;

use super::model::StatementKind;

/// A form that PTX does not have.
pub(crate) struct Form {
    /// The word that it starts with.
    pub(crate) word: &'static str,
    /// How it is written.
    pub(crate) example: &'static str,
    /// What it becomes.
    pub(crate) about: &'static str,
}

const fn row(word: &'static str, example: &'static str, about: &'static str) -> Form {
    Form { word, example, about }
}

/// Every form that starts with a word of its own.
pub(crate) const FORMS: &[Form] = &[
    row("let", "let %x, %d: [f32; 4];", "Registers of a Rust type."),
    row("for", "for i in 0..4 { .. }", "Its block once for each number."),
    row("if", "if i == 0 { .. } else { .. }", "One of its blocks, chosen by constants."),
    row("else", "if i == 0 { .. } else { .. }", "The block of an `if` whose constants are not so."),
    row(
        LEA,
        "lea.shared.u32 %at, PLACE.field[%index];",
        "The address of a place, computed by `mov`, `mad` and `add`.",
    ),
];

/// The one that is written like an instruction.
const LEA: &str = "lea";

/// Whether a statement that starts with this word is a form that is not written like an instruction.
pub(super) fn is_form(word: &str) -> bool {
    word != LEA && FORMS.iter().any(|form| form.word == word)
}

/// Whether an instruction that starts with this word may be the use of a fragment.
pub(super) fn may_be_fragment(word: &str) -> bool {
    !WordKind::Opcode.knows(word) && word != LEA
}

/// Whether a word in a statement of this kind is one of those that make it a form.
pub(crate) fn is_keyword(word: &str, kind: StatementKind) -> bool {
    match kind {
        StatementKind::Form => word == "in" || is_form(word),
        StatementKind::Declaration => word == "let",
        _ => false,
    }
}
