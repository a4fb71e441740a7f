//! The results of parsing a text: declarations, signatures, bodies, allowances, and every byte.

use proptest::prelude::*;
use ptx_isa::ir::{Extent, Init, Linkage, StructKind, Type};
use ptx_isa::{AddressMode, Member, MemberValue, Opaque, Space, Target, TextureMode, Version};
use ptx_text::{Diagnostic, Kind, Parsed};

const HEAD: &str = ".version 8.7\n.target sm_90a\n.address_size 64\n";

fn parsed(text: &str) -> Parsed {
    let parsed = Parsed::new(format!("{HEAD}{text}"));
    assert!(parsed.syntax().is_empty(), "{text}: {:?}", parsed.syntax());
    parsed
}

/// The findings as messages, with their lines counted from below the header.
fn findings(parsed: &Parsed) -> Vec<String> {
    let line = |found: &Diagnostic| parsed.position(found.range.start).line - 3;
    let what = |found: &Diagnostic| match found.code {
        Some(code) => code.to_owned(),
        None => found.message.clone(),
    };
    parsed.check().iter().map(|found| format!("{}: {}", line(found), what(found))).collect()
}

#[test]
fn what_ptxas_counts_in_32_bits_and_words_that_are_no_opcodes_are_refused() {
    let refused = |body: &str| {
        let text = format!(".version 9.0\n.target sm_90\n.visible .entry k() {{ {body} ret; }}\n");
        let found = Parsed::new(text.as_str()).check();
        assert_eq!(found.len(), 1, "{body}: {found:?}");
    };
    refused(".reg .b64 %rd<4294967296>;");
    refused(".reg .b64 %rd<9223372036854775807>;");
    refused("_;");
    refused(".reg .b32 %r; WARP_SZ.u32 %r, 1;");
    refused(".shared .b32 x; .reg .b32 %r; ld.shared.shared.b32 %r, [x];");
}

/// ptxas compares a number of names or elements with 32 bits as a signed one of 64, and takes the lowest 32 bits.
#[test]
fn counts_of_which_ptxas_takes_the_lowest_bits_are_not_of_the_kind_refused() {
    for (declaration, taken) in [
        (".visible .entry k() { .reg .b64 %rd<9223372036854775813>; ret; }", 5),
        (".visible .func f(.param .b8 x[9223372036854775809]) { ret; }", 1),
    ] {
        let text = format!(".version 9.0\n.target sm_90\n{declaration}\n");
        let found = Parsed::new(text.as_str()).check();
        let [only] = &*found else { panic!("{declaration}: {found:?}") };
        assert_eq!(only.kind, Kind::Unenforced, "{only}");
        assert!(only.message.contains(&format!("ptxas takes {taken} for it")), "{only}");
    }
}

/// Some operands need a newer version than the instruction, and some modifiers have to be there.
#[test]
fn operands_have_needs_and_instructions_have_required_modifiers() {
    let of = |version: &str, statement: &str| {
        let text = format!(
            ".version {version}\n.target sm_80\n.shared .align 16 .b8 s[64];\n.global .align 16 .b8 g[64];\n\
             .global .texref t;\n.visible .entry k() {{ .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d;\n\
             .reg .f32 %f<4>;\n{statement}\nret; }}\n"
        );
        let found = Parsed::new(text.as_str()).check();
        found.into_iter().map(|it| (it.code.unwrap_or_default(), it.message)).collect::<Vec<_>>()
    };
    for (version, below, statement, name) in [
        (
            "7.5",
            "7.4",
            "cp.async.ca.shared.global [s], [g], 4, !%p;",
            "cp.async [dst], [src], size, ignored",
        ),
        ("7.1", "7.0", "mbarrier.arrive.shared.b64 _, [s];", "mbarrier.arrive _, [addr]"),
        (
            "7.1",
            "7.0",
            "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}|%p, [t, {%f0, %f1}];",
            "tex d|p, [texture]",
        ),
    ] {
        let is_about = |found: &[(&str, String)]| found.iter().any(|it| it.1.contains(name));
        assert!(!is_about(&of(version, statement)), "{version} {statement}");
        assert!(is_about(&of(below, statement)), "{below} {statement}: {:?}", of(below, statement));
    }
    let plain = "cp.async.ca.shared.global [s], [g], 4, %r1;";
    assert!(!of("7.4", plain).iter().any(|found| found.1.contains("ignored")));
    for (statement, needed) in [
        ("match.any.b32 %r0, %r1, %r2;", "`match` needs `.sync`"),
        ("elect %r0|%p, %r1;", "`elect` needs `.sync`"),
        ("movmatrix.sync.m8n8.trans.b16 %r0, %r1;", "`movmatrix` needs `.aligned`"),
        ("movmatrix.m8n8.trans.b16 %r0, %r1;", "`movmatrix` needs `.sync`"),
        (
            "wmma.load.a.sync.row.m16n16k16.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [g];",
            "`wmma.load` needs `.aligned` since PTX 6.3",
        ),
    ] {
        let found = of("8.0", statement);
        let missing: Vec<_> = found.iter().filter(|it| it.0 == "A099").collect();
        assert!(matches!(&*missing, [(_, message)] if message == needed), "{statement}: {found:?}");
    }
}

