//! Modules with thousands of items in long reference chains are checked in linear time. With a walk from each
//! item to everything that it reaches, this test would take minutes.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use ptx_frontend::{Arena, Checked, module};

const LINKS: usize = 3_000;

/// Checks a module of these items, which must not have errors.
fn checked<'a>(items: &str, arena: &'a Arena) -> Checked<'a> {
    let tokens = |text: &str| text.parse::<TokenStream>().expect("these are tokens");
    let item = tokens(&format!("mod chain {{ {items} }}"));
    let (checked, errors) = module(tokens("target = sm_90a"), item, arena);
    assert!(errors.is_empty(), "{}", errors.to_compile_errors());
    checked.expect("it is a module")
}

#[test]
fn calls() {
    let mut items = String::from("#[shared(dynamic)] static SMEM: [u32];");
    items.push_str("#[kernel] fn start() { ptx! { call f0; ret; } }");
    for i in 1..LINKS {
        let _ = write!(items, "#[device] fn f{}() {{ ptx! {{ call f{i}; ret; }} }}", i - 1);
    }
    let last = LINKS - 1;
    let _ = write!(
        items,
        "#[device] fn f{last}() {{ ptx! {{ .shared .u32 own; .reg .u32 %r; mov.u32 %r, SMEM; \
         mov.u32 %r, own; ret; }} }}"
    );
    let arena = Arena::new();
    let checked = checked(&items, &arena);
    let (_, start) = checked.body(1).expect("the kernel has a body");
    assert_eq!(start.called, (1..=LINKS).collect::<Vec<_>>());
    assert_eq!(start.uses.len(), 1, "the kernel takes what the last function names");
}

#[test]
fn statics() {
    let mut items = String::from("use super::*;");
    for i in 1..LINKS {
        let _ = write!(items, "#[global] static P{}: Ptr<Generic, u64> = generic(P{i});", i - 1);
    }
    let _ = write!(items, "#[global] static P{}: u64 = 0;", LINKS - 1);
    let arena = Arena::new();
    assert!(!checked(&items, &arena).module.refused);
}
