//! Cooperation of threads, and surfaces: kernels in which rules A075 to A079 find a mistake, and similar kernels
//! that are correct. The behaviour of an H100 with these barriers and surfaces is in `docs/ptxas.md`.

#[path = "together/random.rs"]
mod random;

use ptx::Target;
use ptx::text::{Kind, Parsed};

/// The code, the directives of the kernel, and its body, in which abbreviations stand for `wgmma` and the
/// instructions around it: see [`SHORT`].
const WRONG: &[(&str, &str, &str)] = &[
    ("A076", ".reqntid 64", "bar.sync 1, 96;"),
    ("A076", ".reqntid 64", "mov.u32 %r2, 40; bar.sync 1, %r2;"),
    (
        "A126",
        ".reqntid 64",
        "setp.lt.u32 %p3, %r1, 32; @%p3 bra L; bar.sync 1, 64; bra E; L: bar.sync 1, 96; E:",
    ),
    ("A076", ".reqntid 64", "bar.sync %r9, 96;"),
    ("A076", ".reqntid 64", "bar.sync 1, 96; bar.sync 1, 96;"),
    ("A112", ".reqntid 64", "setp.lt.u32 %p3, %r1, 32; @%p3 bar.sync 1, 64;"),
    (
        "A112",
        ".reqntid 64",
        "shr.u32 %r2, %r1, 5; setp.eq.u32 %p3, %r2, 0; @!%p3 bra E; bar.sync 1, 64; E:",
    ),
    (
        "A112",
        ".reqntid 64",
        "setp.lt.u32 %p3, %r1, 32; @%p3 bra L; bar.arrive 1, 96; bra E; L: bar.sync 1, 96; E:",
    ),
    ("A112", ".reqntid 64", "shr.u32 %r2, %r1, 5; add.u32 %r2, %r2, 1; bar.sync %r2, 64;"),
    ("A076", ".maxntid 256", "bar.sync 1, 288;"),
    (
        "A112",
        ".reqntid 16, 8",
        "mov.u32 %r2, %tid.y; setp.eq.u32 %p3, %r2, 0; @%p3 barrier.sync 1, 128;",
    ),
    ("A076", ".reqntid 64", "bar.red.popc.u32 %r2, 1, 96, %p2;"),
    ("A076", "", "mov.u32 %r2, 1056; bar.sync 1, %r2;"),
    ("A112", ".reqntid 64", "setp.ge.u32 %p3, %r1, 32; @%p3 exit; bar.sync 1, 64;"),
    ("A076", ".reqntid 64", "mov.u32 %r2, 40; bar.arrive 1, %r2;"),
    ("A075", ".reqntid 64", "sust.b.1d.b32.trap [%a, {3}], {%r1};"),
    ("A075", ".reqntid 64", "sust.b.2d.v2.b32.trap [%a, {4, %r1}], {%r1, %r2};"),
    (
        "A075",
        ".reqntid 64",
        "mad.lo.u32 %r2, %r1, 8, 4; sust.b.2d.v2.b32.trap [%a, {%r2, %r1}], {%r1, %r2};",
    ),
    ("A075", ".reqntid 64", "sust.b.a1d.b32.trap [%a, {4, 3}], {%r1};"),
    ("A075", ".reqntid 64", "suld.b.2d.v4.b32.trap {%r1,%r2,%r3,%r4}, [%a, {8, 3}];"),
    ("A075", ".reqntid 64", "sured.b.add.1d.u32.trap [%a, {2}], %r1;"),
    ("A078", ".maxntid 128", "<zero><mma><commit><wait><store>"),
    ("A079", ".maxntid 128", "<zero><fence><mma><wait><store>"),
    ("A077", ".maxntid 128", "<zero><fence><mma><commit><store>"),
    ("A077", ".maxntid 128", "<zero><fence><mma><store>"),
    ("A077", ".maxntid 128", "<zero><fence><mma><commit>add.f32 %f9, %f0, %f1;<wait><store>"),
    ("A077", ".maxntid 128", "<zero><fence><mma><commit>add.f32 %f0, %f9, %f10;<wait><store>"),
    (
        "A077",
        ".maxntid 128",
        "<zero><fence><mma><commit>mov.f32 %f9, %f0; st.global.f32 [%out], %f9;<wait><store>",
    ),
    ("A077", ".maxntid 128", "<zero><fence><mma><commit><wait 1><store>"),
    (
        "A077",
        ".maxntid 128",
        "<zero><zero 2><fence><mma><commit><fence><mma 2><commit><wait 1><store 2><wait><store>",
    ),
    (
        "A077",
        ".maxntid 128",
        "<zero><load left><fence><mma left><commit>add.u32 %r1, %r9, 1;<wait><store>",
    ),
    ("A078", ".maxntid 128", "<zero><fence><mma><load left><mma left><commit><wait><store>"),
    (
        "A077",
        ".maxntid 128",
        "<zero>L1: <fence><mma><commit><wait 1>add.f32 %f9, %f9, %f0; add.u32 %r9, %r9, 1; setp.lt.u32 %p3, %r9, 10; @%p3 bra L1;<wait><store>",
    ),
    (
        "A077",
        ".maxntid 128",
        "<zero><fence>@%p2 bra E; <mma><commit>bra G; E: <mma><commit>G: <store>",
    ),
    (
        "A078",
        ".maxntid 128",
        "<zero><fence><mma><commit><wait>mul.f32 %f0, %f0, %f9;<mma><commit><wait><store>",
    ),
    (
        "A077",
        ".maxntid 128",
        "<zero><fence><mma><commit>cvt.rn.bf16x2.f32 %r1, %f0, %f1; mov.u32 %r2, %r1; mov.u32 %r3, %r1; mov.u32 %r4, %r1;<fence><mma left 2><commit><wait><store>",
    ),
    ("A079", ".maxntid 128", "<zero><fence><mma><commit><wait><fence><mma><wait><store>"),
    (
        "A077",
        ".maxntid 128",
        "<zero><fence><mma><commit>mov.b64 %a, {%f0, %f1}; st.global.b64 [%out], %a;<wait>",
    ),
    (
        "A077",
        ".maxntid 128",
        "<zero><fence><mma><commit>mov.f32 %f9, %f0; mov.f32 %f8, %f9; st.global.f32 [%out], %f8;",
    ),
    ("A077", ".maxntid 128", "<zero><fence><mma><commit>@%p2 st.global.f32 [%out], %f2;<wait>"),
    (
        "A078",
        ".maxntid 128",
        "<zero><fence><mma><commit><wait>L1: add.f32 %f0, %f0, %f9; <mma><commit><wait>@%p2 bra L1;<store>",
    ),
];