#[test]
fn the_header_specifies_version_and_target() {
    let parsed = Parsed::new(".version 7.8 .target sm_80, texmode_independent .address_size 64");
    assert!(parsed.check().is_empty(), "{:?}", parsed.check());
    let module = parsed.module();
    assert_eq!(module.version, Some(Version::new(7, 8)));
    assert_eq!(module.target, Target::Sm80);
    assert_eq!(module.texture_mode, TextureMode::Independent);
}

#[test]
fn every_form_of_declaration_is_parsed() {
    let parsed = parsed(
        ".visible .global .align 16 .v4 .f32 a[2], b;
        .extern .const .u32 c[];
        .weak .global .s8 d = -1;
        .common .global .u64 e;
        .extern .shared .align 8 .b8 f[];
        .shared .u16 g<10>;
        .global .attribute(.managed) .u32 h[2][2] = {{1, 2}, {3}};
        .global .attribute(.unified(0x10, 2)) .f32 i = 0f3F800000;
        .global .u64 j[2] = {generic(h)+4, 0};
        .global .texref k = { addr_mode_0 = wrap, width = 4 };
        .global .u32 l[] = {1, 2, 3};
        .global .u32 m = -1;
        .global .f32 n[2] = {1.5, .5};",
    );
    let module = parsed.module();
    let find = |name: &str| {
        let found = module.variables.iter().find(|variable| variable.name == name);
        **found.unwrap_or_else(|| panic!("there is no {name}"))
    };
    let a = find("a");
    assert_eq!((a.linkage, a.space, a.align), (Linkage::Visible, Space::Global, Some(16)));
    assert_eq!((a.bytes(), find("b").bytes(), find("b").align), (Some(32), Some(16), Some(16)));
    assert_eq!((find("c").linkage, find("c").bytes()), (Linkage::Extern, None));
    assert_eq!((find("d").linkage, find("e").linkage), (Linkage::Weak, Linkage::Common));
    assert!(find("f").is_dynamic());
    assert!(matches!(find("g").ty.family(), Some((Extent::Known(10), _))));
    assert!(find("h").managed && find("h").bytes() == Some(16));
    assert_eq!(find("i").unified.map(|unified| (unified.upper, unified.lower)), Some((16, 2)));
    let mut addresses = Vec::new();
    find("j")
        .init
        .for_each_address(&mut |address| addresses.push((address.symbol, address.addend)));
    assert_eq!(addresses, [("h", 4)]);
    let Init::Members(members) = find("k").init else { panic!("{:?}", find("k").init) };
    let members: Vec<_> = members.iter().map(|member| (member.member, member.value)).collect();
    let wraps = (Member::AddrMode0, MemberValue::Address(AddressMode::Wrap));
    assert_eq!(members, [wraps, (Member::Width, MemberValue::Int(4))]);
    assert_eq!(find("l").bytes(), Some(12));
    assert!(findings(&parsed).is_empty(), "{:?}", findings(&parsed));
}

#[test]
fn integers_give_the_bits_of_their_type() {
    let parsed =
        parsed(".global .u8 a[4] = {-1, -128, 255, 256};\n.global .s8 b[2] = {255, -129};");
    assert_eq!(findings(&parsed), ["1: D014", "2: D014"]);
    let places: Vec<&str> =
        parsed.check().iter().map(|found| &parsed.text()[found.range.clone()]).collect();
    assert_eq!(places, ["256", "-129"]);
}

#[test]
fn every_form_of_signature_is_parsed() {
    let parsed = parsed(
        ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .u64 .ptr q,
            .param .align 8 .b8 s[24], .param .texref t)
        .maxntid 32, 2 .minnctapersm 2 .pragma \"nounroll\"; { ret; }
        .func (.param .b32 r) f(.reg .f32 x, .param .b64 y) { ret; }
        .extern .func __assertfail(.param .b64 a, .param .b64 b) .noreturn;
        .func g;
        .func g() { ret; }
        .visible .entry bare { ret; }",
    );
    let module = parsed.module();
    let names: Vec<&str> = module.functions.iter().map(|function| function.name).collect();
    assert_eq!(names, ["k", "f", "__assertfail", "g", "bare"]);
    let [k, f, fails, g, _] = module.functions else { panic!("{names:?}") };
    let pointers: Vec<_> = k
        .params
        .iter()
        .map(|param| param.pointer.map(|pointer| (pointer.space, pointer.align)))
        .collect();
    let expected = [Some((Some(Space::Global), Some(16))), Some((None, Some(4))), None, None];
    assert_eq!(pointers, expected);
    assert_eq!((k.params[2].variable.bytes(), k.params[2].variable.align), (Some(24), Some(8)));
    assert_eq!(k.params[3].variable.ty.opaque(), Some(Opaque::TexRef));
    let directives: Vec<_> = k.directives.iter().map(|it| (it.kind.name(), it.values)).collect();
    assert_eq!(directives, [("maxntid", [32, 2, 1]), ("minnctapersm", [2, 1, 1])]);
    assert_eq!((f.returns.len(), f.params[0].variable.space), (1, Space::Reg));
    assert!(fails.body.is_none() && fails.linkage == Linkage::Extern);
    assert_eq!(fails.directives[0].kind.name(), "noreturn");
    assert!(g.body.is_some(), "the definition counts");
    assert!(findings(&parsed).is_empty(), "{:?}", findings(&parsed));
}

