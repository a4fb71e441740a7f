//! Tests of the order of analysis, and of what is known about the calls of each function.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use crate::tests::sample::Sample;

/// Creates functions with these calls, and a kernel with these.
fn calling(calls: &[(&str, &[&str])], kernel: &[&str]) -> Sample {
    let statements = |called: &[&str]| {
        called.iter().fold(String::new(), |text, name| text + &format!("call {name};\n"))
    };
    let mut text = String::new();
    for (name, called) in calls {
        let _ = write!(text, ".func {name}() {{\n{}ret;\n}}\n", statements(called));
    }
    let _ = write!(text, ".entry k() {{\n{}ret;\n}}\n", statements(kernel));
    Sample::of(&text)
}

#[test]
fn callers_come_first() {
    let order = |calls: &[(&str, &[&str])], kernel: &[&str]| calling(calls, kernel).callers().order;
    assert_eq!(order(&[], &[]), ["k"]);
    assert_eq!(order(&[("a", &[]), ("b", &[])], &[]), ["a", "b", "k"]);
    assert_eq!(order(&[("a", &[]), ("b", &["a"])], &["b"]), ["k", "b", "a"]);
    assert_eq!(order(&[("a", &[]), ("b", &["a"])], &["a", "b"]), ["k", "b", "a"]);
    assert_eq!(
        order(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])], &["a"]),
        ["k", "a", "b", "c"]
    );
    assert_eq!(
        order(&[("c", &[]), ("b", &["c"]), ("a", &["b", "c"])], &["a"]),
        ["k", "a", "b", "c"]
    );
    // Recursive functions and their callees come last.
    assert_eq!(order(&[("a", &["a"]), ("b", &[])], &["a", "b"]), ["k", "b", "a"]);
    assert_eq!(
        order(&[("a", &["b"]), ("b", &["a", "c"]), ("c", &[])], &["a"]),
        ["k", "a", "b", "c"]
    );
}

#[test]
fn straight_functions_that_call_only_such_return() {
    let returning = |calls: &[(&str, &[&str])]| calling(calls, &[]).callers().returning;
    assert_eq!(returning(&[("a", &[])]), ["a"]);
    assert_eq!(returning(&[("a", &["b"]), ("b", &["c"]), ("c", &[])]), ["a", "b", "c"]);
    assert_eq!(returning(&[("a", &["a"]), ("b", &["a"]), ("c", &[])]), ["c"]);
    assert_eq!(returning(&[("a", &["nobody"]), ("c", &[])]), ["c"]);
    let chain: [(&str, &[&str]); 4] = [("a", &["b"]), ("b", &["c"]), ("c", &["d"]), ("d", &[])];
    assert_eq!(returning(&chain), ["a", "b", "c", "d"]);
}

#[test]
fn unknown_functions_may_not_return() {
    let returns = |body: &str| {
        let text = format!(
            ".func f() {{\n.reg .pred %p<4>;\n.reg .b64 %d<4>;\n{body}\n}}\n.func g() {{\nret;\n}}\n"
        );
        Sample::of(&text).callers().returning.contains(&"f")
    };
    for body in ["", "ret;", "call g;", "@%p1 bra L;\nL:", "@%p1 bra L;\nret;\nL:\nret;"] {
        assert!(returns(body), "{body}");
    }
    for body in [
        "!nop;\nret;",
        "call;\nret;",
        "call %d1;\nret;",
        "L:\n@%p1 bra L;\nret;",
        "@%p1 bra L;\nret;",
        "frobnicate;\nret;",
        "@%p1 exit;\nret;",
    ] {
        assert!(!returns(body), "{body}");
    }
}

/// Creates a function that accesses offset 2 of its argument, and kernels that pass it an array, or not.
fn passing(calls: &[&str]) -> Sample {
    let mut text = String::from(
        ".shared .align 16 .b8 t[128];
         .shared .align 16 .b8 u[64];
         .func f(.reg .b32 a) {
             st.shared.b32 [a+2], 1;
             st.shared.b32 [a+64], 1;
             ret;
         }\n",
    );
    for (n, call) in calls.iter().enumerate() {
        let _ = write!(
            text,
            ".entry k{n}(.param .u32 n) {{
                 .reg .pred %p<4>;
                 .reg .b32 %r<8>;
                 ld.param.u32 %r2, [n];
                 setp.eq.u32 %p1, %r2, 0;
                 mov.u32 %r1, t;
                 mov.u32 %r3, u;
                 add.u32 %r4, %r1, 64;
                 {call}
                 ret;
             }}\n"
        );
    }
    Sample::of(&text)
}

/// Returns the codes of the findings in the function.
fn found(sample: &Sample) -> Vec<String> {
    let conclusions = &sample.conclusions(true)["f"];
    let codes = conclusions.notes.iter().filter_map(|(_, note)| note.strip_prefix("! "));
    codes.map(|note| note[..4].into()).collect()
}

#[test]
fn arguments_common_to_all_calls_are_known() {
    assert_eq!(found(&passing(&["@%p1 call f, (%r1);"])), ["A021"]);
    assert_eq!(found(&passing(&["@%p1 call f, (%r3);"])), ["A021", "A020"]);
    // Both are aligned, and 64 bytes apart.
    assert_eq!(found(&passing(&["@%p1 call f, (%r1);", "@%p1 call f, (%r4);"])), ["A021"]);
    assert_eq!(found(&passing(&["@%p1 call f, (%r4);", "@%p1 call f, (%r4);"])), ["A021", "A020"]);
    assert!(found(&passing(&["@%p1 call f, (%r1);", "@%p1 call f, (%r3);"])).is_empty());
    assert!(found(&passing(&["@%p1 call f, (%r1);", "@%p1 call f, (%r2);"])).is_empty());
    assert!(found(&passing(&["@%p1 call f, (%r2);", "@%p1 call f, (%r1);"])).is_empty());
}

#[test]
fn of_bodies_that_are_perhaps_not_there_nothing_is_known() {
    let mut sample = passing(&["@%p1 call f, (%r1);", "@%p1 call f, (%r1);"]);
    assert_eq!(found(&sample), ["A021"]);
    for conditional in [&["k0"][..], &["k1"], &["k0", "k1"]] {
        sample.conditional = conditional.into();
        assert!(found(&sample).is_empty(), "{conditional:?}");
    }
    sample.conditional = ["f"].into();
    assert_eq!(found(&sample), ["A021"]);
}

#[test]
fn calls_that_threads_certainly_reach_are_checked_alone() {
    // For t, one call is correct; for u, it goes out of bounds.
    let (right, wrong) = ("call f, (%r1);", "call f, (%r3);");
    for (calls, expected) in [
        (&[right][..], &["A021"][..]),
        (&[right, wrong], &["A021", "A020"]),
        (&[wrong, right], &["A021", "A020"]),
    ] {
        assert_eq!(found(&passing(calls)), expected, "{calls:?}");
    }
    let conclusions = passing(&[right, wrong, "@%p1 call f, (%r1);"]).conclusions(true);
    assert_eq!(conclusions["k0"].must_calls, ["f"]);
    assert_eq!(conclusions["k1"].must_calls, ["f"]);
    assert!(conclusions["k2"].must_calls.is_empty(), "{:?}", conclusions["k2"].must_calls);
    assert_eq!(conclusions["k2"].calls, ["f with 1"]);
}
