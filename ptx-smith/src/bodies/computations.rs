//! Random computations.

use super::choices::Choices;

/// The number of registers of each width that programs compute with.
pub(crate) const NARROW: usize = 3;
pub(crate) const WORDS: usize = 6;
pub(crate) const WIDE: usize = 4;
pub(crate) const PREDICATES: usize = 4;

/// The widths of registers, and the letters in their names.
const WIDTHS: [(u32, &str, usize); 3] = [(32, "%r", WORDS), (64, "%d", WIDE), (16, "%h", NARROW)];

/// Returns a register of this width.
pub(crate) fn register(choices: &mut Choices, bits: u32) -> String {
    let (_, name, count) = WIDTHS[WIDTHS.iter().position(|it| it.0 == bits).unwrap_or(0)];
    format!("{name}{}", choices.below(count))
}

pub(crate) fn predicate(choices: &mut Choices) -> String {
    format!("%p{}", choices.below(PREDICATES))
}

/// Returns an integer operand: a small number, or one where registers wrap.
pub(crate) fn number(choices: &mut Choices, bits: u32) -> String {
    let small = i128::try_from(choices.below(65)).unwrap_or_default();
    let value = match choices.below(8) {
        0..4 => small,
        4 => -small,
        5 => (1 << (bits - 1)) - 1 - small,
        6 => (1 << (bits - 1)) + small,
        _ => (1_i128 << bits) - 1 - small,
    };
    // As ptxas accepts it: in the range of the type, signed or not.
    if value < 0 || bits < 64 { value.to_string() } else { format!("0x{value:x}") }
}

/// Returns a register or a number.
fn either(choices: &mut Choices, bits: u32) -> String {
    if choices.below(3) == 0 { number(choices, bits) } else { register(choices, bits) }
}

/// The comparisons.
pub(crate) const COMPARISONS: [&str; 6] = ["lt", "eq", "ne", "le", "gt", "ge"];

/// Returns a random computation.
pub(crate) fn computation(choices: &mut Choices) -> String {
    match choices.below(10) {
        0..4 => two(choices),
        4 => three(choices),
        5 => one(choices),
        6 => bits(choices),
        7 => conversion(choices),
        8 => test(choices),
        _ => choice(choices),
    }
}

fn width(choices: &mut Choices) -> u32 {
    choices.of(&[32, 32, 32, 64, 64, 16])
}

/// Returns an instruction with two sources.
fn two(choices: &mut Choices) -> String {
    let bits = width(choices);
    let sign = choices.of(&["u", "s"]);
    let (to, one) = (register(choices, bits), register(choices, bits));
    let other = either(choices, bits);
    match choices.below(16) {
        0 | 1 => format!("add.{sign}{bits} {to}, {one}, {other};"),
        2 => format!("sub.{sign}{bits} {to}, {one}, {other};"),
        3 | 4 => format!("mul.lo.{sign}{bits} {to}, {one}, {other};"),
        5 => format!("mul.hi.{sign}{bits} {to}, {one}, {other};"),
        6 => format!("min.{sign}{bits} {to}, {one}, {other};"),
        7 => format!("max.{sign}{bits} {to}, {one}, {other};"),
        8 => format!("and.b{bits} {to}, {one}, {other};"),
        9 => format!("or.b{bits} {to}, {one}, {other};"),
        10 => format!("xor.b{bits} {to}, {one}, {other};"),
        11 => {
            let by = shift(choices, bits);
            format!("shl.b{bits} {to}, {one}, {by};")
        }
        12 => {
            let by = shift(choices, bits);
            format!("shr.{sign}{bits} {to}, {one}, {by};")
        }
        // The result of a division by zero is specific to the hardware.
        13 => {
            let by = choices.of(&[1, 2, 3, 4, 7, 8, 10, 16, 31, 32, 100]);
            let opcode = choices.of(&["rem", "div"]);
            format!("{opcode}.{sign}{bits} {to}, {one}, {by};")
        }
        14 => {
            let (to, sign) = (register(choices, 32), choices.of(&["u", "s"]));
            let (one, other) = (register(choices, 32), either(choices, 32));
            let half = choices.of(&["lo", "hi"]);
            format!("mul24.{half}.{sign}32 {to}, {one}, {other};")
        }
        _ => {
            let from = choices.of(&[32, 16]);
            let to = register(choices, from * 2);
            let (one, other) = (register(choices, from), either(choices, from));
            format!("mul.wide.{sign}{from} {to}, {one}, {other};")
        }
    }
}

/// Returns a shift amount: a number or a 32-bit register, possibly beyond the width. For 64 bits and a larger
/// literal amount, ptxas of CUDA 13.0 miscompiles a shift of a `selp` result.
fn shift(choices: &mut Choices, bits: u32) -> String {
    match choices.below(6) {
        0..4 => choices.below(usize::try_from(bits).unwrap_or(32)).to_string(),
        4 => register(choices, 32),
        _ if bits == 64 => register(choices, 32),
        _ => (bits + u32::try_from(choices.below(3)).unwrap_or(0)).to_string(),
    }
}

