//! Where statements end, and what is wrong with the tokens of one.

use super::extent::Extent;
use crate::body::token::{Delimiter, Token};

/// Where a statement stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// In a module.
    Module,
    /// In a body.
    Body,
}

/// What ends a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// `;`, which is the last of its tokens.
    Semicolon,
    /// It is a label, with its colon.
    Label,
    /// A `{`, of a block or of the body of a function, which was read.
    Open(Extent),
    /// A `}`, which was read.
    Close(Extent),
    /// What stands in a module alone.
    Module,
    /// The place at which the reader was asked to stop.
    Limit,
    /// The text ends.
    Text,
}

/// What is wrong with the tokens of a statement before the grammar sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Defect {
    /// A group that nothing closes.
    Unclosed(Delimiter, Extent),
    /// What closes no group.
    Unopened(Delimiter, Extent),
    /// Groups that are nested too deep.
    TooDeep(Extent),
    /// A statement that is too long.
    TooLong(Extent),
    /// No number, though it starts like one.
    Number(Extent),
    /// A string that nothing ends.
    OpenText(Extent),
}

/// What stands before `.func` and `.entry`, and before variables of a module.
pub(super) const LINKAGES: &[&str] = &[".visible", ".extern", ".weak", ".common"];

/// Whether a directive behind the signature of a function starts what follows it.
pub(super) fn starts_another<P>(directive: &str, before: &[Token<'_, P>]) -> bool {
    const STARTS: &[&str] = &[
        ".visible", ".extern", ".weak", ".common", ".func", ".entry", ".global", ".const",
        ".shared", ".alias", ".file", ".section",
    ];
    STARTS.contains(&directive)
        && !matches!(before.last(), Some(Token::Dotted(".func" | ".entry", ..)))
}

/// Whether a directive at the start of a line belongs to the module, whatever stands before it.
pub(super) fn ends_body<P>(scope: Scope, directive: &str, before: &[Token<'_, P>]) -> bool {
    let is_of_module = match directive {
        ".visible" | ".extern" | ".weak" | ".common" | ".version" | ".target" | ".section"
        | ".address_size" => true,
        // These stand behind the linkage.
        ".func" | ".entry" => !matches!(before, [Token::Dotted(..)]) || scope == Scope::Body,
        _ => false,
    };
    is_of_module && (scope == Scope::Body || !before.is_empty())
}

/// Whether the last directive of an entry is a `.pragma`, which ends with a semicolon of its own (PTX ISA 11.4).
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
