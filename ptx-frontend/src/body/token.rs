//! What bodies are read from: one kind of token, whichever lexer makes it.

use core::fmt::Display;

/// A token of a body, and where it stands in a source whose positions are `P`. A lexer need not join
/// names: `%r1` may be a sign and a word, `$L__BB0_2` two.
#[derive(Clone, Debug)]
pub enum Token<P> {
    /// An identifier.
    Word(String, P),
    /// A number: `16`, `0f3F800000`, `2d`.
    Number(String, P),
    /// A string with its quotes.
    Text(String, P),
    /// A punctuation character.
    Sign(char, P),
    /// Tokens in delimiters, and where it opens and closes.
    Group(Delimiter, Vec<Self>, P, P),
    /// A Rust constant, `#( expr )`, and where it starts and ends.
    Constant(Constant<P>, P, P),
}

/// What stands around the tokens of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delimiter {
    /// `(..)`
    Parenthesis,
    /// `[..]`
    Bracket,
    /// `{..}`
    Brace,
}

/// A Rust constant in a body.
#[derive(Clone, Debug)]
pub enum Constant<P> {
    /// An integer without a type, in decimal digits: a number like any other.
    Integer(String),
    /// The expression to which the lexer gave this number.
    Expression(usize),
    /// No expression: where that shows, and what is wrong.
    Fault(P, String),
}

impl<P: Copy> Token<P> {
    /// Where it starts.
    pub fn start(&self) -> P {
        match self {
            Self::Word(_, start)
            | Self::Number(_, start)
            | Self::Text(_, start)
            | Self::Sign(_, start)
            | Self::Group(_, _, start, _)
            | Self::Constant(_, start, _) => *start,
        }
    }

    /// Where its last part stands.
    pub fn end(&self) -> P {
        match self {
            Self::Group(_, _, _, end) | Self::Constant(_, _, end) => *end,
            Self::Word(..) | Self::Number(..) | Self::Text(..) | Self::Sign(..) => self.start(),
        }
    }

    /// Whether it is this sign.
    pub fn is_sign(&self, sign: char) -> bool {
        matches!(self, Self::Sign(c, _) if *c == sign)
    }
}

impl Delimiter {
    /// What opens and closes the group.
    pub(super) const fn signs(self) -> (&'static str, &'static str) {
        match self {
            Self::Parenthesis => ("(", ")"),
            Self::Bracket => ("[", "]"),
            Self::Brace => ("{", "}"),
        }
    }
}

/// A name, which may have been joined from several tokens.
#[derive(Clone, Debug)]
pub struct Name<P> {
    /// The name.
    pub text: String,
    /// The first and the last of its tokens.
    pub at: (P, P),
}

/// Joins an identifier at the start of `tokens`: `%r1`, `$L__BB0_2`, `a$b`, `x`. What comes out of
/// `macro_rules!` is not adjacent, so the grammar joins, not the positions.
pub(super) fn join<P: Copy>(tokens: &[Token<P>]) -> Option<(Name<P>, &[Token<P>])> {
    let start = tokens.first()?.start();
    let (mut text, mut end, mut rest) = (String::new(), start, tokens);
    if let [Token::Sign('%', at), after @ ..] = rest {
        text.push('%');
        (end, rest) = (*at, after);
    }
    // Words and dollar signs take turns: two words side by side are two names.
    let mut after_word = false;
    loop {
        match rest {
            [Token::Sign('$', at), after @ ..] => {
                text.push('$');
                (end, rest, after_word) = (*at, after, false);
            }
            [Token::Word(word, at), after @ ..] if !after_word => {
                text.push_str(word);
                (end, rest, after_word) = (*at, after, true);
            }
            [Token::Number(number, at), after @ ..] if !after_word && !text.is_empty() => {
                text.push_str(number);
                (end, rest, after_word) = (*at, after, true);
            }
            _ => break,
        }
    }
    let is_name = !matches!(text.as_str(), "" | "%" | "$");
    is_name.then_some((Name { text, at: (start, end) }, rest))
}

/// `name:` at the start of `tokens`, and what follows; `::` ends no label.
pub(super) fn label<P: Copy>(tokens: &[Token<P>]) -> Option<(Name<P>, &[Token<P>])> {
    let (name, after) = join(tokens)?;
    match after {
        [colon, next, ..] if colon.is_sign(':') && next.is_sign(':') => None,
        [colon, after @ ..] if colon.is_sign(':') => Some((name, after)),
        _ => None,
    }
}

/// What is wrong with a body, in the order of its tokens: where, and what.
#[derive(Debug)]
pub struct Faults<P>(Vec<(P, String)>);

impl<P> Faults<P> {
    pub(super) fn at(&mut self, position: P, message: impl Display) {
        self.0.push((position, message.to_string()));
    }
}

impl<P> Default for Faults<P> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<P> IntoIterator for Faults<P> {
    type Item = (P, String);
    type IntoIter = std::vec::IntoIter<(P, String)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
