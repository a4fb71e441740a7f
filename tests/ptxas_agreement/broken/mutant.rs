//! Texts with mistakes like those made by people and editors, in single characters and tokens: `ptx_smith::mutant` changes
//! whole words and declarations.

use core::ops::Range;

use ptx::text::{Lexer, Piece, PieceKind};

use ptx_smith::Rng;

/// Tokens that may be inserted in wrong places.
const TOKENS: &[&str] = &[
    ";",
    ",",
    ":",
    "::",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "~",
    "!",
    "?",
    "@",
    "#",
    "$",
    "_",
    "|%p",
    "@%p",
    "@!%p",
    ".",
    "..",
    "...",
    "'",
    "`",
    "\\",
    "\"text\"",
    "\"",
    "//",
    "/*",
    "*/",
    "/* comment */",
    "// comment\n",
    "\n",
    "# 1 \"f.cu\"\n",
    "#line 3\n",
    "%r1",
    "%r0",
    "%rd1",
    "%p",
    "%tid.x",
    "%tid",
    "WARP_SZ",
    "x",
    "y",
    "L0",
    "L0:",
    "$L1:",
    "ret",
    "ret;",
    "exit",
    "mov",
    "add",
    "ld",
    "st",
    "bra",
    "call",
    "mov.u32 %r1, %r2;",
    "bra L0;",
    ".u32",
    ".s32",
    ".b8",
    ".b16",
    ".b32",
    ".b64",
    ".b128",
    ".f16",
    ".bf16",
    ".f32",
    ".f64",
    ".pred",
    ".e4m3",
    ".v2",
    ".v4",
    ".v3",
    ".v8",
    ".align",
    ".align 4",
    ".align 16",
    ".reg",
    ".global",
    ".const",
    ".shared",
    ".local",
    ".param",
    ".tex",
    ".sreg",
    ".texref",
    ".samplerref",
    ".surfref",
    ".visible",
    ".extern",
    ".weak",
    ".common",
    ".entry",
    ".func",
    ".noreturn",
    ".attribute(.managed)",
    ".attribute",
    ".managed",
    ".unified",
    ".ptr",
    ".ptr .global .align 4",
    ".maxntid",
    ".maxntid 32",
    ".reqntid 32, 1, 1",
    ".minnctapersm 1",
    ".maxnreg 32",
    ".explicitcluster",
    ".reqnctapercluster 2",
    ".maxclusterrank 2",
    ".blocksareclusters",
    ".pragma \"nounroll\";",
    ".pragma",
    ".version",
    ".version 8.0",
    ".target",
    ".target sm_90",
    ".address_size",
    ".address_size 64",
    ".file",
    ".file 1 \"f.cu\"",
    ".loc",
    ".loc 1 1 1",
    ".section",
    ".section .debug_str { .b8 0 }",
    ".alias",
    ".branchtargets",
    ".calltargets",
    ".callprototype",
    ".x",
    ".y",
    ".lo",
    ".rn",
    ".sat",
    ".uni",
    ".sync",
    ".to",
    ".volatile",
    ".relaxed",
    ".gpu",
    "::cta",
    "::cluster",
    "generic",
    "generic(g)",
    "(.u32)",
    "(.s64)",
    "1 + 2",
    "(1 << 3)",
    "if",
    "for",
    "let",
    "true",
    "false",
    "null",
];

/// Numbers at the limits of their ranges, and tokens that look like numbers.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "15",
    "16",
    "31",
    "32",
    "63",
    "64",
    "127",
    "128",
    "255",
    "256",
    "1023",
    "1024",
    "65535",
    "65536",
    "131072",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "-1",
    "-0",
    "-128",
    "-129",
    "-2147483648",
    "-2147483649",
    "-9223372036854775808",
    "-9223372036854775809",
    "0U",
    "1U",
    "4U",
    "4294967295U",
    "18446744073709551615U",
    "18446744073709551616U",
    "017",
    "00",
    "01",
    "010",
    "0777U",
    "01777777777777777777777",
    "02000000000000000000000",
    "08",
    "089",
    "0x",
    "0x0",
    "0x1F",
    "0X1f",
    "0x1fU",
    "0xFFFFFFFFFFFFFFFF",
    "0x10000000000000000",
    "0b",
    "0b1",
    "0b101U",
    "0B11",
    "0b2",
    "1L",
    "1u",
    "1.0",
    "1.5",
    "0.5",
    ".5",
    "5.",
    "1.e3",
    "1e3",
    "1E+3",
    "1e-3",
    "1e",
    "1e+",
    "1e400",
    "1.0f",
    "1.5.2",
    "0f3F800000",
    "0F3f800000",
    "0f3F8",
    "0f3F8000000",
    "0f",
    "0fG",
    "0d3FF0000000000000",
    "0D3FF0000000000000",
    "0d3FF",
    "0f7FC00000",
    "0xG",
    "1_000",
    "1x",
    "1$",
    "~0",
    "!0",
    "+1",
    "--1",
    "- 1",
];

