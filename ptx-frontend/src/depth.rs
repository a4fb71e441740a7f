//! The nesting depth of tokens, which is limited because parsers recurse into each group on a finite stack.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree, token_stream};

use crate::errors::Errors;

/// The maximum depth of nested groups.
pub const MOST_GROUPS: usize = 128;

/// The maximum number of punctuation tokens between two commas or semicolons; `<` and `&` count as four.
pub const MOST_SIGNS: usize = 512;

/// A group being read: its remaining tokens, and the punctuation since the last comma, semicolon or block.
struct Level {
    tokens: token_stream::IntoIter,
    signs: usize,
}

/// Reports tokens that are nested too deeply to parse. Returns whether there are any.
pub(crate) fn refuse_deep(tokens: &TokenStream, errors: &mut Errors) -> bool {
    let level = |tokens: TokenStream| Level { tokens: tokens.into_iter(), signs: 0 };
    let mut levels = vec![level(tokens.clone())];
    while let Some(last) = levels.last_mut() {
        match last.tokens.next() {
            None => {
                levels.pop();
            }
            Some(TokenTree::Group(group)) => {
                if group.delimiter() == Delimiter::Brace {
                    last.signs = 0;
                }
                if levels.len() > MOST_GROUPS {
                    errors.at(group.span_open(), format_args!("more than {MOST_GROUPS} brackets are nested here; give the inner part a name, as in `const PART: u32 = ..;` outside the module"));
                    return true;
                }
                levels.push(level(group.stream()));
            }
            Some(TokenTree::Punct(sign)) => match sign.as_char() {
                ',' | ';' => last.signs = 0,
                _ if sign.spacing() == Spacing::Joint => {}
                _ if last.signs >= MOST_SIGNS => {
                    errors.at(sign.span(), format_args!("this expression or type has more than {MOST_SIGNS} operators; compute part of it in a `const` outside the module"));
                    return true;
                }
                // A nested type takes more stack than a term of a sum.
                '<' | '&' => last.signs += 4,
                _ => last.signs += 1,
            },
            Some(TokenTree::Ident(_) | TokenTree::Literal(_)) => {}
        }
    }
    false
}
