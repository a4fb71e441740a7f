//! What is known of a statement while its tokens are written.

use super::spacing::{Language, Part};
use super::token::Kind;
use ptx_isa::directive::{self, Directive};

/// What a statement is, as far as its layout and its end depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// It ends with a semicolon.
    Plain,
    /// `.entry` or `.func`: up to its body, or a semicolon.
    Function,
    /// A directive without a semicolon, which ends where nothing continues it: `.version 8.0`, `.loc 1 2 3`.
    Open,
    /// A label, up to its colon.
    Label,
    /// A section, whose data stays as it is.
    Section,
    /// `for` or `if`, up to its block.
    Block,
}

/// A statement of which the first tokens are written.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) form: Form,
    /// The part that the last token belongs to.
    pub(super) part: Part,
    /// The open delimiters, and how many of them are brackets.
    pub(super) nesting: usize,
    brackets: usize,
    /// Whether an `=` was written outside of all delimiters.
    pub(super) has_value: bool,
    /// Whether the name of the function was written.
    pub(super) is_named: bool,
    /// Whether it declares a kernel.
    pub(super) is_kernel: bool,
}

impl Statement {
    /// The statement that starts with this token.
    pub(super) fn new(kind: Kind, text: &str, language: Language, depth: usize) -> Self {
        let is_rust = language == Language::Rust;
        let directive = (kind == Kind::Dotted).then(|| Directive::from_name(text)).flatten();
        let (form, part) = match text {
            "@" => (Form::Plain, Part::GuardSign),
            "for" | "if" | "else" if is_rust => (Form::Block, Part::Form),
            "let" if is_rust => (Form::Plain, Part::Form),
            ".section" if depth == 0 => (Form::Section, Part::Directive),
            _ if directive.is_some_and(Directive::is_open) => (Form::Open, Part::Directive),
            _ if kind == Kind::Dotted => (Form::Plain, Part::Directive),
            _ => (Form::Plain, Part::Opcode),
        };
        // Between functions, what declares nothing belongs to the head of one.
        let declares = |it: &Directive| it.starts_item() || it.kind == directive::Kind::Space;
        let is_head = kind == Kind::Dotted && depth == 0 && !directive.is_some_and(declares);
        let mut statement = Self {
            form,
            part,
            nesting: 0,
            brackets: 0,
            has_value: false,
            is_named: form == Form::Plain && is_head && !is_rust,
            is_kernel: false,
        };
        statement.note(kind, text);
        statement
    }

    /// A directive after its label.
    pub(super) fn labelled() -> Self {
        Self::new(Kind::Dotted, ".callprototype", Language::Ptx, 1)
    }

    /// Whether a bracket is open.
    pub(super) fn is_in_brackets(&self) -> bool {
        self.brackets > 0
    }

    /// The part that the next token belongs to.
    pub(super) fn part_of(&self, kind: Kind, text: &str) -> Part {
        match self.part {
            Part::GuardSign if text == "!" => Part::GuardSign,
            Part::GuardSign => Part::Guard,
            Part::Guard if self.nesting == 0 && matches!(kind, Kind::Word) => Part::Opcode,
            Part::Opcode if !matches!(kind, Kind::Dotted | Kind::Colons) => Part::Operands,
            part => part,
        }
    }

    /// Notes a token that is written.
    pub(super) fn note(&mut self, kind: Kind, text: &str) {
        use crate::body::token::Delimiter::Bracket;
        match kind {
            Kind::Open(delimiter) => {
                self.nesting += 1;
                self.brackets += usize::from(delimiter == Bracket);
            }
            Kind::Close(delimiter) => {
                self.nesting = self.nesting.saturating_sub(1);
                self.brackets = self.brackets.saturating_sub(usize::from(delimiter == Bracket));
            }
            Kind::Dotted if self.part == Part::Directive && matches!(text, ".entry" | ".func") => {
                self.form = Form::Function;
                self.is_kernel = text == ".entry";
            }
            Kind::Word if self.form == Form::Function && self.nesting == 0 => self.is_named = true,
            Kind::Sign if text == "=" && self.part == Part::Directive && self.nesting == 0 => {
                self.has_value = true;
            }
            _ => {}
        }
    }
}

/// Whether a token continues a directive without a semicolon.
pub(super) fn is_continued(last: &str, kind: Kind, text: &str) -> bool {
    // No statement starts with a sign but a guard; one without a meaning stays where it is.
    matches!(kind, Kind::Number | Kind::Text)
        || kind == Kind::Sign && text != "@"
        || matches!(last, "," | ".target" | "function_name")
}
