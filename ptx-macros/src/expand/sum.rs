//! Numbers that depend on Rust constants, as rustc computes them.

use proc_macro2::TokenStream;
use ptx_frontend::analysis::{Condition, Linear, Sum};
use ptx_frontend::ir::body::Amount;
use quote::{format_ident, quote};
use syn::Ident;

use super::parts::option;
use super::span::at;
use super::variant::variant;

/// Writes numbers that depend on the constants of a body.
#[derive(Clone, Copy)]
pub(super) struct Sums<'m> {
    pub(super) ptx: &'m TokenStream,
    /// The constants, in order.
    pub(super) constants: &'m [TokenStream],
}

impl Sums<'_> {
    /// Whether conditions on Rust constants hold, and a key that is the same for equal conditions.
    pub(super) fn conditions(&self, conditions: &[Condition]) -> (TokenStream, String) {
        let ptx = self.ptx;
        let key = format!("{conditions:?}");
        let holds = conditions.iter().map(|condition| {
            let Condition { one, comparison, other, bits, is_signed } = condition;
            let comparison = variant(comparison);
            // Registers may hold the bits of other numbers, about which nothing is known.
            let are_whole = one.products.iter().chain(&other.products).flat_map(|product| {
                product.of.iter().map(|constant| {
                    let expr = &self.constants[*constant];
                    at(expr, quote!(#ptx::__private::is_whole(#expr)))
                })
            });
            let whole = format_ident!("whole");
            let (one, other) = (self.sum_by(one, &whole), self.sum_by(other, &whole));
            quote! {
                #(#are_whole &&)* #ptx::__private::holds(
                    #one, #ptx::rules::Comparison::#comparison, #other, #bits, #is_signed,
                )
            }
        });
        let all = holds.reduce(|all, next| quote!(#all && #next));
        (all.unwrap_or_else(|| quote!(true)), key)
    }

    fn amount(&self, amount: &Amount) -> TokenStream {
        let ptx = self.ptx;
        match amount {
            Amount::Known(value) => quote!(#value),
            Amount::Constant(n) => {
                let expr = &self.constants[*n];
                at(expr, quote!(#ptx::__private::to_i128(#expr)))
            }
            Amount::Unknown => quote!(0),
        }
    }

    /// A number of bytes, if it is known.
    pub(super) fn size(&self, amount: &Amount) -> TokenStream {
        let ptx = self.ptx;
        option(match amount {
            Amount::Known(value) => usize::try_from(*value).ok().map(|value| quote!(#value)),
            Amount::Constant(n) => {
                let expr = &self.constants[*n];
                Some(at(expr, quote!(#ptx::__private::to_usize(#expr))))
            }
            Amount::Unknown => None,
        })
    }

    pub(super) fn halo(&self, amount: &Amount) -> TokenStream {
        let (ptx, value) = (self.ptx, self.amount(amount));
        quote!(#ptx::__private::to_u32(#ptx::__private::to_usize(#value)))
    }

    pub(super) fn sum(&self, sum: &Sum) -> TokenStream {
        self.sum_by(sum, &format_ident!("to_i128"))
    }

    /// A sum in which this function converts each constant to a number.
    fn sum_by(&self, sum: &Sum, number: &Ident) -> TokenStream {
        let (ptx, known) = (self.ptx, sum.known);
        let products = sum.products.iter().map(|product| {
            let times = product.times;
            let factors = product.of.iter().map(|constant| {
                let expr = &self.constants[*constant];
                at(expr, quote!(#ptx::__private::#number(#expr)))
            });
            let first = (times != 1).then(|| quote!(#times));
            let product = first.into_iter().chain(factors);
            product.reduce(|all, factor| quote!(#ptx::__private::times(#all, #factor)))
        });
        let first = (known != 0 || sum.products.is_empty()).then(|| quote!(#known));
        let all = first.into_iter().chain(products.flatten());
        all.reduce(|all, product| quote!(#ptx::__private::plus(#all, #product)))
            .unwrap_or_else(|| quote!(0))
    }

    /// The known part, and the step that is added any number of times.
    pub(super) fn linear(&self, linear: &Linear) -> (TokenStream, TokenStream) {
        let ptx = self.ptx;
        let (known, unknown) = linear.step();
        let first = (known != 0 || unknown.is_empty()).then(|| quote!(#known));
        let unknown = unknown.into_iter().map(|step| {
            let sum = self.sum(step);
            quote!(#ptx::__private::to_step(#sum))
        });
        let steps = first.into_iter().chain(unknown);
        let step = steps.reduce(|all, step| quote!(#ptx::rules::gcd(#all, #step)));
        let (base, bits) = (self.sum(&linear.base), linear.bits);
        let base = if bits == 0 { base } else { quote!(#ptx::__private::signed_in(#base, #bits)) };
        (base, step.unwrap_or_else(|| quote!(0)))
    }
}
