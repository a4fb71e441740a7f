//! Constant expressions in a text: what is reported about the declarations that contain them.

mod blamed;

use ptx_isa::ir::{Init, Value};
use ptx_isa::{Member, MemberValue};
use ptx_text::Parsed;

use blamed::{HEAD, findings};

/// An expression does not hide the number of elements, their types, or the shape.
#[test]
fn an_expression_hides_nothing_of_its_declaration() {
    for (declaration, found) in [
        (".global .u32 x[2] = {3<<2, 1, 2};", &["D018 at 2"][..]),
        (".global .v2 .u32 x = {3/2, 1, 2};", &["D018 at 2"]),
        (".global .u32 x[2] = {1 ? 2 : 3, ~0, !1};", &["D018 at !1"]),
        (".global .u32 x = {(.u64)1};", &["D018 at {"]),
        (".global .u32 x[1] = 1==1;", &["D018 at 1==1"]),
        (".global .f32 x[2] = {1.5, 1<2};", &["D019 at 1<2"]),
        (".global .u64 y; .global .u64 x[2] = {y+(1<<2), 1, 2};", &["D018 at 2"]),
        (".global .u64 y; .global .u64 x[2] = {y+(1<<2), 1.5};", &["D019 at 1.5"]),
        (".global .u8 x = 1<<8;", &["D014 at 1<<8"]),
        (".global .u64 y; .global .u64 x = y+(3<<2);", &["D034 at y"]),
        (".global .u32 x[2] = {3<<2, 1}; .global .u8 y = ~1; .global .s64 z = -8>>1;", &[]),
        (".global .u32 x[] = {1, 3<<2}; .global .u32 y[2] = {~0, !0};", &[]),
        (".global .f32 x = 1.5*2.0; .global .f64 y = -(1.5);", &[]),
    ] {
        assert_eq!(findings(declaration), found, "{declaration}");
    }
}

/// What ptxas refuses is one error, also if the variable is used.
#[test]
fn what_ptxas_refuses_is_one_error() {
    let single = "`0f3F800000` has no sign or operator beside it at 0f3F800000";
    let integer = "this is a floating-point number where only an integer may stand at 1.5";
    for (value, found) in [
        ("1/0", "this divides by zero at /"),
        ("1 % 0", "this divides by zero at %"),
        ("0 ? 1/0 : 2", "this divides by zero at /"),
        ("(-9223372036854775807-1)/-1", "the quotient does not fit in 64 bits at /"),
        (
            "1+2.5",
            "one operand of this is an integer, and the other is a floating-point number at +",
        ),
        ("-0f3F800000", single),
        ("1.0*0f3F800000", single),
        ("1.5<<2.5", "this is a floating-point number where only an integer may stand at <"),
        ("1.5?2:3", integer),
        ("2?1.5:3", integer),
        ("(.u32)1", "a constant is cast to `.s64` or `.u64` alone at ("),
        (
            "1<99999999999999999999",
            "`99999999999999999999` does not fit in 64 bits at 99999999999999999999",
        ),
        ("1.0<1e400", "`1e400` does not fit in 64 bits at 1e400"),
        ("7%3", "`%3` is one word at %3"),
        ("1< <2", "a space is before the second character of this operator at <"),
    ] {
        let text = format!(".global .u64 x = {value}; .global .u64 y = x;");
        let refused = findings(&text);
        assert_eq!(refused, [found], "{value}");
        let body = format!(".func f() {{ .reg .b64 %r; mov.b64 %r, {value}; ret; }}");
        assert_eq!(findings(&body), [found], "{value}");
        let offset = format!(".func f() {{ .reg .b64 %r; ld.b64 %r, [%r+{value}]; ret; }}");
        assert_eq!(findings(&offset), [found], "{value}");
    }
}

#[test]
fn members_of_textures_are_computed() {
    let parsed =
        Parsed::new(format!("{HEAD}.global .texref x = {{ width = 3<<2, height = 8/2 }};"));
    assert!(parsed.check().is_empty());
    let Init::Members(members) = parsed.module().variables[0].init else { panic!("no members") };
    let members: Vec<(Member, MemberValue)> =
        members.iter().map(|member| (member.member, member.value)).collect();
    assert_eq!(
        members,
        [(Member::Width, MemberValue::Int(12)), (Member::Height, MemberValue::Int(4))]
    );
}

