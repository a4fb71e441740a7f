//! The cost of the expansion of each kind of declaration and access: the bodies that rustc checks and
//! evaluates, and the bytes of its text. These are counts, which are the same on every machine, not times;
//! any increase here costs every user's build.

use std::fmt::Write as _;

use expect_test::expect;
use proc_macro2::{TokenStream, TokenTree};

use super::expand_module;

/// The rest of the module, which is not counted.
const BASE: &str = "
    #[shared(align = 16)] static KNOWN: [f32; 64];
    #[shared] static LATE: Row;
    #[global] static TARGET: u32;
";

/// A kernel with this body.
fn kernel(body: &str) -> String {
    format!("#[kernel] pub fn k() {{ ptx! {{ .reg .b32 %r<9>; .reg .f32 %f<9>; {body} ret; }} }}")
}

/// The constants, including inline ones, statics and functions of a module, and the bytes of its text.
fn counts(items: &str) -> [usize; 4] {
    let source = format!("pub mod m {{ use super::*; {BASE} {items} }}");
    let args = "target = sm_90a, crate = ptx".parse().expect("tokens");
    let arena = ptx_frontend::Arena::new();
    let (module, errors) = ptx_frontend::module(args, source.parse().expect("tokens"), &arena);
    assert!(errors.is_empty(), "{items}: {}", errors.to_compile_errors());
    let tokens = expand_module(module.expect("it was read"));
    let mut counts = [0, 0, 0, tokens.to_string().len()];
    count(tokens, &mut counts);
    counts
}

fn count(tokens: TokenStream, counts: &mut [usize; 4]) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => count(group.stream(), counts),
            TokenTree::Ident(ident) if ident == "const" => {
                let is_fn = matches!(tokens.peek(), Some(TokenTree::Ident(next)) if next == "fn");
                counts[0] += usize::from(!is_fn);
            }
            TokenTree::Ident(ident) if ident == "static" => counts[1] += 1,
            TokenTree::Ident(ident) if ident == "fn" => counts[2] += 1,
            // The name of a lifetime is not a keyword.
            TokenTree::Punct(punct) if punct.as_char() == '\'' => drop(tokens.next()),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[test]
fn each_kind_costs_what_it_did() {
    let empty = kernel("");
    let access = kernel("ld.shared.f32 %f0, [LATE];");
    let kinds: [(&str, &str, String); 16] = [
        ("a scalar", "", "#[global] pub static X: u32;".to_owned()),
        ("a scalar with a value", "", "#[global] pub static X: u32 = 1;".to_owned()),
        ("a vector", "", "#[global] pub static X: V4<f32>;".to_owned()),
        ("an array", "", "#[shared(align = 16)] static X: [[V4<f32>; 8]; 2];".to_owned()),
        ("an array with a value", "", "#[constant] static X: [f32; 2] = [0.5, 1.0];".to_owned()),
        ("a type that rustc knows", "", "#[shared] static X: Stages;".to_owned()),
        ("a length that rustc knows", "", "#[shared] static X: [f32; N];".to_owned()),
        ("dynamic shared memory", "", "#[shared(dynamic)] static X: [f32];".to_owned()),
        ("an address as a value", "", "#[global] static X: u64 = generic(TARGET);".to_owned()),
        ("a kernel", "", empty.clone()),
        ("a parameter", &empty, empty.replace("k()", "k(n: u32)")),
        ("a pointer parameter", &empty, empty.replace("k()", "k(p: Ptr<Global, f32>)")),
        ("an access that tokens tell", &empty, kernel("ld.shared.f32 %f0, [KNOWN + 4];")),
        ("an access that rustc checks", &empty, access.clone()),
        (
            "one more like it",
            &access,
            kernel("ld.shared.f32 %f0, [LATE]; ld.shared.f32 %f1, [LATE];"),
        ),
        (
            "one more at a Rust constant",
            &access,
            kernel("ld.shared.f32 %f0, [LATE]; ld.shared.f32 %f1, [LATE + #(4 * N)];"),
        ),
    ];
    let mut table = String::from("constants statics functions bytes\n");
    for (what, base, items) in kinds {
        let (with, without) = (counts(&items), counts(base));
        let [constants, statics, functions, bytes] =
            [0, 1, 2, 3].map(|n| with[n].saturating_sub(without[n]));
        writeln!(table, "{constants:>9} {statics:>7} {functions:>9} {bytes:>5} {what}")
            .expect("a string takes it");
    }
    expect![[r#"
        constants statics functions bytes
                1       1         0   379 a scalar
                2       1         0   458 a scalar with a value
                1       1         0   390 a vector
                2       2         0   535 an array
                3       2         0   524 an array with a value
                2       2         0   417 a type that rustc knows
                2       2         0   415 a length that rustc knows
                1       1         0   485 dynamic shared memory
                5       1         1  1719 an address as a value
                8       2         3  2307 a kernel
                2       0         1   731 a parameter
                2       0         1   833 a pointer parameter
                0       0         0    92 an access that tokens tell
                1       5         0  3048 an access that rustc checks
                1       0         0   293 one more like it
                2       0         0   554 one more at a Rust constant
    "#]]
    .assert_eq(&table);
}
