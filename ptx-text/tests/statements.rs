//! Long and malformed statements of a text: each mistake is one error, at its place.

mod blamed;

use ptx_isa::ir::{Init, Value};
use ptx_text::Parsed;

use blamed::{HEAD, findings};

/// A list of names or of targets, or a sum, may be as long as a table.
#[test]
fn long_statements_are_read() {
    const COUNT: usize = 70_000;
    let list = |of: &dyn Fn(usize) -> String| (0..COUNT).map(of).collect::<Vec<String>>().join(",");
    let names = list(&|n| format!("x{n}"));
    let values = list(&|n| format!("x{n}=1"));
    let registers = list(&|n| format!("%r{n}"));
    let sum = vec!["1"; COUNT].join("+");
    for text in [
        format!(".global .u32 {names}; .global .u64 y = x{};", COUNT - 1),
        format!(".global .align 8 .u32 {values}; .global .u64 y = x{};", COUNT - 1),
        format!(".func f() {{ .reg .u32 {registers}; mov.u32 %r1, %r{}; ret; }}", COUNT - 1),
        format!(
            ".func f() {{ .reg .u32 %r; mov.u32 %r, 0; L: M: ts: .branchtargets {}; brx.idx %r, ts; }}",
            list(&|n| ["L", "M"][n % 2].to_owned())
        ),
        format!(
            ".func g() {{ ret; }} .func f() {{ .reg .u64 %r; mov.u64 %r, g; ts: .calltargets {}; call %r, (), ts; ret; }}",
            list(&|_| "g".to_owned())
        ),
        format!(".global .u32 t = {sum}; .global .u32 u = ({sum})+1;"),
        format!(".func f() {{ .reg .u32 %r; mov.u32 %r, {sum}; ret; }}"),
    ] {
        assert_eq!(findings(&text), [""; 0], "{}", &text[..60]);
    }
    let parsed = Parsed::new(format!("{HEAD}.global .u32 {values};"));
    assert_eq!(parsed.module().variables.len(), COUNT);
    let Init::Value(Value::Int(1)) = parsed.module().variables[COUNT - 1].init else {
        panic!("no value")
    };
}

/// A mistake in a long list, or one too many, is one error.
#[test]
fn what_is_wrong_with_a_long_statement_is_one_error() {
    let list = |of: &str, wrong: &str, count: usize| {
        let item = |n| if n == 1500 { wrong.to_owned() } else { format!("{of}{n}") };
        (0..count).map(item).collect::<Vec<String>>().join(",")
    };
    for (wrong, found) in [
        ("z y", "write `,` before another name, or ` at y"),
        ("", "expected a name after the type, as in `.reg .b32 %r<4>` at ,"),
        ("1", "expected a name after the type, as in `.reg .b32 %r<4>` at 1"),
        ("z=08", "`08` is not a number of PTX at 08"),
        ("z=(1", "nothing closes this `(` at ("),
        ("z=1/0", "this divides by zero at /"),
    ] {
        let text = format!(".global .u32 {}; .global .u64 y = x0;", list("x", wrong, 2000));
        assert_eq!(findings(&text), [found], "{wrong}");
        let text = format!(".func f() {{ .global .u32 {}; ret; }}", list("x", wrong, 2000));
        assert_eq!(findings(&text), [found], "{wrong}");
    }
    let targets = list("L", "1", 2000);
    let text = format!(".func f() {{ L0: L9: ts: .branchtargets {targets}; ret; }}");
    assert_eq!(findings(&text), ["expected a name at 1"]);
    // What takes more memory than there is for the bytes.
    let same = vec!["a"; 70_000].join(",");
    let too_long = findings(&format!(".global .u32 {same}; .global .u64 y = a;"));
    assert_eq!(too_long, ["this statement has too many names for its length at a"]);
    let arguments = findings(&format!(".func f() {{ call g, ({same}); ret; }}"));
    assert_eq!(arguments.len(), 1, "{arguments:?}");
    assert!(arguments[0].starts_with("this statement has too many commas"), "{arguments:?}");
    let signs = findings(&format!(".global .u32 x = {}1;", "- ".repeat(70_000)));
    assert_eq!(signs, ["more than 4,096 signs are before this at -"]);
}

