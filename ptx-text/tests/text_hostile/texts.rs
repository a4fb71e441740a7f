//! Texts that no compiler writes.

/// A text of about the given size in bytes.
pub(crate) struct Hostile {
    pub(crate) name: &'static str,
    pub(crate) write: fn(usize) -> Vec<u8>,
}

/// The header of a module.
const HEAD: &str = ".version 8.7\n.target sm_90a\n.address_size 64\n";

/// The text before and after the statements of a kernel.
const KERNEL: (&str, &str) =
    (".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n", "ret;\n}\n");

macro_rules! texts {
    ($($name:literal: |$bytes:ident| $text:expr;)*) => {
        pub(crate) const TEXTS: &[Hostile] =
            &[$(Hostile { name: $name, write: |$bytes| $text },)*];
    };
}

texts! {
    // One character, repeated.
    "opening braces": |bytes| over("", "{", "", bytes);
    "closing braces": |bytes| over("", "}", "", bytes);
    "opening parentheses": |bytes| over("", "(", "", bytes);
    "closing parentheses": |bytes| over("", ")", "", bytes);
    "opening brackets": |bytes| over("", "[", "", bytes);
    "semicolons": |bytes| over("", ";", "", bytes);
    "commas": |bytes| over("", ",", "", bytes);
    "percent signs": |bytes| over("", "%", "", bytes);
    "dollar signs": |bytes| over("", "$", "", bytes);
    "hash signs": |bytes| over("", "#", "", bytes);
    "dots": |bytes| over("", ".", "", bytes);
    "colons": |bytes| over("", ":", "", bytes);
    "quotes": |bytes| over("", "\"", "", bytes);
    "minus signs": |bytes| over("", "-", "", bytes);
    "slashes": |bytes| over("", "/ ", "", bytes);
    "zero bytes": |bytes| over("", "\0", "", bytes);
    "line breaks": |bytes| over("", "\n", "", bytes);
    "spaces": |bytes| over("", " ", "", bytes);
    "bytes that are not UTF-8": |bytes| vec![0xFF; bytes];
    "characters of four bytes": |bytes| over("", "\u{1F600}", "", bytes);
    "at signs": |bytes| in_kernel("@", bytes);
    // One token, repeated.
    "comments that nothing ends": |bytes| over("", "/*", "", bytes);
    "comments": |bytes| over("", "/**/", "", bytes);
    "comments of a line": |bytes| over("", "//\n", "", bytes);
    "line markers": |bytes| over("", "#1\n", "", bytes);
    "hash signs on one line": |bytes| over("", "#1 ", "", bytes);
    "labels in no function": |bytes| over("", "a:", "", bytes);
    "directives that there are not": |bytes| over("", ".a;", "", bytes);
    "directives on lines": |bytes| over("", ".a\n", "", bytes);
    "numbers": |bytes| over("", "1 ", "", bytes);
    "numbers that are none": |bytes| over("", "0x ", "", bytes);
    "strings": |bytes| over("", "\"\"", "", bytes);
    "statements in no function": |bytes| over(HEAD, "ret;", "", bytes);
    // One long token.
    "one identifier": |bytes| over("", "a", "", bytes);
    "one identifier in an instruction": |bytes| around("mov.b32 %r0, ", "a", ";", bytes);
    "one opcode": |bytes| around("", "a", " 1;", bytes);
    "one modifier": |bytes| around("ld.", "a", " %r0, [p];", bytes);
    "one directive": |bytes| around(".", "a", " x;", bytes);
    "one label": |bytes| around("", "a", ":", bytes);
    "one declared name": |bytes| around(".reg .b32 ", "a", ";", bytes);
    "one target": |bytes| over(".version 8.7\n.target ", "s", "\n", bytes);
    "one number": |bytes| over("", "1", "", bytes);
    "one number in an instruction": |bytes| around("mov.b32 %r0, ", "1", ";", bytes);
    "one number in bits": |bytes| around("mov.b32 %r0, 0x", "F", ";", bytes);
    "one fraction": |bytes| around("mov.b32 %r0, 0.", "1", ";", bytes);
    "one exponent": |bytes| around("mov.b32 %r0, 1e", "1", ";", bytes);
    "one string": |bytes| over("\"", "a", "\"", bytes);
    "one comment": |bytes| over("/*", "a", "*/", bytes);
    "one comment of stars": |bytes| over("/*", "*", "", bytes);
    "one allowance": |bytes| over("// ptx: allow(", "A034,", ")\n", bytes);
    "one allowance without an end": |bytes| over("// ptx: allow(", "A034,", "\n", bytes);
    "one code": |bytes| over("// ptx: allow(", "A", ")\n", bytes);
    // One long statement.
    "operands": |bytes| around("mov.b32 ", "%r0,", ";", bytes);
    "modifiers": |bytes| around("ld", ".a", " %r0, [p];", bytes);
    "submodifiers": |bytes| around("ld", "::a", " %r0, [p];", bytes);
    "elements": |bytes| around("mov.b32 %r0, x", ".x", ";", bytes);
    "groups in one statement": |bytes| around("mov.b32 ", "{}", ";", bytes);
    "addresses in one statement": |bytes| around("ld.b32 ", "[p+4],", "%r0;", bytes);
    "parts of a name": |bytes| around("mov.b32 ", "$ ", ";", bytes);
    "parts and words of a name": |bytes| around("mov.b32 ", "$a ", ";", bytes);
    "operators": |bytes| around("mov.b32 %r0, 1", "+1", ";", bytes);
    "signs of a number": |bytes| around("mov.b32 %r0, ", "-", "1;", bytes);
    "a sum": |bytes| with(".global .u32 x = 1", "+1", ";\n", bytes);
    "a sum in parentheses": |bytes| with(".global .u32 x = (1", "+1", ");\n", bytes);
    "a sum in an instruction": |bytes| around("mov.b32 %r0, 1", "+1", ";", bytes);
    "targets of a jump, short": |bytes| around("t: .branchtargets L", ",L", ";", bytes);
    "declarators": |bytes| numbered(".reg .b32 a", |n| format!(",a{n}"), ";", bytes);
    "the same declarator": |bytes| around(".reg .b32 a", ",a", ";", bytes);
    "families": |bytes| numbered(".reg .b32 a", |n| format!(",a{n}_<9>"), ";", bytes);
    "extents": |bytes| around(".local .b8 a", "[2]", ";", bytes);
    "extents of nothing": |bytes| over(HEAD, ".global .b8 a[];\n", "", bytes);
    "targets of a jump": |bytes| numbered("t: .branchtargets L", |n| format!(",L{n}"), ";", bytes);
    "parameters of a prototype": |bytes|
        around("c: .callprototype _ (.param .b32 _", ",.param .b32 _", ");", bytes);
    "arguments": |bytes| around("call f, (p", ",p", ");", bytes);
    "a statement without an end": |bytes| around("mov.b32 %r0", "\n%r1", "", bytes);
    "words": |bytes| over("", "a ", "", bytes);
    "words on lines": |bytes| over("", "a\n", "", bytes);
    "numbers of a file": |bytes| over(".file 1 \"a\"", ",1", "\n", bytes);
    "debug data": |bytes| over(".section .debug_info\n{\n.b8 1", ",1", "\n}\n", bytes);
    "debug data that is wrong": |bytes| over(".section .debug_info\n{\n.b8 1", ";1", "\n}\n", bytes);
    "places of lines": |bytes| in_kernel(".loc 1 1 1\n", bytes);
    "places of functions": |bytes| around(".loc 1 1 1", ", inlined_at 1 1 1", "", bytes);
    // One long value.
    "bytes": |bytes| with(".global .u8 x[] = {1", ",1", "};\n", bytes);
    "bytes on lines": |bytes| with(".global .u8 x[] = {1", ", 255", "};\n", bytes);
    "bytes in bits": |bytes| with(".global .u8 x[] = {1", ",0x1", "};\n", bytes);
    "negative bytes": |bytes| with(".global .s8 x[] = {1", ",-1", "};\n", bytes);
    "bytes that are too large": |bytes| with(".global .u8 x[] = {1", ",999", "};\n", bytes);
    "words of eight bytes": |bytes| with(".global .u64 x[] = {1", ",1", "};\n", bytes);
    "bytes in a body": |bytes| around(".global .u8 x[] = {1", ",1", "};", bytes);
    "fractions": |bytes| with(".global .f32 x[] = {1", ",.5", "};\n", bytes);
    "decimal fractions": |bytes| with(".global .f32 x[] = {1", ",1.", "};\n", bytes);
    "floats in bits": |bytes| with(".global .f32 x[] = {1", ",0f3F800000", "};\n", bytes);
    "lists": |bytes| with(".global .u8 x[][1] = {{1}", ",{1}", "};\n", bytes);
    "empty lists": |bytes| with(".global .u8 x[][1] = {{1}", ",{}", "};\n", bytes);
    "addresses": |bytes| with(".global .u64 x[] = {x", ",x", "};\n", bytes);
    "long lists of addresses": |bytes|
        over(HEAD, &format!(".global .u64 x[] = {{x{}}};\n", ",x".repeat(130_000)), "", bytes);
    "long lists of lists": |bytes|
        over(HEAD, &format!(".global .u8 x[][1] = {{{{1}}{}}};\n", ",{1}".repeat(60_000)), "", bytes);
    "short instructions with names": |bytes| in_kernel("a b;", bytes);
    "short instructions of registers": |bytes| in_kernel("a %r0;", bytes);
    "returns": |bytes| in_kernel("ret;", bytes);
    "guarded returns": |bytes| in_kernel("@p ret;", bytes);
    "generic addresses": |bytes| with(".global .u64 x[] = {x", ",generic(x)", "};\n", bytes);
    "a table of bytes": |bytes| with(".global .align 4 .b8 x[] = {1", ", 215", "};\n", bytes);
    "a table with comments": |bytes| with(".global .u8 x[] = {1", ",\n// 7\n7", "};\n", bytes);
    "expressions in a list": |bytes| with(".global .u8 x[] = {1", ",1+1", "};\n", bytes);
    "truth in a list": |bytes| with(".global .u8 x[] = {1", ",!1", "};\n", bytes);
    "bytes of an address": |bytes| with(".global .u8 x[] = {1", ",0xff(x)", "};\n", bytes);
    "lists of two": |bytes| with(".global .u8 x[][2] = {{1}", ",{1,2}", "};\n", bytes);
    "names that are too many": |bytes| with(".global .u8 x", ",y", ";\n", bytes);
    "functions in a table": |bytes|
        with(".func f(){ret;}\n.global .u64 x[] = {f", ",f", "};\n.entry k(){ret;}", bytes);
    "commas in a value": |bytes| with(".global .u8 x[] = {", ",", "};\n", bytes);
    "expressions": |bytes| with(".global .u8 x[] = {1", "+1", "};\n", bytes);
    "values that are none": |bytes| with(".global .u8 x[] = {1", ",0x", "};\n", bytes);
    "members": |bytes| with(".global .texref t = {width=1", ",width=1", "};\n", bytes);
    "members that there are not": |bytes| with(".global .texref t = {a=1", ",a=1", "};\n", bytes);
    // Nested groups.
    "groups in one another": |bytes| around("mov.b32 ", "{([", ";", bytes);
    "labels and braces": |bytes| over("", "a{a{a{", "", bytes);
    "labels and braces in a kernel": |bytes| in_kernel("a{", bytes);
    "blocks in one another": |bytes| in_kernel("{", bytes);
    "blocks of statements": |bytes| in_kernel("{mov.b32 %r0,1;", bytes);
    "blocks in statements": |bytes| in_kernel("mov.b32 {%r0,{%r1;", bytes);
    "long statements in blocks": |bytes| {
        in_kernel(&format!("a{{b{{c{{d{{{};", "e,".repeat(5000)), bytes)
    };
    "blocks that are closed": |bytes| in_kernel("{}", bytes);
    "groups that nothing closes": |bytes| in_kernel("mov.b32 {%r0;\n", bytes);
    "lists in one another": |bytes| with(".global .u8 x = ", "{", ";\n", bytes);
    "brackets in one another": |bytes| around("ld.b32 %r0, ", "[", ";", bytes);
    // Many declarations.
    "functions": |bytes| over(HEAD, ".func f(){}\n", "", bytes);
    "functions with names": |bytes| numbered(HEAD, |n| format!(".func f{n}(){{}}\n"), "", bytes);
    "functions that are declared": |bytes| over(HEAD, ".func f();\n", "", bytes);
    "kernels": |bytes| numbered(HEAD, |n| format!(".entry f{n}(){{}}\n"), "", bytes);
    "kernels that call a chain": |bytes| numbered(
        HEAD, |n| format!(".func f{n}(){{call f{};}}.entry k{n}(){{call f{n};}}\n", n + 1), "", bytes);
    "functions that call all": |bytes| {
        let most = bytes.isqrt() / 8;
        let calls: String = (0..most).map(|n| numbered_one("call f", n)).collect();
        numbered(HEAD, |n| format!(".func f{}(){{{calls}}}\n", n % most), "", bytes)
    };
    "kernels that use all": |bytes| {
        let most = bytes.isqrt() / 8;
        let declared: String = (0..most).map(|n| numbered_one(".shared .b8 s", n)).collect();
        let uses: String = (0..most).map(|n| numbered_one("mov.b32 %r0, s", n)).collect();
        let text = format!("{HEAD}{declared}.func f(){{.reg .b32 %r<1>;{uses}}}\n");
        numbered(&text, |n| format!(".entry k{n}(){{call f;}}\n"), "", bytes)
    };
    "parameters": |bytes| numbered(
        &format!("{HEAD}.entry k(.param .u32 p"), |n| format!(",.param .u32 p{n}"), "){ret;}", bytes);
    "the same parameter": |bytes| over(&format!("{HEAD}.entry k(.param .u32 p"), ",.param .u32 p", "){ret;}", bytes);
    "parameters that are none": |bytes| over(&format!("{HEAD}.entry k(.param .u32 p"), ",p", "){ret;}", bytes);
    "directives": |bytes| over(&format!("{HEAD}.entry k()"), ".maxntid 1\n", "{ret;}", bytes);
    "numbers of a directive": |bytes| over(&format!("{HEAD}.entry k() .maxntid 1"), ",1", "{ret;}", bytes);
    "variables": |bytes| numbered(HEAD, |n| format!(".global .b8 a{n};\n"), "", bytes);
    "the same variable": |bytes| over(HEAD, ".global .b8 a;\n", "", bytes);
    "variables in one statement": |bytes|
        numbered(&format!("{HEAD}.global .b8 a"), |n| format!(",a{n}"), ";\n", bytes);
    "the same variable in one statement": |bytes| with(".global .b8 a", ",a", ";\n", bytes);
    "variables with values": |bytes| numbered(HEAD, |n| format!(".global .b8 a{n}=1;\n"), "", bytes);
    "pragmas": |bytes| over(HEAD, ".pragma \"a\";\n", "", bytes);
    "aliases": |bytes| over(HEAD, ".alias f, g;\n", "", bytes);
    "sections": |bytes| over(HEAD, ".section .a{}\n", "", bytes);
    "files": |bytes| over(HEAD, ".file 1 \"a\"\n", "", bytes);
    "targets": |bytes| over(".version 8.7\n.target sm_90", ",sm_90", "\n", bytes);
    "targets that there are not": |bytes| over(".version 8.7\n.target sm_90", ",a", "\n", bytes);
    "attributes": |bytes| with(".global ", ".attribute(.managed)", " .b8 x;\n", bytes);
    "attributes that there are not": |bytes|
        with(".global .attribute(.managed", ",a", ") .b8 x;\n", bytes);
    "linkages": |bytes| over(HEAD, ".visible\n", "", bytes);
    // Many statements.
    "labels": |bytes| numbered(&format!("{HEAD}{}", KERNEL.0), |n| format!("L{n}:"), "ret;}", bytes);
    "the same label": |bytes| in_kernel("a:", bytes);
    "registers": |bytes|
        numbered(&format!("{HEAD}{}", KERNEL.0), |n| format!(".reg .b32 a{n};"), "ret;}", bytes);
    "families of registers": |bytes|
        numbered(&format!("{HEAD}{}", KERNEL.0), |n| format!(".reg .b32 a{n}_<9>;"), "ret;}", bytes);
    "the same register": |bytes| in_kernel(".reg .b32 a;", bytes);
    "shared variables": |bytes|
        numbered(&format!("{HEAD}{}", KERNEL.0), |n| format!(".shared .b8 a{n};"), "ret;}", bytes);
    "instructions": |bytes| in_kernel("mov.b32 %r0, %r1;\n", bytes);
    "short instructions": |bytes| in_kernel("a;", bytes);
    "jumps": |bytes| numbered(
        &format!("{HEAD}{}", KERNEL.0),
        |n| format!("L{n}: @p bra L{};\n", n.wrapping_mul(7919) % (n + 1)), "ret;}", bytes);
    "jumps to the start": |bytes| {
        let head = format!("{HEAD}{}.reg .pred %p;\nL:\n", KERNEL.0);
        over(&head, "@%p bra L;\n", "ret;}", bytes)
    };
    "loads": |bytes| in_kernel("ld.param.b64 %rd0, [p];ld.global.b32 %r0, [%rd0+8];\n", bytes);
    "sums": |bytes| in_kernel("add.s32 %r0, %r0, 1;\n", bytes);
    "empty statements": |bytes| in_kernel(";", bytes);
    "names that nothing declares": |bytes|
        numbered(&format!("{HEAD}{}", KERNEL.0), |n| format!("mov.b32 %r0,%q{n};"), "ret;}", bytes);
    "names near many": |bytes| {
        let half = numbered(
            &format!("{HEAD}{}", KERNEL.0), |n| format!(".reg .b32 name{n};"), "", bytes / 2);
        let half = String::from_utf8(half).unwrap_or_default();
        numbered(&half, |n| format!("mov.b32 %r0,nome{n};"), "ret;}", bytes)
    };
    "opcodes that there are not": |bytes| in_kernel("ldd.b32 %r0,[p];", bytes);
    "long opcodes that there are not": |bytes| {
        in_kernel(&format!("{} %r0,[p];\n", "l".repeat(5000)), bytes)
    };
    "long names that nothing declares": |bytes| {
        in_kernel(&format!("mov.b32 %r0,{};\n", "l".repeat(5000)), bytes)
    };
    "long directives that there are not": |bytes| {
        over(HEAD, &format!(".{};\n", "l".repeat(5000)), "", bytes)
    };
    "long types that there are not": |bytes| {
        in_kernel(&format!(".reg .{} x;\n", "l".repeat(5000)), bytes)
    };
    "lines that are wrong": |bytes| in_kernel("mov.b32 %r0 %r1;\n", bytes);
    "lines without an end": |bytes| in_kernel("mov.b32 %r0, %r1\n", bytes);
    "declarations that are wrong": |bytes|
        numbered(&format!("{HEAD}{}", KERNEL.0), |n| format!(".reg b32 a{n};\n"), "ret;}", bytes);
    "directives that are wrong": |bytes| over(HEAD, ".global b8;\n", "", bytes);
    "allowances": |bytes| in_kernel("// ptx: allow(A034)\n", bytes);
    "allowances in no function": |bytes| over(HEAD, "// ptx: allow(A034)\n", "", bytes);
    "allowances that are wrong": |bytes| over(HEAD, "// ptx:\n", "", bytes);
    "allowances that nothing needs": |bytes|
        in_kernel("// ptx: allow(A034)\nmov.b32 %r0,1;\n", bytes);
    "statements that allow two codes": |bytes|
        in_kernel("// ptx: allow(A034,A020)\nmov.b32 %r0,1;\n", bytes);
    "declarations that allow two codes": |bytes|
        numbered(&format!("{HEAD}{}", KERNEL.0), allowing_two, "ret;}", bytes);
    // Arbitrary bytes.
    "any bytes": |bytes| random(bytes, |random, out| out.push(random as u8));
    "any characters": |bytes| random(bytes, |random, out| out.push(b' ' + (random % 95) as u8));
    "any signs": |bytes| random(bytes, |random, out| {
        let signs = b"{}()[];,.:%$@\"/*#+-<>=!a1 \n";
        out.push(signs[random as usize % signs.len()]);
    });
    "any tokens": |bytes| random(bytes, |random, out| {
        out.extend(WORDS[random as usize % WORDS.len()].as_bytes());
        out.push(if random >> 60 == 0 { b'\n' } else { b' ' });
    });
    "any tokens in a kernel": |bytes| {
        let mut text = format!("{HEAD}{}", KERNEL.0).into_bytes();
        text.extend(random(bytes, |random, out| {
            out.extend(WORDS[random as usize % WORDS.len()].as_bytes());
            out.extend(if random >> 61 == 0 { ";\n" } else { " " }.as_bytes());
        }));
        text
    };
}

