//! Tokens that are nested too deeply are rejected, and those that are not are parsed, on a stack of rustc's size.

use std::thread;

use proc_macro2::TokenStream;
use ptx_frontend::depth::{MOST_GROUPS, MOST_SIGNS};

/// The stack size of the thread in which rustc expands macros.
const STACK: usize = 8 << 20;

/// The errors reported for a module with this item.
fn reported(item: String) -> Vec<String> {
    let read = move || {
        let module: TokenStream = format!("mod m {{ {item} }}").parse().expect("these are tokens");
        let arena = ptx_frontend::Arena::new();
        let args: TokenStream = "target = sm_90a".parse().expect("these are tokens");
        let (_checked, errors) = ptx_frontend::module(args, module, &arena);
        errors.messages().collect()
    };
    thread::Builder::new()
        .stack_size(STACK)
        .spawn(read)
        .expect("there are threads")
        .join()
        .expect("it does not panic")
}

/// The name of the nested construct, and the source of an item with that many levels or terms of it.
type Form = (&'static str, fn(usize) -> String);

const FORMS: &[Form] = &[
    ("parentheses in a value", |n| {
        format!("#[constant] static C: u32 = {}1{};", "(".repeat(n), ")".repeat(n))
    }),
    ("brackets in a type", |n| {
        format!("#[global] static C: {}u32{};", "[".repeat(n), "; 1]".repeat(n))
    }),
    ("brackets in a value", |n| {
        format!("#[global] static C: u32 = {}1{};", "[".repeat(n), "]".repeat(n))
    }),
    ("parentheses in Rust", |n| format!("const C: u32 = {}1{};", "(".repeat(n), ")".repeat(n))),
    ("blocks in Rust", |n| format!("fn f() {}{}", "{".repeat(n), "}".repeat(n))),
    ("parentheses in a body", |n| {
        body(&format!("mov.u32 %r, {}1{};", "(".repeat(n), ")".repeat(n)))
    }),
    ("blocks in a body", |n| body(&format!("{}{}", "{".repeat(n), "}".repeat(n)))),
    ("parentheses in a constant of a body", |n| {
        body(&format!("mov.u32 %r, #({}1 + 1{});", "(".repeat(n), ")".repeat(n)))
    }),
];

const SUMS: &[Form] = &[
    ("a sum in a value", |n| format!("#[constant] static C: u32 = 1{};", " + 1".repeat(n))),
    ("a sum in Rust", |n| format!("const C: u32 = 1{};", " + 1".repeat(n))),
    ("signs", |n| format!("#[constant] static C: i32 = {}1;", "- ".repeat(n))),
    ("calls", |n| format!("#[constant] static C: u32 = f(){};", ".f()".repeat(n))),
    ("references", |n| format!("fn f(x: {}u32) {{}}", "& ".repeat(n / 4))),
    ("generics", |n| {
        format!("#[global] static C: {}u32{};", "A<".repeat(n / 5), "> ".repeat(n / 5))
    }),
    ("a path", |n| format!("#[global] static C: a{};", "::a".repeat(n))),
    ("a sum in a body", |n| body(&format!("mov.u32 %r, 1{};", " + 1".repeat(n)))),
    ("a sum in a constant of a body", |n| body(&format!("mov.u32 %r, #(1{});", " + 1".repeat(n)))),
];

fn body(text: &str) -> String {
    format!("#[kernel] fn k() {{ ptx! {{ .reg .b32 %r; {text} ret; }} }}")
}

fn is_about_depth(message: &str) -> bool {
    message.contains("brackets are nested here")
        || message.contains("operators; compute part of it")
}

#[test]
fn nesting_too_deeply_is_one_error() {
    for (forms, count) in [(FORMS, 1000), (SUMS, 2000), (FORMS, 100_000), (SUMS, 100_000)] {
        for (name, form) in forms {
            let found = reported(form(count));
            assert_eq!(found.len(), 1, "{name} {count}: {found:?}");
            assert!(is_about_depth(&found[0]), "{name} {count}: {found:?}");
        }
    }
}

#[test]
fn nesting_up_to_the_limit_is_parsed() {
    for (forms, count) in [(FORMS, MOST_GROUPS - 6), (SUMS, MOST_SIGNS - 10)] {
        for (name, form) in forms {
            let found = reported(form(count));
            assert!(!found.iter().any(|message| is_about_depth(message)), "{name}: {found:?}");
        }
    }
}
