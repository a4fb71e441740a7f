//! What nobody writes.

use std::fmt::Write as _;

use super::source::Source;

/// Functions that nobody writes.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) functions: Vec<Source>,
    /// How many rules are broken.
    pub(crate) found: usize,
    /// How many bytes may be allocated for each of the text, if that is another number than of others.
    pub(crate) most_bytes: Option<usize>,
}

/// Families of registers with more members than anyone has.
const REGISTERS: &str = ".reg .b32 %r<4294967295>; .reg .b64 %rd<4294967295>; .reg .f32 %f<4294967295>;\
    .reg .pred %p<4294967295>; .shared .b32 s;\n";

fn each(count: usize, statement: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for n in 0..count {
        let _ = writeln!(text, "{}", statement(n));
    }
    text
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

fn kernel(name: &'static str, found: usize, body: &str) -> Case {
    let functions = vec![Source::kernel([REGISTERS, body].concat())];
    Case { name, functions, found, most_bytes: None }
}

fn nested(name: &'static str, findings: usize, many: usize, (open, close): (&str, &str)) -> Case {
    let (open, close) = (open.repeat(many), close.repeat(many));
    let body = format!("ld.global.u32 %r1, {open}%rd1{close};\nmov.u32 %r1, {open}1{close}+1;\n");
    kernel(name, findings, &body)
}

pub(crate) fn all(many: usize) -> Vec<Case> {
    let mut all = blocks(many);
    all.extend(names(many));
    all.extend(control(many));
    all.extend(operands(many));
    all.extend(functions(many));
    all.extend(facts(many));
    all
}

fn blocks(many: usize) -> Vec<Case> {
    let (open, close) = ("{\n".repeat(many), "}\n".repeat(many));
    vec![
        kernel("nested blocks", 0, &format!("{open}{close}")),
        kernel("blocks that are not closed", 0, &open),
        kernel("blocks that are not opened", 0, &close),
        kernel(
            "nested blocks with names",
            0,
            &(each(many, |n| {
                format!("{{ .reg .b32 a{n}; mov.u32 a{n}, 1; mov.u32 %r1, a0; L{n}:\n bra L0;")
            }) + &close),
        ),
        kernel(
            "blocks side by side",
            0,
            &each(many, |n| format!("{{ .reg .b32 t; mov.u32 t, {n}; add.u32 %r1, t, 1; }}")),
        ),
    ]
}

fn names(many: usize) -> Vec<Case> {
    let declared = each(many, |n| format!(".reg .b32 d{n};"));
    vec![
        kernel("undeclared", many, &each(many, |n| format!("mov.u32 x{n}, 1;"))),
        kernel(
            "undeclared where much is declared",
            many,
            &(declared.clone() + &each(many, |n| format!("mov.u32 x{n}, 1;"))),
        ),
        kernel("declared", 0, &(declared + &each(many, |n| format!("mov.u32 d{n}, d0;")))),
        kernel(
            "declared later and later",
            many,
            &each(many, |n| format!("mov.u32 x{n}, 1; .reg .b32 d{n}; mov.u32 d{n}, d{};", n / 2)),
        ),
        kernel(
            "declared again and again",
            many - 1,
            &each(many, |_| ".reg .b32 d; mov.u32 d, 1;".into()),
        ),
        kernel("labelled again and again", many - 1, &each(many, |_| "L:\n bra L;".into())),
        kernel(
            "families",
            0,
            &each(many, |n| format!(".reg .b32 f{n}x<4294967295>; mov.u32 f{n}x1, f0x4294967294;")),
        ),
        kernel("a family again and again", many - 1, &each(many, |_| ".reg .b32 f<4>;".into())),
        kernel(
            "families of digits",
            201,
            &each(200, |n| format!(".reg .b32 g{0}<2>; mov.u32 g{0}1, g1;", "1".repeat(n + 1))),
        ),
    ]
}

fn control(many: usize) -> Vec<Case> {
    let nested = |n| format!("mov.u32 %r{n}, 0; L{n}:");
    let back = |n: usize| {
        let n = many - 1 - n;
        format!("add.u32 %r{n}, %r{n}, 1; setp.lt.u32 %p{n}, %r{n}, 7; @%p{n} bra L{n};")
    };
    let chain = each(many, |n| format!("mov.u64 %rd{}, %rd{};", many - n, many - n - 1));
    vec![
        kernel("labels", 0, &each(many, |n| format!("L{n}:\n add.u32 %r{}, %r{n}, 1;", n + 1))),
        kernel(
            "a table of branches",
            1,
            &format!(
                "ld.param.u32 %r1, [p]; brx.idx %r1, t;\n{}",
                each(many, |n| format!("L{n}:\n mov.u32 %r{}, {n};", n % 1000))
            ),
        ),
        kernel(
            "tables of branches",
            1,
            &format!(
                "ld.param.u32 %r1, [p];\n{}",
                each(many, |n| format!(
                    "L{n}:\n setp.eq.u32 %p{n}, %r1, {n}; @%p{n} brx.idx %r1, t;"
                ))
            ),
        ),
        kernel(
            "branches to one label ahead",
            0,
            &(each(many, |n| {
                format!("mov.u32 %r{n}, {n}; setp.lt.u32 %p{n}, %r{n}, %r0; @%p{n} bra L;")
            }) + "L:\n ret;"),
        ),
        kernel(
            "branches to one label behind",
            0,
            &("mov.u32 %r0, 0; L:\n".to_string()
                + &each(many, |n| format!("setp.lt.u32 %p{n}, %r0, {n}; @%p{n} bra L;"))),
        ),
        kernel(
            "branches that no loop explains",
            0,
            &("mov.u32 %r0, 0;\n".to_string()
                + &each(many, |n| {
                    let to = n * 7919 % many;
                    format!(
                        "L{n}:\n add.u32 %r{}, %r{n}, 1; setp.lt.u32 %p{n}, %r{n}, 7; @%p{n} bra L{to};",
                        n + 1
                    )
                })),
        ),
        kernel("nested loops", 0, &(each(many, |n| nested(n) + "\n") + &each(many, back))),
        kernel(
            "a loop that passes everything on",
            0,
            &format!(
                "mov.u64 %rd0, s; L:\n{chain}add.u64 %rd0, %rd0, 4; setp.lt.u64 %p1, %rd0, 7; @%p1 bra L;"
            ),
        ),
    ]
}

fn operands(many: usize) -> Vec<Case> {
    let registers = list(10 * many, |n| format!("%r{n}"));
    vec![
        kernel("operands", 1, &format!("mov.u32 {registers};")),
        kernel("arguments", 1, &format!("call f, ({registers});")),
        kernel("a vector", 1, &format!("ld.global.v4.u32 {{{registers}}}, [%rd1];")),
        // An operand of a byte.
        Case {
            most_bytes: Some(300),
            ..kernel("nothing between commas", 0, &format!("mov.u32 {};", ",".repeat(many)))
        },
        kernel("modifiers", 2, &format!("ld{} %r1, [%rd1];", ".global".repeat(many))),
        nested("nested brackets", 1, many, ("[", "]")),
        nested("nested parentheses", 0, many, ("(", ")")),
        nested("nested braces", 1, many, ("{", "}")),
        nested("nested elements", 1, many, ("a[", "]")),
        nested("brackets that are not closed", 1, many, ("[", "")),
        nested("brackets that are not opened", 0, many, ("", "]")),
        nested("negations", 0, many, ("!", "")),
        nested("signs", 0, many, ("- +", "")),
        kernel("a sum", 0, &format!("mov.u32 %r1, 1{};", "+1".repeat(many))),
        kernel("a long number", 0, &format!("mov.u32 %r1, {};", "9".repeat(many))),
        kernel("a long name", 1, &format!("mov.u32 %r1, {};", "a9".repeat(many))),
        kernel(
            "huge numbers",
            0,
            &("ld.param.u64 %rd0, [p];\n".to_string()
                + &each(many, |n| {
                    format!(
                        "mul.lo.u64 %rd{0}, %rd{n}, 9223372036854775807; add.u64 %rd{0}, %rd{0}, \
                         18446744073709551615; ld.global.u32 %r{n}, [%rd{0}+{1}];",
                        n + 1,
                        "9".repeat(40)
                    )
                })),
        ),
    ]
}

fn functions(many: usize) -> Vec<Case> {
    let calls = |name: &'static str, callee: &dyn Fn(usize) -> usize| {
        let function = |n| Source::device(format!("f{n}"), format!("call f{}; ret;", callee(n)));
        let functions = (0..many).map(function).collect();
        Case { name, functions, found: 0, most_bytes: None }
    };
    vec![
        calls("functions that call the next", &|n| (n + 1).min(many - 1)),
        calls("functions that call the one before", &|n| n.saturating_sub(1)),
        calls("functions that call one another in a cycle", &|n| (n + 1) % many),
        calls("functions that all call one", &|_| 0),
    ]
}