/// The bits of a NaN are kept.
#[test]
fn floating_point_numbers_have_the_bits_of_their_variable() {
    let values = |ty: &str| {
        let text =
            format!("{HEAD}.global {ty} x[3] = {{0f7FA00000, 0f3F800000, 0d7FF4000000000000}};");
        let parsed = Parsed::new(text);
        let Init::Value(Value::List(values)) = parsed.module().variables[0].init else {
            panic!("no list")
        };
        let bits = values.iter().map(|value| match value {
            Value::Float(value) => value.to_bits(),
            other => panic!("{other:?}"),
        });
        bits.collect::<Vec<u64>>()
    };
    let single = [0x7FF4_0000_0000_0000, 0x3FF0_0000_0000_0000, 0x7FFC_0000_0000_0000];
    assert_eq!(values(".f32"), single);
    assert_eq!(values(".f64"), [0x7FA0_0000, 0x3F80_0000, 0x7FF4_0000_0000_0000]);
}

/// A statement that ptxas reads may be a table of any kind, however long.
#[test]
fn long_tables_are_read() {
    // With the commas, more than 131,072 tokens.
    const COUNT: usize = 70_000;
    let table = |element: &dyn Fn(usize) -> String| {
        (0..COUNT).map(element).collect::<Vec<String>>().join(", ")
    };
    let integers = table(&|n| (n * 7 % 256).to_string());
    let shift = format!("{integers}, 1<<2");
    let expressions = table(&|n| format!("{n}%-7+1"));
    let commented = table(&|n| format!("\n// {n}\n{}", n % 256));
    let addresses = table(&|n| format!("generic(f)+{}", n % 4));
    let lists = table(&|n| format!("{{{}, {}}}", n % 256, n % 9));
    let floats = table(&|n| format!("0f{n:08X}"));
    for (ty, extents, values, count) in [
        (".align 4 .b8", format!("[{COUNT}]"), &integers, COUNT),
        (".u8", String::from("[]"), &shift, COUNT + 1),
        (".s32", format!("[{COUNT}]"), &expressions, COUNT),
        (".u8", format!("[{COUNT}]"), &commented, COUNT),
        (".u64", format!("[{COUNT}]"), &addresses, COUNT),
        (".u8", format!("[{COUNT}][2]"), &lists, COUNT),
        (".f32", format!("[{COUNT}]"), &floats, COUNT),
    ] {
        let text = format!("{HEAD}.global .u32 f;\n.global {ty} t{extents} = {{{values}}};\n");
        let parsed = Parsed::new(text);
        assert_eq!(parsed.check(), [], "{ty}{extents}");
        let Init::Value(value) = parsed.module().variables[1].init else { panic!("{ty}{extents}") };
        assert_eq!(value.elements(), Some(count), "{ty}{extents}");
    }
    let value = |text: &str, n: usize| {
        let parsed = Parsed::new(format!("{HEAD}.global .u32 t[] = {{{text}}};"));
        let Init::Value(value) = parsed.module().variables[0].init else { panic!("no value") };
        match value.element(n) {
            Value::Int(number) => number,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!([value(&integers, 1000), value(&shift, 1001), value(&shift, COUNT)], [88, 95, 4]);
    // A body has tables, too.
    let body = format!("{HEAD}.func f() {{ .global .u8 t[{COUNT}] = {{{commented}}}; ret; }}");
    let parsed = Parsed::new(body);
    assert_eq!(parsed.check(), []);
    let body = parsed.module().functions[0].body.expect("a body");
    assert_eq!(body.statements().count(), 2);
}

/// An element of a long table is blamed as in a short one.
#[test]
fn what_is_wrong_with_a_long_table_is_one_error() {
    let table = |wrong: &str, extent: usize| {
        let values =
            (0..2000).map(|n| if n == 1500 { wrong.to_owned() } else { (n % 100).to_string() });
        let values = values.collect::<Vec<String>>().join(", ");
        findings(&format!(".global .u8 t[{extent}] = {{{values}}}; .global .u64 y = t;"))
    };
    assert_eq!(table("7", 2000), [""; 0]);
    for (wrong, found) in [
        ("1/0", "this divides by zero at /"),
        ("", "nothing comes before this comma at ,"),
        ("1 2", "two operands are side by side at 2"),
        ("256", "D014 at 256"),
        ("1.5", "D019 at 1.5"),
        ("{1}", "D018 at {"),
        ("08", "`08` is not a number of PTX at 08"),
        ("1 < < 2", "a space is before the second character of this operator at <"),
        ("1 & & 2", "a space is before the second character of this operator at &"),
        ("1 = = 2", "a space is before the second character of this operator at ="),
        ("\"s\"", "expected a value, and PTX has strings only in `.pragma` and `.file` at \"s\""),
        ("x::y", "`::` has no meaning in an operand at ::y"),
        (".x", "`.` has no meaning in an operand at .x"),
        ("[", "nothing closes this `[` at ["),
        ("(", "nothing closes this `(` at ("),
        (")", "this `)` closes nothing at )"),
    ] {
        assert_eq!(table(wrong, 2000), [found], "{wrong}");
    }
    assert_eq!(table("7", 1999), ["D018 at 99"]);
}
