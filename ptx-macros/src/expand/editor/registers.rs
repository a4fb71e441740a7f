//! The declarations of a body.

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::quote;
use syn::Type;

use super::reader::{Names, Reader, Register, is};

impl Reader<'_> {
    /// Whether the statement is a declaration.
    pub(super) fn declaration(&mut self, tokens: &[TokenTree], names: &mut Names) -> bool {
        match tokens {
            [TokenTree::Ident(word), rest @ ..] if word == "let" => {
                let is_alone = |n: usize| {
                    is(&rest[n], ':') && !rest.get(n + 1).is_some_and(|token| is(token, ':'))
                };
                let colon = (0..rest.len()).find(|n| is_alone(*n)).unwrap_or(rest.len());
                let ty = rest.get(colon + 1..).unwrap_or_default();
                let ty: TokenStream =
                    ty.iter().take_while(|token| !is(token, '=')).cloned().collect();
                let ty = syn::parse2(ty).ok();
                let shown = ty.as_ref().map_or_else(|| quote!(_), |ty: &Type| quote!(#ty));
                self.declare(&rest[..colon], &shown, ty.as_ref(), names);
                true
            }
            [dot, TokenTree::Ident(word), rest @ ..] if is(dot, '.') => {
                let is_type = |pair: &[TokenTree]| match pair {
                    [dot, TokenTree::Ident(word)] if is(dot, '.') => rust_type(&word.to_string()),
                    _ => None,
                };
                let found =
                    rest.windows(2).enumerate().find_map(|(n, pair)| Some((n, is_type(pair)?)));
                let Some((n, ty)) = found else { return true };
                let rest = &rest[n + 2..];
                if word == "reg" {
                    self.declare(rest, &ty, None, names);
                } else if let [TokenTree::Ident(name), rest @ ..] = rest {
                    let mut ty = ty;
                    for extent in rest {
                        let TokenTree::Group(extent) = extent else { break };
                        let extent = extent.stream();
                        ty = if extent.is_empty() {
                            quote!([#ty])
                        } else {
                            quote!([#ty; { #extent }])
                        };
                    }
                    names.rust.extend(quote!(let #name: &#ty;));
                }
                true
            }
            _ => false,
        }
    }

    /// Declares the registers of a list: `%a, %b<4>`.
    fn declare(
        &mut self,
        list: &[TokenTree],
        shown: &TokenStream,
        ty: Option<&Type>,
        names: &mut Names,
    ) {
        for one in list.split(|token| is(token, ',')) {
            let is_marked = one.first().is_some_and(|token| is(token, '%'));
            let [TokenTree::Ident(name), rest @ ..] = &one[usize::from(is_marked)..] else {
                continue;
            };
            let several = match rest {
                [open, TokenTree::Literal(count), ..] if is(open, '<') => Some(count),
                _ => None,
            };
            let shown = match several.and_then(|count| count.to_string().parse::<usize>().ok()) {
                Some(count) => {
                    let count = Literal::usize_unsuffixed(count);
                    quote!([#shown; #count])
                }
                None => shown.clone(),
            };
            let local = quote!(let #name: #shown;);
            if is_marked {
                names.registers.extend(local);
            } else {
                names.rust.extend(local);
            }
            let (name, ty, is_several) = (name.clone(), ty.cloned(), several.is_some());
            self.registers.push(Register { is_marked, name, is_several, ty });
        }
    }
}

/// The type of Rust that looks most like a type of PTX.
fn rust_type(word: &str) -> Option<TokenStream> {
    Some(match word {
        "pred" => quote!(bool),
        "b8" | "u8" => quote!(u8),
        "b16" | "u16" | "f16" | "bf16" => quote!(u16),
        "b32" | "u32" | "f16x2" | "bf16x2" => quote!(u32),
        "b64" | "u64" => quote!(u64),
        "b128" => quote!(u128),
        "s8" => quote!(i8),
        "s16" => quote!(i16),
        "s32" => quote!(i32),
        "s64" => quote!(i64),
        "f32" => quote!(f32),
        "f64" => quote!(f64),
        _ => return None,
    })
}
