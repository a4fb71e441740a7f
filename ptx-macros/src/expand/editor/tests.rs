use expect_test::{Expect, expect};
use proc_macro2::TokenStream;
use quote::quote;

use super::{Written, in_last_block, names};

fn check(module: TokenStream, expected: &Expect) {
    let text = names::of_module(TokenStream::new(), module).to_string();
    expected.assert_eq(&text.replace(" ;", ";\n").replace(" }", "\n}"));
}

#[test]
fn each_name_is_declared_and_used() {
    let module = quote! {
        mod m {
            #[shared]
            static S: Stages;
            #[kernel]
            fn k(a: Ptr<Global, Pair>, n: u32) {
                const N: usize = 4;
                ptx! {
                    let %i, %n: u32;
                    .reg .f32 %f<4>;
                    mov.u32 %i, %tid.x;
                NEXT:
                    @%p bra DONE;
                    for i in 0..N {
                        ld.shared.f32 %f3, [S.full[i % 2][%i].x + #(4 * N)];
                    }
                    lea.global.u64 %at, a[%i].x;
                DONE:
                    ret;
                }
            }
        }
    };
    check(
        module,
        &expect![[r#"
            # [allow (warnings)] const _ : () = { struct Label;
             fn __ptx_names () { const N : usize = 4;
             let a : Ptr < Global , Pair >;
             let n : u32;
             let NEXT : Label;
             let DONE : Label;
             let _ = & DONE;
             for i in 0 .. N { let _ = & S;
             let _ = & i;
             { let __ptx_place : & Stages = loop {
            };
             let _ = & __ptx_place . full [0] [0] . x;

            } let _ = (4 * N);

            } let _ = & a;
             { let __ptx_place : & Pair = loop {
            };
             let _ = & __ptx_place . x;

            }
            } fn __ptx_registers () { const N : usize = 4;
             let i : u32;
             let n : u32;
             let f : [f32;
             4];
             let _ = & i;
             let _ = & p;
             { let _ = & f;
             let _ = & i;

            } let _ = & at;
             let _ = & i;

            }
            };
        "#]],
    );
}

#[test]
fn half_a_body_is_read_as_far_as_it_goes() {
    let module = quote! {
        mod m {
            #[kernel]
            fn k(src: u32) { ptx! { let %a, %: u32; let ; .reg; .reg .f32 %f<; for ; @ ; @%; #; mov.u32 %a, [sr] } }
        }
    };
    check(
        module,
        &expect![[r#"
        # [allow (warnings)] const _ : () = { struct Label;
         fn __ptx_names () { let src : u32;
         let _ = & sr;

        } fn __ptx_registers () { let a : u32;
         let f : f32;
         let _ = & a;

        }
        };
    "#]],
    );
}

#[test]
fn every_cut_of_a_body_is_read() {
    let body: Vec<_> = quote! {
        let %i, %n: u32; .reg .f32 %f<4>; .shared .align 4 .b8 buffer[64];
        for i in 0..4 { ld.shared.v2.f32 {%f0, %f1}, [S.full[i % 2].x + #(4 * N)]; }
        @!%p bra $L; if N > 1 { ret; } else { call (%i), a::b, (%n); } $L: { ret; }
    }
    .into_iter()
    .collect();
    for start in 0..body.len() {
        for end in start..body.len() {
            let part = body[start..=end].iter().cloned().collect::<TokenStream>();
            names::of_module(
                TokenStream::new(),
                quote!(
                    mod m {
                        #[kernel]
                        fn k() {
                            ptx! { #part }
                        }
                    }
                ),
            );
        }
    }
}

#[test]
fn names_follow_inner_attributes() {
    let items = quote!(
        mod m {
            #![allow(unused)]
            fn f() {}
        }
    );
    let all = in_last_block(
        items,
        quote!(
            const _: () = ();
        ),
    )
    .to_string();
    assert_eq!(
        all,
        quote!(
            mod m {
                #![allow(unused)]
                const _: () = ();
                fn f() {}
            }
        )
        .to_string()
    );
}

#[test]
fn a_token_at_the_place_of_another_loses_it() {
    let written: TokenStream = "\n\n  TAPS".parse().unwrap();
    let span = written.clone().into_iter().next().unwrap().span();
    let table = Written::new(&written);
    let kept = table.keep(quote::quote_spanned!(span=> TAPS ptx));
    let spans: Vec<String> = kept.into_iter().map(|it| format!("{:?}", it.span())).collect();
    assert_eq!(spans[0], format!("{span:?}"));
    assert_ne!(spans[1], format!("{span:?}"));
}
