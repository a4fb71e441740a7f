//! Random constant expressions (PTX ISA 4.5), most of them well-formed.

use crate::Rng;

/// The kind of number that an expression is meant to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// An integer.
    Integer,
    /// A floating-point number.
    Float,
}

/// The maximum nesting depth of operators.
const DEEPEST: usize = 5;

const INTEGERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "8",
    "10",
    "31",
    "32",
    "63",
    "64",
    "65",
    "100",
    "255",
    "256",
    "0U",
    "1U",
    "2U",
    "7U",
    "64U",
    "017",
    "00",
    "0777U",
    "0b1011",
    "0B11U",
    "0x1F",
    "0X7fU",
    "0xFF",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "0x7FFFFFFFFFFFFFFF",
    "0x8000000000000000",
    "9223372036854775807",
    "9223372036854775808",
    "9223372036854775807U",
    "18446744073709551615",
    "0xFFFFFFFFFFFFFFFF",
    "0xFFFFFFFFFFFFFFFFU",
    "0x123456789ABCDEF",
    "01777777777777777777777",
    "WARP_SZ",
    "WARP_SZ",
];

/// Integers that do not fit in 64 bits; ptxas refuses some of them.
const WIDE: &[&str] = &[
    "18446744073709551616",
    "36893488147419103232",
    "99999999999999999999",
    "0x1FFFFFFFFFFFFFFFF",
    "0xFFFFFFFFFFFFFFFFF",
    "02000000000000000000000",
    "999999999999999999999999999999999999999999999",
];

const FLOATS: &[&str] = &[
    "0.0",
    "1.0",
    "2.0",
    "0.5",
    "1.5",
    "2.5",
    "3.25",
    "0.1",
    "0.2",
    "1.",
    ".5",
    "1e3",
    "1E-3",
    "1.5e+10",
    "2.e2",
    ".25e1",
    "01.5",
    "1e38",
    "3.5e38",
    "1e-40",
    "1e300",
    "1e-300",
    "1e308",
    "4.5e-320",
    "1e309",
    "16777217.0",
    "0e99",
    "0d3FF0000000000000",
    "0D4000000000000000",
    "0d7FF0000000000000",
    "0d7FF8000000000001",
    "0d7FF4000000000000",
    "0d8000000000000000",
    "0d0000000000000001",
    "0d3FB999999999999A",
    "(0f3F800000)",
    "(0F40490FDB)",
    "((0f7FA00000))",
];

const SINGLES: &[&str] = &[
    "0f3F800000",
    "0F00000000",
    "0fBF800000",
    "0f7F800000",
    "0f7FA00001",
    "0f7fc00000",
    "0f00000001",
];

const ARITHMETIC: &[&str] = &["+", "-", "*", "/"];
const COMPARISONS: &[&str] = &["<", "<=", ">", ">=", "==", "!="];
const OF_INTEGERS: &[&str] = &["%", "<<", ">>", "&", "|", "^", "&&", "||"];

/// A random expression, meant to be a number of this kind. One in ten is not well-formed, or has operands of
/// both kinds.
pub fn expression(rng: &mut Rng, wanted: Wanted) -> String {
    let mut tokens = Vec::new();
    let depth = rng.below(DEEPEST + 1);
    match wanted {
        Wanted::Integer => integer(rng, depth, &mut tokens),
        Wanted::Float if rng.one_in(8) => tokens.push(rng.pick(SINGLES)),
        Wanted::Float => float(rng, depth, &mut tokens),
    }
    if rng.one_in(20) {
        break_one(rng, &mut tokens);
    }
    let mut text = String::new();
    for (n, token) in tokens.iter().enumerate() {
        let before = if n > 0 { tokens[n - 1] } else { "" };
        // Without a space, `%` and what follows are one word, and `//` and `/*` start a comment.
        let must = before == "%" && !rng.one_in(10) || before == "/" && matches!(*token, "/" | "*");
        if n > 0 && (must || rng.one_in(3)) {
            text.push_str(rng.pick(&[" ", " ", " ", "\t", " /* and */ "]));
        }
        text.push_str(token);
    }
    text
}

