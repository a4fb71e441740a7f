//! Converts Rust tokens to PTX tokens.

use ptx_isa::sorted::SortedMap;

use bumpalo::Bump;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use ptx_text::body::parse;
use syn::{Expr, Lit};

use super::Source;
use super::forms::{
    Around, Bytes, FACADE, Origin, Rounds, Taken, Use, WrittenOut, has_forms, written_out,
};
use super::scan::Read;
use super::token::{Constant, Delimiter, Faults, Language};
use super::tree::{self, Tree};
use crate::errors::Errors;
use crate::name::note_dollar_crate;

/// A body: `ptx! { .. }`.
#[derive(Debug)]
pub struct Body {
    /// Its parsed contents.
    pub source: Source<Span>,
    /// The Rust constants in it, in order.
    pub constants: Vec<TokenStream>,
    /// The indices of the constants among them that were generated for places: they name the facade.
    places: Vec<usize>,
    /// The constants among them that are numbers of bytes, by their indices.
    pub(crate) bytes: SortedMap<usize, Bytes>,
    /// The constants in statements that could not be parsed, which were reported.
    pub left_out: Vec<TokenStream>,
    /// Whether all its statements could be parsed.
    pub is_whole: bool,
    /// The rounds of its loops.
    pub rounds: Rounds,
    /// For statements of fragments, by the numbers of their places, where they come from.
    pub(crate) origins: Vec<Origin>,
    /// The uses of fragments.
    pub(crate) uses: Vec<Use>,
}

impl Body {
    /// Replaces the facade's placeholder with its path in the constants that were generated for places.
    pub fn name_facade(&mut self, path: &TokenStream) {
        for n in &self.places {
            let constant = &mut self.constants[*n];
            *constant = with_facade(core::mem::take(constant), path);
        }
    }
}

/// Replaces the facade's placeholder in tokens with its path.
pub fn with_facade(tokens: TokenStream, path: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) if name == FACADE => {
                let at = name.span();
                out.extend(path.clone().into_iter().map(|mut token| {
                    token.set_span(at);
                    token
                }));
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), with_facade(group.stream(), path));
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

/// Parses a body from Rust tokens. Returns it with the constants whose values were assumed, and the items that its own
/// constants name.
pub(crate) fn parse_body(
    tokens: TokenStream,
    around: Around<'_>,
    errors: &mut Errors,
) -> (Body, SortedMap<String, Taken>, Vec<TokenStream>) {
    let mut lexer = Lexer::default();
    let trees = lexer.trees(tokens);
    let read = lexer.constants.len();
    let mut faults = Faults::of(Language::Rust);
    let is_plain = !has_forms(&trees, around.fragments);
    let WrittenOut { trees, taken, places: items, bytes, rounds, origins, uses, is_incomplete } =
        if is_plain {
            WrittenOut { trees, ..WrittenOut::default() }
        } else {
            written_out(&trees, around, &mut lexer.constants, &mut faults)
        };
    for constant in &mut lexer.constants {
        if let Some(name) = parameter(constant, around) {
            faults.at(name.span(), format_args!("`{name}` is a parameter, whose value only the kernel knows; load it into a register"));
            *constant = quote::quote!(1);
        }
    }
    let arena = Bump::new();
    let source = parse(tree::tokens(&trees, &arena), &mut faults);
    let is_whole = faults.is_empty() && !is_incomplete;
    for fault in faults.into_found() {
        let of = uses.iter().find(|of| !around.is_definition && of.at.start() == fault.at.start());
        let of = of.map(|of| format!(" (in `{}`)", of.name)).unwrap_or_default();
        errors.over((fault.at, fault.end.unwrap_or(fault.at)), fault.message + &of);
    }
    let constants = source.constants.iter().map(|n| lexer.constants[*n].clone()).collect();
    let numbers = source.constants.iter().enumerate();
    let places = numbers.clone().filter(|(_, number)| **number >= read).map(|(n, _)| n).collect();
    let bytes = numbers.filter_map(|(n, number)| Some((n, bytes.get(number)?.clone()))).collect();
    // A constant that contains a loop counter means nothing to rustc.
    let all = lexer.constants.into_iter().enumerate().filter(|_| is_plain);
    let left_out = all.filter(|(n, _)| !source.constants.contains(n)).map(|(_, expr)| expr);
    let left_out = left_out.collect();
    let body = Body { source, constants, places, bytes, left_out, is_whole, rounds, origins, uses };
    (body, taken, items)
}

/// Reads the tokens of a body that is parsed where it is used.
pub(crate) fn read_body(tokens: TokenStream) -> Read {
    let mut lexer = Lexer::default();
    let trees = lexer.trees(tokens);
    Read::new(trees, lexer.constants)
}

/// The parameter that a constant consists of.
fn parameter(constant: &TokenStream, around: Around<'_>) -> Option<Ident> {
    let name = syn::parse2::<Ident>(constant.clone()).ok()?;
    let is_input = around.inputs.iter().any(|input| *input.ident == name);
    (is_input && !around.types.may_contain_value(&name)).then_some(name)
}

