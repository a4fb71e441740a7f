//! The reader's errors for invalid PTX, each with its position, and its recovery: each mistake is followed by
//! an undeclared name, which has to be reported.

use std::fmt::Write as _;

use expect_test::expect_file;
use ptx::Module;
use ptx::text::{Kind, Parsed};

const HEAD: &str = ".version 8.7\n.target sm_90a\n.address_size 64\n";

/// The text after each mistake in a module.
const BEHIND: &str = "\n.visible .entry behind() { .reg .b32 %r; mov.u32 %r, nowhere; ret; }\n";

/// The text around each mistake in a body.
const KERNEL: (&str, &str) = (
    ".visible .entry kernel(.param .u64 out) {\n.reg .b32 %r<4>; .reg .b64 %d; .reg .pred %p; .shared .b32 tile[32];\n",
    "\nmov.u32 %r1, nowhere;\nret;\n}\n",
);

/// Whole texts with mistakes at their start.
const STARTS: &[(&str, &str)] = &[
    ("an empty text", ""),
    ("no version", ".target sm_90\n.address_size 64\n"),
    ("a version of one number", ".version 8\n.target sm_90\n.address_size 64\n"),
    ("a version with a letter", ".version 7.a\n.target sm_90\n.address_size 64\n"),
    ("a version of three numbers", ".version 8.7.1\n.target sm_90\n.address_size 64\n"),
    ("a version in words", ".version eight .target sm_90\n.address_size 64\n"),
    ("a target that is a number", ".version 8.7\n.target 90 a\n.address_size 64\n"),
    ("addresses of a word", ".version 8.7\n.target sm_90\n.address_size sixty four\n"),
    ("no target", ".version 8.7\n.address_size 64\n"),
    ("a target without a name", ".version 8.7\n.target\n.address_size 64\n"),
    ("a target that there is not", ".version 8.7\n.target sm_95\n.address_size 64\n"),
    ("a target with a letter too many", ".version 8.7\n.target sm_90x\n.address_size 64\n"),
    ("addresses of 32 bits", ".version 8.7\n.target sm_90\n.address_size 32\n"),
    ("addresses without a size", ".version 8.7\n.target sm_90\n.address_size\n"),
    ("a target before the version", ".target sm_90\n.version 8.7\n.address_size 64\n"),
    ("a version with a semicolon", ".version 8.7;\n.target sm_90\n.address_size 64\n"),
    ("a version with a comma", ".version 8,7\n.target sm_90\n.address_size 64\n"),
    ("a version with a `v`", ".version v8.7\n.target sm_90\n.address_size 64\n"),
    ("a target with a semicolon", ".version 8.7\n.target sm_90;\n.address_size 64\n"),
    ("the number of a target", ".version 8.7\n.target 90a\n.address_size 64\n"),
    ("a target with a hyphen", ".version 8.7\n.target sm-90a\n.address_size 64\n"),
    ("`.version` misspelt", ".verison 8.7\n.target sm_90\n.address_size 64\n"),
    ("`.target` misspelt", ".version 8.7\n.traget sm_90\n.address_size 64\n"),
    ("`.address_size` misspelt", ".version 8.7\n.target sm_90\n.adress_size 64\n"),
    ("`.address_size` without its dot", ".version 8.7\n.target sm_90\naddress_size 64\n"),
    ("addresses before the target", ".version 8.7\n.address_size 64\n.target sm_90\n"),
    (
        "the output of cuobjdump",
        "Fatbin ptx code:\n================\narch = sm_90\n\n.version 8.7\n.target sm_90\n.address_size 64\n",
    ),
    ("a Markdown fence", "```ptx\n.version 8.7\n.target sm_90\n.address_size 64\n"),
];

/// Texts that are not PTX.
const OTHERS: &[(&str, &str)] = &[
    ("white space", "\n \n"),
    ("CUDA C++", "#include <cuda.h>\n__global__ void k(float* a) { a[threadIdx.x] = 1.0f; }\n"),
    (
        "LLVM IR",
        "; ModuleID = 'k'\ntarget triple = \"nvptx64-nvidia-cuda\"\ndefine void @k() { ret void }\n",
    ),
    ("SASS", "\tcode for sm_90\n\t\tFunction : k\n\t.headerflags\t@\"EF_CUDA_SM90\"\n"),
    ("JSON", "{\"a\": 1}\n"),
];

