//! Kernels with a few statements.

use super::choice::Choices;
use super::choice::Says::{Allowed, Depends, Forbidden};
use super::choice::Unusual;
use super::words::{
    ATTRIBUTES, DECLARED, EXTENTS, LINKAGES, NAMES, NUMBERS, OTHER_TYPES, SPACES, TYPES,
};

/// What statements may name. All of it is declared.
const OPERANDS: &[Unusual] = &[
    (
        Depends,
        &[
            "t", "t", "t", "u", "%d", "%r", "k", "b", "f", "l", "s", "x", "c", "p", "q", "q", "q",
            "0", "16",
        ],
    ),
    (Depends, &["x+1", "x-4", "x+8589934592", "t+8"]),
];

const MODULE: &str = "\
.global .texref t;
.global .surfref u;
.global .align 16 .b32 x[4];
.const .align 16 .b32 c[4];
.shared .align 16 .b32 s[4];
.func f() { ret; }
.entry b() { ret; }
";

/// A kernel around statements, with what they name.
fn kernel(statements: &str, choices: &mut Choices) -> String {
    let local = choices.word(&["q"], NAMES);
    format!(
        "{MODULE}.visible .entry k(.param .align 16 .b32 p[4])\n{{\n    .param .align 16 .b32 {local}[4];\n    .local .align 16 .b32 l[4];\n    \
        .reg .b32 %r<4>;\n    .reg .b64 %d<4>;\n    .reg .b64 %d;\n    .reg .f32 %f<4>;\n    .reg .pred %p;\n    \
        {statements}\n    ret;\n}}\n"
    )
}

/// The variable in a state space.
fn of_space(space: &str) -> &'static str {
    match space {
        ".const" => "c",
        ".shared" | ".shared::cta" => "s",
        ".local" => "l",
        ".param" | ".param::entry" | ".param::func" => "p",
        _ => "x",
    }
}

/// One access to memory.
pub(super) fn access(choices: &mut Choices) -> String {
    const ODD: &[Unusual] = &[(
        Depends,
        &[
            ".global",
            ".const",
            ".shared",
            ".local",
            ".param",
            "",
            ".param::func",
            ".param::entry",
            ".shared::cluster",
            ".shared::cta",
        ],
    )];
    let kind = choices.usual(&[
        "ld", "ld", "ld", "st", "st", "atom", "red", "prefetch", "cp.async", "ldu", "mov", "cvta",
        "nc", "tex", "mbarrier", "array", "sust", "discard",
    ]);
    let usual: &[&str] = match kind {
        "ld" => &[".global", ".const", ".shared", ".local", ".param", ".param::entry"],
        "st" => &[".global", ".shared", ".local"],
        "atom" | "red" => &[".global", ".shared"],
        "mbarrier" => &[".shared"],
        "cvta" => &[".global", ".shared", ".const"],
        _ => &[".global"],
    };
    let space = choices.weighted(2, usual, ODD);
    let ty = choices.word(&[".b32", ".u32", ".s32"], &[(Depends, TYPES), OTHER_TYPES]);
    let is_own = usual.contains(&space) || space.starts_with(".param") && kind == "ld";
    let own = of_space(if is_own { space } else { usual[0] });
    let name = match kind {
        "mov" => choices.weighted(6, &["x", "t", "u", "f"], OPERANDS),
        "tex" => choices.weighted(6, &["t"], OPERANDS),
        "sust" => choices.weighted(6, &["u"], OPERANDS),
        "cvta" => {
            let opaque = (Forbidden("A generic address of a texture"), &["t"][..]);
            choices.weighted(6, &[own], &[opaque, OPERANDS[0], OPERANDS[1]])
        }
        _ => choices.weighted(6, &[own], OPERANDS),
    };
    let indexed = choices
        .word(&["[]"], &[(Allowed, &["[1]"]), (Depends, &["[%r1]", "[%r1+1]", "[1.5]", "none"])]);
    let place = match indexed {
        "[]" => format!("[{name}]"),
        "none" => name.to_owned(),
        index => format!("{name}{index}"),
    };
    let number = choices.word(&["1", "%r1"], &[NUMBERS]);
    let statement = match kind {
        "ld" => {
            let order = choices.word(
                &["", "", ".volatile", ".relaxed.gpu"],
                &[(
                    Depends,
                    &[".weak", ".acquire.sys", ".relaxed", ".mmio.relaxed.sys", ".relaxed.cluster"],
                )],
            );
            let order = if matches!(space, ".global" | ".shared" | "") { order } else { "" };
            format!("ld{order}{space}{ty} %r0, {place};")
        }
        "nc" => format!(
            "st.global.b32 [x], 1; ld{space}{}{ty} %r0, {place};",
            choices.word(&[""], &[(Depends, &[".nc", ".ca", ".cv"])])
        ),
        "st" => format!("st{space}{ty} {place}, {number};"),
        "atom" => format!(
            "atom{space}.{}{} %r0, {place}, 1;",
            choices.usual(&["add", "min", "max"]),
            choices.usual(&[".u32"])
        ),
        "red" => format!("red{space}.{}.u32 {place}, 1;", choices.usual(&["add", "max"])),
        "prefetch" => format!(
            "prefetch{space}.{} {place};",
            choices.word(&["L1", "L2"], &[(Depends, &["L2::evict_last"])])
        ),
        "cp.async" => format!(
            "cp.async.{}.shared.global [s], {place}, {};",
            choices.usual(&["ca", "ca", "ca"]),
            choices.word(&["4", "8", "16"], &[NUMBERS])
        ),
        "ldu" => format!("ldu{space}{ty} %r0, {place};"),
        "mov" => format!("mov.u64 %d0, {name};"),
        "cvta" => format!("cvta{space}.u64 %d0, {name};"),
        "tex" => format!("tex.1d.v4.f32.s32 {{%f0, %f1, %f2, %f3}}, [{name}, {{{number}}}];")
            .replace("{1}", "{%r1}"),
        "sust" => format!("sust.b.1d.b32.trap [{name}, {{%r1}}], %r2;"),
        "mbarrier" => format!("mbarrier.init{space}.b64 {place}, {number};"),
        "discard" => "discard.global.L2 [%d0], 128;".to_owned(),
        _ => format!(
            "ld.global{ty} %r0, x{};",
            choices.word(
                &["[1]", "[%r1]", "[%r1+1]"],
                &[(Depends, &["[5]", "[-1]", "[1][1]", "[%d]"])]
            )
        ),
    };
    kernel(&statement, choices)
}