#[test]
fn bodies_list_their_uses() {
    let parsed = parsed(
        ".shared .align 4 .b8 a[100];
        .shared .align 4 .b8 b[50];
        .func callee() { .shared .b8 own[8]; .reg .b32 %r<2>; st.shared.b32 [a], %r0; ret; }
        .global .u64 table[1] = {callee};
        .visible .entry k() {
            .shared .b8 idle[16];
            .reg .b32 %r<4>;
            mov.u32 %r1, %tid.x;
            mov.u32 %r2, b;
            call callee;
            ret;
        }",
    );
    let kernel = parsed.module().functions[1];
    let names = |all: &[&ptx_isa::ir::Variable<'_>]| -> Vec<String> {
        all.iter().map(|variable| variable.name.to_owned()).collect()
    };
    assert_eq!(names(kernel.uses), ["a", "b"]);
    assert_eq!(names(kernel.called_shared), ["own"]);
    assert_eq!(names(kernel.idle_shared), ["idle"]);
    assert_eq!(kernel.specials, ["%tid"]);
    assert_eq!(kernel.calls, ["callee"]);
    assert_eq!(kernel.static_shared_bytes(), Some(174));
}

#[test]
fn syntax_without_an_ir_form_is_kept() {
    let text = format!(
        "{HEAD}# 1 \"blur.cu\"
        .file 1 \"blur.cu\", 1700000000, 12
        .pragma \"nounroll\";
        .visible .func g();
        .visible .func f() {{ ret; }}
        .alias g, f;
        .visible .entry k() {{
            .loc 1 5 6
            .loc 1 2 3, function_name $L__info_string0, inlined_at 1 5 6
            .pragma \"nounroll\";
            ret; // the end
        }}
        .section .debug_str {{ $L__info_string0: .b8 65, 66 , 0 \n .b32 $L__info_string0+4 }}
        /* no more */"
    );
    let parsed = Parsed::new(text.clone());
    assert!(parsed.check().is_empty(), "{:?}", parsed.check());
    assert_eq!(parsed.to_string(), text);
    assert_eq!(parsed.module().source, Some(&*text));
}

/// An alignment below the natural one has no effect, and the signatures are the same to ptxas.
#[test]
fn signatures_are_compared_by_the_alignments_that_ptxas_gives() {
    let found = |align: &str, after: &str| {
        let text = format!(
            "{HEAD}.visible .func f(.param .b32 a) {{ ret; }} .visible .func g(.param {align} .b32 a); {after}"
        );
        let found = Parsed::new(text).check();
        found
            .iter()
            .filter(|found| found.kind != Kind::Hazard)
            .map(|it| it.kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(found(".align 2", ".alias g, f;"), []);
    assert_eq!(found(".align 4", ".alias g, f;"), []);
    assert_eq!(found(".align 8", ".alias g, f;"), [Kind::Syntax]);
    assert_eq!(found(".align 2", ".visible .func g(.param .b32 a) { ret; }"), []);
    assert_eq!(found(".align 8", ".visible .func g(.param .b32 a) { ret; }"), [Kind::Refused]);
}

/// A line is named, and the first use only.
#[test]
fn what_is_declared_after_a_function_is_unknown_in_it() {
    let text = ".visible .entry k() {\n.reg .u32 %r;\nld.shared.u32 %r, [a];\nld.shared.u32 %r, [a];\n\
        call f;\nret;\n}\n.shared .u32 a;\n.func f() { ret; }";
    let parsed = parsed(text);
    assert_eq!(findings(&parsed), ["3: A101", "5: A101"]);
    let messages: Vec<String> = parsed.check().iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "`a` is declared after this function, in line 11, and ptxas does not know it here; \
             move the declaration before this function [A101, PTX ISA 5.4.1]",
            "`f` is declared after this function, in line 12, and ptxas does not know it here; \
             define it before this, or declare it there [A101, PTX ISA 5.4.1]",
        ]
    );
}

