//! The boundaries of statements, and the defects of their tokens.

use ptx_isa::{Opaque, Space};

use super::extent::Extent;
use crate::body::token::{Delimiter, Token};

/// Where a statement occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// In a module.
    Module,
    /// In a body.
    Body,
    /// In a list: an element of it.
    List,
}

/// The way in which a statement ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// `;`, which is its last token.
    Semicolon,
    /// The colon of a label.
    Label,
    /// The comma after an element of a list, which was consumed.
    Comma(Extent),
    /// A `{`, of a block or of the body of a function, which was consumed.
    Open(Extent),
    /// A `}`, which was consumed.
    Close(Extent),
    /// The start of a construct that occurs only in a module.
    Module,
    /// The offset at which the reader was to stop.
    Limit,
    /// The end of the text.
    Text,
}

/// A defect in the tokens of a statement that is found before the grammar sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Defect {
    /// A group without its closing delimiter.
    Unclosed(Delimiter, Extent),
    /// A closing delimiter without its group.
    Unopened(Delimiter, Extent),
    /// Groups that are nested too deeply.
    TooDeep(Extent),
    /// A statement that would take too much memory, and what it has too many of.
    TooLong(&'static str, Extent),
    /// A malformed number.
    Number(Extent),
    /// An unterminated string.
    OpenText(Extent),
    /// A semicolon between parameters or elements.
    Separator(&'static str, Extent),
    /// The second character of an operator, after a space.
    Operator(Extent),
}

/// The linkage directives before `.func`, `.entry` and variables of a module.
pub(super) const LINKAGES: &[&str] = &[".visible", ".extern", ".weak", ".common"];

/// Whether a directive after the signature of a function starts the next construct.
pub(super) fn starts_another<P>(directive: &str, before: &[Token<'_, P>]) -> bool {
    const STARTS: &[&str] = &[
        ".visible", ".extern", ".weak", ".common", ".func", ".entry", ".global", ".const",
        ".shared", ".alias", ".file", ".section",
    ];
    STARTS.contains(&directive)
        && !matches!(before.last(), Some(Token::Dotted(".func" | ".entry", ..)))
}

/// Whether a directive at the start of a line belongs to the module, whatever precedes it.
pub(super) fn ends_body<P>(scope: Scope, directive: &str, before: &[Token<'_, P>]) -> bool {
    let is_of_module = match directive {
        ".visible" | ".extern" | ".weak" | ".common" | ".version" | ".target" | ".section"
        | ".address_size" => true,
        // These follow the linkage.
        ".func" | ".entry" => !matches!(before, [Token::Dotted(..)]) || scope == Scope::Body,
        _ => false,
    };
    is_of_module && (scope == Scope::Body || !before.is_empty())
}

/// Whether an entry's last directive is a `.pragma`, which ends with a semicolon of its own (PTX ISA 11.4).
pub(super) fn ends_pragma<P: Copy>(tokens: &[Token<'_, P>]) -> bool {
    let strings = tokens
        .iter()
        .rev()
        .take_while(|token| matches!(token, Token::Text(..)) || token.is_sign(','))
        .count();
    strings > 0
        && matches!(tokens[..tokens.len() - strings].last(), Some(Token::Dotted(".pragma", ..)))
        && tokens.iter().any(|token| matches!(token, Token::Dotted(".entry", ..)))
}

/// Whether two signs are one operator of constants.
pub(super) const fn are_one_operator(first: char, second: char) -> bool {
    matches!(
        (first, second),
        ('<', '<') | ('>', '>') | ('<' | '>' | '=' | '!', '=') | ('&', '&') | ('|', '|')
    )
}

/// The minimum number of tokens in a long list.
pub(super) const FEWEST: usize = 1024;

/// Whether the items of a declaration or a directive may follow this directive, after these tokens.
pub(super) fn may_list<P: Copy>(directive: &str, before: &[Token<'_, P>]) -> bool {
    /// The maximum number of tokens before the items.
    const MOST: usize = 16;
    let is_space = |token: &Token<'_, P>| match token {
        Token::Dotted(word, ..) => Space::from_name(&word[1..]).is_some(),
        _ => false,
    };
    match before {
        [] => matches!(directive, ".branchtargets" | ".calltargets"),
        [Token::Dotted(..), ..] if before.len() <= MOST => {
            let is_opaque = Opaque::from_name(&directive[1..]).is_some();
            let is_item = before.iter().any(|token| token.is_sign(',') || token.is_sign('='));
            !is_opaque && !is_item && before.iter().any(is_space)
        }
        _ => false,
    }
}
