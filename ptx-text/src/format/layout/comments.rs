//! Comments and line markers.

use super::{After, Layout, names_list};
use crate::format::statement::{Form, is_continued};
use crate::format::token::{Kind, Token};

impl<I: Iterator<Item = Token> + Clone> Layout<'_, I> {
    /// Writes a comment where it stands: after code, or on a line of its own.
    pub(super) fn comment(&mut self, token: &Token) {
        if self.is_complete() {
            self.end_statement();
        }
        let text = self.text(&token.at);
        let is_line = token.kind == Kind::LineComment;
        let text = if is_line { text.trim_ascii_end() } else { text };
        // What a comment on a line of its own, or what follows one, stands below.
        let leads_to_label =
            self.statement.is_none() && self.gap.lines > 0 && self.leads_to_label();
        let own = match &self.statement {
            Some(statement) => self.line.unwrap_or_else(|| self.continuation(statement)),
            None if leads_to_label => self.indentation_of_label(),
            None => self.indentation(),
        };
        let is_own = self.gap.lines > 0 || self.out.is_empty();
        match self.column {
            _ if !is_own => self.comment_after_code(token, text),
            Some((source, here)) if self.gap.lines == 1 && source == self.column_of(token) => {
                self.out.start_line(here, false);
                self.out.verbatim(text);
            }
            _ => {
                self.column = None;
                self.start_line(own, self.statement.is_none());
                self.out.verbatim(text);
            }
        }
        self.is_commented = true;
        match (self.statement.is_some(), is_line) {
            (true, true) => (self.line, self.after) = (Some(own), After::Statement),
            (true, false) if is_own => (self.line, self.after) = (None, After::Comment),
            (false, _) if !is_own => {
                if self.after == After::Close {
                    self.after = After::Statement;
                }
            }
            (false, true) => self.after = After::Statement,
            (_, false) => self.after = After::Comment,
        }
    }

    fn comment_after_code(&mut self, token: &Token, text: &str) {
        let is_inline = self.statement.is_some() && token.kind == Kind::BlockComment;
        self.out.blanks(if is_inline { 1 } else { 2 });
        let is_line = token.kind == Kind::LineComment;
        self.column = is_line.then(|| (self.column_of(token), self.out.column()));
        self.out.verbatim(text);
    }

    /// The bytes before a token in its line of the source.
    fn column_of(&self, token: &Token) -> usize {
        let before = &self.source.as_bytes()[..token.at.start];
        before.iter().rev().take_while(|byte| **byte != b'\n').count()
    }

    /// Whether a directive without a semicolon ends here, before a comment.
    fn is_complete(&self) -> bool {
        self.statement.as_ref().is_some_and(|statement| {
            let last = self.text(&self.last.1);
            statement.form == Form::Open
                && self
                    .following()
                    .next()
                    .is_none_or(|next| !is_continued(last, next.kind, self.text(&next.at)))
        })
    }

    /// Whether a label is the next thing after the comments here. They are only read once.
    fn leads_to_label(&mut self) -> bool {
        *self.is_before_label.get_or_insert_with(|| {
            let mut next = self.tokens.clone().filter(|token| !token.kind.is_trivia());
            let is_word = next.next().is_some_and(|next| next.kind == Kind::Word);
            let text = |next: Option<Token>| next.map_or("", |next| &self.source[next.at]);
            is_word && text(next.next()) == ":" && !names_list(text(next.next()))
        })
    }

    /// Writes a line marker at the start of a line.
    pub(super) fn line_marker(&mut self, token: &Token) {
        if self.is_complete() {
            self.end_statement();
        }
        let is_apart = self.statement.is_none() && self.after != After::Open && self.gap.lines > 1;
        self.out.start_line(0, is_apart);
        self.out.verbatim(self.text(&token.at).trim_ascii_end());
        (self.column, self.is_commented, self.after) = (None, true, After::Statement);
        if let Some(statement) = &self.statement {
            self.line = Some(self.line.unwrap_or_else(|| self.continuation(statement)));
        }
    }
}