/// The lists of opcodes and modifiers have all up to PTX 9.0, and a newer version may have others.
#[test]
fn words_that_no_version_has_are_refused() {
    let found = |version: &str, body: &str| {
        let registers = ".reg .b32 %r; .reg .f32 %f; .reg .b64 %d;";
        let text = format!(
            ".version {version}\n.target sm_90\n.address_size 64\n.entry k() {{ {registers}\n{body}\nret; }}"
        );
        let found = Parsed::new(text).check();
        found.iter().map(|found| (found.kind, found.code.unwrap_or_default())).collect::<Vec<_>>()
    };
    for unlike in ["added;", "other.u32 %r, 1;", "retret;", "cvt.rnld.f32.s32 %f, %r;"] {
        assert_eq!(found("9.0", unlike), [(Kind::Refused, "A108")], "{unlike}");
        assert_eq!(found("9.1", unlike), [], "{unlike}");
        assert_eq!(found("9.0", &format!("// ptx: allow(A084)\n{unlike}")), [], "{unlike}");
    }
    assert_eq!(found("9.0", "ad.u32 %r, %r, 1;"), [(Kind::Refused, "A084")]);
    assert_eq!(found("9.1", "ad.u32 %r, %r, 1;"), [(Kind::Hazard, "A084")]);
    assert_eq!(found("9.0", "zork.u32 %r, [%d];"), [(Kind::Refused, "A108")]);
    assert_eq!(found("9.1", "zork.u32 %r, [%d];"), [(Kind::Hazard, "A030")]);
    assert_eq!(found("9.0", "// ptx: allow(A030)\nzork.u32 %r, [%d];"), []);
    // What ptxas has beyond the documentation.
    assert_eq!(found("9.0", "_ldsm; add.dis.u32 %r, %r, %r;"), []);
}

/// `#( )` is a form of Rust alone.
#[test]
fn a_name_is_not_added_to_an_address() {
    let text = ".visible .entry k() { .reg .b32 %r; ld.shared.u32 %r, [%r+N]; ret; }";
    let text = format!(".version 8.0\n.target sm_90\n.address_size 64\n{text}");
    let parsed = Parsed::new(text);
    let [found] = parsed.syntax() else { panic!("{:?}", parsed.syntax()) };
    let words = format!("{} {}", found.message, found.help.as_deref().unwrap_or_default());
    assert!(!words.contains('#') && words.contains("compute the sum with `N`"), "{found:?}");
}

/// What nvcc writes for `__int_as_float` and the like: it loads and stores the result of a bit cast as its own type.
#[test]
fn bits_of_other_types_are_accessed() {
    let text = |body: &str| {
        format!(
            ".global .align 4 .u32 word;
.global .align 8 .u64 long;
.global .align 8 .f64 double;
.global .align 4 .f16x2 halves;
.const .align 8 .u64 fixed;
.visible .entry k(.param .u32 n, .param .u64 m) {{
    .reg .f32 %f<2>;
    .reg .f64 %d<2>;
    mov.b32 %f0, 0;
    add.f32 %f0, %f0, %f0;
    mov.b64 %d0, 0;
    add.f64 %d0, %d0, %d0;
    {body}
    ret;
}}"
        )
    };
    let right = [
        "ld.param.f32 %f0, [n]; add.f32 %f1, %f0, %f0;",
        "ld.param.f64 %d0, [m]; add.f64 %d1, %d0, %d0;",
        "ld.const.f64 %d0, [fixed]; add.f64 %d1, %d0, %d0;",
        "ld.global.f32 %f0, [word]; add.f32 %f1, %f0, %f0;",
        "ld.global.f32 %f0, [long]; add.f32 %f1, %f0, %f0;",
        "ld.global.f32 %f0, [double+4]; add.f32 %f1, %f0, %f0;",
        "st.global.f32 [word], %f0;",
        "st.global.f64 [long], %d0;",
        "st.global.f32 [double], %f0;",
        "atom.global.add.f32 %f1, [word], %f0;",
    ];
    for body in right {
        assert_eq!(findings(&parsed(&text(body))), [] as [&str; 0], "{body}");
    }
    assert_eq!(findings(&parsed(&text("st.global.f32 [halves], %f0;"))), ["13: A034"]);
}

#[test]
fn hazards_are_allowed_on_the_line_before() {
    let text = ".global .align 4 .f32 bits[4];
.visible .entry k() {
    .reg .b32 %r; mov.b32 %r, 0; add.f16x2 %r, %r, %r;
    // ptx: allow(A034)
    st.global.b32 [bits], %r;
    st.global.b32 [bits], %r;
    // ptx: allow(A034)
    add.f16x2 %r, %r, %r; ret;
}
// ptx: allow(A034)
.visible .entry all() {
    .reg .b32 %r; mov.b32 %r, 0;
    add.f16x2 %r, %r, %r; st.global.b32 [bits], %r;
    ret;
}
// ptx: allow(A034)
.global .align 4 .f32 other[4];
.visible .entry declared() {
    .reg .b32 %r; mov.b32 %r, 0;
    add.f16x2 %r, %r, %r; st.global.b32 [other], %r;
    ret;
}";
    let parsed = parsed(text);
    assert_eq!(findings(&parsed), ["6: A034", "7: A034"]);
    let kinds: Vec<Kind> = parsed.check().iter().map(|found| found.kind).collect();
    assert_eq!(kinds, [Kind::Hazard, Kind::Unneeded]);
}