/// An access through a register with the address of a variable.
pub(super) fn through_a_register(choices: &mut Choices) -> String {
    let space = choices.usual(&[".global", ".shared", ".const", ".local"]);
    let name = choices.weighted(4, &[of_space(space)], OPERANDS);
    let offset = choices.word(&["", "+4"], &[(Depends, &["+8", "+1", "+1024"])]);
    let is_generic = choices.one_in(2);
    let (cvta, usual) = if is_generic {
        (format!("cvta{space}.u64 %d0, %d0;"), "")
    } else {
        (String::new(), space)
    };
    let used = choices.weighted(2, &[usual], &[SPACES, (Depends, &["", ".shared::cluster"])]);
    let statement = match choices.usual(&["ld", "ld", "st", "tex"]) {
        "st" if space != ".const" => format!("st{used}.b32 [%d0], 1;"),
        "tex" if space == ".global" && !is_generic => {
            let sampler = choices.word(&["unified"], &[(Depends, &["independent"])]);
            let sampler = if sampler == "unified" { "" } else { "%d0, " };
            return kernel(
                &format!(
                    "mov.u64 %d0, t; tex.1d.v4.f32.s32 {{%f0, %f1, %f2, %f3}}, [%d0, {sampler}{{%r1}}];"
                ),
                choices,
            );
        }
        _ => format!("ld{used}.b32 %r0, [%d0];"),
    };
    let pointer = choices.word(
        &[""],
        &[(Allowed, &[".ptr .global", ".ptr .shared", ".ptr .const", ".ptr .local", ".ptr"])],
    );
    let text = kernel(&format!("mov.u64 %d0, {name}{offset}; {cvta} {statement}"), choices);
    if pointer.is_empty() {
        return text;
    }
    text.replace("p[4])", &format!("p[4], .param .u64 {pointer} v)"))
}