/// A line marker in a long table is not a part of it, and an allowance in it is one of its declaration.
#[test]
fn lines_in_a_long_table_are_skipped() {
    let table = |line: &str| {
        let values = (0..2000).map(|n| if n == 1500 { format!("{line}\n9") } else { "8".into() });
        let values = values.collect::<Vec<String>>().join(",\n");
        findings(&format!(".global .u8 f[4];\n.global .u64 t[] = {{f+8,\n{values}}};"))
    };
    assert_eq!(table(""), ["D034 at f"]);
    assert_eq!(table("# 5 \"f.cu\""), ["D034 at f"]);
    assert_eq!(table("// ptx: allow(D034)"), [""; 0]);
}

/// A brace or a semicolon too many in an initial value is one error, also if the variable is used.
#[test]
fn a_malformed_initial_value_is_one_error() {
    let separated = "elements are separated by commas at ;";
    for (value, found) in [
        ("{1;2,3}", separated),
        ("{1;2;3}", separated),
        ("{1,2,3;}", separated),
        ("{1,2}}", "this `}` closes nothing at }"),
        ("{1,2", "nothing closes this `{` at {"),
        ("{1,2)}", "this `)` closes nothing at )"),
        ("{1,(2,3}", "nothing closes this `(` at ("),
        ("{1,/*2,3}", "nothing ends this comment at /*"),
        (
            "{1,\u{e9},3}",
            "`\u{e9}` is not ASCII, and ptxas takes no other characters, not even in comments at \u{e9}",
        ),
    ] {
        let text = format!(".global .u32 x[3] = {value}; .global .u64 q = x;");
        assert_eq!(findings(&text), [found], "{value}");
        let long = value.replacen('1', &vec!["1"; 2000].join(","), 1);
        let text = format!(".global .u32 x[] = {long}; .global .u64 q = x;");
        assert_eq!(findings(&text), [found], "{value}");
    }
    let body = ".func f() { .global .u32 x[2] = {1,2; ret; }";
    assert_eq!(findings(body), ["nothing closes this `{` at {"]);
    let block = ".func f() { .reg .u32 %r; { .reg .u32 %r; mov.u32 %r, 1; } ret; }";
    assert_eq!(findings(block), [""; 0]);
}

/// A directive that names labels does not declare them, whatever is wrong with it.
#[test]
fn a_malformed_directive_declares_nothing() {
    for (directive, found) in [
        ("ts: .branchtargets L0, 1, L1;", "expected a name at 1"),
        ("ts: .branchtargets L0, 08, L1;", "`08` is not a number of PTX at 08"),
        ("ts: .branchtargets L0 1 L1;", "two operands are side by side at 1"),
        (".pragma L0 1;", "expected a string at L0"),
    ] {
        let text = format!(".func f() {{ {directive} L0: ret; L1: ret; }}");
        assert_eq!(findings(&text), [found], "{directive}");
    }
}

/// A mask selects a byte, and is an integer.
#[test]
fn a_mask_is_an_integer() {
    let integer = "this is a floating-point number where only an integer may stand at ";
    for (mask, found) in [
        ("1.5", format!("{integer}1.5")),
        ("1e3", format!("{integer}1e3")),
        ("0f3F800000", format!("{integer}0f3F800000")),
        (
            "99999999999999999999",
            "`99999999999999999999` does not fit in 64 bits at 99999999999999999999".into(),
        ),
        ("18446744073709551616", "D041 at 18446744073709551616".into()),
        ("1", "D041 at 1".into()),
    ] {
        for value in ["a", "63"] {
            let text = format!(".global .u8 a; .global .u8 x = {mask}({value});");
            assert_eq!(findings(&text), [found.as_str()], "{text}");
        }
    }
    for mask in ["0xff", "255", "0377", "0xffU", "0b11111111"] {
        let text = format!(".global .u8 a; .global .u8 x[2] = {{{mask}(a), {mask}(3)}};");
        assert_eq!(findings(&text), [""; 0], "{text}");
    }
}