/// A word that is newer than the table of words.
#[test]
fn an_unknown_word_is_allowed_on_the_line_before() {
    let text = |note| {
        format!(
            ".visible .entry k() {{\n.reg .f32 %f<1>;\n{note}\nadd.f33 %f0, 0f00000000, 0f00000000;\nret;\n}}"
        )
    };
    assert_eq!(findings(&parsed(&text(""))), ["4: A084"]);
    assert_eq!(findings(&parsed(&text("// ptx: allow(A084)"))), [""; 0]);
}

/// The instruction that is meant is judged, unless the word is allowed.
#[test]
fn a_misspelt_instruction_is_judged_as_the_one_that_is_meant() {
    let text = |note| {
        format!(
            ".shared .align 4 .b8 row[4];\n.visible .entry k() {{\n.reg .b32 %r<1>;\n{note}\n\
             lld.shared.u32 %r0, [row+4];\nret;\n}}"
        )
    };
    assert_eq!(findings(&parsed(&text(""))), ["5: A084", "5: A020"]);
    assert_eq!(findings(&parsed(&text("// ptx: allow(A084)"))), ["5: A030"]);
}

#[test]
fn up_to_three_words_are_suggested() {
    let body = ".visible .entry k() {\n.reg .b32 %r<1>;\nadd.u9 %r0, %r0, 1;\nret;\n}";
    let found = parsed(body).check();
    let [found] = &found[..] else { panic!("{found:?}") };
    assert!(found.to_string().contains("did you mean `.u2`, `.u4` or `.u8`?"), "{found}");
}

#[test]
fn an_invalid_allowance_is_an_error() {
    for (note, expected) in [
        ("// ptx: allow(A020 A034)", "no rule is called `A020 A034`"),
        ("// ptx: allow()", "write the codes of the rules"),
        ("// ptx: permit(A034)", "write the codes of the rules"),
        ("// ptx: allow(D001)", "`D001` cannot be allowed"),
        ("// ptx: allow(X999)", "no rule is called `X999`"),
        (".pragma \"a\"; // ptx: allow(A034)", "an allowance goes on a line of its own"),
        ("// ptx: allow(A034)\n}.visible .entry l() {", "no statement follows this allowance"),
    ] {
        let text = format!("{HEAD}.visible .entry k() {{\n{note}\nret;\n}}");
        let parsed = Parsed::new(text);
        let messages: Vec<&str> = parsed.syntax().iter().map(|found| &*found.message).collect();
        assert!(
            matches!(messages.as_slice(), [one] if one.starts_with(expected)),
            "{note}: {messages:?}"
        );
    }
}

#[test]
fn names_are_resolved_or_reported() {
    let parsed = parsed(
        ".shared .b32 x;
.visible .entry k(.param .u32 n) {
    .reg .b32 %r<2>;
    ld.param.u32 %r1, [m];
    ld.shared.b32 %r5, [x];
    bra nowhere;
}",
    );
    let found = parsed.check();
    let at: Vec<&str> = found.iter().map(|found| &parsed.text()[found.range.clone()]).collect();
    assert_eq!(at, ["m", "%r5", "nowhere"]);
    assert!(found.iter().all(|found| found.code == Some("A101")));
}

#[test]
fn structs_are_bytes_in_text() {
    let parsed = parsed(".visible .entry k(.param .align 4 .b8 s[12]) { ret; }");
    let ty = parsed.module().functions[0].params[0].variable.ty;
    assert!(matches!(ty, Type::Array(Extent::Known(12), Type::Scalar(_))), "{ty:?}");
    assert!(!matches!(ty.element(), Type::Struct(it) if matches!(it.kind, StructKind::Fields)));
}

proptest! {
    /// Every byte is in one piece, in order.
    #[test]
    fn pieces_cover_the_text(text in "[ -~\n\té\u{1}]{0,200}") {
        let parsed = Parsed::new(text.clone());
        let mut end = 0;
        for piece in parsed.pieces() {
            prop_assert_eq!(piece.at.start, end);
            prop_assert!(piece.at.end > end);
            prop_assert!(text.is_char_boundary(piece.at.end as usize));
            end = piece.at.end;
        }
        prop_assert_eq!(end as usize, text.len());
        prop_assert_eq!(parsed.to_string(), text);
    }

    /// Whatever a file contains, all of it is kept, and every finding has a location in it.
    #[test]
    fn arbitrary_bytes_are_parsed(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let parsed = Parsed::from_bytes(bytes.clone());
        prop_assert_eq!(parsed.bytes(), bytes.as_slice());
        prop_assert_eq!(parsed.text().len(), bytes.len());
        for found in parsed.check() {
            prop_assert!(parsed.text().get(found.range.clone()).is_some(), "{:?}", found);
        }
    }
}

