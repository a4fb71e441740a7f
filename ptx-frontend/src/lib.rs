//! For tools that read Rust files with modules of `ptx`, as its macros do: the grammar of the modules.
//!
//! Tokens become an [AST](ast), the only place with spans; the AST becomes
//! [IR](ptx_isa::ir) with unknowns where a Rust type or constant decides; the
//! [rules](ptx_isa::rules) and the [analysis] check the IR, and their findings are
//! reported at the spans of the tokens at fault.
//!
//! This is an ordinary library over `proc_macro2` tokens, which tests and fuzzers can call just as the macros do.
//! The [grammar of bodies](ptx_text::body) and the [messages of findings](ptx_text::message) are those of PTX text.

#![forbid(unsafe_code)]

pub mod address;
pub mod args;
pub mod assembles;
pub mod ast;
mod attribute;
pub mod body;
mod check;
mod contract;
pub mod depth;
pub mod derive;
mod errors;
mod example;
mod foreign;
pub mod fragment;
pub mod group;
mod hazards;
pub mod import;
pub mod instance;
pub mod integer;
mod integers;
mod name;
mod others;
pub mod padded;
mod parse;
pub mod structs;
mod suffix;
pub mod tensor_map;
mod tiles;
mod types;
mod values;

pub use check::{
    AllUnused, Assumed, Checked, CheckedBody, OtherKernel, Unused, is_family, location, tokens_over,
};
pub use errors::Errors;
pub use name::ptx_name;
use parse::With;
pub use parse::parse_module;
pub use ptx_analysis as analysis;
pub use ptx_isa::__private::{CHECKED_AT_ONCE, rounds};
pub use ptx_isa::ir;
pub use ptx_isa::ir::FunctionKind;
pub use ptx_isa::rules::alignment::Demands;
pub use ptx_isa::rules::encoded;
pub use ptx_isa::rules::{
    AccessForm, AddressKind, Computed, LaunchCondition, POINTED, Reached, Settled,
};
pub use ptx_isa::sorted;
pub use ptx_isa::special::special_register;
pub use ptx_isa::tensor;
pub use ptx_isa::{Class, Opaque, ScalarType, Space};
pub use ptx_text::FALLBACK_TARGET;
pub use ptx_text::codes::is_of_declarations;

/// The arena that holds what is parsed from a module.
pub use bumpalo::Bump as Arena;

/// Parses the arguments and the item of `#[ptx::module]`, and checks every rule that can be decided
/// from the tokens alone.
///
/// Whatever could be parsed is returned beside the errors, so that the items can still be generated; the
/// module is `None` only if the item is not a module.
pub fn module(
    args: proc_macro2::TokenStream,
    item: proc_macro2::TokenStream,
    arena: &Arena,
) -> (Option<Checked<'_>>, Errors) {
    name::forget_dollar_crates();
    let mut errors = Errors::default();
    if depth::refuse_deep(&args, &mut errors) || depth::refuse_deep(&item, &mut errors) {
        return (None, errors);
    }
    let written = (args.clone(), item.clone());
    let parse = |target: usize, item: proc_macro2::TokenStream, errors: &mut Errors| {
        parse::parse_with(written.0.clone(), item, With { target, ..With::default() }, errors)
    };
    let module = match parse_module(args, item, &mut errors) {
        // The module is read again, together with the fragments.
        Some(mut module) => {
            let paths = others::wanted(&mut module, &written.1, parse);
            if !paths.is_empty() {
                let wanting = fragment::wanting_module(&written.0, &written.1, paths);
                return (Some(Checked::wanting(module, wanting)), Errors::default());
            }
            Some(module)
        }
        None => None,
    };
    let mut checked = module.map(|module| check::check_module(module, arena, &mut errors));
    if let Some(checked) = &mut checked {
        others::check_others(checked, &written.1, parse, arena, &mut errors);
    }
    if let Some(checked) = &mut checked
        && !errors.is_empty()
    {
        // The user of an import may be among the parts that could not be parsed.
        checked.module.attrs.push(syn::parse_quote!(#[allow(unused_imports)]));
    }
    errors.merge_instances();
    (checked, errors)
}

/// Runs the README's example as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