/// Converts tokens, each one once.
#[derive(Default)]
struct Lexer {
    /// The constants so far, by their indices.
    constants: Vec<TokenStream>,
}

impl Lexer {
    /// The tokens as a tree. Groups without delimiters, which `macro_rules!` leaves around its
    /// fragments, are flattened.
    fn trees(&mut self, tokens: TokenStream) -> Vec<Tree> {
        let mut out = Vec::new();
        self.push(tokens, &mut out);
        out
    }

    fn push(&mut self, tokens: TokenStream, out: &mut Vec<Tree>) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    let text = ident.to_string();
                    note_dollar_crate(&ident, &text);
                    let text = text.strip_prefix("r#").unwrap_or(&text).to_owned();
                    out.push(Tree::Word(text, ident.span()));
                }
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let span = literal.span();
                    out.push(if text.starts_with(|c: char| c.is_ascii_digit()) {
                        Tree::Number(text, span)
                    } else {
                        Tree::Text(text, span)
                    });
                }
                TokenTree::Punct(punct) => out.push(Tree::Sign(punct.as_char(), punct.span())),
                TokenTree::Group(group) => self.push_group(&group, out),
            }
        }
    }

    fn push_group(&mut self, group: &Group, out: &mut Vec<Tree>) {
        let delimiter = match group.delimiter() {
            proc_macro2::Delimiter::None => return self.push(group.stream(), out),
            proc_macro2::Delimiter::Parenthesis => Delimiter::Parenthesis,
            proc_macro2::Delimiter::Bracket => Delimiter::Bracket,
            proc_macro2::Delimiter::Brace => Delimiter::Brace,
        };
        let (open, close) = (group.span_open(), group.span_close());
        // `///` and `//!` are comments in PTX, although Rust makes attributes of them.
        if is_documentation(group) && ends_in_hash(out) {
            while out.last().is_some_and(|token| token.is_sign('!')) {
                out.pop();
            }
            out.pop();
            return;
        }
        match out.last() {
            Some(Tree::Sign('#', hash)) if delimiter == Delimiter::Parenthesis => {
                let start = *hash;
                out.pop();
                let constant = self.constant(group.stream(), (start, close));
                out.push(Tree::Constant(constant, start, close));
            }
            _ => {
                let inner = self.trees(group.stream());
                out.push(Tree::Group(delimiter, inner, open, close));
            }
        }
    }

    /// Classifies a spliced Rust expression: an integer literal is inserted as it is, anything else by its Rust type.
    fn constant(&mut self, tokens: TokenStream, (start, end): (Span, Span)) -> Constant<Span> {
        match syn::parse2::<Expr>(tokens.clone()) {
            Ok(expr) => match integer(&expr) {
                Some(digits) => Constant::Integer(digits),
                None => {
                    self.constants.push(tokens);
                    Constant::Expression(self.constants.len() - 1)
                }
            },
            Err(_) if tokens.is_empty() => Constant::Fault(
                start,
                "nothing is spliced here; write a constant expression in `#( )`".to_owned(),
            ),
            Err(_) if matches!(tokens.clone().into_iter().next(), Some(TokenTree::Punct(sign)) if sign.as_char() == '%') => {
                Constant::Fault(start, "`#( )` holds a Rust constant, and a register has no value before the kernel runs; write the register without `#( )`".to_owned())
            }
            // syn has no position for a missing token.
            Err(error) if error.to_string().starts_with("unexpected end of input") => {
                Constant::Fault(
                    end,
                    "the expression is incomplete; complete it before the `)`".to_owned(),
                )
            }
            Err(error) => Constant::Fault(error.span(), error.to_string()),
        }
    }
}

/// Whether this is `[doc = ".."]`.
fn is_documentation(group: &Group) -> bool {
    let mut tokens = group.stream().into_iter();
    group.delimiter() == proc_macro2::Delimiter::Bracket
        && matches!(tokens.next(), Some(TokenTree::Ident(word)) if word == "doc")
        && matches!(tokens.next(), Some(TokenTree::Punct(equals)) if equals.as_char() == '=')
}

/// Whether the tokens end in `#` or `#!`.
fn ends_in_hash(tokens: &[Tree]) -> bool {
    match tokens {
        [.., hash, not] if not.is_sign('!') => hash.is_sign('#'),
        [.., hash] => hash.is_sign('#'),
        [] => false,
    }
}

/// The decimal digits of an integer literal without a type.
fn integer(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) if int.suffix().is_empty() => Some(int.base10_digits().to_owned()),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
            integer(&unary.expr).map(|digits| format!("-{digits}"))
        }
        Expr::Paren(paren) => integer(&paren.expr),
        Expr::Group(group) => integer(&group.expr),
        _ => None,
    }
}