/// Returns a bit position or length. Beyond 255, which PTX ISA does not specify, ptxas and the hardware may
/// differ for 64 bits.
fn place(choices: &mut Choices, bits: u32) -> String {
    if bits > 32 { choices.below(70).to_string() } else { shift(choices, bits) }
}

/// Returns a position or a length that stays inside the number if the other one is a literal, too. For 32 bits and two
/// literals, ptxas of CUDA 12.9 and 13.0 folds `bfe.s32` beyond the last bit to -1, whatever the source, and takes a
/// length of `bfi.b32` from 32 on modulo 32. With either in a register, it conforms to PTX ISA.
fn taken(place: String, other: &str, bits: u32) -> String {
    match place.parse::<u32>() {
        Ok(number) if bits == 32 && other.parse::<u32>().is_ok() => number.min(31).to_string(),
        _ => place,
    }
}

/// Returns an instruction with three sources.
fn three(choices: &mut Choices) -> String {
    let bits = width(choices);
    let sign = choices.of(&["u", "s"]);
    let (to, one) = (register(choices, bits), register(choices, bits));
    let (other, third) = (either(choices, bits), register(choices, bits));
    match choices.below(7) {
        0..3 => format!("mad.lo.{sign}{bits} {to}, {one}, {other}, {third};"),
        3 => format!("mad.hi.{sign}{bits} {to}, {one}, {other}, {third};"),
        4 => format!("sad.{sign}{bits} {to}, {one}, {other}, {third};"),
        5 => {
            let (to, one) = (register(choices, 32), register(choices, 32));
            let (other, third) = (either(choices, 32), register(choices, 32));
            let half = choices.of(&["lo", "hi"]);
            format!("mad24.{half}.{sign}32 {to}, {one}, {other}, {third};")
        }
        _ => {
            let from = choices.of(&[32, 16]);
            let (to, third) = (register(choices, from * 2), register(choices, from * 2));
            let (one, other) = (register(choices, from), either(choices, from));
            format!("mad.wide.{sign}{from} {to}, {one}, {other}, {third};")
        }
    }
}

/// Returns an instruction with one source.
fn one(choices: &mut Choices) -> String {
    let bits = width(choices);
    let (to, from) = (register(choices, bits), register(choices, bits));
    match choices.below(5) {
        0 => format!("abs.s{bits} {to}, {from};"),
        1 => format!("neg.s{bits} {to}, {from};"),
        2 => format!("not.b{bits} {to}, {from};"),
        3 => format!("cnot.b{bits} {to}, {from};"),
        _ => {
            let from = either(choices, bits);
            format!("mov.b{bits} {to}, {from};")
        }
    }
}

