use ptx_text::{Diagnostic, Parsed};

use super::*;

/// A small example of nvcc's output.
const PTX: &str = r"
// a comment
.version 9.0
.target sm_90a, debug
.address_size 64
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
.func (.param .align 16 .b8 func_retval0[24]) make();
.extern .entry elsewhere(.param .u32 elsewhere_param_0) .maxntid 32;
.extern .shared .align 16 .b8 smem[];
.extern .shared .u32 theirs[4];
.global .align 1 .b8 $str[4] = {97, 98};
.global .align 8 .u64 names[2] = {generic($str), generic($str)+1};
.visible .entry k(.param .u64 .ptr .global .align 1 k_param_0, .param .align 8 .b8 k_param_1[24])
.maxntid 32, 1, 1 .explicitcluster
{
	.reg .b32 %r<2>;
	.loc 1 2 3
	{ mov.u32 %r1, 1; }
	st.v2.b32 [%r1], {%r1, %r2};
	ret; // the end
}
.func (.param .b32 func_retval0) va(.param .align 8 .b8 %VAParam[]) { ld.param.u32 %r1, [%VAParam]; ret; }
.func (.param .align 16 .b8 func_retval0[24]) make() .noreturn { ret; }
.section .debug_abbrev { .b8 1 }
";

#[test]
fn what_nvcc_writes() {
    let mut allowed = Allowances::default();
    assert!(allowed.add("k", "A021") && !allowed.add("k", "A021"));
    let converted = convert(PTX, "m", &allowed).expect("it is PTX");
    let text = &converted.text;
    for part in [
        "#[ptx::module(target = sm_90a, version = \"9.0\")]\npub mod m {",
        "#[device(extern, returns(func_retval0))]\n    fn vprintf(",
        "#[kernel(extern)]\n    fn elsewhere(\n        elsewhere_param_0: u32,\n    );\n",
        "#[shared(dynamic, align = 16)]\n    static smem: [B8];",
        "#[shared(extern)]\n    static theirs: [u32; 4];",
        "#[unsafe(export_name = \"$str\")]\n    #[global]\n    static _S_str: [B8; 4] = [B8(97), B8(98), B8(0), B8(0)];",
        "static names: [u64; 2] = [generic(_S_str), generic(_S_str) + 1];",
        "#[kernel(maxntid = (32, 1, 1), explicitcluster, allow(A021))]\n    pub fn k(\n        k_param_0: Ptr<Global, B8, U1>,\n        #[align(8)] k_param_1: [B8; 24],\n    ) {",
        "            { mov.u32 %r1, 1; }\n            st.v2.b32 [%r1], {%r1, %r2};\n            ret;\n",
        "        #[align(8)] _P_VAParam: [B8],\n    ) -> B32 {\n        ptx! {\n            ld.param.u32 %r1, [_P_VAParam]; ret;\n",
        "#[device(noreturn, returns(#[align(16)] func_retval0))]\n    fn make() -> [B8; 24] {",
    ] {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
    assert_eq!(text.matches("fn make").count(), 1);
    let line =
        |part: &str| text.lines().position(|line| line.contains(part)).map_or(0, |at| at + 1);
    assert_eq!(converted.item_at(line("st.v2.b32")), Some("k"));
    assert_eq!(converted.item_at(line("shared(dynamic")), Some("smem"));
    assert_eq!(converted.item_at(line("export_name")), Some("_S_str"));
    assert_eq!(
        converted.left_out,
        ["`debug` of `.target`", "`maxntid = 32` of `elsewhere`, which is elsewhere"]
    );
}

#[test]
fn errors_give_the_line() {
    for (text, expected) in [
        ("\n.func f() { ret; } .func g();\n.alias g, f;", "line 3: `.alias` has no form in Rust"),
        ("\n/*\n*/ .global .u32 x", "line 3: this statement has no end; write `;` after it"),
        (".visible .entry k( {", "line 1: nothing closes this `(`"),
        (
            ".global .u32 x = {1};",
            "line 1: in the value of `x`: expected a number, but found a list",
        ),
        (".func f() {\nret;; }", "line 2: PTX has no empty statement"),
        (".global .u32 x;\n.global .f32 x;", "line 1: `x` is declared in several ways"),
        (".func f() { ret; } .func f() { ret; }", "line 1: `f` has two bodies"),
    ] {
        let text = format!(".version 9.0 .target sm_90 {text}");
        let error = convert(&text, "m", &Allowances::default()).expect_err(&text);
        assert!(error.contains(expected), "{error}\nis not\n{expected}");
    }
    let error = convert(".version 9.0", "m", &Allowances::default()).expect_err("no target");
    assert!(error.starts_with("line 1: expected `.target` after `.version`"), "{error}");
}

#[test]
fn truncated_text_is_an_error_and_not_a_panic() {
    for (end, _) in PTX.char_indices() {
        let _ = convert(&PTX[..end], "m", &Allowances::default());
        let _ = convert(&format!("{}é{}", &PTX[..end], &PTX[end..]), "m", &Allowances::default());
    }
}

/// ptxas would confuse the two (D077), also in bodies that the converter writes.
#[test]
fn parameters_are_not_named_like_functions() {
    let ptx = ".version 8.0 .target sm_90 .func a_S_b() { ret; }\n\
        .entry k(.param .u32 k, .param .u32 f, .param .u32 a$b, .param .u32 type)\n\
        { ld.param.u32 f_, [f]; ld.param.u32 r, [a$b]; ld.param.u32 r, [type]; }\n\
        .func (.param .b32 r) f(.param .u32 _) { call a_S_b; call f; }\n";
    let converted = convert(ptx, "m", &Allowances::default()).expect("it is PTX");
    for part in [
        "k_: u32,\n        f__: u32,\n        a_S_b_: u32,\n        r#type: u32,",
        "ld.param.u32 f_, [f__]; ld.param.u32 r, [a_S_b_]; ld.param.u32 r, [type];",
        "unnamed0: u32,",
        "call a_S_b; call f;",
    ] {
        assert!(converted.text.contains(part), "{part}\nis not in\n{}", converted.text);
    }
    assert_eq!(
        converted.left_out,
        [
            "the name `k` of a parameter, which is that of a function: it is `k_` here",
            "the name `f` of a parameter, which is that of a function: it is `f__` here",
        ]
    );
}

#[test]
fn a_pragma_of_a_function_ends_nothing() {
    let ptx = ".version 8.0 .target sm_90\n.extern .func f() .pragma \"nounroll\"; .global .u32 x;\n\
        .entry k() .pragma \"nounroll\"; .maxntid 32 { ret; }\n";
    let converted = convert(ptx, "m", &Allowances::default()).expect("it is PTX");
    for part in ["#[device(extern)]\n    fn f();", "static x: u32;", "#[kernel(maxntid = 32)]\n"] {
        assert!(converted.text.contains(part), "{part}\nis not in\n{}", converted.text);
    }
    assert_eq!(
        converted.left_out,
        ["`.pragma \"nounroll\"` of `f`", "`.pragma \"nounroll\"` of `k`"]
    );
}
