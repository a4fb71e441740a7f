//! What stands at the cursor.

use ptx_text::PieceKind;

use crate::lsp::document::Document;
use crate::lsp::instruction::Written;
use crate::lsp::outline::{Statement, StatementKind, Token};

/// What kind of thing stands at the cursor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Nothing: a comment, a string, or a new name.
    Nowhere,
    /// A declaration outside of functions.
    Start,
    /// Between the parameters and the body of a function.
    Signature,
    /// In a declaration.
    Declaration,
    /// A statement of a body.
    Statement,
    /// A modifier of an instruction.
    Modifier,
    /// The guard of an instruction.
    Guard,
    /// An operand of an instruction.
    Operand,
}

/// What stands around the cursor.
pub(super) struct Context<'d> {
    pub(super) place: Place,
    pub(super) offset: usize,
    /// Where the word at the cursor starts.
    pub(super) start: usize,
    /// The statement that is written.
    pub(super) statement: Option<&'d Statement>,
    /// The instruction, with the modifiers before the cursor.
    pub(super) written: Option<Written<'d>>,
    /// The index of the operand.
    pub(super) operand: usize,
}

impl<'d> Context<'d> {
    pub(super) fn of(document: &'d Document, offset: usize) -> Self {
        let (text, outline) = (&*document.text, &document.outline);
        let mut context = Self {
            place: Place::Nowhere,
            offset,
            start: offset,
            statement: None,
            written: None,
            operand: 0,
        };
        let is_comment = |(start, end): &(usize, usize)| {
            let is_line = document.slice(*start..start + 2) == "//";
            *start < offset && (offset < *end || is_line && offset == *end)
        };
        if outline.comments.iter().any(is_comment) {
            return context;
        }
        // The tokens before the cursor, of which the last may end at it.
        let before = outline.tokens.partition_point(|token| token.start < offset);
        let touches = before.checked_sub(1).and_then(|n| outline.tokens.get(n));
        let touches = touches.filter(|token| offset <= token.end);
        let is_word = |kind| {
            matches!(
                kind,
                PieceKind::Word | PieceKind::Dotted | PieceKind::Colons | PieceKind::Number
            )
        };
        match touches {
            Some(token) if matches!(token.kind, PieceKind::Text | PieceKind::OpenText) => {
                return context;
            }
            Some(token) if is_word(token.kind) => context.start = token.start,
            // A dot, a percent sign or a colon of a word that is still to come.
            Some(token) if [".", "%", "$", ":"].contains(&token.text(text)) => {
                context.start = token.start;
            }
            _ => {}
        }
        let in_function = outline.function_at(context.start).filter(|(_, function)| {
            let signature = outline.statements.get(function.statements.start);
            let end = signature.map_or(0, |it| outline.range_of(it).end);
            function.has_body
                && end < context.start
                && (offset < function.range.end || document.is_open(&function.range))
        });
        let statement = outline.statement_at(context.start).map(|(_, it)| it).filter(|it| {
            let end = outline.range_of(it).end;
            let rest = document.slice(end.min(context.start)..context.start);
            let is_ended = rest.contains(';')
                || matches!(
                    it.kind,
                    StatementKind::Open | StatementKind::Close | StatementKind::Label
                ) && end <= context.start
                || it.kind == StatementKind::Directive && rest.contains('\n');
            !is_ended
        });
        context.statement = statement;
        let start = match in_function {
            Some(_) => Place::Statement,
            None if outline.rust.is_some() => Place::Nowhere,
            None => Place::Start,
        };
        let Some(statement) = statement else {
            context.place = start;
            return context;
        };
        let range = outline.range_of(statement);
        if range.start == context.start {
            context.place = start;
            return context;
        }
        context.place = match statement.kind {
            StatementKind::Signature => {
                let tokens = outline.tokens_of(statement).iter();
                let depth: isize =
                    tokens.take_while(|it| it.start < context.start).map(Token::depth).sum();
                if depth > 0 { Place::Declaration } else { Place::Signature }
            }
            StatementKind::Declaration => Place::Declaration,
            StatementKind::Instruction => context.of_instruction(document, statement),
            StatementKind::Directive if in_function.is_some() => Place::Operand,
            _ => Place::Nowhere,
        };
        context
    }

    /// What stands at the cursor in an instruction.
    fn of_instruction(&mut self, document: &'d Document, statement: &Statement) -> Place {
        let (text, outline) = (&*document.text, &document.outline);
        let Some((opcode, end)) = outline.opcode(text, statement) else { return Place::Guard };
        let first = outline.tokens.get(opcode).map_or(0, |token| token.start);
        if self.start < first {
            return Place::Guard;
        }
        if self.start == first {
            return Place::Statement;
        }
        self.written = Written::of(text, outline, statement, self.start);
        let last = end.checked_sub(1).and_then(|n| outline.tokens.get(n));
        let last = last.map_or(first, |token| token.end);
        // A lone dot or colons are punctuation, and no modifier yet.
        let is_mark = matches!(document.slice(self.start..self.offset), "." | ":" | "::");
        if self.start < last || is_mark && self.start == last || last == self.offset {
            return Place::Modifier;
        }
        let operands = outline.tokens.get(end..statement.tokens.end).unwrap_or_default();
        let mut depth = 0_isize;
        for token in operands.iter().take_while(|token| token.end <= self.start) {
            depth += token.depth();
            self.operand += usize::from(depth <= 0 && token.is_sign(text, ","));
        }
        Place::Operand
    }
}
