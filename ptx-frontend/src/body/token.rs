//! What bodies are read from: one kind of token, whichever lexer makes it.

use core::fmt::Display;
use std::borrow::Cow;

/// A token of a body, and where it stands in a source whose positions are `P`. A lexer need not join
/// names: `%r1` may be a sign and a word, `$L__BB0_2` two.
#[derive(Clone, Copy, Debug)]
pub enum Token<'t, P> {
    /// An identifier.
    Word(&'t str, P),
    /// A number: `16`, `0f3F800000`.
    Number(&'t str, P),
    /// A string with its quotes.
    Text(&'t str, P),
    /// A dot and the word or number behind it, `.f32`, and where both stand.
    Dotted(&'t str, P, P),
    /// Two colons and the word or number behind them, `::cta`, and where the first and the last stand.
    Colons(&'t str, P, P),
    /// The numbers of a long list, with the commas between them and their signs: `1, -2, 3`, all integers or
    /// all floating-point numbers.
    Numbers(&'t str, P, P),
    /// A punctuation character.
    Sign(char, P),
    /// Tokens in delimiters, and where it opens and closes.
    Group(Delimiter, &'t [Self], P, P),
    /// A Rust constant, `#( expr )`, and where it starts and ends.
    Constant(&'t Constant<P>, P, P),
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

impl<P: Copy> Token<'_, P> {
    /// Where it starts.
    pub fn start(&self) -> P {
        match self {
            Self::Word(_, start)
            | Self::Number(_, start)
            | Self::Text(_, start)
            | Self::Dotted(_, start, _)
            | Self::Colons(_, start, _)
            | Self::Numbers(_, start, _)
            | Self::Sign(_, start)
            | Self::Group(_, _, start, _)
            | Self::Constant(_, start, _) => *start,
        }
    }

    /// Where its last part stands.
    pub fn end(&self) -> P {
        match self {
            Self::Dotted(_, _, end)
            | Self::Colons(_, _, end)
            | Self::Numbers(_, _, end)
            | Self::Group(_, _, _, end)
            | Self::Constant(_, _, end) => *end,
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
    pub(crate) const fn signs(self) -> (&'static str, &'static str) {
        match self {
            Self::Parenthesis => ("(", ")"),
            Self::Bracket => ("[", "]"),
            Self::Brace => ("{", "}"),
        }
    }
}

/// Whether what stands behind a dot is the fraction of a number: `.05`.
pub(crate) fn is_fraction(text: &str) -> bool {
    text.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

/// A name, which may have been joined from several tokens.
#[derive(Clone, Debug)]
pub struct Name<'t, P> {
    /// The name.
    pub text: Cow<'t, str>,
    /// The first and the last of its tokens.
    pub at: (P, P),
}

impl<P> Name<'_, P> {
    /// The name, on its own.
    pub(super) fn into_owned(self) -> Name<'static, P> {
        Name { text: Cow::Owned(self.text.into_owned()), at: self.at }
    }
}

/// A part of a name, as far as a token can be one.
pub(crate) enum Part<'t, P> {
    /// `%` or `$`.
    Sign(char, P),
    /// Letters, digits and what else a word has.
    Word(&'t str, P),
    /// Digits behind a `$`.
    Number(&'t str, P),
    /// None.
    None,
}

/// What may be a part of a name.
pub(crate) trait Joinable<'t, P> {
    /// The part that it is.
    fn part(self) -> Part<'t, P>;
}

impl<'t, P: Copy> Joinable<'t, P> for &Token<'t, P> {
    fn part(self) -> Part<'t, P> {
        match *self {
            Token::Sign(sign @ ('%' | '$'), at) => Part::Sign(sign, at),
            Token::Word(word, at) => Part::Word(word, at),
            Token::Number(number, at) => Part::Number(number, at),
            _ => Part::None,
        }
    }
}

/// Joins an identifier at the start of `tokens`: `%r1`, `$L__BB0_2`, `a$b`, `x`. What comes out of
/// `macro_rules!` is not adjacent, so the grammar joins, not the positions.
pub(crate) fn join<'s, 't, P: Copy, T>(tokens: &'s [T]) -> Option<(Name<'t, P>, &'s [T])>
where
    &'s T: Joinable<'t, P>,
{
    let (first, mut rest) = tokens.split_first()?;
    let (mut text, start, mut after_word) = match first.part() {
        Part::Sign(sign, at) => (Cow::Borrowed(if sign == '%' { "%" } else { "$" }), at, false),
        Part::Word(word, at) => (Cow::Borrowed(word), at, true),
        Part::Number(..) | Part::None => return None,
    };
    let mut end = start;
    // Words and dollar signs take turns: two words side by side are two names.
    while let Some((next, after)) = rest.split_first() {
        let (part, at, is_word) = match next.part() {
            Part::Sign('$', at) => ("$", at, false),
            Part::Word(part, at) | Part::Number(part, at) if !after_word => (part, at, true),
            Part::Sign(..) | Part::Word(..) | Part::Number(..) | Part::None => break,
        };
        text.to_mut().push_str(part);
        (end, rest, after_word) = (at, after, is_word);
    }
    let is_name = !matches!(&*text, "%" | "$");
    is_name.then_some((Name { text, at: (start, end) }, rest))
}

/// `name:` at the start of `tokens`, and what follows.
pub(super) fn label<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
) -> Option<(Name<'t, P>, &'s [Token<'t, P>])> {
    let (name, after) = join(tokens)?;
    match after {
        [Token::Sign(':', _), after @ ..] => Some((name, after)),
        _ => None,
    }
}

/// The numbers of a list, and whether each has a sign before it.
pub(super) fn listed(list: &str) -> impl Iterator<Item = (bool, &str)> {
    // An end-of-file mark is a space, too.
    let is_space = |c: char| c.is_ascii_whitespace() || c == '\u{1A}';
    list.split(',').map(move |number| {
        let number = number.trim_matches(is_space);
        match number.strip_prefix('-') {
            Some(number) => (true, number.trim_start_matches(is_space)),
            None => (false, number),
        }
    })
}

/// What a body is written in, whose words its faults have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Rust, with a body of PTX in it.
    Rust,
    /// PTX alone.
    Ptx,
}

/// What is wrong with a body, in the order of its tokens: where, and what.
#[derive(Debug)]
pub struct Faults<P> {
    language: Language,
    found: Vec<Fault<P>>,
}

/// Something that is wrong.
#[derive(Debug)]
pub(crate) struct Fault<P> {
    /// Where it starts.
    pub(crate) at: P,
    /// Where it ends, if that is another token.
    #[cfg_attr(not(feature = "rust"), allow(dead_code))]
    // Rust alone has spans of several tokens.
    pub(crate) end: Option<P>,
    /// What, and what to write instead.
    pub(crate) message: String,
    /// Whether ptxas takes it although it is no PTX.
    pub(crate) is_taken: bool,
}

impl<P> Faults<P> {
    /// None so far.
    pub(crate) const fn of(language: Language) -> Self {
        Self { language, found: Vec::new() }
    }

    /// What the body is written in.
    pub(crate) const fn language(&self) -> Language {
        self.language
    }

    /// The words for the language that the body is written in.
    pub(crate) fn words<T>(&self, rust: T, ptx: T) -> T {
        match self.language {
            Language::Rust => rust,
            Language::Ptx => ptx,
        }
    }

    /// Whether nothing is wrong.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All of them, in order.
    pub(crate) fn into_found(self) -> Vec<Fault<P>> {
        self.found
    }

    pub(crate) fn at(&mut self, at: P, message: impl Display) {
        self.push(Fault { at, end: None, message: message.to_string(), is_taken: false });
    }

    /// Notes what is wrong from one place to another.
    pub(crate) fn over(&mut self, (at, end): (P, P), message: impl Display) {
        self.push(Fault { at, end: Some(end), message: message.to_string(), is_taken: false });
    }

    /// Notes what is no PTX, and what ptxas takes all the same.
    pub(crate) fn taken(&mut self, at: P, message: impl Display) {
        self.push(Fault { at, end: None, message: message.to_string(), is_taken: true });
    }

    fn push(&mut self, fault: Fault<P>) {
        /// More than anybody reads, of one statement of a text or of one body of a macro.
        const MOST: usize = 1 << 16;
        if self.found.len() < MOST {
            self.found.push(fault);
        }
    }
}