/// Mistakes from which others seem to follow.
const CAUSES: &[(&str, &str)] = &[
    (
        "a semicolon between parameters",
        ".visible .entry k(.param .u64 a; .param .u32 n) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [a]; ld.param.u32 %r, [n]; ret; }",
    ),
    (
        "a semicolon after the last parameter",
        ".visible .entry k(.param .u32 n;) { .reg .b32 %r; ld.param.u32 %r, [n]; ret; }",
    ),
    ("a semicolon before a body", ".visible .entry k() .maxntid 128; { ret; }"),
    (
        "a body without its function",
        "mov.u32 %r1, 1;\nadd.u32 %r1, %r1, 1;\n.reg .b32 %r;\nret;\n}",
    ),
    ("a second text", ".version 8.7\n.target sm_90a\n.address_size 64\n"),
    (
        "a parameter that cannot be parsed",
        ".visible .entry k(.param .i32 n) { .reg .b32 %r; ld.param.u32 %r, [n]; ret; }",
    ),
    (
        "a variable that cannot be parsed",
        ".const .f32 taps[2] = {1.0f, 2.0};\n.entry k() { .reg .f32 %f; ld.const.f32 %f, [taps]; ret; }",
    ),
    (
        "a local variable that cannot be parsed",
        ".entry k() { .reg .f32 %f; .shared .b8 tile[5_12]; ld.shared.f32 %f, [tile]; ret; }",
    ),
    (
        "an array of registers",
        ".entry k() { .reg .b32 %r[4]; mov.u32 %r1, 1; add.u32 %r2, %r1, 1; ret; }",
    ),
    (
        "an address in a misspelt register",
        ".entry k() { .reg .b32 %r<4>; .shared .b32 tile; mov.u32 %R1, tile; ld.shared.u32 %r2, [%r1]; ret; }",
    ),
    (
        "an address in a statement that cannot be parsed",
        ".entry k() { .reg .b32 %r<4>; .shared .b32 tile; mov.u32 %r1 tile; ld.shared.u32 %r2, [%r1]; ret; }",
    ),
    (
        "a special register as the destination",
        ".entry k() { .reg .b32 %r<4>; .shared .b32 tile; mov.u32 %laneid, %r1; ld.shared.u32 %r2, [%r1]; ret; }",
    ),
    ("two addresses that lead to each other", ".global .u64 a = b;\n.global .u64 b = a;"),
    (
        "a label without its colon",
        ".entry k() { .reg .pred %p; setp.eq.u32 %p, 1, 2; @%p bra $L;\n$L\nret; }",
    ),
    (
        "a named label without its colon",
        ".entry k() { .reg .pred %p; setp.eq.u32 %p, 1, 2; @%p bra done;\ndone\nret; }",
    ),
    (
        "an alignment of 3, which an access needs to be 4",
        ".shared .align 3 .b8 tile[16];\n.entry k() { .reg .b32 %r; ld.shared.u32 %r, [tile]; ret; }",
    ),
    (
        "a promise of an alignment of 3",
        ".entry k(.param .u64 .ptr .global .align 3 a) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [a]; ld.global.u32 %r, [%d]; ret; }",
    ),
];

