//! Variables, and their initial values.

use super::choice::Choices;
use super::choice::Says::{Allowed, Depends, Forbidden};
use super::words::{
    ALIGNMENTS, ANY_TYPE, ATTRIBUTES, EXTENTS, FLOATS, LINKAGES, NAMES, NUMBERS, OTHER_TYPES,
    SPACES, TYPES,
};

/// A variable of numbers, with or without a value, or a family of variables.
pub(super) fn data(choices: &mut Choices) -> String {
    let linkage = choices.word(&["", "", ".visible "], &[LINKAGES]);
    let space = choices.word(&[".global", ".global", ".const"], &[SPACES]);
    let attribute = choices.word(&[""], &[ATTRIBUTES]);
    let align = alignment(choices);
    let lanes =
        choices.word(&["", "", "", ".v2 "], &[(Depends, &[".v3 ", ".v4 ", ".v8 ", ".v1 "])]);
    let ty = choices.weighted(3, TYPES, &[OTHER_TYPES]);
    let name = choices.weighted(2, &["x"], NAMES);
    let shape = choices.usual(&["", "", "[2]", "[3]", "[3][3]", "<4>", "[N]"]);
    let odd = choices.word(&[""], &[EXTENTS]);
    let (shape, value) = match shape {
        _ if !odd.is_empty() => (odd.to_owned(), numbers(choices, ty, lanes, odd)),
        "[N]" => (format!("[{}]", choices.weighted(2, &["4"], &[NUMBERS])), String::new()),
        "<4>" => (format!("<{}>", choices.word(&["4"], &[NUMBERS])), String::new()),
        _ => (shape.to_owned(), numbers(choices, ty, lanes, shape)),
    };
    format!("{linkage}{space} {attribute} {align} {lanes}{ty} {name}{shape}{value};\n")
}

fn alignment(choices: &mut Choices) -> String {
    if choices.one_in(3) {
        format!(".align {}", choices.word(&["16"], ALIGNMENTS))
    } else {
        String::new()
    }
}

/// One number of a type.
fn number(choices: &mut Choices, ty: &str) -> &'static str {
    let is_float = matches!(ty, ".f32" | ".f64");
    let usual: &[&str] = match ty {
        ".f64" => &["1.5", "0d3FF8000000000000"],
        ".f32" => &["1.5", "0f3FC00000"],
        _ => &["1", "2", "7"],
    };
    let other: &[&str] =
        if is_float { &["1"] } else { &["1.5", "0f3F800000", "0d3FF8000000000000"] };
    let single: &[&str] = &["0f3F800000"];
    let said = if is_float { FLOATS } else { NUMBERS };
    let single = (Allowed, if ty == ".f64" { single } else { &[] });
    choices.weighted(2, usual, &[said, (Depends, other), single])
}

/// An initial value, or none.
fn numbers(choices: &mut Choices, ty: &str, lanes: &str, shape: &str) -> String {
    if !TYPES.contains(&ty) || choices.one_in(4) {
        // Types of numbers have values; others do not, or their values are those of bits.
        let usual: &[&str] =
            if TYPES.contains(&ty) { &[""] } else { &["", " = 1", " = -1", " = {1}"] };
        return choices.word(usual, &[(Depends, &[" = 1", " = 0", " = {1, 2}"])]).to_owned();
    }
    let mut list = |count: usize| {
        let all: Vec<&str> = (0..count).map(|_| number(choices, ty)).collect();
        format!("{{{}}}", all.join(", "))
    };
    let value = match (lanes.is_empty(), shape) {
        (true, "") => return format!(" = {}", number(choices, ty)),
        (false, "") | (true, "[2]") => list(2),
        (true, "[3]") => list(3),
        (false, "[2]") => format!("{{{}, {}}}", list(2), list(2)),
        (true, "[3][3]") => {
            let rows: Vec<String> = (0..3).map(|_| list(3)).collect();
            let rows = rows.join(", ");
            // What a list leaves out is zero.
            let word = choices.word(
                &["full"],
                &[(
                    Depends,
                    &["{{1}, {2}, {3}}", "{{1, 2}, {3}}", "{1, 2, 3}", "{{{1}}}", "{1, {2}}"],
                )],
            );
            if word == "full" { format!("{{{rows}}}") } else { word.to_owned() }
        }
        _ => {
            // An unusual extent goes with and without a value.
            let usual: &[&str] =
                if EXTENTS.1.contains(&shape) { &["none", "{1}"] } else { &["none"] };
            choices.word(usual, &[(Depends, &["1", "{1}", "{}", "{1, 2, 3, 4, 5}"])]).to_owned()
        }
    };
    if value == "none" { String::new() } else { format!(" = {value}") }
}