/// Returns an instruction that counts, finds or moves bits.
fn bits(choices: &mut Choices) -> String {
    let wide = choices.of(&[32, 64]);
    let sign = choices.of(&["u", "s"]);
    let to = register(choices, 32);
    let (one, other) = (register(choices, 32), either(choices, 32));
    let from = register(choices, wide);
    match choices.below(18) {
        0 => format!("popc.b{wide} {to}, {from};"),
        1 => format!("clz.b{wide} {to}, {from};"),
        2 => {
            let shifts = choices.of(&["", ".shiftamt"]);
            format!("bfind{shifts}.{sign}{wide} {to}, {from};")
        }
        3 => {
            let to = register(choices, wide);
            format!("brev.b{wide} {to}, {from};")
        }
        4..7 => {
            let to = register(choices, wide);
            let (position, length) = (place(choices, wide), place(choices, wide));
            let position = if sign == "s" { taken(position, &length, wide) } else { position };
            format!("bfe.{sign}{wide} {to}, {from}, {position}, {length};")
        }
        7 | 8 => {
            let (to, base) = (register(choices, wide), register(choices, wide));
            let (position, length) = (place(choices, wide), place(choices, wide));
            let length = taken(length, &position, wide);
            format!("bfi.b{wide} {to}, {from}, {base}, {position}, {length};")
        }
        9 => {
            let mode = choices.of(&["clamp", "wrap"]);
            let by = shift(choices, 32);
            format!("szext.{mode}.{sign}32 {to}, {one}, {by};")
        }
        10 => {
            let mode = choices.of(&["clamp", "wrap"]);
            let (first, count) = (shift(choices, 32), shift(choices, 32));
            format!("bmsk.{mode}.b32 {to}, {first}, {count};")
        }
        11 | 12 => {
            let mode = choices.of(&["", "", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"]);
            let control = choices.of(&["0x3210", "0x5410", "0x7632", "0x88ff", "%r0", "2", "%r1"]);
            format!("prmt.b32{mode} {to}, {one}, {other}, {control};")
        }
        13 => {
            let table = choices.below(256);
            let third = register(choices, 32);
            format!("lop3.b32 {to}, {one}, {other}, {third}, {table};")
        }
        14 | 15 => {
            let (side, mode) = (choices.of(&["l", "r"]), choices.of(&["clamp", "wrap"]));
            let by = shift(choices, 32);
            format!("shf.{side}.{mode}.b32 {to}, {one}, {other}, {by};")
        }
        16 => {
            let (other_sign, third) = (choices.of(&["u", "s"]), register(choices, 32));
            let half = choices.of(&["", ".lo", ".hi"]);
            let opcode = if half.is_empty() { "dp4a" } else { "dp2a" };
            format!("{opcode}{half}.{sign}32.{other_sign}32 {to}, {one}, {other}, {third};")
        }
        _ => {
            let base = choices.below(32);
            let offset = choices.of(&["1", "0", "-1", "2", "-3"]);
            format!("fns.b32 {to}, {one}, {base}, {offset};")
        }
    }
}

/// Returns a conversion between widths, or a packing or unpacking of halves.
fn conversion(choices: &mut Choices) -> String {
    let to_bits = choices.of(&[32, 64, 16, 8]);
    let from_bits = choices.of(&[32, 64, 16, 8]);
    let of = |bits: u32| if bits == 8 { 32 } else { bits };
    let (to, from) = (register(choices, of(to_bits)), register(choices, of(from_bits)));
    let (to_sign, from_sign) = (choices.of(&["u", "s"]), choices.of(&["u", "s"]));
    match choices.below(8) {
        0..5 => format!("cvt.{to_sign}{to_bits}.{from_sign}{from_bits} {to}, {from};"),
        // ptxas accepts `.sat` only where saturation is possible.
        5 => {
            let fits = match (to_sign, from_sign) {
                ("u", "s") => false,
                ("s", "u") => from_bits < to_bits,
                _ => from_bits <= to_bits,
            };
            let saturates = if fits { "" } else { ".sat" };
            format!("cvt{saturates}.{to_sign}{to_bits}.{from_sign}{from_bits} {to}, {from};")
        }
        6 => {
            let to = register(choices, 64);
            let (low, high) = (register(choices, 32), register(choices, 32));
            format!("mov.b64 {to}, {{{low}, {high}}};")
        }
        _ => {
            let from = register(choices, 64);
            format!("mov.b64 {{%r4, %r5}}, {from};")
        }
    }
}

/// Returns an instruction that writes predicates.
pub(crate) fn test(choices: &mut Choices) -> String {
    let to = predicate(choices);
    let (one, other) = (predicate(choices), predicate(choices));
    match choices.below(8) {
        0..4 => {
            let bits = width(choices);
            let sign = choices.of(&["u", "s"]);
            let comparison = match sign {
                "u" if choices.once_in(4) => choices.of(&["lo", "ls", "hi", "hs"]),
                _ => choices.of(&COMPARISONS),
            };
            let (left, right) = (register(choices, bits), either(choices, bits));
            match choices.below(6) {
                0..4 => format!("setp.{comparison}.{sign}{bits} {to}, {left}, {right};"),
                4 => {
                    let combine = choices.of(&["and", "or", "xor"]);
                    let not = choices.of(&["", "!"]);
                    format!(
                        "setp.{comparison}.{combine}.{sign}{bits} {to}, {left}, {right}, {not}{one};"
                    )
                }
                _ => {
                    let combine = choices.of(&["and", "or", "xor"]);
                    let second = if to == "%p1" { "%p2" } else { "%p1" };
                    format!(
                        "setp.{comparison}.{combine}.{sign}{bits} {to}|{second}, {left}, {right}, {one};"
                    )
                }
            }
        }
        4 => format!("and.pred {to}, {one}, {other};"),
        5 => format!("or.pred {to}, {one}, {other};"),
        6 => format!("xor.pred {to}, {one}, {other};"),
        _ => format!("not.pred {to}, {one};"),
    }
}

/// Returns a selection.
fn choice(choices: &mut Choices) -> String {
    let bits = width(choices);
    let sign = choices.of(&["u", "s"]);
    let (to, one) = (register(choices, bits), either(choices, bits));
    let (other, by) = (either(choices, bits), predicate(choices));
    match choices.below(4) {
        0 | 1 => format!("selp.b{bits} {to}, {one}, {other}, {by};"),
        2 => {
            let third = register(choices, 32);
            format!("slct.{sign}{bits}.s32 {to}, {one}, {other}, {third};")
        }
        _ => {
            let comparison = choices.of(&COMPARISONS);
            let (one, to) = (register(choices, bits), register(choices, 32));
            format!("set.{comparison}.{sign}32.{sign}{bits} {to}, {one}, {other};")
        }
    }
}