const WORDS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ":",
    "=",
    "@",
    "%p",
    "%r1",
    "a",
    "$L",
    ".global",
    ".reg",
    ".shared",
    ".entry",
    ".func",
    ".visible",
    ".b32",
    ".u8",
    "<4>",
    "1",
    "0x1",
    "1.5",
    "0f3F800000",
    "mov.b32",
    "ld.global.b32",
    "st.shared.b32",
    "bra",
    "ret",
    "call",
    ".param",
    ".align",
    "\"a\"",
    "// ptx: allow(A034)\n",
    "/*",
    "*/",
    ".loc",
    ".file",
    ".section",
    ".pragma",
    "::a",
    ".v4",
    "-",
    "%tid",
    ".x",
    "#1",
    "f",
    "k",
    ".version",
    ".target",
    "sm_90",
    "L:",
    ".maxntid",
    ".attribute",
];

/// A head, a unit repeated as often as it fits, and a tail.
fn over(head: &str, unit: &str, tail: &str, bytes: usize) -> Vec<u8> {
    let times = bytes.saturating_sub(head.len() + tail.len()) / unit.len().max(1);
    [head, &unit.repeat(times), tail].concat().into_bytes()
}

/// The same after the header of a module.
fn with(head: &str, unit: &str, tail: &str, bytes: usize) -> Vec<u8> {
    over(&format!("{HEAD}{head}"), unit, tail, bytes)
}

