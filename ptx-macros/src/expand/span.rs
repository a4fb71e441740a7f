//! Late checks at the user's tokens.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

/// Gives `call`, a path and its arguments, the span of `tokens`: a panic of a `#[track_caller]` function
/// during constant evaluation is then reported there, and nowhere else.
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

/// The statement that reports at these tokens what a check found.
pub(super) fn require(
    ptx: &TokenStream,
    tokens: impl ToTokens,
    found: impl ToTokens,
) -> TokenStream {
    let call = at(tokens, quote!(#ptx::__private::require(#found)));
    quote!(#call;)
}

/// Gives the macro's own tokens of an item spans inside the item, from the user's first token to
/// the last: rustc then sees that an item is unchanged when only lines before it changed, and does not
/// check it again.
pub(super) fn inside(first: Span, last: Span, tokens: TokenStream) -> TokenStream {
    let here = Span::call_site();
    let (start, file) = (here.start(), here.file());
    // Tokens from a `macro_rules!` of another file can have the same line and column there.
    let is_ours = |span: Span| span.start() == start && span.file() == file;
    relocated(tokens, &is_ours, first, last).0
}

/// Writes tokens with spans inside the user's item from the start: to move a token afterwards takes several compiler
/// calls.
pub(super) struct Inside {
    pub(super) first: Span,
    pub(super) last: Span,
    /// The path to the facade.
    ptx: Vec<TokenTree>,
}

impl Inside {
    pub(super) fn new(first: Span, last: Span, ptx: &TokenStream) -> Self {
        let ptx = inside(first, last, ptx.clone());
        Self { first, last, ptx: ptx.into_iter().collect() }
    }

    /// Moves tokens of the macro into the item.
    pub(super) fn moved(&self, tokens: TokenStream) -> TokenStream {
        inside(self.first, self.last, tokens)
    }

    /// An item that ends where the user's item does.
    pub(super) fn item(&self, tokens: TokenStream) -> TokenStream {
        let mut tokens = tokens;
        tokens.extend([self.end()]);
        tokens
    }

    pub(super) fn name(&self, name: &str) -> Ident {
        Ident::new(name, self.first)
    }

    pub(super) fn number(&self, number: usize) -> Literal {
        let mut number = Literal::usize_unsuffixed(number);
        number.set_span(self.first);
        number
    }

    /// The facade's item at this path.
    pub(super) fn path(&self, names: &[&str]) -> TokenStream {
        self.path_at(self.first, names).collect()
    }

    fn path_at(&self, span: Span, names: &[&str]) -> impl Iterator<Item = TokenTree> {
        let names = names.iter().flat_map(move |name| {
            let colon = |spacing| {
                let mut colon = Punct::new(':', spacing);
                colon.set_span(span);
                colon.into()
            };
            [colon(Spacing::Joint), colon(Spacing::Alone), Ident::new(name, span).into()]
        });
        let ptx = self.ptx.iter().cloned().map(move |mut token| {
            token.set_span(span);
            token
        });
        ptx.chain(names)
    }

    /// The statement that reports from `start` to `end` what a check found.
    pub(super) fn require(
        &self,
        (start, end): (Span, Span),
        found: TokenStream,
    ) -> impl Iterator<Item = TokenTree> {
        let mut found = Group::new(Delimiter::Parenthesis, found);
        found.set_span(end);
        self.path_at(start, &["__private", "require"]).chain([found.into(), self.end()])
    }

    /// A constant that is evaluated only for the errors that it reports.
    pub(super) fn check(&self, before: &TokenStream, calls: TokenStream) -> TokenStream {
        let mut block = Group::new(Delimiter::Brace, calls);
        block.set_span(self.last);
        self.item(quote_spanned!(self.first=> #before const _: () = #block))
    }

    fn end(&self) -> TokenTree {
        let mut end = Punct::new(';', Spacing::Alone);
        end.set_span(self.last);
        end.into()
    }
}

/// The tokens, and whether any of them moved: a group from the user is left unchanged.
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

/// These tokens, all of them with another span.
pub(super) fn moved(tokens: TokenStream, span: Span) -> TokenStream {
    let moved = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), moved(group.stream(), span)).into();
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(moved).collect()
}

/// The tokens without the invisible group around tokens that come through a `macro_rules!`, whose span
/// is not the user's.
pub(super) fn visible(tokens: TokenStream) -> TokenStream {
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
        // Each parsed text is a file of its own, and this token has the same position there as the call in its file.
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