/// Registers, by one name or a family.
pub(super) fn registers(choices: &mut Choices) -> String {
    let space = choices.word(&[".reg"], &[SPACES]);
    let (ty, one) = match choices.usual(&["b32", "f32", "b64"]) {
        "f32" => (".f32", "0f3F800000"),
        "b64" => (".b64", "1"),
        _ => (".b32", "1"),
    };
    let opaque = (Depends, &[".texref", ".samplerref", ".surfref"][..]);
    let declared =
        choices.weighted(2, &[ty], &[opaque, opaque, opaque, (Depends, TYPES), OTHER_TYPES]);
    let name = choices.weighted(
        2,
        &["%r", "%f"],
        &[(Allowed, &["r", "r1", "$r", "_r", "%a_"]), (Depends, &["%f", "x", "_", "%tid", "%"])],
    );
    let count = choices.weighted(3, &["2", "8"], &[NUMBERS]);
    let family = choices.word(&["<>"], &[EXTENTS, (Depends, &[""])]);
    let family = if family == "<>" { format!("<{count}>") } else { family.to_owned() };
    let plain =
        choices.weighted(2, &["%one"], &[(Depends, &["%r0", "%r1", "%f0", "%f1"]), DECLARED]);
    let plain_ty = choices.word(&[".pred", ".b32"], &[(Depends, TYPES), OTHER_TYPES]);
    let before =
        if choices.one_in(2) { format!(".reg {plain_ty} {plain};") } else { String::new() };
    let used = choices.weighted(
        2,
        &["%r1", "%r0"],
        &[(Depends, &["%r2", "%r", "%r01", "%r8", "%f0", "%one", "r10"])],
    );
    let used = match used {
        "%r1" => format!("{name}1"),
        "%r0" => format!("{name}0"),
        used => used.to_owned(),
    };
    let statement = match choices.usual(&["mov", "mov", "ld", "st"]) {
        "ld" if ty == ".b64" => format!("ld.b64 {used}, [{used}];"),
        "st" if ty == ".b64" => format!("st.u32 [{used}], 1;"),
        _ => format!("mov{ty} {used}, {one};"),
    };
    format!(
        ".visible .entry k()\n{{\n    {before}\n    {space} {declared} {name}{family};\n    {statement}\n    ret;\n}}\n"
    )
}

/// Barriers, with numbers in registers and without.
pub(super) fn barrier(choices: &mut Choices) -> String {
    let barrier = choices.weighted(2, &["1", "0", "15"], &[NUMBERS]);
    let threads = choices.weighted(2, &["32", "64"], &[NUMBERS]);
    let kind = choices.usual(&["bar.sync", "bar.arrive", "barrier.sync", "bar.sync alone"]);
    let form = choices.usual(&["numbers", "registers", "threads", "barrier"]);
    let one = if matches!(form, "registers" | "barrier") { "%r0" } else { barrier };
    let two = if matches!(form, "registers" | "threads") { "%r1" } else { threads };
    let statement = match kind.strip_suffix(" alone") {
        Some(kind) => format!("{kind} {one};"),
        None => format!("{kind} {one}, {two};"),
    };
    format!(
        ".visible .entry k() .reqntid 64\n{{\n    .reg .b32 %r<2>;\n    mov.b32 %r0, {barrier};\n    mov.b32 %r1, {threads};\n    {statement}\n    ret;\n}}\n"
    )
}

/// A variable and an access to it.
pub(super) fn used(choices: &mut Choices) -> String {
    let (linkages, spaces, extents): (&[&str], &[&str], &[&str]) =
        match choices.usual(&["", "", "dynamic"]) {
            "dynamic" => (&[".extern "], &[".shared"], &["[]"]),
            _ => (&["", "", ".visible "], &[".global", ".shared", ".shared"], &["[N]"]),
        };
    let linkage = choices.word(linkages, &[LINKAGES]);
    let space = choices.word(spaces, &[SPACES]);
    let attribute = choices.weighted(2, &[""], &[ATTRIBUTES]);
    let ty = choices.usual(&[".b32", ".u32", ".b8"]);
    let extent = match choices.weighted(2, extents, &[EXTENTS]) {
        "[N]" => format!("[{}]", choices.weighted(4, &["16"], &[NUMBERS])),
        odd => odd.to_owned(),
    };
    let ty_accessed = if ty == ".b8" { ".u8" } else { ty };
    let space_accessed = match space {
        ".tex" => ".global",
        ".reg" => "",
        space => space,
    };
    let access = match choices.usual(&["ld", "ld", "st"]) {
        "ld" => format!("ld{space_accessed}{ty_accessed} %r, [x];"),
        _ => format!("st{space_accessed}{ty_accessed} [x], 1;"),
    };
    format!(
        "{linkage}{space} {attribute} {ty} x{extent};\n.visible .entry k()\n{{\n    .reg .b32 %r;\n    {access}\n    ret;\n}}\n"
    )
}
