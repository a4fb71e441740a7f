//! The places of a module's parts in the text.

use ptx_isa::ir::Site;
use ptx_isa::ir::body::TokenRange;
use ptx_text::Parsed;

/// Declarations are found at their names, and statements at their tokens.
#[test]
fn parts_of_a_module_are_located() {
    let text = ".version 8.0 .target sm_90 .address_size 64 .global .u32 x;
        .entry k(.param .u32 p) { .reg .b32 %r<3>; @%p1 ld.param.u32 /* p */ %r1, [ p ]; ret; }";
    let parsed = Parsed::new(text);
    let at = |site| &text[parsed.locate(site)];
    let tokens = |statement, first, last| {
        let tokens = TokenRange { first, last };
        Site::Tokens { function: 0, statement, tokens }
    };
    assert_eq!(at(Site::Variable(0)), "x");
    assert_eq!(at(Site::Function(0)), "k");
    assert_eq!(at(Site::Param { function: 0, param: 0 }), "p");
    assert_eq!(at(Site::Local { function: 0, local: 0 }), "%r");
    assert_eq!(at(tokens(1, 2, 4)), "ld.param.u32");
    assert_eq!(at(tokens(1, 0, 9)), "@%p1 ld.param.u32 /* p */ %r1, [ p ]");
    assert_eq!(at(tokens(2, 0, 0)), "ret");
    for absent in [Site::Variable(1), Site::Function(1), Site::Param { function: 7, param: 0 }] {
        assert_eq!(parsed.locate(absent), 0..0);
    }
}