/// Mistakes between declarations.
const MODULES: &[(&str, &str)] = &[
    ("a variable without a semicolon", ".global .b32 count"),
    ("a variable without a type", ".global count;"),
    ("a variable without a name", ".global .b32 = 4;"),
    ("a variable that declares nothing", ".global .b32;"),
    ("a type that cannot be declared", ".global .e4m3 scales[4];"),
    ("a vector of eight", ".global .v8 .f32 wide;"),
    ("an alignment without a number", ".shared .align .b8 tile[64];"),
    ("an alignment without a space after it", ".shared .align 16.b8 tile[64];"),
    ("a type of instructions and another", ".shared .s16x2 16 .b8 tile[64];"),
    ("a type of instructions for two names", ".shared .s16x2 tile[64], x;"),
    ("an alignment before the state space", ".align 16 .shared .b8 tile[64];"),
    ("an extent that is computed", ".shared .b8 tile[4 * 16];"),
    ("an extent of more than 64 bits", ".shared .b8 tile[18446744073709551617];"),
    ("an extent that ptxas refuses", ".shared .b8 tile[99999999999999999999];"),
    (
        "a unified half that ptxas refuses",
        ".global .attribute(.unified(0x80000000000000000, 2)) .b32 x;",
    ),
    ("a block that ptxas refuses", ".entry main() .reqntid 99999999999999999999 { ret; }"),
    ("two names without a comma", ".global .b32 a b;"),
    ("a bank of constant memory", ".const[2] .b32 taps[4];"),
    ("an attribute that there is not", ".global .attribute(.manged) .b32 x;"),
    ("an attribute without parentheses", ".global .attribute .managed .b32 x;"),
    ("half a unified attribute", ".global .attribute(.unified(1)) .b32 x;"),
    ("a member of a texture that there is not", ".global .texref t = { widht = 4 };"),
    ("a member of a texture without a value", ".global .texref t = { width };"),
    ("a member of a texture with a word", ".global .texref t = { filter_mode = nearst };"),
    ("a directive that there is not", ".visibel .entry main() { ret; }"),
    ("a directive of a body", ".reg .b32 %r<4>;"),
    ("`.loc` outside a function", ".loc 1 1 1"),
    ("`.version` again", ".version 8.7;"),
    ("`.file` without a name", ".file 1"),
    ("`.section` without braces", ".section .debug_str\n.b8 0"),
    ("a section with a semicolon", ".section .debug_str { .b8 0; .b8 1 }"),
    ("two labels of sections", ".section .debug_str { name: .b8 0 name: .b8 1 }"),
    ("an array of vectors as a parameter", ".func f(.param .v2 .b8 pair[8]) { ret; }"),
    ("an array of another type as a parameter", ".func f(.param .f32x2 pair[8]) { ret; }"),
    ("a second alignment, of 3", ".func f(.param .align 4 .b8 .align 3 x[8]) { ret; }"),
    ("an alignment of 3 before another", ".func f(.param .align 3 .align 4 .b8 x[8]) { ret; }"),
    (
        "alignments of a variable of a body, of which ptxas takes the last",
        ".entry k() { .shared .align 3 .align 4294967296 .align 4 .b32 x; ret; }",
    ),
    (
        "an alignment of 200 in a prototype",
        ".entry k() { p: .callprototype _ (.param .align 200 .b8 _[8]); ret; }",
    ),
    (
        "a prototype that returns several values, one of them in memory",
        ".entry k() { p: .callprototype (.reg .b32 _, .param .b32 _) _ (); ret; }",
    ),
    (
        "a prototype of a function that returns a value, and does not return",
        ".entry k() { p: .callprototype (.param .b32 _) _ () .noreturn; ret; }",
    ),
    ("`.abi_preserve` of a kernel", ".entry k() .abi_preserve 3 { ret; }"),
    ("`.maxnctapersm` of a device function", ".func f() .maxnctapersm 2 { ret; }"),
    (
        "directives of a kernel without a body",
        ".extern .entry k() .blocksareclusters .local_maxnreg 8;",
    ),
    (
        "directives of a kernel without a body, one of which the IR has",
        ".extern .entry k() .maxntid 32 .local_maxnreg 8;",
    ),
    ("a section with the name of a state space", ".section .local { .b8 0 }"),
    ("a section with a number that is too large", ".section .debug_str { .b8 1, 256 }"),
    ("a section with a number that is too small", ".section .debug_str { .b16 -32769 }"),
    ("`.alias` of one function", ".alias f;"),
    ("`.pragma` without quotes", ".pragma nounroll;"),
    ("a statement outside a function", "mov.u32 %r1, 1;"),
    ("a body without a function", "{ ret; }"),
    (
        "a directive of kernels before the definition of a function",
        ".func f() .maxntid 32 ;\n.func f() { ret; }",
    ),
    ("a section with a label without a name", ".section .debug_str { _: .b8 0 }"),
    ("a brace too many", ".func f() { ret; }\n}"),
    ("an empty statement", ";"),
    ("a function without a name", ".visible .entry () { ret; }"),
    ("a kernel without a body", ".visible .entry k()\n"),
    ("a device function without a body", ".visible .func f()\n"),
    ("a parameter without `.param`", ".visible .entry k(.u64 out) { ret; }"),
    ("a parameter without a type", ".visible .entry k(.param out) { ret; }"),
    ("a parameter of a type that there is not", ".visible .entry k(.param .i32 n) { ret; }"),
    ("a parameter without a name", ".visible .entry k(.param .u64) { ret; }"),
    ("parameters without a comma", ".visible .entry k(.param .u64 a .param .u64 b) { ret; }"),
    (
        "a pointer with its parts swapped",
        ".visible .entry k(.param .u64 .ptr .align 4 .global a) { ret; }",
    ),
    ("a parameter list that is not closed", ".visible .entry k(.param .u64 a { ret; }"),
    ("a directive of a function that there is not", ".visible .entry k() .maxtid 32 { ret; }"),
    ("a directive without a number", ".visible .entry k() .maxntid { ret; }"),
    ("a directive with too many numbers", ".visible .entry k() .maxntid 1, 1, 1, 1 { ret; }"),
    (
        "a directive with a number that is too large",
        ".visible .entry k() .maxnreg 4294967296 { ret; }",
    ),
    ("a linkage on a pragma", ".visible .pragma \"x\";"),
    ("an allowance of no rule", "// ptx: allow(Z999)\n.global .b32 x;"),
    ("an allowance in other words", "// ptx: ignore A034\n.global .b32 x;"),
    ("an allowance behind what it is for", ".global .b32 x; // ptx: allow(A034)"),
    ("a character that is not ASCII", "// the kernel\u{2019}s data"),
    ("a space that is not ASCII", ".global\u{a0}.b32 x;"),
    ("a letter that is not ASCII", "// M\u{fc}ller"),
    ("a NUL byte", "// the end\0"),
    ("a directive without its dot", "visible .entry main() { ret; }"),
    ("a directive behind a linkage without its dot", ".visible entry main() { ret; }"),
    ("a kernel as in CUDA C++", "__global__ void main() { }"),
    ("a linkage behind `.entry`", ".entry .visible main() { ret; }"),
    ("a returned value without parentheses", ".func .param .b32 r f(.param .b32 a) { ret; }"),
    (
        "a state space of a pointer that there is not",
        ".visible .entry k(.param .u64 .ptr .globl .align 4 a) { ret; }",
    ),
    ("a directive with numbers without commas", ".visible .entry k() .maxntid 128 1 1 { ret; }"),
    ("an alignment after the type", ".shared .b64 .align 8 bar;"),
    ("an alignment after the name", ".shared .b64 bar .align 8;"),
    ("an alignment in parentheses", ".shared .align(8) .b64 bar;"),
    ("two types", ".shared .b64 .u64 bar;"),
    ("a vector after its type", ".shared .f32 .v4 row;"),
    ("two state spaces", ".shared .global .b64 bar;"),
    ("a type of C", ".global .int count;"),
    ("a type of Rust", ".global .i32 count;"),
    ("a negative extent", ".shared .b8 tile[-1];"),
];