/// Characters that are typed by accident or left by editors.
const CHARACTERS: &str =
    "abcxyzLRU019_$%.,:;<>(){}[]=+-*/&|^~!?@#'\"`\\ \t\n\r\u{b}\u{c}\u{0}\u{1a}\u{7f}é";

/// Separators of two tokens.
const SPACES: &[&str] = &[
    " ",
    "",
    "\n",
    "\t",
    "\r\n",
    "\r",
    "\n\n",
    "  \t ",
    "/**/",
    "/* x */",
    "// x\n",
    "//\n",
    "\u{c}",
    "\u{b}",
    "\u{1a}",
    "/* \" */",
    "// \"\n",
    "/*/*/",
    "/* // */",
    "\n# 3 \"a.cu\"\n",
    "\n#line 3\n",
    "\\\n",
];

/// The text with one mistake, sometimes more.
pub(super) fn of(text: &str, rng: &mut Rng) -> String {
    let mut text = text.to_owned();
    let count = if rng.one_in(8) { 2 } else { 1 };
    for _ in 0..count {
        text = break_once(&text, rng);
    }
    text
}

fn break_once(text: &str, rng: &mut Rng) -> String {
    let pieces: Vec<Piece> = Lexer::new(text).collect();
    let is_token = |piece: &&Piece| !piece.kind.is_trivia();
    let tokens: Vec<Range<usize>> =
        pieces.iter().filter(is_token).map(|piece| piece.at.range()).collect();
    let of_kind = |is_it: fn(PieceKind) -> bool| -> Vec<Range<usize>> {
        let found = pieces.iter().filter(|piece| is_it(piece.kind));
        found.map(|piece| piece.at.range()).collect()
    };
    if tokens.len() < 2 {
        return insert(text, 0, rng.pick(TOKENS));
    }
    let n = rng.below(tokens.len());
    let token = tokens[n].clone();
    match rng.below(32) {
        0..4 => replace(text, token, ""),
        4 | 5 => replace(text, token.clone(), &format!("{0} {0}", &text[token])),
        6 | 7 => swap(text, &tokens, n, (n + 1).min(tokens.len() - 1)),
        8 => swap(text, &tokens, n, rng.below(tokens.len())),
        9..12 => replace(text, token, rng.pick(TOKENS)),
        12..14 => insert(text, token.start, &format!(" {} ", rng.pick(TOKENS))),
        14 => {
            let other = tokens[rng.below(tokens.len())].clone();
            replace(text, token, &text[other])
        }
        15..22 => match of_kind(|kind| kind == PieceKind::Number).as_slice() {
            [] => replace(text, token, rng.pick(NUMBERS)),
            numbers => replace(text, numbers[rng.below(numbers.len())].clone(), rng.pick(NUMBERS)),
        },
        22 | 23 => match of_kind(|kind| kind == PieceKind::Space).as_slice() {
            [] => insert(text, token.start, rng.pick(SPACES)),
            spaces => replace(text, spaces[rng.below(spaces.len())].clone(), rng.pick(SPACES)),
        },
        24 => insert(text, token.start, rng.pick(SPACES)),
        25 => text[..boundary(text, rng)].to_owned(),
        26 | 27 => {
            let at = boundary(text, rng);
            let characters: Vec<char> = CHARACTERS.chars().collect();
            insert(text, at, rng.pick(&characters).encode_utf8(&mut [0; 4]))
        }
        28 => {
            let at = boundary(text, rng);
            let end = text[at..].chars().next().map_or(at, |first| at + first.len_utf8());
            replace(text, at..end, "")
        }
        // The statement, or the rest of it: deleted, duplicated, or moved.
        29 => replace(text, token.start..statement_end(text, &tokens, n), ""),
        30 => {
            let statement = &text[token.start..statement_end(text, &tokens, n)];
            let to = tokens[rng.below(tokens.len())].start;
            insert(text, to, &format!("\n{statement}\n"))
        }
        _ => {
            let lines: Vec<&str> = text.lines().collect();
            let (from, to) = (rng.below(lines.len()), rng.below(lines.len()));
            let mut lines = lines;
            lines.swap(from, to);
            lines.join("\n")
        }
    }
}

/// The end of a token's statement.
fn statement_end(text: &str, tokens: &[Range<usize>], n: usize) -> usize {
    let end = tokens[n..].iter().find(|token| &text[(*token).clone()] == ";");
    end.map_or(text.len(), |end| end.end)
}

fn boundary(text: &str, rng: &mut Rng) -> usize {
    let at = rng.below(text.len() + 1);
    text.floor_char_boundary(at)
}

fn replace(text: &str, range: Range<usize>, by: &str) -> String {
    [&text[..range.start], by, &text[range.end..]].concat()
}

fn insert(text: &str, at: usize, what: &str) -> String {
    replace(text, at..at, what)
}

fn swap(text: &str, tokens: &[Range<usize>], one: usize, other: usize) -> String {
    let (first, second) = (&tokens[one.min(other)], &tokens[one.max(other)]);
    if first == second {
        return text.to_owned();
    }
    let between = &text[first.end..second.start];
    let (first_text, second_text) = (&text[first.clone()], &text[second.clone()]);
    [&text[..first.start], second_text, between, first_text, &text[second.end..]].concat()
}