#[test]
fn older_targets_are_accepted() {
    for (name, version, target) in [
        ("sm_30", "3.1", Target::Sm50),
        ("compute_50", "9.0", Target::Sm50),
        ("compute_90a", "9.0", Target::Sm90a),
    ] {
        let parsed = Parsed::new(format!(
            ".version {version} .target {name} .visible .entry k() {{ ret; }}"
        ));
        assert!(parsed.check().is_empty(), "{name}: {:?}", parsed.check());
        assert_eq!(parsed.module().target, target);
    }
    let early = Parsed::new(".version 7.0 .target sm_90a .global .b32 x;");
    assert_eq!(early.check().len(), 1, "{:?}", early.check());
    let unknown = Parsed::new(".version 9.0 .target sm_91 .address_size 64");
    assert_eq!(unknown.syntax().len(), 1);
}

#[test]
fn an_unterminated_statement_does_not_affect_the_next() {
    let text = ".visible .entry k() {
    .reg .b32 %r<3>
    mov.u32 %r1, 1;
    mov.u32 %r2, %r1
    add.u32 %r1, %r1, %r2;
    ret
}";
    let parsed = Parsed::new(format!("{HEAD}{text}"));
    let lines: Vec<u32> =
        parsed.check().iter().map(|found| parsed.position(found.range.start).line - 3).collect();
    assert_eq!(lines, [2, 4, 6], "{:?}", parsed.check());
    assert_eq!(parsed.module().functions[0].body.map(|body| body.statements().count()), Some(5));
}

#[test]
fn a_byte_order_mark_is_one_error() {
    let parsed = Parsed::new(format!("\u{FEFF}{HEAD}.visible .entry k() {{ ret; }}"));
    assert_eq!(parsed.check().len(), 1, "{:?}", parsed.check());
}

#[test]
fn array_elements_are_accepted_where_ptxas_accepts_them() {
    let with = |statement: &str| {
        Parsed::new(format!(
            "{HEAD}.shared .align 128 .b8 s[4096];\n.shared .align 8 .b64 bar[2];\n.visible .entry k() {{ \
             .reg .b64 map; mov.b64 map, 0; {statement} ret; }}"
        ))
    };
    let copy = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes s[1024], [map,{0,0}], [bar];";
    assert!(with(copy).syntax().is_empty(), "{:?}", with(copy).syntax());
    assert_eq!(with("cp.async.ca.shared.global s[16], [map], 16;").syntax().len(), 1);
}

/// The codes reported for a kernel with a misaligned parameter and a misaligned access, where each `@` is a
/// comment line.
fn codes_with(comments: [&str; 5]) -> Vec<String> {
    let [module, signature, parameter, body, inside] = comments;
    let text = format!(
        ".version 8.7 .target sm_90
{module}
.shared .align 16 .b8 tile[64];
{signature}
.visible .entry k(
{parameter}
.param .u64 .ptr .global .align 4 src
)
{{
.reg .b32 %r<8>;
.reg .b64 %d<2>;
ld.param.u64 %d1, [src];
ld.global.v4.b32 {{%r0, %r1, %r2, %r3}}, [%d1];
{body}
ld.shared.v4.b32
{inside}
 {{%r0, %r1, %r2, %r3}}, [tile+8];
ld.shared.v4.b32 {{%r4, %r5, %r6, %r7}}, [tile+24];
ret;
}}
"
    );
    let found = Parsed::new(text).check();
    let code = |found: &Diagnostic| match (found.kind, found.code) {
        (Kind::Unneeded, Some(code)) => format!("{code} unneeded"),
        (_, Some(code)) => code.to_owned(),
        (_, None) => found.message.clone(),
    };
    found.iter().map(code).collect()
}

#[test]
fn allowances_apply_to_what_follows_or_contains_them() {
    let allow = "// ptx: allow(A021)";
    assert_eq!(codes_with([""; 5]), ["A036", "A021", "A021"]);
    // Before a statement or inside it, they apply to that statement only.
    assert_eq!(codes_with(["", "", "", allow, ""]), ["A036", "A021"]);
    assert_eq!(codes_with(["", "", "", "", allow]), ["A036", "A021"]);
    // Before a function or inside its signature, they apply to the whole function.
    assert_eq!(codes_with(["", allow, "", "", ""]), ["A036"]);
    assert_eq!(codes_with(["", "", "// ptx: allow(A036)", "", ""]), ["A021", "A021"]);
    assert_eq!(codes_with(["", "", "// ptx: allow(A036, A021)", "", ""]), [""; 0]);
}

