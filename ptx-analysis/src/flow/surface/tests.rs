use alloc::format;
use alloc::string::String;

use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;

use super::SurfaceAccess;
use crate::flow::expression::Expression;

/// Returns the coordinate that counts bytes, and the number of bytes accessed.
fn access(text: &str) -> Option<String> {
    let (encoded, table) = encode(text);
    let body = Body::new(&encoded, &table, &[]);
    let statement = body.statements().next().expect("there is one");
    let instruction = statement.instruction(&[]).expect("it is an instruction");
    let SurfaceAccess { coordinate: (value, place), bytes } = SurfaceAccess::of(&instruction, 3)?;
    let Expression::Name(name) = value else { return Some(format!("{value:?} {bytes}")) };
    assert_eq!((place.statement, place.tokens.first), (3, name.token));
    Some(format!("{} {bytes}", name.text))
}

#[test]
fn the_first_coordinate_counts_bytes() {
    for (text, expected) in [
        ("suld.b.1d.b32.trap %r1, [surf, {%r2}];", "%r2 4"),
        ("suld.b.1d.b32.trap %r1, [surf, %r2];", "%r2 4"),
        ("suld.b.2d.v2.b16.trap {%h1, %h2}, [surf, {%r2, %r3}];", "%r2 4"),
        ("suld.b.3d.v4.b32.zero {%r4, %r5, %r6, %r7}, [surf, {%r2, %r3, %r1, %r1}];", "%r2 16"),
        ("sust.b.1d.b8.clamp [surf, {%r2}], %h1;", "%r2 1"),
        ("sust.b.1d.v2.b64.clamp [surf, {%r2}], {%d1, %d2};", "%r2 16"),
        ("sured.b.add.1d.u32.trap [surf, {%r2}], %r1;", "%r2 4"),
    ] {
        assert_eq!(access(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn behind_the_number_in_an_array_of_surfaces() {
    let load = "suld.b.a1d.b32.trap %r1";
    assert_eq!(access(&format!("{load}, [surf, {{%r2, %r3}}];")).as_deref(), Some("%r3 4"));
    let load_2d = "suld.b.a2d.b32.trap %r1, [surf, {%r2, %r3, %r4, %r5}];";
    assert_eq!(access(load_2d).as_deref(), Some("%r3 4"));
    // Only the coordinate is given.
    assert_eq!(access(&format!("{load}, [surf, {{%r2}}];")), None);
    assert_eq!(access(&format!("{load}, [surf, %r2];")), None);
}

#[test]
fn other_instructions_count_elements_or_have_no_coordinates() {
    for text in [
        "sust.p.1d.b32.trap [surf, {%r2}], %r1;",
        "suq.width.b32 %r1, [surf];",
        "suld.b.1d.b32.trap %r1, [surf];",
        "suld.b.1d.trap %r1, [surf, {%r2}];",
        "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r2}];",
        "ld.global.b32 %r1, [%d1];",
    ] {
        assert_eq!(access(text), None, "{text}");
    }
}