/// The directives of the kernel, and its body.
const RIGHT: &[(&str, &str)] = &[
    (".reqntid 64", "bar.sync 1, 64;"),
    (
        ".reqntid 64",
        "setp.lt.u32 %p3, %r1, 32; @%p3 bra L; bar.sync 1, 64; bra E; L: bar.sync 1, 64; E:",
    ),
    (
        ".reqntid 64",
        "setp.lt.u32 %p3, %r1, 32; @%p3 bra L; bar.arrive 1, 64; bra E; L: bar.sync 1, 64; E:",
    ),
    (
        ".reqntid 64",
        "setp.lt.u32 %p3, %r1, 32; @%p3 bra L; bar.arrive 1, 96; bar.arrive 1, 96; bra E; L: bar.sync 1, 96; E:",
    ),
    (
        ".reqntid 64",
        "setp.lt.u32 %p3, %r1, 32; @%p3 bra L; M: bar.arrive 1, 96; @%p2 bra M; bra E; L: bar.sync 1, 96; E:",
    ),
    (".reqntid 64", "@%p2 bra E; bar.sync 1, 64; E:"),
    (
        ".reqntid 64",
        "and.b32 %r2, %r1, 1; setp.eq.u32 %p3, %r2, 1; @%p3 bra E; barrier.sync 1, 64; E:",
    ),
    (".reqntid 64", "shr.u32 %r2, %r1, 5; add.u32 %r2, %r2, 1; bar.sync %r2, 32;"),
    (".reqntid 64", "bar.sync 1, 0;"),
    (".reqntid 64", "bar.sync 1, %r9;"),
    (".maxntid 256", "setp.lt.u32 %p3, %r1, 32; @%p3 bar.sync 1, 256;"),
    (".reqntid 48", "bar.sync 1, 64;"),
    (".reqntid 16, 8", "mov.u32 %r2, %tid.y; setp.eq.u32 %p3, %r2, 0; @%p3 barrier.sync 1, 32;"),
    (".reqntid 64", "bar.sync 0; bar.sync 1, 64; bar.sync 0;"),
    (".reqntid 64", "setp.ge.u32 %p3, %r1, 32; @%p3 exit; bar.sync 1;"),
    (".reqntid 64", "sust.b.2d.v2.b32.trap [%a, {8, %r1}], {%r1, %r2};"),
    (".reqntid 64", "sust.b.2d.v2.b32.trap [%a, {%r1, %r1}], {%r1, %r2};"),
    (".reqntid 64", "mul.lo.u32 %r2, %r1, 8; sust.b.2d.v2.b32.trap [%a, {%r2, %r1}], {%r1, %r2};"),
    (".reqntid 64", "mul.lo.u32 %r2, %r1, 4; sust.b.2d.v2.b32.trap [%a, {%r2, %r1}], {%r1, %r2};"),
    (".reqntid 64", "sust.p.1d.b32.trap [%a, {3}], {%r1};"),
    (".reqntid 64", "sust.b.a1d.b32.trap [%a, {3, 4}], {%r1};"),
    (".maxntid 128", "<zero><fence><mma><commit><wait><store>"),
    (
        ".maxntid 128",
        "<zero><fence><mma><commit>mov.f32 %f9, %f0;<wait><store>st.global.f32 [%out], %f9;",
    ),
    (
        ".maxntid 128",
        "<zero><zero 2><fence><mma><commit><fence><mma 2><commit><wait 1><store><wait><store 2>",
    ),
    (".maxntid 128", "<zero><fence><mma><commit><commit><wait 1><store>"),
    (".maxntid 128", "<zero><load left><fence><mma left><commit>add.u32 %r7, %r1, 1;<wait><store>"),
    (".maxntid 128", "<zero><fence><load left><mma left><commit><wait><store>"),
    (".maxntid 128", "<zero><fence><mma><mma><mma><commit><wait><store>"),
    (".maxntid 128", "<zero><fence><mma><commit><mma><commit><wait><store>"),
    (
        ".maxntid 128",
        "<zero>L1: <fence><mma><commit><wait 1>add.u32 %r9, %r9, 1; setp.lt.u32 %p3, %r9, 10; @%p3 bra L1;<wait><store>",
    ),
    (".maxntid 128", "<zero><fence>@%p2 bra E; <mma><commit>E: <store>"),
    (".maxntid 128", "<zero>@%p2 bra L1; <fence>L1: <mma><commit><wait><store>"),
    (
        ".maxntid 128",
        "<zero><fence><mma><commit><wait>mul.f32 %f0, %f0, %f9;<fence><mma><commit><wait><store>",
    ),
    (".maxntid 128", "<zero><fence><mma><commit>@%p2 <wait><store>"),
    (".maxntid 128", "<zero><fence>@%p2 <mma><commit><store>"),
    (
        ".maxntid 128",
        "<zero><fence><mma><commit><wait>cvt.rn.bf16x2.f32 %r1, %f0, %f1; mov.u32 %r2, %r1; mov.u32 %r3, %r1; mov.u32 %r4, %r1;<fence><mma left 2><commit><wait><store>",
    ),
    (".maxntid 128", "<wait><zero><fence><mma><commit><wait><store>"),
    (".maxntid 128", "<zero><fence><mma><commit><wait><fence><mma><commit><wait><wait><store>"),
    // A count from another warp, and one that a function may compute.
    (
        ".reqntid 64",
        "setp.lt.u32 %p3, %r1, 32; @%p3 bra L; bar.sync %r9, 64; bra E; L: bar.sync 1, 64; E:",
    ),
    (".reqntid 64", "call f; setp.lt.u32 %p3, %r1, 32; @%p3 bar.sync 1, 64;"),
    (".maxntid 128", "<zero><fence><mma><commit>call f;<store>"),
    (".maxntid 128", "<zero>call f;<mma><commit><wait><store>"),
    // Groups that are pending on only one path.
    (".maxntid 128", "<zero><fence><mma>@%p2 bra E; <commit><wait>E: <commit><wait><store>"),
    (
        ".maxntid 128",
        "<zero><zero 2>L1: <fence><mma><commit><wait 1>@%p2 bra E; <fence><mma 2><commit><wait 1><store>bra L1; E: <wait><store><store 2>",
    ),
];