/// Mistakes in a body.
const BODIES: &[(&str, &str)] = &[
    ("a missing semicolon", "mov.u32 %r1, 1\nadd.u32 %r2, %r1, 1;"),
    ("a missing semicolon before a label", "mov.u32 %r1, 1\nloop:"),
    ("a missing semicolon before a block", "mov.u32 %r1, 1\n{ mov.u32 %r2, 2; }"),
    ("a missing comma", "mov.u32 %r1 1;"),
    ("an empty statement", "mov.u32 %r1, 1;;"),
    ("a bracket that is not closed", "ld.shared.u32 %r1, [tile;"),
    ("a bracket that is not opened", "ld.shared.u32 %r1, tile];"),
    ("brackets that cross", "mov.b64 {%r1, %r2), %d;"),
    ("a brace that is not closed", "{ mov.u32 %r1, 1;\n"),
    ("a number with a suffix of C", "mov.u64 %d, 1L;"),
    ("a float with a suffix of C", "mov.f32 %r1, 1.0f;"),
    ("an octal number with an 8", "mov.u32 %r1, 089;"),
    ("a float in too few digits", "mov.f32 %r1, 0f3f80;"),
    ("a directive that there is not", ".rge .b32 %x;"),
    ("a state space without its dot", "reg .b32 %x;"),
    ("a linkage in a body", ".visible .shared .b32 x;"),
    ("`.target` in a body", ".target sm_90"),
    ("`.file` in a body", ".file 1 \"a.cu\""),
    ("`.loc` without a column", ".loc 1 12"),
    ("`.loc` with a word that there is not", ".loc 1 12 3, inlined 1 2 3"),
    ("a texture in a body", ".reg .texref t;"),
    ("registers without a number", ".reg .b32 %x<>;"),
    ("registers of a computed number", ".reg .b32 %x<2 * 4>;"),
    ("registers with a bracket", ".reg .b32 %x(4);"),
    ("an extent of two numbers", ".local .b8 stack[4, 4];"),
    ("a guard without a register", "@ mov.u32 %r1, 1;"),
    ("a guard alone", "@%p;"),
    ("a register before the opcode", "%r1 = 1;"),
    ("an assignment as in C", "x = 1;"),
    ("two registers in an address", "ld.shared.u32 %r1, [%r2 + %r3];"),
    ("a sign without a meaning", "mov.u32 %r1, 1 # 2;"),
    ("a backslash before an opcode", "\\mov.u32 %r1, 1;"),
    ("a dot alone", "mov . u32 %r1, 1;"),
    ("a percent sign alone", "mov.u32 % , 1;"),
    ("a bank of constant memory", "ld.const[2].b32 %r1, tile;"),
    ("a line of the C preprocessor", "#define N 4"),
    ("a macro", "STORE(%r1);"),
    ("a loop of Rust", "for i in 0..4 { mov.u32 %r1, 1; }"),
    ("a guard on a block", "@%p { mov.u32 %r1, 1; }"),
    ("a condition as in C", "if (%p) bra $done;"),
    ("a jump as in C", "@%p goto $done;"),
    ("a return as in C", "return;"),
    ("a call as in C", "f(%r1, %d);"),
    ("a guard in words", "@not %p mov.u32 %r1, 1;"),
    ("a number with separators", "mov.u32 %r1, 1_000;"),
    ("a `f64` after `0f`", "mov.f64 %d, 0f3FF0000000000000;"),
    ("a family that is too short", "mov.u32 %r9, 1;"),
    ("a register without its sign", "mov.u32 r1, 1;"),
    ("a register in upper case", "mov.u32 %R1, 1;"),
    ("a register with two signs", "mov.u32 %%r1, 1;"),
    ("an operand of inline assembly", "mov.u32 $0, %r1;"),
    ("a register that there is not", "mov.u32 %count, 1;"),
    ("a variable that there is not", "ld.shared.u32 %r1, [scratch];"),
    ("a label that there is not", "bra $L__BB0_1;"),
    ("a label without a name", "_: ret;"),
    ("a branch to no label", "@%p bra _;"),
    ("a list of targets without a name", "targets: .branchtargets _;"),
    ("a declaration of a function in a body", ".func g();"),
    ("a declaration of a function on a line of its own", "ret;\n.extern .func g();"),
    (
        "a prototype with an alignment before the state space",
        "p: .callprototype _ (.align 4 .param .b32 _);",
    ),
    ("a prototype with an attribute", "p: .callprototype _ (.param .attribute(.managed) .b32 _);"),
    ("a prototype with a reserved word", "p: .callprototype _ (.param .b32 WARP_SZ);"),
    ("a block comment in another", "/* /* */ */ mov.u32 %r1, 1;"),
    ("an allowance of a rule that is no hazard", "// ptx: allow(D001)\nmov.u32 %r1, 1;"),
];

