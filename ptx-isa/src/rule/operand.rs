//! What the messages say of an operand of the wrong type.

use crate::instruction::{GivenOperand, INSTRUCTIONS, WrongOperand};
use crate::scalar::{Class, ScalarType};
use crate::text::Text;

/// How an operand differs from what the instruction takes.
enum Difference {
    /// The instruction takes a predicate.
    Predicate,
    /// It has another number of bits than these.
    Bits(usize),
    /// It is a number, and the instruction takes only registers.
    Immediate,
    /// It is of another kind.
    Kind,
}

const fn difference(operand: WrongOperand) -> Difference {
    let wanted = operand.wanted.ty;
    match operand.given {
        _ if matches!(wanted, ScalarType::Pred) => Difference::Predicate,
        GivenOperand::Register(register) | GivenOperand::Special(register)
            if !matches!(register, ScalarType::Pred) =>
        {
            if register.bytes() == wanted.bytes()
                || operand.wanted.is_relaxed && register.bytes() > wanted.bytes()
            {
                Difference::Kind
            } else {
                Difference::Bits(wanted.bytes() * 8)
            }
        }
        GivenOperand::Register(_) | GivenOperand::Special(_) => {
            Difference::Bits(wanted.bytes() * 8)
        }
        GivenOperand::Float(_)
            if matches!(wanted.class(), Class::Bits) && wanted.is_fundamental() =>
        {
            Difference::Bits(wanted.bytes() * 8)
        }
        GivenOperand::Integer(_) | GivenOperand::Float(_) => match wanted.class() {
            Class::Signed | Class::Unsigned | Class::Predicate => Difference::Kind,
            Class::Float if matches!(wanted, ScalarType::F32 | ScalarType::F64) => Difference::Kind,
            Class::Float | Class::Bits => Difference::Immediate,
        },
    }
}

/// Appends what an instruction does with an operand: "`ld.u64` writes 64 bits".
pub(super) const fn push_wanted(text: &mut Text<1024>, operand: WrongOperand) {
    let Some((row, list)) = operand.list else {
        text.push_str("a guard is a predicate");
        return;
    };
    let row = &INSTRUCTIONS[row as usize];
    text.push_str("`");
    text.push_str(row.opcode);
    // A cache policy is in no list.
    if (list as usize) < row.operands.len() {
        push_modifier(text, row.operands[list as usize].0);
    }
    if let Some(ty) = operand.types[0] {
        push_modifier(text, ty.name());
    }
    if let Some(ty) = operand.types[1] {
        push_modifier(text, ty.name());
    }
    text.push_str(if operand.is_written { "` writes " } else { "` takes " });
    match difference(operand) {
        Difference::Predicate => text.push_str("a predicate"),
        Difference::Bits(bits) => {
            text.push_int(bits as i128, false);
            text.push_str(" bits");
        }
        Difference::Immediate => text.push_str("no number"),
        Difference::Kind => match operand.wanted.ty.class() {
            Class::Signed | Class::Unsigned => text.push_str("integers"),
            Class::Float | Class::Bits | Class::Predicate => {
                text.push_str("`.");
                text.push_str(operand.wanted.ty.name());
                text.push_str("`");
            }
        },
    }
    if !operand.is_written {
        text.push_str(" here");
    }
}

const fn push_modifier(text: &mut Text<1024>, word: &str) {
    if !word.is_empty() {
        text.push_str(".");
        text.push_str(word);
    }
}

/// Appends what to give an instruction: "use a 64-bit register".
pub(super) const fn push_fitting(text: &mut Text<1024>, operand: WrongOperand) {
    let wanted = operand.wanted.ty;
    match (difference(operand), operand.given) {
        (_, GivenOperand::Special(ty)) => {
            text.push_str("read it with `mov.");
            text.push_str(ty.name());
            text.push_str("`, and convert that with `cvt`");
        }
        (Difference::Predicate, GivenOperand::Register(_)) if !operand.is_written => {
            text.push_str("use a `.pred` register, as `setp` computes it");
        }
        (Difference::Predicate, _) => text.push_str("use a `.pred` register"),
        (_, GivenOperand::Register(ScalarType::Pred)) if !operand.is_written => {
            text.push_str("compute a number from it with `selp`");
        }
        (Difference::Bits(32), GivenOperand::Float(_)) => {
            text.push_str("write `0f` and 8 hexadecimal digits");
        }
        (Difference::Bits(64), GivenOperand::Float(_)) => {
            text.push_str("write `0d` and 16 hexadecimal digits");
        }
        (Difference::Bits(_), GivenOperand::Float(_)) => {
            text.push_str("write its bits as an integer");
        }
        (Difference::Bits(bits), given) => {
            text.push_str("use ");
            text.push_str(if bits == 8 { "an " } else { "a " });
            text.push_int(bits as i128, false);
            text.push_str("-bit register");
            if let (GivenOperand::Register(ScalarType::Pred), true, Some((row, _))) =
                (given, operand.is_written, operand.list)
                && INSTRUCTIONS[row as usize].gives_predicate
            {
                text.push_str(", and write the predicate after it, as in `%r|%p`");
            }
        }
        (Difference::Immediate, _) => text.push_str("move its bits to a register first"),
        (Difference::Kind, GivenOperand::Integer(value)) => {
            let (prefix, bits) =
                if matches!(wanted, ScalarType::F32) { ("0f", 32) } else { ("0d", 64) };
            // Only tiny numbers have bits that are a small integer.
            let used = i64::BITS - value.leading_zeros();
            let has_exponent = value > 0 && used > bits * 3 / 4 && used <= bits;
            text.push_str("write `");
            if has_exponent {
                text.push_str(prefix);
                text.push_hex(value.unsigned_abs(), bits / 4, "0123456789ABCDEF");
                text.push_str("` for the number with these bits, or `");
            }
            text.push_int(value as i128, false);
            text.push_str(".0`");
            if !has_exponent {
                text.push_str(", or `");
                text.push_str(prefix);
                text.push_str(if bits == 32 { "` and 8" } else { "` and 16" });
                text.push_str(" hexadecimal digits for its bits");
            }
        }
        (Difference::Kind, GivenOperand::Float(_)) => text.push_str("write an integer"),
        (Difference::Kind, GivenOperand::Register(_)) if operand.is_written => {
            text.push_str("write it to a register of `");
            text.push_str(wanted.declared());
            text.push_str("`");
        }
        (Difference::Kind, GivenOperand::Register(_)) => {
            text.push_str("convert it with `cvt`, or copy its bits with `mov.b");
            text.push_int(wanted.bytes() as i128 * 8, false);
            text.push_str("` first");
        }
    }
}
