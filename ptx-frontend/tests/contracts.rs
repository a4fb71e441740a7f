//! The launch contract of a kernel, and its `#[readonly]` pointers, in the syntax
//! tree.

use std::str::FromStr;

use proc_macro2::TokenStream;
use ptx_frontend::ast::{Function, Item};
use quote::ToTokens;

/// The only function of a module with this text, which must not have errors.
fn function(text: &str) -> Box<Function> {
    let tokens = |text: &str| TokenStream::from_str(text).expect("tokens");
    let item = tokens(&format!("mod m {{ use super::*; {text} }}"));
    let arena = ptx_frontend::Arena::new();
    let (module, errors) = ptx_frontend::module(tokens("target = sm_90a"), item, &arena);
    assert_eq!(errors.len(), 0, "{text}");
    let functions =
        module.expect("a module").module.items.into_iter().find_map(|item| match item {
            Item::Function(function) => Some(function),
            Item::Variable(_) | Item::Rust(_) => None,
        });
    functions.expect("a function")
}

fn kernel(args: &str) -> Box<Function> {
    function(&format!("#[kernel({args})] fn k(n: u32, m: u32) {{ ptx! {{ ret; }} }}"))
}

#[test]
fn conditions_keep_their_order() {
    let contract = kernel("requires(n >= m, n % 4 == 0,)").contract;
    let texts: Vec<String> =
        contract.requires.iter().map(|expr| expr.to_token_stream().to_string()).collect();
    assert_eq!(texts, ["n >= m", "n % 4 == 0"]);
    assert!(contract.grid.is_none() && contract.vouched.is_none());
}

#[test]
fn a_grid_is_a_value_or_a_tuple() {
    for (text, expected) in [
        ("n.div_ceil(256)", "n . div_ceil (256)"),
        ("(n)", "(n)"),
        ("(n,)", "(n ,)"),
        ("(n, m, 1)", "(n , m , 1)"),
    ] {
        let contract = kernel(&format!("grid = {text}")).contract;
        let grid = contract.grid.expect("a grid").to_token_stream().to_string();
        assert_eq!(grid, expected);
        assert!(contract.requires.is_empty() && contract.vouched.is_none());
    }
}

#[test]
fn safe_launch_can_be_combined_with_directives() {
    let kernel = kernel("maxntid = 256, requires(n > 0), unsafe(safe_launch), grid = n");
    let contract = kernel.contract;
    assert_eq!(contract.requires.len(), 1);
    assert!(contract.grid.is_some() && contract.vouched.is_some());
    assert_eq!(kernel.directives.len(), 1);
}

#[test]
fn the_default_contract_is_empty() {
    for contract in [
        kernel("").contract,
        function("#[device] fn f(n: Reg<u32>) { ptx! { ret; } }").contract,
        function("#[kernel(extern)] fn k(n: u32);").contract,
    ] {
        assert!(contract.requires.is_empty());
        assert!(contract.grid.is_none() && contract.vouched.is_none());
    }
}

#[test]
fn only_marked_pointers_are_readonly() {
    let kernel = function(
        "#[kernel] fn k(#[readonly] src: Ptr<Global, f32>, dst: Ptr<Global, f32>, #[readonly] late: P) {
            ptx! { ret; }
        }",
    );
    let readonly: Vec<bool> = kernel.params.iter().map(|param| param.readonly.is_some()).collect();
    assert_eq!(readonly, [true, false, true]);
}

/// The number of elements that a contract grants of `to`.
fn granted(args: &str) -> Option<usize> {
    let params = "to: Ptr<Global, u32>, from: Ptr<Global, u32>, n: u32";
    let kernel = function(&format!("#[kernel({args})] fn k({params}) {{ ptx! {{ ret; }} }}"));
    kernel.contract.elements(&proc_macro2::Ident::new("to", proc_macro2::Span::call_site()))
}

#[test]
fn conditions_grant_elements() {
    for (args, elements) in [
        ("requires(to.len() == 0)", Some(0)),
        ("requires(to.len() < 1)", Some(0)),
        ("requires(to.len() == 64)", Some(64)),
        ("requires(to.len() <= 64), grid = to.len() / 128", Some(64)),
        ("requires(to.len() >= 64)", Some(64)),
        ("requires(to.len() >= 64), grid = n", Some(64)),
        ("requires(to.len() >= 64, to.len() % 128 == 0)", None),
        // No launch has an empty grid.
        ("requires(to.len() >= 64), grid = to.len() / 128", None),
        // Another condition has the number.
        ("requires(n == 64, to.len() == n)", Some(64)),
        ("requires(to.len() == n && 64 == n)", Some(64)),
        ("requires(to.len() == from.len(), from.len() == 64)", Some(64)),
        ("requires(to.len() >= from.len(), from.len() == 64)", Some(64)),
        ("requires(to.len() == from.len(), from.len() >= 64)", None),
        ("requires(to.len() == n, n >= 64)", None),
    ] {
        assert_eq!(granted(args), elements, "{args}");
    }
}

/// Behind a pointer to nothing, every access is out of bounds.
#[test]
fn a_contract_may_grant_no_element() {
    for (args, count) in [
        ("requires(to.len() == 0)", 1),
        ("requires(to.len() < 1)", 1),
        ("requires(to.len() == 1)", 0),
    ] {
        let tokens = |text: &str| TokenStream::from_str(text).expect("tokens");
        let body =
            ".reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [to]; ld.global.u32 %r, [%d]; ret;";
        let kernel =
            format!("#[kernel({args})] fn k(to: Ptr<Global, u32>) {{ ptx! {{ {body} }} }}");
        let item = tokens(&format!("mod m {{ use super::*; {kernel} }}"));
        let arena = ptx_frontend::Arena::new();
        let (_, errors) = ptx_frontend::module(tokens("target = sm_90a"), item, &arena);
        assert_eq!(errors.len(), count, "{args}");
    }
}

/// The constants of the module are numbers of a contract, unless something else may have their name or their value.
#[test]
fn a_contract_counts_in_constants_of_the_module() {
    for (items, args, count) in [
        ("const N: usize = 2;", "requires(to.len() == N)", 1),
        ("const N: usize = 3;", "requires(to.len() == N)", 0),
        ("const N: usize = 2;", "requires(N == to.len())", 1),
        ("const HALF: usize = 1; const N: usize = HALF * 2;", "requires(to.len() <= N)", 1),
        ("const N: u32 = 3;", "requires(to.len() < N as usize)", 1),
        ("const N: u32 = 3;", "requires(to.len() == n, n == N - 1)", 1),
        ("const N: usize = 2;", "requires(to.len() == N * 2)", 0),
        // Whatever this is, and a parameter of that name.
        ("const N: usize = size_of::<T>();", "requires(to.len() == N)", 0),
        ("#[cfg(a)] const N: usize = 2;", "requires(to.len() == N)", 0),
        ("const n: u32 = 2;", "requires(to.len() == n as usize)", 0),
    ] {
        let tokens = |text: &str| TokenStream::from_str(text).expect("tokens");
        let body =
            ".reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [to]; ld.global.u32 %r, [%d + 8]; ret;";
        let kernel =
            format!("#[kernel({args})] fn k(to: Ptr<Global, u32>, n: u32) {{ ptx! {{ {body} }} }}");
        let item = tokens(&format!("mod m {{ use super::*; {items} {kernel} }}"));
        let arena = ptx_frontend::Arena::new();
        let (_, errors) = ptx_frontend::module(tokens("target = sm_90a"), item, &arena);
        assert_eq!(errors.len(), count, "{items} {args}");
    }
}
