//! `assembles!`.

use proc_macro2::TokenStream;
use ptx_frontend::assembles::{Assembles, test_name};
use quote::quote;

use super::facade::facade;
use super::span::at;
use super::variant::variant;

/// A test for each module.
pub(crate) fn expand_assembles(assembles: &Assembles) -> TokenStream {
    let ptx = &facade(None);
    let Assembles { modules, targets, demands } = assembles;
    let targets: Vec<TokenStream> = targets
        .iter()
        .map(|target| {
            let target = variant(target);
            quote!(#ptx::Target::#target)
        })
        .collect();
    let demands: Vec<TokenStream> = demands
        .iter()
        .map(|(resource, comparison, amount)| {
            let (resource, comparison) = (variant(resource), variant(comparison));
            let amount = at(amount, quote!(#ptx::__private::to_usize(#amount)));
            quote!(#ptx::Demand::new(
                #ptx::Resource::#resource, #ptx::rules::Comparison::#comparison, #amount,
            ))
        })
        .collect();
    let tests = modules.iter().map(|module| {
        let name = test_name(module);
        let assert = quote! {
            #ptx::__private::assert_assembles(&#module::MODULE, &[#(#targets),*], &[#(#demands),*])
        };
        let assert = at(module, assert);
        quote! {
            #[::core::prelude::v1::test]
            fn #name() {
                #assert
            }
        }
    });
    quote!(#(#tests)*)
}
