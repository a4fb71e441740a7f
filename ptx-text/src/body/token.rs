//! The tokens of bodies: one type for all lexers.

use core::fmt::{Debug, Display};
use std::borrow::Cow;

use ptx_isa::rules::Violation;

/// A token of a body, with its position of type `P` in a source. A lexer need not join
/// names: `%r1` may be a sign and a word, `$L__BB0_2` two.
#[derive(Clone, Copy, Debug)]
pub enum Token<'t, P> {
    /// An identifier.
    Word(&'t str, P),
    /// A number: `16`, `0f3F800000`.
    Number(&'t str, P),
    /// A string with its quotes.
    Text(&'t str, P),
    /// A dot and the word or number that follows it, `.f32`, with the positions of both.
    Dotted(&'t str, P, P),
    /// Two colons and the word or number that follows them, `::cta`, with the positions of the first and the last
    /// token.
    Colons(&'t str, P, P),
    /// A long list: the contents of braces, or the names of a declaration or a directive.
    List(&'t dyn Elements<P>, P, P),
    /// A punctuation character.
    Sign(char, P),
    /// Tokens in delimiters, with the positions of the opening and the closing one.
    Group(Delimiter, &'t [Self], P, P),
    /// A Rust constant, `#( expr )`, with its first and last positions.
    Constant(&'t Constant<P>, P, P),
    /// Whole statements that come from another place, with the number of that place and their positions.
    Inlined(&'t [Self], usize, P),
}

/// Takes the tokens of an element and the position of the comma after it.
pub type Each<'f, P> = &'f mut dyn FnMut(&[Token<'_, P>], Option<P>) -> Option<()>;

/// The elements of a long list, which are read again at each call.
pub trait Elements<P>: Debug {
    /// Calls `each` with the tokens of each element and the position of the comma after it, until there is no
    /// result.
    fn each(&self, each: Each<'_, P>) -> Option<()>;

    /// The part of the source that it is.
    fn written(&self) -> Written;
}

/// The part of a source that is a list, without its delimiters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// The offset at which it starts.
    pub start: u32,
    /// The offset at which it ends.
    pub end: u32,
    /// The number of its elements.
    pub elements: usize,
}

/// The delimiters of a group.
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
    /// The expression with this index in the lexer.
    Expression(usize),
    /// An invalid expression: the position of the error, and the message.
    Fault(P, String),
}

impl<P: Copy> Token<'_, P> {
    /// The position of its first part.
    pub fn start(&self) -> P {
        match self {
            Self::Word(_, start)
            | Self::Number(_, start)
            | Self::Text(_, start)
            | Self::Dotted(_, start, _)
            | Self::Colons(_, start, _)
            | Self::List(_, start, _)
            | Self::Sign(_, start)
            | Self::Group(_, _, start, _)
            | Self::Inlined(_, _, start)
            | Self::Constant(_, start, _) => *start,
        }
    }

    /// The position of its last part.
    pub fn end(&self) -> P {
        match self {
            Self::Dotted(_, _, end)
            | Self::Colons(_, _, end)
            | Self::List(_, _, end)
            | Self::Group(_, _, _, end)
            | Self::Constant(_, _, end) => *end,
            Self::Word(..)
            | Self::Number(..)
            | Self::Text(..)
            | Self::Sign(..)
            | Self::Inlined(..) => self.start(),
        }
    }

    /// Whether it is the punctuation character `sign`.
    pub fn is_sign(&self, sign: char) -> bool {
        matches!(self, Self::Sign(c, _) if *c == sign)
    }
}

impl Delimiter {
    /// The opening and the closing delimiter.
    pub(crate) const fn signs(self) -> (&'static str, &'static str) {
        match self {
            Self::Parenthesis => ("(", ")"),
            Self::Bracket => ("[", "]"),
            Self::Brace => ("{", "}"),
        }
    }
}

/// Whether the text after a dot is the fraction of a number: `.05`.
pub(crate) fn is_fraction(text: &str) -> bool {
    text.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

/// A name, which may have been joined from several tokens.
#[derive(Clone, Debug)]
pub struct Name<'t, P> {
    /// The name.
    pub text: Cow<'t, str>,
    /// The positions of its first and last tokens.
    pub at: (P, P),
}

impl<P> Name<'_, P> {
    /// The name with owned text.
    pub fn into_owned(self) -> Name<'static, P> {
        Name { text: Cow::Owned(self.text.into_owned()), at: self.at }
    }
}

/// A token's role as a part of a name.
pub enum Part<'t, P> {
    /// `%` or `$`.
    Sign(char, P),
    /// A word: letters, digits and underscores.
    Word(&'t str, P),
    /// Digits after a `$`.
    Number(&'t str, P),
    /// Not a part of a name.
    None,
}

/// A token that can be a part of a name.
pub trait Joinable<'t, P> {
    /// The role of the token.
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

/// Joins the identifier at the start of `tokens`: `%r1`, `$L__BB0_2`, `a$b`, `x`. Tokens that come through
/// `macro_rules!` are not adjacent, so the grammar decides what to join, not the positions.
pub fn join<'s, 't, P: Copy, T>(tokens: &'s [T]) -> Option<(Name<'t, P>, &'s [T])>
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
    // Words and dollar signs alternate: two words in a row are two names.
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

/// The names among some tokens.
pub(crate) fn names<'s, 't, P: Copy>(
    mut tokens: &'s [Token<'t, P>],
) -> impl Iterator<Item = Name<'t, P>> + use<'s, 't, P> {
    core::iter::from_fn(move || {
        loop {
            if let Some((name, after)) = join(tokens) {
                tokens = after;
                return Some(name);
            }
            tokens = tokens.split_first()?.1;
        }
    })
}

/// Calls `each` with the names among some tokens, and the first one of each of the first items of a long list, until
/// there is no result.
pub(crate) fn each_name<P: Copy>(
    tokens: &[Token<'_, P>],
    each: &mut dyn FnMut(&str) -> Option<()>,
) -> Option<()> {
    /// The maximum number of items.
    const MOST: usize = 1 << 12;
    names(tokens).try_for_each(|name| each(&name.text))?;
    let mut left = MOST;
    match tokens.iter().find(|token| matches!(token, Token::List(..))) {
        Some(Token::List(list, ..)) => list.each(&mut |item, _| {
            left = left.checked_sub(1)?;
            join(item).map_or(Some(()), |(name, _)| each(&name.text))
        }),
        _ => Some(()),
    }
}

/// Recognises `name:` at the start of `tokens`. Returns the name and the tokens that follow.
pub(super) fn label<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
) -> Option<(Name<'t, P>, &'s [Token<'t, P>])> {
    let (name, after) = join(tokens)?;
    match after {
        [Token::Sign(':', _), after @ ..] => Some((name, after)),
        _ => None,
    }
}

/// Reports `_` in the place of a label.
pub(super) fn require_label<P: Copy>(name: &Name<'_, P>, faults: &mut Faults<P>) -> Option<()> {
    let is = match &*name.text {
        "_" => "it discards a result",
        "WARP_SZ" => "it is the size of a warp",
        _ => return Some(()),
    };
    faults.at(name.at.0, format_args!("`{}` is not a label: {is}; write another name", name.text));
    None
}

/// The language of a body's source, which determines the wording of its faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// PTX embedded in Rust.
    Rust,
    /// PTX alone.
    Ptx,
}

/// The faults in a body, in the order of its tokens.
#[derive(Debug)]
pub struct Faults<P> {
    language: Language,
    /// Whether the body is one of a device function.
    is_of_device: bool,
    found: Vec<Fault<P>>,
}

/// A fault in a body.
#[derive(Debug)]
pub struct Fault<P> {
    /// The position at which it starts.
    pub at: P,
    /// The position at which it ends, if that is another token.
    pub end: Option<P>,
    /// The message, with what to write instead.
    pub message: String,
    /// What ptxas does with the code.
    pub(crate) by_ptxas: ByPtxas,
    /// The rule that the code breaks, if it is in the table.
    pub(crate) rule: Option<BrokenRule>,
}

/// The rule that a fault breaks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BrokenRule {
    /// The code of its row.
    pub(crate) code: &'static str,
    /// What to write instead, which the message does not say.
    pub(crate) fix: String,
}

/// What ptxas does with code that is reported.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ByPtxas {
    /// It is refused.
    Refused,
    /// It is not PTX, and accepted.
    Accepted,
    /// It is accepted with a warning.
    Warned,
}

impl<P> Faults<P> {
    /// Creates an empty list.
    pub const fn of(language: Language) -> Self {
        Self { language, is_of_device: false, found: Vec::new() }
    }

    /// Creates an empty list for the body of a device function, or of a kernel.
    pub(crate) const fn of_body(language: Language, is_of_device: bool) -> Self {
        Self { language, is_of_device, found: Vec::new() }
    }

    /// Reports what ptxas takes in kernels alone.
    pub(crate) fn accepted_in_kernels(&mut self, at: P, message: impl Display) {
        if self.is_of_device {
            self.at(at, message);
        } else {
            self.accepted(at, message);
        }
    }

    /// The language of the body.
    pub(crate) const fn language(&self) -> Language {
        self.language
    }

    /// Selects the wording for the language of the body.
    pub(crate) fn words<T>(&self, rust: T, ptx: T) -> T {
        match self.language {
            Language::Rust => rust,
            Language::Ptx => ptx,
        }
    }

    /// Whether there are no faults.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All faults, in order.
    pub fn into_found(self) -> Vec<Fault<P>> {
        self.found
    }

    /// Reports a fault at a position.
    pub fn at(&mut self, at: P, message: impl Display) {
        self.push((at, None), message, ByPtxas::Refused, None);
    }

    /// Reports a fault from one position to another.
    pub fn over(&mut self, (at, end): (P, P), message: impl Display) {
        self.push((at, Some(end)), message, ByPtxas::Refused, None);
    }

    /// Reports what ptxas refuses and a row of the rules is about, where the IR has no place for it.
    pub(crate) fn broken(&mut self, at: P, violation: &Violation<'_>) {
        if self.language == Language::Rust {
            return self.at(at, violation);
        }
        let in_ptx = violation.in_ptx();
        let fix = in_ptx.fix().as_str().to_owned();
        let rule = Some(BrokenRule { code: violation.rule.code, fix });
        self.push((at, None), in_ptx.message().as_str(), ByPtxas::Refused, rule);
    }

    /// Reports code that is not PTX although ptxas accepts it.
    pub(crate) fn accepted(&mut self, at: P, message: impl Display) {
        self.push((at, None), message, ByPtxas::Accepted, None);
    }

    /// Reports code that ptxas accepts with a warning.
    pub(crate) fn warned(&mut self, at: P, message: impl Display) {
        self.push((at, None), message, ByPtxas::Warned, None);
    }

    fn push(
        &mut self,
        (at, end): (P, Option<P>),
        message: impl Display,
        by_ptxas: ByPtxas,
        rule: Option<BrokenRule>,
    ) {
        /// The maximum number of faults that are kept for one statement of a text or one body of a macro.
        const MOST: usize = 1 << 16;
        if self.found.len() < MOST {
            self.found.push(Fault { at, end, message: message.to_string(), by_ptxas, rule });
        }
    }
}
