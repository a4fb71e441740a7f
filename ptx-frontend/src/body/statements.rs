//! The statements of a body before the grammar reads them: where each ends, and what it starts with.

use proc_macro2::{Span, TokenStream};
use syn::Ident;

use super::token::{Delimiter, join};
use super::tree::{Tree, label};
use crate::name::{identifier, word as keyword};

/// The path at the start of some tokens, its first and last spans, and the tokens that follow.
pub(super) fn path_at_start(tokens: &[Tree]) -> Option<(TokenStream, (Span, Span), &[Tree])> {
    let mut names: Vec<Ident> = Vec::new();
    let mut rest = tokens;
    loop {
        let [Tree::Word(word, at), after @ ..] = rest else { return None };
        names.push(identifier(word, *at).unwrap_or_else(|| keyword(word, *at)));
        match after {
            [one, two, Tree::Word(..), ..] if one.is_sign(':') && two.is_sign(':') => {
                rest = &after[2..];
            }
            after => {
                let at = (names.first()?.span(), names.last()?.span());
                return Some((quote::quote!(#(#names)::*), at, after));
            }
        }
    }
}

/// What is in the angle brackets at the start of some tokens, and the tokens that follow; nothing where there are none, and
/// `None` if they do not end.
pub(super) fn angle_brackets(tokens: &[Tree]) -> Option<(Vec<&[Tree]>, &[Tree])> {
    let [one, two, less, inner @ ..] = tokens else { return Some((Vec::new(), tokens)) };
    if !(one.is_sign(':') && two.is_sign(':') && less.is_sign('<')) {
        return Some((Vec::new(), tokens));
    }
    let close = closing(inner)?;
    Some((split(&inner[..close]), &inner[close + 1..]))
}

/// Splits tokens at commas.
pub(super) fn split(tokens: &[Tree]) -> Vec<&[Tree]> {
    if tokens.is_empty() {
        return Vec::new();
    }
    tokens.split(|token| token.is_sign(',')).collect()
}

/// The index of the `>` that ends angle brackets.
fn closing(tokens: &[Tree]) -> Option<usize> {
    let mut depth = 0_usize;
    tokens.iter().position(|token| {
        if token.is_sign('<') {
            depth += 1;
        } else if token.is_sign('>') {
            if depth == 0 {
                return true;
            }
            depth -= 1;
        }
        false
    })
}

/// Whether some tokens start with `a::b`, which is not the name of a macro.
pub(super) fn starts_with_path(tokens: &[Tree]) -> bool {
    let is_path =
        matches!(tokens, [Tree::Word(..), one, two, ..] if one.is_sign(':') && two.is_sign(':'));
    let after = |(.., after): (TokenStream, (Span, Span), &[Tree])| {
        !after.first().is_some_and(|next| next.is_sign('!'))
    };
    is_path && path_at_start(tokens).is_some_and(after)
}

/// The text of a path, without spaces.
pub(crate) fn path_text(path: &TokenStream) -> String {
    path.to_string().replace(' ', "")
}

/// The tokens of a statement after its guard.
pub(super) fn after_guard(tokens: &[Tree]) -> &[Tree] {
    let [at, after @ ..] = tokens else { return tokens };
    if !at.is_sign('@') {
        return tokens;
    }
    let after = match after {
        [not, after @ ..] if not.is_sign('!') => after,
        after => after,
    };
    join(after).map_or(tokens, |(_, rest)| rest)
}

/// The tokens of a statement after its attributes.
pub(super) fn after_attributes(tokens: &[Tree]) -> &[Tree] {
    let mut rest = tokens;
    while let [hash, Tree::Group(Delimiter::Bracket, ..), after @ ..] = rest
        && hash.is_sign('#')
    {
        rest = after;
    }
    rest
}

/// Splits a block into its statements, each with the attributes before it and its end; a label is one by itself.
pub(super) fn statements(tokens: &[Tree]) -> impl Iterator<Item = &[Tree]> {
    let mut rest = tokens;
    core::iter::from_fn(move || {
        let (statement, after) = rest.split_at(statement_len(rest));
        rest = after;
        (!statement.is_empty()).then_some(statement)
    })
}

/// The number of tokens of the first statement.
fn statement_len(tokens: &[Tree]) -> usize {
    let is_brace = |tree: Option<&Tree>| matches!(tree, Some(Tree::Group(Delimiter::Brace, ..)));
    let own = after_attributes(tokens);
    let start = tokens.len() - own.len();
    if let Some((_, after)) = label(own) {
        return tokens.len() - after.len();
    }
    let to = |is_end: &dyn Fn(&Tree) -> bool| {
        own.iter().position(is_end).map_or(tokens.len(), |end| start + end + 1)
    };
    match own {
        [Tree::Group(Delimiter::Brace, ..), ..] => start + 1,
        own if is_form(own) => {
            let mut end = to(&|tree| tree.is_sign(';') || is_brace(Some(tree)));
            while matches!(tokens.get(end), Some(Tree::Word(word, _)) if word == "else") {
                let more = tokens[end..].iter().position(|tree| is_brace(Some(tree)));
                let Some(more) = more else { return tokens.len() };
                end += more + 1;
            }
            end
        }
        _ => to(&|tree| tree.is_sign(';')),
    }
}

/// Whether statements contain labels or declarations.
pub(super) fn has_names(tokens: &[Tree]) -> bool {
    let mut rest = tokens;
    while !rest.is_empty() {
        if rest[0].is_sign('.') || label(rest).is_some() {
            return true;
        }
        rest = match &rest[0] {
            Tree::Inlined(inner, ..) if has_names(inner) => return true,
            Tree::Group(Delimiter::Brace, ..) | Tree::Inlined(..) => &rest[1..],
            _ => after_statement(rest),
        };
    }
    false
}

/// The tokens after the next semicolon.
pub(super) fn after_statement(tokens: &[Tree]) -> &[Tree] {
    let end = tokens.iter().position(|token| token.is_sign(';'));
    end.map_or(&[], |end| &tokens[end + 1..])
}

/// Whether a statement is a block, a loop or a condition.
pub(super) fn is_form(statement: &[Tree]) -> bool {
    match statement {
        [Tree::Group(Delimiter::Brace, ..)] => true,
        [Tree::Word(word, _), ..] => word == "for" || word == "if",
        _ => false,
    }
}

/// The blocks of a statement that is one, a loop or a condition, or that is inlined.
pub(super) fn blocks(statement: &[Tree]) -> impl Iterator<Item = &[Tree]> {
    let is_block = is_form(statement);
    statement.iter().filter_map(move |tree| match tree {
        Tree::Group(Delimiter::Brace, inner, ..) if is_block => Some(inner.as_slice()),
        Tree::Inlined(inner, ..) => Some(inner.as_slice()),
        _ => None,
    })
}

/// The number of statements in some tokens.
pub(super) fn count_statements(tokens: &[Tree]) -> usize {
    let each = tokens.iter().map(|token| match token {
        Tree::Sign(';', _) => 1,
        Tree::Inlined(inner, ..) | Tree::Group(Delimiter::Brace, inner, ..) => {
            count_statements(inner)
        }
        _ => 0,
    });
    each.sum()
}
