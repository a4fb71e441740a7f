//! Operands: printed canonically, their names noted.

use proc_macro2::{Delimiter, Span, TokenStream};
use syn::{Expr, Lit};

use super::token::{Token, delimiters};
use super::{Event, FormEvent, Mark, Name};
use crate::errors::Errors;
use crate::piece::Piece;

/// Collects a statement's text and names.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pieces: Vec<Piece>,
    text: String,
    events: Vec<Event>,
    marks: Vec<Mark>,
}

impl Writer {
    pub(super) fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Notes where the token stands that is written next.
    pub(super) fn mark(&mut self, span: Span) {
        let (piece, offset) = (self.pieces.len(), self.text.len());
        // The first token of a statement is marked before anyone knows what it is.
        if !matches!(self.marks.last(), Some(last) if (last.piece, last.offset) == (piece, offset))
        {
            self.marks.push(Mark::new(piece, offset, span));
        }
    }

    /// Writes a name that is used, which may be another in PTX.
    pub(super) fn name(&mut self, name: Name) {
        self.mark(name.start);
        self.end_text();
        self.pieces.push(Piece::Name(name.text.clone()));
        self.events.push(Event::Use(name));
    }

    pub(super) fn splice(&mut self, tokens: TokenStream) {
        self.end_text();
        self.pieces.push(Piece::Splice(tokens));
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            self.pieces.push(Piece::Text(core::mem::take(&mut self.text)));
        }
    }

    pub(super) fn finish(mut self) -> (Vec<Piece>, Vec<Event>, Vec<Mark>) {
        self.end_text();
        (self.pieces, self.events, self.marks)
    }
}

/// Joins an identifier at the start of `tokens`: `%r1`, `$L__BB0_2`, `a$b`, `x`. What comes out of
/// `macro_rules!` is not adjacent, so the grammar joins, not the spans.
pub(super) fn join(tokens: &[Token]) -> Option<(Name, &[Token])> {
    let start = tokens.first()?.span();
    let (mut text, mut end, mut rest) = (String::new(), start, tokens);
    if let [Token::Punct('%', span), after @ ..] = rest {
        text.push('%');
        (end, rest) = (*span, after);
    }
    // Words and dollar signs take turns: two words side by side are two names.
    let mut after_word = false;
    loop {
        match rest {
            [Token::Punct('$', span), after @ ..] => {
                text.push('$');
                (end, rest, after_word) = (*span, after, false);
            }
            [Token::Word(word, span), after @ ..] if !after_word => {
                text.push_str(word);
                (end, rest, after_word) = (*span, after, true);
            }
            [Token::Number(number, span), after @ ..] if !after_word && !text.is_empty() => {
                text.push_str(number);
                (end, rest, after_word) = (*span, after, true);
            }
            _ => break,
        }
    }
    let is_name = !matches!(text.as_str(), "" | "%" | "$");
    is_name.then_some((Name { text, start, end }, rest))
}

/// An element of an array, `ROW[3]`: its name, the index, and what follows.
pub(super) fn element(tokens: &[Token]) -> Option<(Name, &[Token], &[Token])> {
    match join(tokens)? {
        (name, [Token::Group(Delimiter::Bracket, index, ..), after @ ..]) => {
            Some((name, index, after))
        }
        (_, [..]) => None,
    }
}

/// The `.modifier`s and `::modifier`s at the start of `tokens`, and what follows.
pub(super) fn split_modifiers(tokens: &[Token]) -> (Vec<(&'static str, &str)>, &[Token]) {
    let (mut found, mut rest) = (Vec::new(), tokens);
    loop {
        match rest {
            [dot, Token::Word(word, _) | Token::Number(word, _), after @ ..]
                if dot.is_punct('.') =>
            {
                found.push((".", word.as_str()));
                rest = after;
            }
            [colon, second, Token::Word(word, _) | Token::Number(word, _), after @ ..]
                if colon.is_punct(':') && second.is_punct(':') =>
            {
                found.push(("::", word.as_str()));
                rest = after;
            }
            _ => return (found, rest),
        }
    }
}

/// Writes the modifiers at the start of `tokens`.
pub(super) fn modifiers<'t>(tokens: &'t [Token], writer: &mut Writer) -> &'t [Token] {
    let (found, rest) = split_modifiers(tokens);
    let mut at = tokens.iter();
    for (separator, word) in found {
        // The word is the token behind the separator.
        if let Some(first) = at.next() {
            writer.mark(first.span());
        }
        at.nth(separator.len() - 1);
        writer.put(separator);
        writer.put(word);
    }
    rest
}