fn integer(rng: &mut Rng, depth: usize, tokens: &mut Vec<&'static str>) {
    if depth == 0 {
        tokens.push(match rng.below(60) {
            0 => rng.pick(WIDE),
            1 => rng.pick(FLOATS),
            _ => rng.pick(INTEGERS),
        });
        return;
    }
    let less = depth - 1;
    match rng.below(16) {
        0..3 => {
            tokens.push(rng.pick(&["-", "-", "+", "!", "~", "~"]));
            integer(rng, less, tokens);
        }
        3 => {
            tokens.push("(");
            tokens.push(if rng.one_in(20) { ".u32" } else { rng.pick(&[".s64", ".u64"]) });
            tokens.push(")");
            integer(rng, less, tokens);
        }
        4 | 5 => in_parentheses(rng, less, tokens, integer),
        6 => {
            integer(rng, less, tokens);
            tokens.push("?");
            integer(rng, less, tokens);
            tokens.push(":");
            integer(rng, less, tokens);
        }
        7 => {
            float(rng, less.min(1), tokens);
            tokens.push(rng.pick(COMPARISONS));
            float(rng, less.min(1), tokens);
        }
        other => {
            let operand = |rng: &mut Rng, tokens: &mut Vec<&'static str>| {
                if rng.one_in(3) {
                    in_parentheses(rng, less, tokens, integer);
                } else {
                    integer(rng, less, tokens);
                }
            };
            operand(rng, tokens);
            tokens.push(rng.pick(match other {
                8..11 => ARITHMETIC,
                11..13 => COMPARISONS,
                _ => OF_INTEGERS,
            }));
            operand(rng, tokens);
        }
    }
}

fn float(rng: &mut Rng, depth: usize, tokens: &mut Vec<&'static str>) {
    if depth == 0 {
        tokens.push(match rng.below(60) {
            0 => rng.pick(SINGLES),
            1 => rng.pick(INTEGERS),
            _ => rng.pick(FLOATS),
        });
        return;
    }
    let less = depth - 1;
    match rng.below(8) {
        0 | 1 => {
            tokens.push(if rng.one_in(20) {
                rng.pick(&["!", "~"])
            } else {
                rng.pick(&["-", "-", "+"])
            });
            float(rng, less, tokens);
        }
        2 => in_parentheses(rng, less, tokens, float),
        _ => {
            float(rng, less, tokens);
            tokens.push(if rng.one_in(30) { rng.pick(OF_INTEGERS) } else { rng.pick(ARITHMETIC) });
            float(rng, less, tokens);
        }
    }
}

fn in_parentheses(
    rng: &mut Rng,
    depth: usize,
    tokens: &mut Vec<&'static str>,
    inner: fn(&mut Rng, usize, &mut Vec<&'static str>),
) {
    tokens.push("(");
    inner(rng, depth, tokens);
    tokens.push(")");
}

/// Divides an operator, or removes, doubles, inserts or exchanges tokens.
fn break_one(rng: &mut Rng, tokens: &mut Vec<&'static str>) {
    const INSERTED: &[&str] = &[
        "(",
        ")",
        "-",
        "!",
        "?",
        ":",
        "=",
        "<",
        "%",
        "&",
        "|",
        "1",
        "1.5",
        ".s64",
        "x",
        "0f3F800000",
        "[",
        ",",
    ];
    let at = rng.below(tokens.len());
    if let Some(n) = tokens.iter().position(|token| matches!(*token, "<<" | "&&" | "==" | "<="))
        && rng.one_in(3)
    {
        let (first, second) = tokens[n].split_at(1);
        tokens.splice(n..=n, [first, second]);
        return;
    }
    match rng.below(4) {
        0 if tokens.len() > 1 => {
            tokens.remove(at);
        }
        1 => tokens.insert(at, tokens[at]),
        2 => tokens.insert(at, rng.pick(INSERTED)),
        _ => {
            let other = rng.below(tokens.len());
            tokens.swap(at, other);
        }
    }
}
