//! The grammar of `ptx` modules.
//!
//! Tokens become an [AST](ast), the only place with spans; the AST becomes
//! [IR](ptx_types::ir) with unknowns where a Rust type or constant decides; the
//! [rules](ptx_types::rules) judge the IR, and their violations are reported at the blamed tokens.
//!
//! An ordinary library over `proc_macro2` tokens: the macros call it, and so can tests and fuzzers.

pub mod address;
pub mod args;
pub mod ast;
mod attribute;
pub mod body;
mod check;
mod contract;
pub mod derive;
mod errors;
pub mod group;
mod hazards;
pub mod integer;
mod name;
mod near;
mod parse;
mod piece;
pub mod tensor_map;
mod types;
mod values;

pub use check::is_family;
pub use errors::Errors;
pub use hazards::is_of_declarations;
pub use name::ptx_name;
pub use parse::parse_module;
pub use ptx_types::__private::{JUDGED_AT_ONCE, rounds};
pub use ptx_types::Space;
pub use ptx_types::ir::FunctionKind;
pub use ptx_types::rules::alignment::Demands;
pub use ptx_types::rules::{AddressKind, POINTED, Settled};
pub use ptx_types::tensor;

/// Stands in for a target that is missing or wrong, which was reported.
pub const FALLBACK_TARGET: ptx_types::Target = ptx_types::Target::Sm90a;

/// Reads the arguments and the item of `#[ptx::module]`, and asks every rule that can be answered
/// from the tokens alone.
///
/// What could be read is returned beside the errors, so that the items can still be produced; there
/// is no module only if the item is none.
pub fn module(
    args: proc_macro2::TokenStream,
    item: proc_macro2::TokenStream,
) -> (Option<ast::Module>, Errors) {
    let mut errors = Errors::default();
    let mut module = parse_module(args, item, &mut errors);
    if let Some(module) = &mut module {
        check::check_module(module, &mut errors);
    }
    (module, errors)
}