/// A variable whose value is a constant expression.
pub(super) fn expression(choices: &mut Choices) -> String {
    let (ty, value) = if choices.one_in(3) {
        let depth = choices.usual(&["", "1", "22"]).len();
        (choices.word(&[".f64"], &[ANY_TYPE]), floats(choices, depth))
    } else {
        let depth = choices.usual(&["1", "22", "333"]).len();
        let value = integers(choices, depth);
        // What is less than zero has a sign.
        let value = match choices.usual(&["", "<"]) {
            "<" => format!("{} < 0", parenthesised(&value)),
            _ => value,
        };
        (choices.word(&[".u64", ".s64"], &[ANY_TYPE]), value)
    };
    format!(".visible .global {ty} x = {value};\n")
}

fn integers(choices: &mut Choices, depth: usize) -> String {
    const BOUNDS: &[&str] = &[
        "0",
        "0U",
        "-1",
        "63",
        "64",
        "9223372036854775807",
        "0x8000000000000000",
        "0xffffffffffffffff",
    ];
    const USUAL: &[&str] =
        &["1", "2", "3", "7", "1U", "3U", "5U", "-1", "(-9223372036854775807 - 1)"];
    if depth == 0 {
        return choices
            .weighted(2, USUAL, &[(Allowed, BOUNDS), (Depends, &["18446744073709551616"])])
            .to_owned();
    }
    let next = choices.usual(&["0", "0", "1", "1"]).len() * (depth - 1);
    let one = integers(choices, next);
    let operator = choices.usual(&["-", "binary", "binary", "binary", "?", "()", "~"]);
    match operator {
        "-" | "~" => {
            let operator = choices.usual(&["-", "~", "!", "+", "(.s64) ", "(.u64) "]);
            format!("{operator}{one}")
        }
        "()" => format!("({one})"),
        "?" => {
            let (two, three) = (integers(choices, 0), integers(choices, next));
            format!("({} ? {two} : {three})", parenthesised(&one))
        }
        _ => {
            let operator = choices.usual(&[
                "+", "-", "*", "<", "<=", "==", ">", "!=", "&", "|", "^", "<<", ">>", "&&", "||",
                "/", "/", "%", "%",
            ]);
            if matches!(operator, "/" | "%") {
                // Of zero, the PTX ISA says nothing, and of the least integer and -1, it does.
                let other = choices.weighted(
                    4,
                    &["2", "3", "3U", "7"],
                    &[(Allowed, &["-1"]), (Depends, &["0"])],
                );
                return format!("{} {operator} {other}", parenthesised(&one));
            }
            let other = integers(choices, next);
            format!("{} {operator} {}", parenthesised(&one), parenthesised(&other))
        }
    }
}

fn floats(choices: &mut Choices, depth: usize) -> String {
    if depth == 0 {
        let usual = &["1.5", "2.5", "1.0", "0d3FF8000000000000"];
        let single = (Depends, &["0f3F800000", "(0f3F800000)"][..]);
        return choices.word(usual, &[(Allowed, &["0.0"]), FLOATS, single]).to_owned();
    }
    let (one, other) = (floats(choices, depth - 1), floats(choices, 0));
    let operator =
        choices.word(&["+", "-", "*", "/"], &[(Allowed, &["?"]), (Depends, &["%", "&", "<"])]);
    match operator {
        "?" => format!("1 ? {} : {other}", parenthesised(&one)),
        _ => format!("{} {operator} {other}", parenthesised(&one)),
    }
}

fn parenthesised(text: &str) -> String {
    if text.contains(' ') && !text.starts_with('(') { format!("({text})") } else { text.to_owned() }
}

/// Variables with addresses as values.
pub(super) fn addresses(choices: &mut Choices) -> String {
    let others = ".global .texref t;\n.func f() { ret; }\n.shared .u32 s;\n.entry k() { ret; }\n";
    let others = if choices.one_in(2) { others } else { "" };
    let ty = choices.weighted(2, &[".u64"], &[ANY_TYPE, OTHER_TYPES]);
    let usual = if others.is_empty() { &["y"][..] } else { &["y", "f"][..] };
    let name = choices.weighted(3, usual, NAMES);
    let count = choices.usual(&["", "[2]"]);
    let is_old = choices.version < "7.2";
    let value = match choices.usual(&["plain", "plain", "+", "generic", "mask"]) {
        "+" if name == "y" => format!("{name}+{}", choices.word(&["4"], &[NUMBERS])),
        "generic" if name == "y" => format!("generic({name})"),
        "mask" if !is_old => {
            let number = choices.word(&["1000", "131187"], &[NUMBERS]);
            let mask = choices.word(&["0xff", "0xff00", "0xff0000"], &[NUMBERS]);
            // Integers need PTX 7.3.
            let is_newer = choices.version >= "7.3";
            let usual: &[&str] = if is_newer { &["number"] } else { &["y"] };
            let masked = choices.word(usual, &[(Depends, &["y", "t", "f", "number", "number"])]);
            let masked = if masked == "number" { number } else { masked };
            if masked == number && !is_newer {
                choices.note(Forbidden("A mask of an integer before PTX 7.3"));
            }
            return format!(
                "{others}.visible .global .u32 y = 1;\n.visible .global .u8 x = {mask}({masked});\n"
            );
        }
        _ => name.to_owned(),
    };
    let value = if count.is_empty() { value } else { format!("{{{value}, 7}}") };
    format!("{others}.visible .global .u32 y = 1;\n.visible .global {ty} x{count} = {value};\n")
}