/// The abbreviations.
const SHORT: &[(&str, &str)] = &[
    ("<mma>", "<mma of> {%f0, %f1, %f2, %f3}, %a, %b, %p1, 1, 1, 0, 0;"),
    ("<mma 2>", "<mma of> {%f4, %f5, %f6, %f7}, %a, %b, %p1, 1, 1, 0, 0;"),
    ("<mma left>", "<mma of> {%f0, %f1, %f2, %f3}, {%r1, %r2, %r3, %r4}, %b, %p1, 1, 1, 0;"),
    ("<mma left 2>", "<mma of> {%f4, %f5, %f6, %f7}, {%r1, %r2, %r3, %r4}, %b, %p1, 1, 1, 0;"),
    ("<mma of>", "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16"),
    ("<fence>", "wgmma.fence.sync.aligned;"),
    ("<commit>", "wgmma.commit_group.sync.aligned;"),
    ("<wait>", "wgmma.wait_group.sync.aligned 0;"),
    ("<wait 1>", "wgmma.wait_group.sync.aligned 1;"),
    ("<zero>", "mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;"),
    ("<zero 2>", "mov.f32 %f4, 0f00000000; mov.f32 %f5, %f4; mov.f32 %f6, %f4; mov.f32 %f7, %f4;"),
    ("<load left>", "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%out];"),
    ("<store>", "st.global.v4.f32 [%out], {%f0, %f1, %f2, %f3};"),
    ("<store 2>", "st.global.v4.f32 [%out + 16], {%f4, %f5, %f6, %f7};"),
];

