//! Lays out tokens: which line each stands on, and how that is indented.

mod comments;

use core::ops::Range;

use super::out::{Break, Out};
use super::spacing::{self, Language, Part, Place};
use super::statement::{Form, Statement, is_continued};
use super::token::{Kind, Token};
use crate::body::token::Delimiter::{Brace, Parenthesis};

/// The columns of one level of indentation.
const STEP: usize = 4;

/// The space in the source since the last token or comment.
#[derive(Clone, Copy, Default, Debug)]
struct Gap {
    lines: usize,
    is_apart: bool,
}

/// Where the next statement or comment starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum After {
    /// On a line of its own, which an empty line may precede.
    Statement,
    /// On a line of its own.
    Open,
    /// As after a statement; `else` may continue the line.
    Close,
    /// On the line of a block comment, if it stands there in the source.
    Comment,
}

/// Lays out the tokens of a text.
pub(super) struct Layout<'s, I> {
    source: &'s str,
    tokens: I,
    language: Language,
    /// The indentation of what is in no scope.
    base: usize,
    /// The open scopes.
    depth: usize,
    out: Out,
    gap: Gap,
    after: After,
    statement: Option<Statement>,
    /// The last token of the statement.
    last: (Kind, Range<usize>),
    /// Whether the next token of the statement starts a line with this indentation.
    line: Option<usize>,
    /// Whether a comment follows the last token.
    is_commented: bool,
    /// Whether what follows the comments here is a label.
    is_before_label: Option<bool>,
    /// The column of a comment after code, in the source and here: one below continues it.
    column: Option<(usize, usize)>,
}

impl<'s, I: Iterator<Item = Token> + Clone> Layout<'s, I> {
    pub(super) fn new(source: &'s str, tokens: I, language: Language, base: usize) -> Self {
        Self {
            source,
            tokens,
            language,
            base,
            depth: 0,
            out: Out::with_capacity(source.len() + source.len() / 8),
            gap: Gap::default(),
            after: After::Open,
            statement: None,
            last: (Kind::Space, 0..0),
            line: None,
            is_commented: false,
            is_before_label: None,
            column: None,
        }
    }

    /// Lays out everything.
    pub(super) fn finish(mut self) -> String {
        while let Some(token) = self.tokens.next() {
            match token.kind {
                Kind::Space => {
                    let space = &self.source[token.at];
                    self.gap.lines += space.matches('\n').count();
                    self.gap.is_apart = true;
                    continue;
                }
                Kind::LineComment | Kind::BlockComment => self.comment(&token),
                Kind::LineMarker => self.line_marker(&token),
                _ => {
                    (self.is_before_label, self.column) = (None, None);
                    self.token(&token);
                    self.is_commented = false;
                }
            }
            self.gap = Gap::default();
        }
        self.out.finish(self.language == Language::Ptx)
    }