#[test]
fn unneeded_allowances_are_reported() {
    let both = ["A036", "A021", "A021"].map(str::to_owned);
    let with = |more: &str| {
        let mut all = both.to_vec();
        all.push(more.to_owned());
        all.sort();
        all
    };
    let sorted = |comments| {
        let mut codes = codes_with(comments);
        codes.sort();
        codes
    };
    assert_eq!(sorted(["// ptx: allow(D006)", "", "", "", ""]), with("D006 unneeded"));
    assert_eq!(sorted(["// ptx: allow(A022)", "", "", "", ""]), with("A022 unneeded"));
    assert_eq!(sorted(["", "// ptx: allow(D077)", "", "", ""]), with("D077 unneeded"));
    assert_eq!(sorted(["", "// ptx: allow(A022)", "", "", ""]), with("A022 unneeded"));
    assert_eq!(sorted(["", "", "", "// ptx: allow(A034)", ""]), with("A034 unneeded"));
    let not_here = "`D006` is a rule of declarations, and this is an instruction; write the allowance before the declaration";
    assert_eq!(sorted(["", "", "", "// ptx: allow(D006)", ""]), with(not_here));
    let no_code =
        "write the codes of the rules that the next statement may break: `// ptx: allow(A034)`";
    assert_eq!(sorted(["", "", "", "// PTX: allow(A021)", ""]), with(no_code));
}

#[test]
fn directives_take_no_allowances() {
    let allow = "// ptx: allow(A021)";
    for text in [
        format!("{allow}\n.version 8.7\n.target sm_90\n"),
        format!(".version 8.7\n{allow}\n.target sm_90\n"),
        format!(".version 8.7\n.target sm_90\n{allow}\n.address_size 64\n"),
        format!(".version 8.7\n.target sm_90\n{allow}\n.file 1 \"a\"\n"),
        format!(".version 8.7\n.target sm_90\n{allow}\n.pragma \"a\";\n"),
        format!(".version 8.7\n.target sm_90\n.entry k() {{\n{allow}\n{{ ret; }} }}\n"),
        format!(".version 8.7\n.target sm_90\n.entry k() {{ {{ ret;\n{allow}\n}} ret; }}\n"),
    ] {
        let found = Parsed::new(text.as_str()).check();
        assert_eq!(found.len(), 1, "{text}\n{found:?}");
        assert_eq!(found[0].kind, Kind::Syntax, "{text}");
    }
}

#[test]
fn sums_in_initial_values_are_evaluated() {
    let text = ".version 8.7 .target sm_90 .global .s32 a[4] = {3+8*2, -(4-6), - -5, 7};";
    let parsed = Parsed::new(text);
    assert!(parsed.check().is_empty());
    let Init::Value(value) = parsed.module().variables[0].init else { panic!("{text}") };
    let elements = (0..4).map(|n| value.element(n));
    assert_eq!(elements.collect::<Vec<_>>(), [19, 2, 5, 7].map(ptx_isa::ir::Value::Int));
}

#[test]
fn handles_of_textures_are_accepted_as_llvm_writes_them() {
    for word in [".texref", ".samplerref", ".surfref", ".texref .align 8"] {
        let parsed = parsed(&format!(".visible .entry k(.param .u64 .ptr {word} t) {{ ret; }}"));
        assert_eq!(findings(&parsed), Vec::<String>::new(), "{word}");
        let param = &parsed.module().functions[0].params[0];
        assert!(param.pointer.is_none(), "{word}");
    }
}

#[test]
fn addresses_of_functions_of_other_files_are_for_the_linker() {
    let parsed = parsed(
        ".extern .func (.param .b32 r) f (.param .b32 a);\n\
         .extern .entry k();\n\
         .visible .global .align 8 .u64 table[2] = {f, k};",
    );
    assert_eq!(findings(&parsed), Vec::<String>::new());
}

#[test]
fn a_warning_is_no_error_and_can_be_allowed() {
    let text = ".visible .entry k() .minnctapersm 2 .maxnreg 256 { ret; }";
    let found = parsed(text).check();
    let kinds: Vec<_> = found.iter().map(|it| (it.code, it.kind, it.kind.is_error())).collect();
    let warned = |code| (Some(code), Kind::Warned, false);
    assert_eq!(kinds, [warned("F008"), warned("F030")]);
    assert!(parsed(&format!("// ptx: allow(F008, F030)\n{text}")).check().is_empty());
}

#[test]
fn a_kernel_alone_may_have_a_parameter_of_its_name() {
    let alone = ".visible .entry k(.param .u64 k, .param .u32 n) { ret; }\n.extern .func f;";
    assert_eq!(findings(&parsed(alone)), Vec::<String>::new());
    for other in [".entry other() { ret; }", ".func other() { ret; }"] {
        let found = parsed(&format!("{alone}\n{other}")).check();
        let codes: Vec<_> = found.iter().filter_map(|it| it.code).collect();
        assert_eq!(codes, ["D077"], "{other}");
    }
}

/// A kernel whose pointer promises 4 bytes, with these statements before a branch to `SCALAR` where `%p1` holds, and
/// with a vector access where it does not.
fn vector_or_scalar(flag: &str, test: &str) -> Vec<Option<&'static str>> {
    let text = format!(
        ".visible .entry k(.param .u64 .ptr .global .align 4 p, .param {flag} flag, .param .u32 n)
        {{
            .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %d, %d1;
            ld.param.u64 %d, [p]; cvta.to.global.u64 %d, %d; ld.param.u32 %r0, [n]; {test}
            @%p1 bra SCALAR;
            ld.global.v4.f32 {{%f0, %f1, %f2, %f3}}, [%d];
            bra DONE;
        SCALAR:
            ld.global.f32 %f0, [%d];
        DONE:
            st.global.f32 [%d], %f0;
            ret;
        }}"
    );
    parsed(&text).check().iter().map(|found| found.code).collect()
}