fn facts(many: usize) -> Vec<Case> {
    let behind = many + 1;
    vec![
        kernel(
            "findings",
            many,
            &each(many, |_| "st.shared.b32 [s+20], 1; mov.u32 %r1, 1;".into()),
        ),
        kernel("nothing writes", many, &each(many, |n| format!("ld.global.u32 %r1, [%rd{n}];"))),
        kernel(
            "alignments that are tested",
            0,
            &("ld.param.u64 %rd1, [p];\n".to_string()
                + &each(many, |n| {
                    format!(
                        "add.u64 %rd2, %rd1, {n}; and.b64 %rd3, %rd2, 15; setp.ne.u64 %p{n}, %rd3, 0; \
                         @%p{n} bra L;"
                    )
                })
                + "L:\n ret;"),
        ),
        kernel(
            "tests that are combined",
            0,
            &("ld.param.u64 %rd1, [p]; setp.eq.u64 %p0, %rd1, 0;\n".to_string()
                + &each(many, |n| {
                    format!(
                        "add.u64 %rd2, %rd1, {n}; and.b64 %rd3, %rd2, 15; \
                         setp.ne.u64 %p{behind}, %rd3, 0; or.pred %p0, %p0, %p{behind};"
                    )
                })),
        ),
        kernel(
            "stores before loads of what stays the same",
            1,
            &("ld.param.u64 %rd1, [p];\n".to_string()
                + &each(200, |n| format!("@%p1 bra M{n}; st.global.u32 [%rd1], 1; M{n}:\n"))
                + &each(many, |n| format!("bra N{n}; N{n}:\n"))
                + &each(200, |_| "ld.global.nc.u32 %r1, [%rd1];".into())),
        ),
        kernel(
            "barriers",
            many,
            &each(many, |n| {
                format!(
                    "mbarrier.arrive.expect_tx.shared.b64 _, [%r{n}], 16; mbarrier.complete_tx.shared.b64 \
                     [%r{n}], 16;"
                )
            }),
        ),
    ]
}