/// ptxas takes integers, of which it keeps 64 bits, and addresses of 32 and 64 bits in the data of a section.
#[test]
fn data_of_sections_are_integers_and_addresses() {
    for (data, found) in [
        (".b8 08", "`08` is not a number of PTX at 08"),
        (".b8 0b2", "`0b2` is not a number of PTX at 0b2"),
        (".b8 0x", "`0x` is not a number of PTX at 0x"),
        (".b8 1u", "`1u` is not a number of PTX at 1u"),
        ("L: .b64 L+08", "`08` is not a number of PTX at 08"),
        (
            ".b32 99999999999999999999",
            "`99999999999999999999` does not fit in 64 bits at 99999999999999999999",
        ),
        ("L: .b8 L", "an address does not fit in 8 bits at L"),
        ("L: .b16 L-L", "an address does not fit in 16 bits at L"),
        (".b16 .debug_info", "an address does not fit in 16 bits at .debug_info"),
        (".b8 256", "this number does not fit in 8 bits at 256"),
        (".b8 4294967552", "this number does not fit in 8 bits at 4294967552"),
        (".b8 -129", "this number does not fit in 8 bits at 129"),
        (".b64 -9223372036854775808", "this number does not fit in 64 bits at 9223372036854775808"),
        (".b32 -0", "there is no negative zero at 0"),
    ] {
        assert_eq!(findings(&format!(".section .debug_info {{ {data} }}")), [found], "{data}");
    }
    for float in ["1e5", "0f3F800000", "0d3FF0000000000000", "1.5"] {
        let found = findings(&format!(".section .debug_info {{ .b8 {float} }}"));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with(&format!("`{float}` has no meaning here")), "{found:?}");
    }
    for data in [
        ".b8 1U, 0b1, 017, 0xFFU, -128, 18446744073709551616, -18446744073709551617",
        ".b8 4294967296, 9223372036854775808, 4294967551",
        ".b16 18446744073709551617 .b32 4294967296, -2147483648",
        ".b64 0x1ffffffffffffffff, -0, -9223372036854775807",
        "L: .b32 L .b32 L-L .b64 L+18446744073709551616 .b32 .debug_info",
    ] {
        let found = findings(&format!(".section .debug_info {{ {data} }}"));
        assert_eq!(found, [""; 0], "{data}");
    }
}

/// The element of an initial value that is wrong is blamed, and a name that nothing declares is one error.
#[test]
fn an_element_of_an_initial_value_is_blamed() {
    for (declaration, found) in [
        (".global .u8 t[3] = {1, undefd, 3};", &["D033 at undefd"][..]),
        (".global .u32 t[3] = {1, undefd, 3};", &["D033 at undefd"]),
        (".global .u64 t[3] = {1, generic(undefd)+4, 3};", &["D033 at undefd"]),
        (".global .u8 t[3] = {1, 0xff(undefd), 3};", &["D033 at undefd"]),
        (".global .u64 t[] = {a, b, c};", &["D033 at a", "D033 at b", "D033 at c"]),
        (".global .u64 t[2][2] = {{a, 0}, {0, b}};", &["D033 at a", "D033 at b"]),
        (".global .u8 f; .global .u8 t[3] = {1, f, 3};", &["D039 at f"]),
        (".global .u8 f; .global .s8 t[3] = {1, 0xff(f), 3};", &["D039 at f"]),
        (".global .u8 f; .global .u64 t[] = {0, f, f+8};", &["D034 at f"]),
        (".global .u32 t[2][2] = {{1, 2}, {3, 4, 5}};", &["D018 at 5"]),
        (".global .u32 t[2][2] = {{1, 2}, {3, {4}}};", &["D018 at {4"]),
        (".global .u32 t[2] = {1, {2}};", &["D018 at {2"]),
        (".global .v2 .u32 t[2] = {{1, 2}, {3, 4.5}};", &["D019 at 4.5"]),
        (".global .v2 .u32 t[2] = {{1, 2}, {3}};", &["D018 at {3"]),
        (".global .f32 t[3] = {1.5, -2, 3};", &["D019 at -2"]),
        (".global .u32 t = 1.5;", &["D019 at 1.5"]),
        (".global .u8 t[3] = {1, 200+100, (300)};", &["D014 at 200+100", "D014 at (300)"]),
        (".global .b32 f; .global .b32 t[3] = {1.5, f, 2.5};", &["D032 at 1.5", "D039 at f"]),
        (
            ".entry k() { .global .u8 s, t[2][2] = {{1, 300}, {-400, 4}}, u = 500; ret; }",
            &["D014 at 300", "D014 at -400", "D014 at 500"],
        ),
    ] {
        let text = format!("{HEAD}{declaration}");
        let parsed = Parsed::new(text.clone());
        // With the token after a brace.
        let place = |found: &ptx_text::Diagnostic| {
            let end = found.range.end + usize::from(&text[found.range.clone()] == "{");
            format!("{} at {}", found.code.unwrap_or(&found.message), &text[found.range.start..end])
        };
        let places: Vec<String> = parsed.check().iter().map(place).collect();
        assert_eq!(places, found, "{declaration}");
    }
}