#[test]
fn a_flag_may_state_that_a_pointer_is_aligned() {
    let of_bool = "ld.param.s8 %h0, [flag]; and.b16 %h1, %h0, 1; setp.eq.s16 %p1, %h1, 0;";
    assert_eq!(vector_or_scalar(".u8", of_bool), []);
    let of_int = "ld.param.u32 %r1, [flag]; setp.ne.s32 %p1, %r1, 1;";
    assert_eq!(vector_or_scalar(".u32", of_int), []);
    let with_count = "ld.param.u32 %r1, [flag]; setp.ne.s32 %p2, %r1, 0; \
        setp.gt.u32 %p3, %r0, 3; and.pred %p2, %p2, %p3; not.pred %p1, %p2;";
    assert_eq!(vector_or_scalar(".u32", with_count), []);
    let ordered = "ld.param.u32 %r1, [flag]; setp.lt.s32 %p1, %r1, 1;";
    assert_eq!(vector_or_scalar(".u32", ordered), []);
    let selected = "ld.param.u32 %r1, [flag]; setp.ne.s32 %p2, %r1, 0; selp.b32 %r2, 1, 0, %p2; \
        setp.eq.s32 %p1, %r2, 0;";
    assert_eq!(vector_or_scalar(".u32", selected), []);
    let of_two = "ld.param.u32 %r1, [flag]; setp.ne.s32 %p1, %r1, %r0;";
    assert_eq!(vector_or_scalar(".u32", of_two), []);
    let loaded = "ld.global.u32 %r1, [%d]; setp.eq.s32 %p1, %r1, 0;";
    assert_eq!(vector_or_scalar(".u32", loaded), []);
    let of_long = "ld.param.u64 %d1, [flag]; and.b64 %d1, %d1, 4; setp.eq.s64 %p1, %d1, 0;";
    assert_eq!(vector_or_scalar(".u64", of_long), []);
    let bit_leaves = "ld.param.u64 %d1, [flag]; and.b64 %d1, %d1, 1; setp.eq.s64 %p2, %d1, 0; \
        @%p2 bra DONE; setp.lt.s32 %p1, %r0, 4;";
    assert_eq!(vector_or_scalar(".u64", bit_leaves), []);
    let bool_leaves = "ld.param.s8 %h0, [flag]; setp.eq.s16 %p2, %h0, 0; @%p2 ret; \
        setp.lt.s32 %p1, %r0, 4;";
    assert_eq!(vector_or_scalar(".u8", bool_leaves), []);
    // Other bits of an address are not flags.
    let of_address = "ld.param.u64 %d1, [flag]; and.b64 %d1, %d1, 15; setp.eq.s64 %p1, %d1, 0;";
    assert_eq!(vector_or_scalar(".u64", of_address), [Some("A036")]);
    let compared = "ld.param.u64 %d1, [flag]; setp.eq.s64 %p1, %d1, 0;";
    assert_eq!(vector_or_scalar(".u64", compared), [Some("A036")]);
    // A number of elements says nothing about an address, nor does a test that only leaves the kernel.
    assert_eq!(vector_or_scalar(".u32", "setp.lt.s32 %p1, %r0, 4;"), [Some("A036")]);
    let leaves = "ld.param.u32 %r1, [flag]; setp.eq.s32 %p2, %r1, 0; @%p2 ret; \
        setp.lt.s32 %p1, %r0, 4;";
    assert_eq!(vector_or_scalar(".u32", leaves), [Some("A036")]);
}

/// ptxas takes each of these.
#[test]
fn what_ptxas_takes_has_no_finding() {
    let k = |version: &str, target: &str, body: &str| {
        let declared = ".global .align 16 .b8 g[64]; .shared .align 16 .b8 s[64];";
        let registers = ".reg .b64 %d; .reg .b16 %h; .reg .f32 %f<4>; .reg .b32 %r;";
        let head = format!(".version {version}\n.target {target}\n.address_size 64\n");
        format!("{head}{declared}\n.entry k () {{ {registers} {body} ret; }}")
    };
    for text in [
        format!("{HEAD}.func f (.param .b8 x[WARP_SZ]) {{ ret; }}"),
        format!("{HEAD}.entry k (.param .align 4 .b8 x[WARP_SZ]) {{ ret; }}"),
        k("7.0", "sm_80", "cp.async.ca.shared::cta.global [s], [g], 4;"),
        k("7.0", "sm_80", "cp.async.ca.shared::cta.global [s], [g], 4, %r;"),
        k(
            "8.6",
            "sm_100",
            "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.cp_mask [g], [s], 16, %d, %h;",
        ),
    ] {
        let parsed = Parsed::new(text.clone());
        assert!(parsed.check().is_empty(), "{text}: {:?}", parsed.check());
    }
}
