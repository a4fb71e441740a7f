//! Tests of the parameters that functions certainly use, for each instruction.

use alloc::format;
use alloc::vec::Vec;

use crate::tests::sample::Sample;

/// Returns which of the parameters named here a function with this body uses.
#[track_caller]
fn needed(body: &str) -> Vec<usize> {
    let text = format!(
        ".shared .align 16 .b8 t[128];
         .func (.reg .b32 r) f(.reg .b32 a, .reg .b32 b, .reg .b32 c, .param .b32 p, .param .b64 q) {{
             .reg .pred %p<4>;
             .reg .b32 %r<8>;
             .reg .b64 %d<8>;
             {body}
         }}
         .entry k() {{
             ret;
         }}"
    );
    let needed = Sample::of(&text).callers().needed;
    needed.first().map(|(_, needed)| needed.clone()).unwrap_or_default()
}

#[test]
fn addresses_and_what_is_added_and_stored_or_returned() {
    for (body, expected) in [
        ("ret;", &[][..]),
        ("st.shared.b32 [a], 1;", &[0]),
        ("st.shared.b32 [c], a;", &[2]),
        ("st.shared.b32 [t], a;", &[]),
        ("ld.shared.b32 %r1, [b];", &[1]),
        ("atom.shared.add.u32 %r1, [b], c;", &[1]),
        ("prefetch.local.L1 [a];", &[]),
        ("add.u32 %r1, a, b;\nst.shared.b32 [t], %r1;", &[0, 1]),
        ("add.u32 r, a, 4;\nret;", &[0]),
        ("add.u32 r, a, 4;", &[]),
        ("add.u32 r, a, 4;\n@%p1 ret;", &[]),
        ("mov.u32 r, a;\nret;", &[]),
        ("mov.u32 %r1, a;\nst.shared.b32 [%r1], 1;", &[0]),
        // It may be overwritten before.
        ("mov.u32 a, 1;\nst.shared.b32 [a], 1;", &[]),
        ("@%p1 mov.u32 a, 1;\nst.shared.b32 [a], 1;", &[]),
        ("@%p1 st.shared.b32 [a], 1;", &[]),
        ("@%p1 st.shared.b32 [a], 1;\nst.shared.b32 [b], 1;", &[1]),
        // Control may not get past these.
        ("L:\nst.shared.b32 [a], 1;", &[]),
        ("{\nst.shared.b32 [a], 1;\n}", &[]),
        ("exit;\nst.shared.b32 [a], 1;", &[]),
        ("@%p1 bra L;\nst.shared.b32 [a], 1;\nL:", &[]),
        ("frobnicate.b32 %r1;\nst.shared.b32 [a], 1;", &[]),
        (".pragma nounroll;\nst.shared.b32 [a], 1;", &[0]),
        (".reg .b32 %s;\nst.shared.b32 [a], 1;", &[0]),
    ] {
        assert_eq!(needed(body), expected, "{body}");
    }
}

#[test]
fn what_may_be_zero_or_cancel_out_is_not_needed() {
    let stored = |made: &str| needed(&format!("{made}\nst.shared.b32 [%r1], 1;"));
    for (made, expected) in [
        ("cvt.u32.u32 %r1, a;", &[0][..]),
        ("neg.s32 %r1, a;", &[0]),
        ("sub.u32 %r1, a, b;", &[0, 1]),
        ("sub.u32 %r1, a, a;", &[]),
        ("add.u32 %r1, a, a;", &[]),
        ("xor.b32 %r1, a, b;", &[0, 1]),
        ("xor.b32 %r1, a, a;", &[]),
        ("mul.lo.u32 %r1, a, 0;", &[]),
        ("mul.lo.u32 %r1, a, 1;", &[0]),
        ("mul.lo.u32 %r1, a, 31;", &[0]),
        ("mul.lo.u32 %r1, a, 32;", &[]),
        ("mul.lo.u32 %r1, a, b;", &[]),
        ("shl.b32 %r1, a, 0;", &[]),
        ("shl.b32 %r1, a, 31;", &[0]),
        ("shl.b32 %r1, a, 32;", &[]),
        ("shl.b32 %r1, a, b;", &[]),
        ("mad.lo.u32 %r1, a, 4, b;", &[0, 1]),
        ("mad.lo.u32 %r1, a, 4, a;", &[]),
        ("mad.lo.u32 %r1, a, 0, b;", &[1]),
        ("mad.lo.u32 %r1, a, b, c;", &[2]),
        ("mad.lo.u32 %r1, a, b, b;", &[]),
        ("mad.lo.u32 %r1, a, b, a;", &[]),
        ("and.b32 %r1, a, b;", &[]),
        ("mov.u32 %r1, a.x;", &[]),
        ("mov.u32 %r1, %tid.x;", &[]),
    ] {
        assert_eq!(stored(made), expected, "{made}");
    }
}

#[test]
fn parameters_in_memory_are_loaded_whole() {
    for (body, expected) in [
        ("ld.param.b32 %r1, [p];\nst.shared.b32 [%r1], 1;", &[3][..]),
        ("ld.param.b64 %d1, [q];\nst.shared.b32 [%d1], 1;", &[4]),
        ("ld.param.b32 %r1, [q];\nst.shared.b32 [%r1], 1;", &[]),
        ("ld.param.b32 %r1, [q+4];\nst.shared.b32 [%r1], 1;", &[]),
        ("ld.param.b32 %r1, [p+4];\nst.shared.b32 [%r1], 1;", &[]),
        ("ld.param.b16 %r1, [p];\nst.shared.b32 [%r1], 1;", &[]),
        ("ld.param.b32 %r1, [nothing];\nst.shared.b32 [%r1], 1;", &[]),
        ("ld.param.v2.b32 {%r1, %r2}, [q];\nst.shared.b32 [%r1], 1;", &[]),
        ("ld.param.b32 %r1, [p];\nst.shared.b32 [t], %r1;", &[]),
        ("ld.param.b32 %r1, [p];\nadd.u32 %r1, %r1, 1;\nst.shared.b32 [t], %r1;", &[3]),
        // The value loaded from the address is not the parameter itself.
        ("st.shared.b32 [p], 1;", &[]),
    ] {
        assert_eq!(needed(body), expected, "{body}");
    }
}

#[test]
fn of_many_parameters_the_first_64_are_looked_at() {
    let names: Vec<_> = (0..66).map(|n| format!("a{n}")).collect();
    let params: Vec<_> = names.iter().map(|name| format!(".reg .b32 {name}")).collect();
    for n in [0, 1, 62, 63, 64, 65] {
        let text = format!(
            ".func f({}) {{\nst.shared.b32 [a{n}], 1;\n}}\n.entry k() {{\nret;\n}}",
            params.join(", ")
        );
        let needed = Sample::of(&text).callers().needed;
        let expected: &[(&str, Vec<usize>)] = if n < 64 { &[("f", [n].into())] } else { &[] };
        assert_eq!(needed, expected, "{n}");
    }
}