fn module(directives: &str, body: &str) -> String {
    let long = SHORT.iter().fold(body.to_owned(), |body, (short, long)| body.replace(short, long));
    format!(
        ".version 8.3\n.target sm_90a\n.address_size 64\n.func f() {{ bar.sync 1, 64; ret; }}\n\
         .visible .entry k(.param .u64 a, .param .u64 b, .param .u64 out) {directives} {{\n\
         .reg .b32 %r<10>; .reg .b64 %a, %b, %out; .reg .f32 %f<11>; .reg .pred %p<4>;\n\
         ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u64 %out, [out];\n\
         mov.u32 %r1, %tid.x; ld.global.u32 %r9, [%out]; setp.eq.u32 %p1, 0, 0; setp.ne.u32 %p2, %r9, 0;\n\
         {long}\nret;\n}}\n"
    )
}

#[test]
fn mistakes_are_found_and_nothing_else() {
    let mut problems = Vec::new();
    let right = RIGHT.iter().map(|(directives, body)| (None, directives, body));
    let wrong = WRONG.iter().map(|(code, directives, body)| (Some(*code), directives, body));
    for (code, directives, body) in wrong.chain(right) {
        let found = Parsed::new(module(directives, body)).check();
        let is_read = found.iter().all(|found| found.kind != Kind::Syntax);
        let mut codes: Vec<_> = found.iter().filter_map(|found| found.code).collect();
        codes.dedup();
        if !is_read || codes != code.into_iter().collect::<Vec<_>>() {
            problems.push(format!("{code:?} {directives} {body}: {found:?}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn ptxas_accepts_all_of_them() {
    let wrong = WRONG.iter().map(|(_, directives, body)| (directives, body));
    for (directives, body) in wrong.chain(RIGHT.iter().map(|(directives, body)| (directives, body)))
    {
        let text = module(directives, body);
        for ptxas in xtask::oracles() {
            if let Err(refused) = ptxas.assemble_text_with(&text, Target::Sm90a, &[]) {
                panic!("{refused}\n{text}");
            }
        }
    }
}