/// Mistakes under other versions and targets.
const FOR_OTHERS: &[(&str, &str)] = &[
    (
        "`.abi_preserve` before PTX 9.0",
        ".version 8.8\n.target sm_90\n.func f() .abi_preserve 3 { ret; }",
    ),
    (
        "`.abi_preserve` of a target that lacks it",
        ".version 9.0\n.target sm_75\n.func f() .abi_preserve 3 { ret; }",
    ),
    (
        "a declaration that preserves other registers",
        ".version 9.0\n.target sm_90\n.func f() .abi_preserve 4 ;\n.func f() .abi_preserve 8 { ret; }",
    ),
    (
        "a declaration that preserves registers in another way",
        ".version 9.0\n.target sm_90\n.func f() .abi_preserve_control 4 ;\n.func f() { ret; }",
    ),
    (
        "a generic address",
        ".version 2.0\n.target sm_13\n.entry k(.param .u64 p) { .reg .b32 %r; .reg .b64 %d; ld.param.u64 %d, [p]; ld.u32 %r, [%d]; ret; }",
    ),
    ("a managed variable", ".version 4.0\n.target sm_20\n.global .attribute(.managed) .u32 x;"),
    (
        "the address of a function",
        ".version 2.0\n.target sm_13\n.func f() { ret; }\n.global .u64 table[1] = {f};",
    ),
];