/// The same in a kernel.
fn around(head: &str, unit: &str, tail: &str, bytes: usize) -> Vec<u8> {
    let (open, close) = KERNEL;
    over(&format!("{HEAD}{open}{head}"), unit, &format!("{tail}\n{close}"), bytes)
}

/// A kernel with many copies of a statement.
fn in_kernel(statement: &str, bytes: usize) -> Vec<u8> {
    around("", statement, "", bytes)
}

/// A declaration that needs both of its allowances, the second one for its access.
fn allowing_two(number: usize) -> String {
    let declared = format!(".shared .align 2 .b32 a{number};");
    format!("// ptx: allow(D006,A022)\n{declared}\nst.shared.b32 [a{number}],%r0;\n")
}

/// A statement that ends in a number.
fn numbered_one(statement: &str, number: usize) -> String {
    format!("{statement}{number};")
}

/// A head, numbered units, and a tail.
fn numbered(head: &str, unit: impl Fn(usize) -> String, tail: &str, bytes: usize) -> Vec<u8> {
    let mut text = head.to_owned();
    for n in 0.. {
        if text.len() >= bytes {
            break;
        }
        text += &unit(n);
    }
    (text + tail).into_bytes()
}

/// The bytes that `write` makes of pseudorandom numbers.
fn random(bytes: usize, write: impl Fn(u64, &mut Vec<u8>)) -> Vec<u8> {
    let (mut out, mut state) = (Vec::new(), 0x9E37_79B9_7F4A_7C15_u64);
    while out.len() < bytes {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        write(state.wrapping_mul(0x2545_F491_4F6C_DD1D), &mut out);
    }
    out
}
