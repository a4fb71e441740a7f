//! The items of one function, beside it or inside it.

use proc_macro2::TokenStream;
use ptx_frontend::ast::{Function, Module};
use ptx_frontend::body::Body;
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, Ident};

use super::encoded::EncodedChecks;
use super::late::Late;
use super::parts::{allow_deprecated, conditions, with_items};
use super::span::{Inside, at};
use super::table::Table;

/// The number of constants in one item: each `offset_of!` among them makes rustc process the whole
/// item.
const NUMBERS_AT_ONCE: usize = 32;

/// The context of a function's items.
pub(super) struct OwnItems<'c> {
    pub(super) ptx: &'c TokenStream,
    pub(super) function: &'c Function,
    index: usize,
    pub(super) inside: Inside,
    /// The conditions under which the function exists.
    pub(super) of_function: Vec<Attribute>,
    /// The attributes of each check.
    pub(super) before: TokenStream,
    pub(super) late: &'c Late<'c>,
}

impl<'c> OwnItems<'c> {
    pub(super) fn new(
        ptx: &'c TokenStream,
        function: &'c Function,
        index: usize,
        module: &Module,
        late: &'c Late<'c>,
    ) -> Self {
        let inside = Inside::new(function.ident.span(), function.end, ptx);
        let of_function = conditions(&function.attrs);
        let before = allow_deprecated(module);
        let before = inside.moved(quote!(#(#of_function)* #before));
        Self { ptx, function, index, inside, of_function, before, late }
    }

    /// The name of an item of this function.
    pub(super) fn named(&self, what: &str) -> Ident {
        format_ident!("__PTX_{what}_OF_{}", self.index)
    }

    /// The name of a table of results.
    pub(super) fn checked(&self, n: usize) -> Ident {
        self.named(&format!("CHECKS_{n}"))
    }

    pub(super) fn checked_ty(&self) -> TokenStream {
        let ptx = self.ptx;
        quote!(#ptx::__private::Checks<'static>)
    }

    pub(super) fn accesses_ty(&self) -> TokenStream {
        let ptx = self.ptx;
        quote!(#ptx::rules::encoded::Accesses<'static>)
    }

    /// A check.
    pub(super) fn check(&self, check: &TokenStream) -> TokenStream {
        let before = &self.before;
        self.inside.moved(quote!(#before const _: () = { #check };))
    }

    /// A table.
    ///
    /// For a constant, rustc would validate everything that it refers to, including the locations of declarations,
    /// and so judge everything again whenever a line moves; for a static, it does not.
    pub(super) fn table(
        &self,
        conditions: &[Attribute],
        name: &Ident,
        ty: &TokenStream,
        value: &TokenStream,
    ) -> TokenStream {
        let of_function = &self.of_function;
        self.inside.moved(quote! {
            #(#of_function)*
            #(#conditions)*
            #[allow(
                deprecated, long_running_const_eval, unused, clippy::all,
                clippy::pedantic
            )]
            static #name: #ty = #value;
        })
    }

    /// A table of such rows, if there are any; spliced ones may name the function's own items.
    pub(super) fn rows(
        &self,
        of: &Table,
        ty: &TokenStream,
        is_spliced: bool,
    ) -> Option<TokenStream> {
        if of.rows.is_empty() {
            return None;
        }
        let rows = &of.rows;
        let rows = quote!(&[#(#rows),*]);
        let rows = if is_spliced { with_items(&self.function.items, rows) } else { rows };
        Some(self.table(&[], &of.name, &quote!(&[#ty]), &rows))
    }

    /// The table of the body's constants as numbers, after its parts.
    pub(super) fn constants(
        &self,
        name: &Ident,
        read: &Body,
        checks: &EncodedChecks,
    ) -> Vec<TokenStream> {
        let Self { ptx, inside, of_function, .. } = self;
        let items = &self.function.items;
        let numbers = read.constants.iter().enumerate().map(|(n, expr)| {
            let number = if checks.constants.contains(&n) {
                quote!(#ptx::__private::splice_whole(#expr))
            } else {
                quote!(#ptx::splice(#expr))
            };
            at(expr, number)
        });
        let numbers: Vec<TokenStream> = numbers.collect();
        let count = numbers.len();
        // The function's own items are repeated in each part.
        let at_once = if items.is_empty() { NUMBERS_AT_ONCE } else { count.max(1) };
        let (mut all, mut parts) = (Vec::new(), Vec::new());
        for (n, numbers) in numbers.chunks(at_once).enumerate() {
            let part = inside.name(&self.named(&format!("CONSTANTS_{n}")).to_string());
            let (ty, first) = (inside.path(&["Number"]), inside.first);
            let numbers = quote_spanned!(first=> &[#(#numbers),*]);
            let numbers = with_items(items, numbers);
            let numbers = if items.is_empty() { numbers } else { inside.moved(numbers) };
            // rustc reports the function's items that no constant names here.
            all.push(inside.item(quote_spanned! {first=>
                #(#of_function)*
                #[allow(deprecated, long_running_const_eval, clippy::all, clippy::pedantic)]
                const #part: &[#ty] = #numbers
            }));
            parts.push(part);
        }
        let numbers = quote!(&#ptx::rules::encoded::numbers::<#count>(&[#(#parts),*]));
        all.push(inside.moved(quote! {
            #(#of_function)*
            #[allow(deprecated, long_running_const_eval, unused, clippy::all, clippy::pedantic)]
            const #name: &[#ptx::Number] = #numbers;
        }));
        all
    }
}