/// What can stand between and before the parts of an operand (PTX ISA 4.5.4).
const OPERATORS: &str = "+-|!~*/&^<>=?:";

/// The elements of vectors (PTX ISA 5.4.2, 6.5.2).
const ELEMENTS: &[&str] = &["x", "y", "z", "w", "r", "g", "b", "a"];

/// Where operands stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// In a statement.
    Statement,
    /// In a statement whose operands may be elements of arrays: `ROW[3]` (PTX ISA 6.4.2).
    Elements,
    /// In brackets.
    Address,
    /// In braces or parentheses.
    Group,
    /// In an initial value.
    Value,
}

/// Reads and writes operands: names, numbers, `[addresses]`, `{vectors}`, `(arguments)`, splices,
/// and the operators between them.
pub(super) fn parse(
    tokens: &[Token],
    writer: &mut Writer,
    place: Place,
    errors: &mut Errors,
) -> Option<()> {
    let mut rest = tokens;
    // Whether a complete operand stands just before, so that another needs a comma.
    let mut complete = false;
    while let Some(token) = rest.first() {
        // `7 % 4`: a register would need a comma before it.
        if let (true, [Token::Punct('%', _), Token::Number(..) | Token::Splice(..), ..]) =
            (complete, rest)
        {
            writer.put(" % ");
            rest = &rest[1..];
            complete = false;
            continue;
        }
        let starts = match token {
            Token::Word(..)
            | Token::Number(..)
            | Token::Text(..)
            | Token::Group(..)
            | Token::Splice(..) => true,
            Token::Punct(c, _) => matches!(c, '%' | '$'),
        };
        if starts && complete {
            let what = match place {
                Place::Statement | Place::Elements => {
                    "write `,` between operands, or `;` after the statement"
                }
                Place::Address | Place::Group | Place::Value => {
                    "write `,` or an operator between operands"
                }
            };
            errors.at(token.span(), format_args!("two operands stand side by side; {what}"));
            return None;
        }
        if let Some(after) = cast(rest, writer) {
            rest = after;
            complete = false;
            continue;
        }
        let follows = complete && place == Place::Address;
        complete = starts;
        match token {
            // An address has one sign.
            Token::Punct('-', _) if follows => {
                writer.put("+-");
                rest = &rest[1..];
            }
            Token::Punct('+', _) if follows && join(&rest[1..]).is_some() => {
                errors.at(
                    rest[1].span(),
                    "an address is a name or a register, and a constant; `add` this to the register first",
                );
                return None;
            }
            // `generic(x)`
            Token::Word(word, _)
                if place == Place::Value
                    && word == "generic"
                    && matches!(rest.get(1), Some(Token::Group(Delimiter::Parenthesis, ..))) =>
            {
                writer.put(word);
                rest = &rest[1..];
                complete = false;
            }
            Token::Word(..) | Token::Punct('%' | '$', _) => {
                let Some((name, after)) = join(rest) else {
                    errors.at(token.span(), "a name has to follow here, as in `%r1`");
                    return None;
                };
                if place == Place::Elements
                    && let [Token::Group(Delimiter::Bracket, inner, open, _), behind @ ..] = after
                {
                    writer.event(Event::Form(FormEvent::Index(*open), name.clone()));
                    writer.name(name);
                    writer.put("[");
                    parse(inner, writer, Place::Address, errors)?;
                    writer.put("]");
                    rest = modifiers(behind, writer);
                    continue;
                }
                rest = component(name, after, writer);
            }
            Token::Number(number, span) => {
                writer.mark(*span);
                writer.put(number);
                rest = &rest[1..];
                // `0xff00(x)`
                let masks = matches!(rest.first(), Some(Token::Group(Delimiter::Parenthesis, ..)));
                complete = !(masks && place == Place::Value);
            }
            Token::Text(text, span) => {
                if !text.is_ascii() || !text.starts_with('"') {
                    errors.at(*span, "PTX takes plain ASCII strings in double quotes here");
                    return None;
                }
                writer.put(text);
                rest = &rest[1..];
            }
            Token::Splice(tokens, start, end) => {
                splice(tokens, (*start, *end), writer, errors)?;
                rest = &rest[1..];
            }
            Token::Group(delimiter, inner, ..) => {
                let (open, close) = delimiters(*delimiter);
                writer.put(open);
                let inside = match (place, delimiter) {
                    (Place::Value, _) => place,
                    (_, Delimiter::Bracket) => Place::Address,
                    (_, _) => Place::Group,
                };
                parse(inner, writer, inside, errors)?;
                writer.put(close);
                // `[a].unified`
                rest = modifiers(&rest[1..], writer);
            }
            Token::Punct(',', _) => {
                writer.put(", ");
                rest = &rest[1..];
            }
            Token::Punct('.', _) if matches!(rest.get(1), Some(Token::Number(..))) => {
                // `.05`
                writer.put(".");
                rest = &rest[1..];
            }
            Token::Punct(c, _) if OPERATORS.contains(*c) => {
                writer.put(c.encode_utf8(&mut [0; 4]));
                rest = &rest[1..];
            }
            Token::Punct('#', span) => {
                errors
                    .at(*span, "a Rust constant is spliced in with parentheses: write `#( expr )`");
                return None;
            }
            Token::Punct(c, span) => {
                errors.at(*span, format_args!("`{c}` has no meaning in an operand"));
                return None;
            }
        }
    }
    Some(())
}