/// Textures, samplers and surfaces, with values of their members.
pub(super) fn opaque(choices: &mut Choices) -> String {
    let linkage = choices.word(&["", "", ".visible "], &[LINKAGES]);
    let space = choices.weighted(2, &[".global"], &[SPACES]);
    let align = alignment(choices);
    let ty = choices.weighted(2, &[".texref", ".surfref"], &[(Depends, &[".samplerref"])]);
    let name = choices.word(&["t"], NAMES);
    let extent = choices.weighted(3, &[""], &[EXTENTS]);
    let mut members = Vec::new();
    for member in [("width", "16"), ("height", "8"), ("filter_mode", "nearest")] {
        // A surface has no filter.
        if choices.one_in(2) && (ty == ".texref" || member.0 != "filter_mode") {
            let others = &[
                "width",
                "depth",
                "filter_mode",
                "addr_mode_0",
                "normalized_coords",
                "channel_data_type",
            ];
            let name = choices.word(&[member.0], &[(Depends, others)]);
            let words = &["nearest", "wrap", "rgba", "signed_int8", "sm_90a", "x", "1.5", "true"];
            let value = choices.word(&[member.1], &[(Depends, words), NUMBERS]);
            members.push(format!("{name} = {value}"));
        }
    }
    let value =
        if members.is_empty() { String::new() } else { format!(" = {{ {} }}", members.join(", ")) };
    format!("{linkage}{space} {align} {ty} {name}{extent}{value};\n")
}

/// One thing with a name, or none.
pub(super) fn named(choices: &mut Choices) -> String {
    let linkage = choices.usual(&["", ".visible "]);
    let name = choices.weighted(4, &["x"], NAMES);
    match choices.usual(&[
        "variable",
        "variable",
        "kernel",
        "function",
        "parameter",
        "register",
        "nothing",
    ]) {
        "variable" => {
            let (space, ty) =
                (choices.usual(&[".global", ".const"]), choices.usual(&[".b32", ".u32", ".b64"]));
            format!("{linkage}{space} {ty} {name};\n")
        }
        "kernel" => format!("{linkage}.entry {name}() {{ ret; }}\n"),
        "function" => format!("{linkage}.func {name}() {{ ret; }}\n"),
        "parameter" => format!("{linkage}.entry k(.param .u32 {name}) {{ ret; }}\n"),
        "register" => format!("{linkage}.entry k() {{ .reg .b32 {name}; ret; }}\n"),
        _ => String::new(),
    }
}

/// A texture, or several, and a kernel that names it.
pub(super) fn opaque_use(choices: &mut Choices) -> String {
    let space = choices.weighted(
        2,
        &[".global"],
        &[(Depends, &[".shared", ".shared", ".const", ".param"])],
    );
    let extent = choices.weighted(2, &[""], &[(Depends, &["[2]", "[2]", "<2>", "[0]"])]);
    let name = if extent == "<2>" { "t1" } else { "t" };
    let accesses = &["ld", "st", "atom", "prefetch", "cvta", "mov"];
    let used = choices.weighted(2, &["tex", "tex", "address"], &[(Depends, accesses)]);
    let texture = choices.weighted(2, &[name], &[(Depends, &["%d0", "%d0", "s", "t+4"])]);
    let statement = match used {
        "ld" => format!("ld{space}.b32 %r0, [{name}];"),
        "st" => format!("st{space}.b32 [{name}], %r0;"),
        "atom" => format!("atom{space}.add.u32 %r0, [{name}], 1;"),
        "prefetch" => format!("prefetch{space}.L2 [{name}];"),
        "cvta" => format!("cvta{space}.u64 %d0, {name};"),
        "mov" => format!("mov.u64 %d1, {name}+8;"),
        "address" => String::new(),
        _ if choices.mode.contains("independent") => {
            format!("tex.1d.v4.f32.s32 {{%f0, %f1, %f2, %f3}}, [{texture}, s, {{%r1}}];")
        }
        _ => format!("tex.1d.v4.f32.s32 {{%f0, %f1, %f2, %f3}}, [{texture}, {{%r1}}];"),
    };
    let sampler =
        if choices.mode.contains("independent") { ".global .samplerref s;\n" } else { "" };
    format!(
        "{sampler}{space} .texref t{extent};\n.visible .entry k()\n{{\n    .reg .b32 %r<2>;\n    .reg .b64 %d<2>;\n    \
        .reg .f32 %f<4>;\n    mov.u64 %d0, {name};\n    mov.b32 %r1, 0;\n    {statement}\n    ret;\n}}\n"
    )
}
