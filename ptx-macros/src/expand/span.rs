//! Late checks at the user's tokens.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Gives `call`, a path and its arguments, the place of `tokens`: what a `#[track_caller]` function
/// panics with while constants are evaluated is then reported there, and nowhere else.
pub(super) fn at(tokens: impl ToTokens, call: TokenStream) -> TokenStream {
    let tokens = visible(tokens.into_token_stream());
    let mut spans = tokens.into_iter().map(|token| token.span());
    let start = spans.next().unwrap_or_else(Span::call_site);
    let end = spans.last().unwrap_or(start);
    let mut call: Vec<TokenTree> = call.into_iter().collect();
    for token in &mut call {
        token.set_span(start);
    }
    if let Some(last) = call.last_mut() {
        last.set_span(end);
    }
    call.into_iter().collect()
}

/// Gives the tokens of an item that the macro wrote places inside it, from its first token of the user's to
/// its last: rustc then sees that an item is as it was when only lines before it changed, and does not
/// check it again.
pub(super) fn inside(first: Span, last: Span, tokens: TokenStream) -> TokenStream {
    let here = Span::call_site();
    let (start, file) = (here.start(), here.file());
    // What comes through a `macro_rules!` of another file can stand at the same line and column there.
    let is_ours = |span: Span| span.start() == start && span.file() == file;
    relocated(tokens, &is_ours, first, last).0
}

/// The tokens, and whether any of them moved: a group of the user's stays as it is.
fn relocated(
    tokens: TokenStream,
    is_ours: &impl Fn(Span) -> bool,
    first: Span,
    last: Span,
) -> (TokenStream, bool) {
    let (mut all, mut any) = (Vec::new(), false);
    for mut token in tokens {
        let is_ours_too = is_ours(token.span());
        let mut has_moved = is_ours_too;
        if let TokenTree::Group(group) = &token {
            let (inner, is_inside) = relocated(group.stream(), is_ours, first, last);
            has_moved |= is_inside;
            if has_moved {
                let mut copy = Group::new(group.delimiter(), inner);
                copy.set_span(match group.delimiter() {
                    _ if !is_ours_too => group.span(),
                    Delimiter::Brace => last,
                    _ => first,
                });
                token = copy.into();
            }
        } else if is_ours_too {
            let is_end = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ';');
            token.set_span(if is_end { last } else { first });
        }
        any |= has_moved;
        all.push(token);
    }
    (all.into_iter().collect(), any)
}

/// The tokens without the invisible group around what comes through a `macro_rules!`, whose place
/// is not the user's.
fn visible(tokens: TokenStream) -> TokenStream {
    let mut all = tokens.clone().into_iter();
    match (all.next(), all.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            visible(group.stream())
        }
        _ => tokens,
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::{Span, TokenStream};
    use quote::quote;

    use super::inside;

    #[test]
    fn the_users_tokens_stay_where_they_are() {
        // Each text that is parsed is a file of its own, and this token stands where the call does in its.
        let users: TokenStream = "user".parse().unwrap();
        let item: TokenStream = "\n  item".parse().unwrap();
        let [user, item] = [&users, &item].map(|tokens| tokens.clone().into_iter().next().unwrap());
        assert_eq!(user.span().start(), Span::call_site().start());

        let places = inside(item.span(), item.span(), quote!(ours #users))
            .into_iter()
            .map(|token| (token.span().file(), token.span().start()))
            .collect::<Vec<_>>();
        let place = |span: Span| (span.file(), span.start());
        assert_eq!(places, [place(item.span()), place(user.span())]);
    }
}