/// Mistakes that leave nothing to read after them.
const ENDS: &[(&str, &str)] = &[
    ("a comment that is not closed", "/* the end"),
    ("a body that is not closed", ".visible .entry k() { ret;"),
    ("a block that is not closed", ".visible .entry k() { { ret; }"),
    ("a section that is not closed", ".section .debug_str { .b8 0"),
    ("a string that is not closed", ".pragma \"nounroll"),
    ("an allowance at the end", "// ptx: allow(A034)"),
    (
        "a statement that is cut off",
        ".entry k() { .reg .pred %p; setp.eq.u32 %p, 1, 2; @%p bra $L; setp.eq",
    ),
    (
        "a list of operands that is cut off",
        ".entry k() { .reg .b32 %r; .reg .pred %p; @%p bra $L; mov.u32 %r,",
    ),
    ("a body that is cut off after a statement", ".entry k() { bra $L;"),
    ("a string in a body that is not closed", ".entry k() { bra $L; .pragma \"nounroll; ret; }"),
    ("a comment in a body that is not closed", ".entry k() { bra $L; /* ret; }"),
    ("parameters that are cut off", ".visible .entry k(.param .u64 a,\n.param .u"),
    ("the name of a file that is cut off", ".file 1 \"a.cu"),
];

/// The text, and its errors.
fn report(out: &mut String, what: &str, mistake: &str, parsed: &Parsed) {
    let _ = writeln!(out, "# {what}");
    for line in mistake.lines() {
        let _ = writeln!(out, "    {line}");
    }
    let text = parsed.text();
    let start = text.find(mistake).unwrap_or_default();
    let lines_before = text[..start].lines().count();
    for found in parsed.check() {
        if found.message.contains("`nowhere`") {
            continue;
        }
        let mut at = parsed.position(found.range.start);
        at.line = at.line.saturating_sub(u32::try_from(lines_before).unwrap_or_default());
        let kind = match found.kind {
            Kind::Syntax => String::new(),
            kind => format!("{kind:?}: ").to_lowercase(),
        };
        let _ = writeln!(out, "{at}: {kind}{found}");
    }
    *out += "\n";
}

/// Whether the text after a mistake was read.
fn goes_on(parsed: &Parsed) -> bool {
    parsed.check().iter().any(|found| found.message.contains("`nowhere`"))
}

#[test]
fn mistakes_are_reported_and_the_rest_is_read() {
    let mut out = String::new();
    let mut lost = Vec::new();
    for (what, mistake) in STARTS {
        let parsed = Module::parse(format!("{mistake}{BEHIND}"));
        report(&mut out, what, mistake, &parsed);
        lost.extend((!goes_on(&parsed)).then_some(*what));
    }
    for (what, mistake) in MODULES {
        let parsed = Module::parse(format!("{HEAD}{mistake}{BEHIND}"));
        report(&mut out, what, mistake, &parsed);
        lost.extend((!goes_on(&parsed)).then_some(*what));
    }
    let (before, after) = KERNEL;
    for (what, mistake) in BODIES {
        let parsed = Module::parse(format!("{HEAD}{before}{mistake}{after}"));
        report(&mut out, what, mistake, &parsed);
        lost.extend((!goes_on(&parsed)).then_some(*what));
    }
    for (what, mistake) in OTHERS.iter().chain(FOR_OTHERS) {
        let parsed = Module::parse(*mistake);
        report(&mut out, what, mistake, &parsed);
        assert!(parsed.check().len() == 1, "{what}: {:?}", parsed.check());
    }
    for (what, mistake) in ENDS.iter().chain(CAUSES) {
        let parsed = Module::parse(format!("{HEAD}{mistake}"));
        report(&mut out, what, mistake, &parsed);
        assert!(parsed.check().len() == 1, "{what}: {:?}", parsed.check());
    }
    expect_file!["errors.txt"].assert_eq(&out);
    assert!(lost.is_empty(), "what follows these is not read: {lost:?}");
}

/// No message about PTX mentions Rust.
#[test]
fn messages_are_about_ptx() {
    let all = include_str!("errors.txt");
    for word in ["Rust", "#(", "#[", "macro_rules", "::new", "pub ", "&mut"] {
        let lines: Vec<&str> = all
            .lines()
            .filter(|line| !line.starts_with(['#', ' ']) && line.contains(word))
            .collect();
        assert!(lines.is_empty(), "{word}: {lines:#?}");
    }
}
