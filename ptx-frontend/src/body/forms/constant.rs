//! Converts tokens of bodies back to Rust tokens.

use proc_macro2::{Group, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use syn::Expr;

use super::super::token::{Constant, Delimiter};
use super::super::tree::Tree;
use super::place::Bytes;
use super::writing::Forms;
use crate::name::word as ident_of;

impl Forms<'_> {
    /// Converts tokens to Rust tokens.
    pub(super) fn rust(&self, tokens: &[Tree]) -> TokenStream {
        // Alone, it needs no parentheses, which a lint would report at the user's.
        if let [Tree::Constant(Constant::Expression(number), ..)] = tokens {
            return self.constants[*number].clone();
        }
        let tree = |token: &Tree| -> TokenTree {
            match token {
                Tree::Word(word, at) => ident_of(word, *at).into(),
                Tree::Number(text, at) | Tree::Text(text, at) => {
                    let mut literal = text.parse::<Literal>().unwrap_or(Literal::u8_unsuffixed(0));
                    literal.set_span(*at);
                    literal.into()
                }
                Tree::Sign(sign, at) => {
                    // The tokens of a body do not record whether the next character belongs to the same operator.
                    let mut punct = Punct::new(*sign, Spacing::Joint);
                    punct.set_span(*at);
                    punct.into()
                }
                Tree::Group(delimiter, inner, open, _) => {
                    let delimiter = match delimiter {
                        Delimiter::Parenthesis => proc_macro2::Delimiter::Parenthesis,
                        Delimiter::Bracket => proc_macro2::Delimiter::Bracket,
                        Delimiter::Brace => proc_macro2::Delimiter::Brace,
                    };
                    group(delimiter, self.rust(inner), *open).into()
                }
                Tree::Constant(constant, start, _) => {
                    let inner = match constant {
                        Constant::Integer(digits) => digits.parse().unwrap_or_default(),
                        Constant::Expression(number) => self.constants[*number].clone(),
                        Constant::Fault(..) => TokenStream::new(),
                    };
                    group(proc_macro2::Delimiter::Parenthesis, inner, *start).into()
                }
                Tree::Inlined(inner, _, at) => {
                    group(proc_macro2::Delimiter::None, self.rust(inner), *at).into()
                }
            }
        };
        tokens.iter().map(tree).collect()
    }

    /// Converts tokens to a Rust expression, with numbers for counters. Tokens that do not form one are
    /// reported.
    pub(super) fn expression(&mut self, tokens: &[Tree], at: Span) -> Option<TokenStream> {
        let tokens = self.rust(tokens);
        let tokens = self.counts.replaced(tokens);
        if syn::parse2::<Expr>(tokens.clone()).is_ok() {
            return Some(tokens);
        }
        self.refuse(at, "this is a number that rustc computes, an expression of Rust without registers; what depends on a register is computed by instructions before");
        None
    }

    /// Creates a constant that is a number of bytes, which tokens may settle.
    pub(super) fn in_bytes(
        &mut self,
        (tokens, bytes): (TokenStream, Bytes),
        span: (Span, Span),
    ) -> Tree {
        self.bytes.insert(self.constants.len(), bytes);
        self.constant(tokens, span)
    }

    /// Creates a constant, spanning the first to the last of the tokens that it replaces.
    pub(super) fn constant(&mut self, tokens: TokenStream, (start, end): (Span, Span)) -> Tree {
        self.constants.push(tokens);
        Tree::Constant(Constant::Expression(self.constants.len() - 1), start, end)
    }
}

impl Forms<'_> {
    /// Replaces the counters in a constant by numbers.
    pub(super) fn counted(&mut self, token: &Tree) -> Tree {
        let Tree::Constant(Constant::Expression(number), start, end) = token else {
            return token.clone();
        };
        let tokens = self.constants[*number].clone();
        if !self.counts.counts_in(&tokens) {
            return token.clone();
        }
        if let Some(value) = self.counts.integer(&tokens) {
            return Tree::Constant(Constant::Integer(value.to_string()), *start, *end);
        }
        let replaced = self.counts.replaced(tokens);
        self.constant(replaced, (*start, *end))
    }

    /// The integer value of tokens of a body, if the tokens determine it.
    pub(super) fn number(&mut self, tokens: &[Tree]) -> Option<i128> {
        let tokens = self.rust(tokens);
        self.counts.integer(&tokens)
    }
}

fn group(delimiter: proc_macro2::Delimiter, inner: TokenStream, at: Span) -> Group {
    let mut group = Group::new(delimiter, inner);
    group.set_span(at);
    group
}