    fn text(&self, at: &Range<usize>) -> &'s str {
        &self.source[at.clone()]
    }

    fn indentation(&self) -> usize {
        self.base + STEP * self.depth
    }

    /// Labels stand out by one level.
    fn indentation_of_label(&self) -> usize {
        self.base + STEP * self.depth.saturating_sub(1)
    }

    /// Writes a token that is not a comment.
    fn token(&mut self, token: &Token) {
        let text = self.text(&token.at);
        if let Some(statement) = &self.statement {
            let last = &self.source[self.last.1.clone()];
            let is_over = match statement.form {
                Form::Open => !is_continued(last, token.kind, text),
                _ => token.kind == Kind::Close(Brace) && statement.nesting == 0,
            };
            if is_over {
                self.end_statement();
            }
        }
        match self.statement.take() {
            Some(statement) => self.continue_statement(statement, token),
            None => self.start_statement(token),
        }
    }

    fn end_statement(&mut self) {
        (self.statement, self.line) = (None, None);
        self.after = After::Statement;
    }

    /// Starts a line for a statement or a comment of its own.
    fn start_line(&mut self, indentation: usize, may_be_apart: bool) {
        if self.after == After::Comment && self.gap.lines == 0 {
            self.out.blanks(1);
            return;
        }
        let is_apart = may_be_apart && self.after != After::Open && self.gap.lines > 1;
        self.out.start_line(indentation, is_apart);
    }

    fn start_statement(&mut self, token: &Token) {
        let text = self.text(&token.at);
        self.out.continuation = self.indentation() + STEP;
        match token.kind {
            Kind::Open(Brace) => self.open(text),
            Kind::Close(Brace) => {
                self.depth = self.depth.saturating_sub(1);
                self.start_line(self.indentation(), false);
                self.out.token(text);
                self.after = After::Close;
            }
            Kind::Attribute => {
                self.start_line(self.indentation(), true);
                self.out.token(text);
                self.after = After::Open;
            }
            Kind::Word if self.is_label() => self.label(token),
            _ => {
                if self.after == After::Close && text == "else" && self.language == Language::Rust {
                    self.out.blanks(1);
                } else {
                    self.start_line(self.indentation(), true);
                }
                self.out.token(text);
                let statement = Statement::new(token.kind, text, self.language, self.depth);
                self.last = (token.kind, token.at.clone());
                self.after = After::Statement;
                if text == ";" {
                    return;
                }
                self.statement = Some(statement);
            }
        }
    }

    /// Opens a scope at the start of a line.
    fn open(&mut self, text: &str) {
        self.start_line(self.indentation(), true);
        self.out.token(text);
        self.depth += 1;
        self.after = After::Open;
    }

    /// The tokens that follow, without comments.
    fn following(&self) -> impl Iterator<Item = Token> + use<'s, I> {
        self.tokens.clone().filter(|token| !token.kind.is_trivia())
    }

    /// Whether the word that was read is a label.
    fn is_label(&self) -> bool {
        self.following().next().is_some_and(|next| self.text(&next.at) == ":")
    }

    /// Writes a label: on a line of its own, unless it names a list of targets or a prototype.
    fn label(&mut self, token: &Token) {
        let second = self.following().nth(1);
        let names = second.is_some_and(|next| names_list(self.text(&next.at)));
        let indentation = if names { self.indentation() } else { self.indentation_of_label() };
        self.start_line(indentation, true);
        self.out.token(self.text(&token.at));
        let mut statement = Statement::labelled();
        statement.form = if names { Form::Plain } else { Form::Label };
        self.last = (Kind::Word, token.at.clone());
        self.statement = Some(statement);
    }

    fn continue_statement(&mut self, mut statement: Statement, token: &Token) {
        let (kind, text) = (token.kind, self.text(&token.at));
        let opens_scope =
            kind == Kind::Open(Brace) && statement.nesting == 0 && !statement.has_value;
        match statement.form {
            Form::Label if text == ":" => {
                self.write(&statement, token);
                return self.end_statement();
            }
            Form::Section if opens_scope => return self.section(token),
            Form::Block if opens_scope => {
                if self.line.is_some() {
                    self.out.start_line(self.indentation(), false);
                } else {
                    self.out.blanks(1);
                }
                self.out.token(text);
                self.end_statement();
                self.depth += 1;
                self.after = After::Open;
                return;
            }
            Form::Function | Form::Plain
                if opens_scope && self.depth == 0 && statement.part == Part::Directive =>
            {
                self.end_statement();
                self.after = After::Open;
                return self.open(text);
            }
            _ => {}
        }
        let is_empty = self.last.0 == Kind::Open(Parenthesis) && !self.is_commented;
        let is_list = statement.form == Form::Function && statement.is_kernel;
        match kind {
            Kind::Close(Parenthesis) if is_list && statement.nesting == 1 => {
                self.line = (!is_empty).then(|| self.indentation());
            }
            Kind::Dotted if statement.is_named && statement.nesting == 0 => {
                self.line = Some(self.indentation());
            }
            _ => {}
        }
        self.write(&statement, token);
        statement.part = statement.part_of(kind, text);
        statement.note(kind, text);
        if text == ";" && (statement.nesting == 0 || self.language == Language::Ptx) {
            return self.end_statement();
        }
        let is_item = statement.nesting == 1 && (text == "," || kind == Kind::Open(Parenthesis));
        if is_list && is_item {
            self.line = Some(self.indentation() + STEP);
        }
        self.statement = Some(statement);
    }

    /// Writes a token of a statement with what separates it from the last one.
    fn write(&mut self, statement: &Statement, token: &Token) {
        let (kind, text) = (token.kind, self.text(&token.at));
        let last = (self.last.0, self.text(&self.last.1));
        let place = Place {
            language: self.language,
            parts: (statement.part, statement.part_of(kind, text)),
            is_in_brackets: statement.is_in_brackets(),
            is_in_value: statement.has_value,
            is_apart: self.gap.is_apart,
        };
        if let Some(indentation) = self.line.take() {
            self.out.start_line(indentation, false);
        } else if self.after == After::Comment {
            if self.gap.lines > 0 {
                self.out.start_line(self.continuation(statement), false);
            } else if self.gap.is_apart && !matches!(text, "," | ";") {
                self.out.blanks(1);
            }
        } else if spacing::is_apart(place, last, (kind, text)) {
            match (last.1, statement.nesting, place.parts) {
                (",", 0, _) => self.out.may_break(Break::Operands),
                (",", 1, _) => self.out.may_break(Break::List),
                (",", ..) => self.out.may_break(Break::Inner),
                (.., (Part::Opcode, Part::Operands)) => self.out.may_break(Break::Opcode),
                _ => {}
            }
            self.out.blanks(1);
        }
        self.out.token(text);
        self.after = After::Statement;
        self.last = (kind, token.at.clone());
    }

    /// The indentation of a line that continues a statement.
    fn continuation(&self, statement: &Statement) -> usize {
        let is_head = statement.form == Form::Function && statement.nesting == 0;
        self.indentation() + if is_head { 0 } else { STEP }
    }

    /// Writes the data of a section as it is.
    fn section(&mut self, open: &Token) {
        let end = self.tokens.find(|token| token.kind == Kind::Close(Brace));
        let end = end.map_or(self.source.len(), |close| close.at.end);
        self.out.start_line(self.indentation(), false);
        self.out.verbatim(&self.source[open.at.start..end]);
        self.end_statement();
    }
}

/// Whether a label before this directive names it, instead of a place in the code.
fn names_list(text: &str) -> bool {
    matches!(text, ".callprototype" | ".branchtargets" | ".calltargets")
}