/// Writes a cast of a constant, `(.s64)`.
fn cast<'t>(tokens: &'t [Token], writer: &mut Writer) -> Option<&'t [Token]> {
    let [Token::Group(Delimiter::Parenthesis, inner, ..), after @ ..] = tokens else { return None };
    let [dot, Token::Word(word, _)] = inner.as_slice() else { return None };
    if !dot.is_punct('.') {
        return None;
    }
    writer.put(&format!("(.{word})"));
    Some(after)
}

/// Writes a name and its components (`%tid.x`, `V.x`), and notes its use.
fn component<'t>(mut name: Name, after: &'t [Token], writer: &mut Writer) -> &'t [Token] {
    let (mut rest, mut components) = (after, String::new());
    while let [dot, Token::Word(word, span), after @ ..] = rest
        && dot.is_punct('.')
    {
        components.push('.');
        components.push_str(word);
        name.end = *span;
        rest = after;
    }
    if let Some(element) = components.strip_prefix('.')
        && ELEMENTS.contains(&element)
    {
        writer.event(Event::Form(FormEvent::Element(element.to_owned()), name.clone()));
    }
    writer.name(name);
    writer.put(&components);
    rest
}

/// Splices a Rust expression in: a literal as it is, anything else by its Rust type.
pub(super) fn splice(
    tokens: &TokenStream,
    (start, end): (Span, Span),
    writer: &mut Writer,
    errors: &mut Errors,
) -> Option<()> {
    match syn::parse2::<Expr>(tokens.clone()) {
        Ok(expr) => {
            writer.mark(start);
            if let Some(literal) = integer(&expr) {
                writer.put(&literal);
            } else {
                writer.splice(tokens.clone());
            }
            Some(())
        }
        Err(error) => {
            if tokens.is_empty() {
                errors.at(start, "nothing is spliced here; write a constant expression in `#( )`");
            } else if error.to_string().starts_with("unexpected end of input") {
                // syn knows no place for what is not there.
                errors.at(end, "the expression ends too early; complete it before the `)`");
            } else {
                errors.push(error);
            }
            None
        }
    }
}

/// The integer literal without a type that is spliced in, if it is one.
pub(super) fn spliced_integer(tokens: &TokenStream) -> Option<i128> {
    integer(&syn::parse2::<Expr>(tokens.clone()).ok()?)?.parse().ok()
}

/// The decimal digits of an integer literal without a type.
fn integer(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) if int.suffix().is_empty() => Some(int.base10_digits().to_owned()),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
            integer(&unary.expr).map(|digits| format!("-{digits}"))
        }
        Expr::Paren(paren) => integer(&paren.expr),
        Expr::Group(group) => integer(&group.expr),
        _ => None,
    }
}
