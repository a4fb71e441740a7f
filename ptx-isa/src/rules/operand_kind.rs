//! Operands of a kind that an instruction does not take: brackets, braces, `_`, `!` and pairs (PTX ISA 6.4).

use super::{Arg, Args, NONE};
use crate::const_str::same;

/// What is wrong with an operand.
#[derive(Clone, Copy, Debug)]
pub enum WrongKind<'a> {
    /// It is an address, but this name, or something without one, is not in brackets.
    NoBrackets(Option<&'a str>),
    /// It is the result, and is in brackets.
    ResultInBrackets,
    /// It comes before the address that the instruction writes to.
    BeforeAddress,
    /// It is a value, and is in brackets.
    InBrackets,
    /// It is a number in brackets, in a state space without fixed addresses.
    Absolute,
    /// It has another number of elements than the instruction.
    Elements {
        /// The number in the instruction; 1 without a modifier for it.
        wanted: usize,
        /// The number of those in braces, or of a register; `None` for a scalar.
        given: Option<usize>,
        /// Its name, if it is one.
        name: Option<&'a str>,
    },
    /// It is a vector, and the instruction takes none: one in braces, or of this name.
    Vector(Option<&'a str>),
    /// It is a register of this name without braces, and the instruction takes several in braces.
    NoBraces(&'a str),
    /// It is a special register, which only copies and conversions read (PTX ISA 10).
    Special,
    /// It is `_`, and is read.
    ReadSink,
    /// It is `_`, and the instruction needs its result.
    KeptSink,
    /// It has a predicate after the result.
    WithPredicate,
    /// It is negated, and is not a predicate.
    Negated,
    /// It is a number of bytes that a copy by one thread does not have: any of 4, 8 and 16 unless the copy
    /// bypasses L1.
    Bytes(i128, bool),
}

/// What to say about an operand of an instruction.
pub(super) const fn explained<'a>(opcode: &'a str, wrong: WrongKind<'a>) -> Args<'a> {
    let name = Arg::Name(opcode);
    match wrong {
        WrongKind::NoBrackets(what) => [
            name,
            Arg::Str(" takes an address in brackets here"),
            NONE,
            match what {
                Some(what) => Arg::Named("write `[#]`", what),
                None => Arg::Str("write `[` and `]` around it"),
            },
        ],
        WrongKind::ResultInBrackets => [
            Arg::Str("the first operand of "),
            name,
            Arg::Str(" is its result, and this is an address"),
            Arg::Str(if same(opcode, "atom") {
                "write a register for the old value, or write `red`, which has no result"
            } else {
                "write the register that it writes"
            }),
        ],
        WrongKind::BeforeAddress => [
            Arg::Str("the first operand of "),
            name,
            Arg::Str(" is the address that it writes to, in brackets"),
            Arg::Str("write this after it"),
        ],
        WrongKind::InBrackets => [
            name,
            Arg::Str(" takes a value here, and this is an address"),
            NONE,
            Arg::Str("load the value with `ld` first, or remove the brackets"),
        ],
        WrongKind::Absolute => [
            name,
            Arg::Str(" takes a number as an address only in `.local`"),
            NONE,
            Arg::Str("name a variable, or move the number to a register"),
        ],
        WrongKind::Elements { wanted: 1, given, .. } => of_scalar(opcode, given),
        WrongKind::Elements { wanted, given, name } => of_vector(wanted, given, name),
        WrongKind::Vector(of) => [
            name,
            Arg::Str(" takes no vector"),
            NONE,
            match of {
                Some(register) => Arg::Named("name one element: `#.x`", register),
                None => Arg::Str("write one register, without braces"),
            },
        ],
        WrongKind::NoBraces(register) => [
            name,
            Arg::Str(" takes registers in braces here"),
            NONE,
            Arg::Named("write `{#}`, with all of them", register),
        ],
        WrongKind::Special => [
            name,
            Arg::Str(" does not read special registers"),
            NONE,
            Arg::Str("copy it to a register with `mov` first"),
        ],
        WrongKind::ReadSink => [
            Arg::Str("`_` is a result that is not needed, and "),
            name,
            Arg::Str(" reads this operand"),
            Arg::Str("write a register or a number"),
        ],
        WrongKind::KeptSink => {
            [name, Arg::Str(" cannot discard its result"), NONE, Arg::Str("write a register")]
        }
        WrongKind::WithPredicate => [
            name,
            Arg::Str(" gives no predicate with its result"),
            NONE,
            Arg::Str("remove it and the `|`"),
        ],
        WrongKind::Negated => [
            Arg::Str("`!` negates a predicate, and "),
            name,
            Arg::Str(" takes none here"),
            Arg::Str("negate the value with an instruction first"),
        ],
        WrongKind::Bytes(bytes, false) => [
            Arg::Str("`cp.async.ca` copies 4, 8 or 16 bytes, not "),
            Arg::Int(bytes),
            NONE,
            Arg::Str("write 4, 8 or 16"),
        ],
        WrongKind::Bytes(bytes, true) => [
            Arg::Str("`cp.async.cg` copies 16 bytes, not "),
            Arg::Int(bytes),
            NONE,
            Arg::Str("write 16"),
        ],
    }
}

/// What is wrong with several elements in place of one.
const fn of_scalar(opcode: &str, given: Option<usize>) -> Args<'_> {
    let given = match given {
        Some(given) => given,
        None => 1,
    };
    [
        Arg::Name(opcode),
        Arg::Str(" without `.v2` or `.v4` takes one register"),
        Arg::Worded(", and # are written here", given as i128),
        match given {
            2 | 4 | 8 => Arg::Worded("write `.v#` before the type", given as i128),
            _ => Arg::Str("write one, or 2 or 4"),
        },
    ]
}

/// What is wrong with another number of elements than several.
const fn of_vector(wanted: usize, given: Option<usize>, name: Option<&str>) -> Args<'_> {
    let modifier = Arg::Worded("`.v#` takes ", wanted as i128);
    match (given, name) {
        (Some(given), _) => [
            modifier,
            Arg::Worded("# registers, and ", wanted as i128),
            Arg::Worded(
                if given == 1 { "# is written here" } else { "# are written here" },
                given as i128,
            ),
            Arg::Worded("write #", wanted as i128),
        ],
        (None, name) => [
            modifier,
            Arg::Worded("# registers in braces, and ", wanted as i128),
            match name {
                Some(name) => Arg::Named("`#` is one", name),
                None => Arg::Str("this is one value"),
            },
            Arg::Str(if wanted == 2 { "write `{%a, %b}`" } else { "write `{%a, %b, ..}`" }),
        ],
    }
}
