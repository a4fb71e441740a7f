//! The results of integer instructions (PTX ISA 9.7.1, 9.7.2, 9.7.6, 9.7.8 and 9.7.9).

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::fields::{PrmtMode, bfe, bfi, bfind, bmsk, dot, fns, lop3, prmt, shf, szext};
use super::integer::{Integer, bits};

/// The function from the sources of an instruction to its result.
pub(crate) type Operation = Box<dyn Fn(&[u64]) -> u64>;

/// Converts a small, non-negative number, such as a shift amount or a count.
fn small(number: i128) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Returns the operation of an instruction that writes one register; `None` if it is not modelled.
pub(crate) fn operation(opcode: &str, words: &[&str]) -> Option<Operation> {
    let has = |word: &str| words.contains(&word);
    let types: Vec<Integer> = words.iter().filter_map(|word| Integer::of(word)).collect();
    if words.last() == Some(&"pred") {
        return predicate(opcode);
    }
    if let Some((last, first)) = words.split_last()
        && let Some(half) = last.strip_suffix("x2").filter(|half| matches!(*half, "u16" | "s16"))
    {
        return by_halves(opcode, first, half);
    }
    if words.iter().any(|word| is_foreign(word)) {
        return None;
    }
    let first = types.first().copied();
    let ty = first?;
    Some(match opcode {
        "add" | "sub" => {
            let (sign, saturates) = (if opcode == "add" { 1 } else { -1 }, has("sat"));
            Box::new(move |from| {
                let sum = ty.read(from[0]) + sign * ty.read(from[1]);
                if saturates { ty.saturated(sum) } else { ty.write(sum) }
            })
        }
        "mul" => {
            let half = Half::of(words)?;
            Box::new(move |from| half.product(from, ty))
        }
        "mad" => {
            let (half, saturates) = (Half::of(words)?, has("sat"));
            Box::new(move |from| {
                let wide = half.written(ty);
                let product = wide.read(half.product(from, ty));
                let sum = product + wide.read(from[2]);
                if saturates { wide.saturated(sum) } else { wide.write(sum) }
            })
        }
        "mul24" | "mad24" => {
            let (is_high, saturates) = (has("hi"), has("sat"));
            Box::new(move |from| {
                let low = |register: u64| {
                    let low = i128::from(register) & 0xff_ffff;
                    if ty.is_signed && low >> 23 != 0 { low - (1 << 24) } else { low }
                };
                let product = low(from[0]) * low(from[1]);
                let half = ty.read(ty.write(if is_high { product >> 16 } else { product }));
                let sum = half + from.get(2).map_or(0, |third| ty.read(*third));
                if saturates { ty.saturated(sum) } else { ty.write(sum) }
            })
        }
        "sad" => Box::new(move |from| {
            ty.write((ty.read(from[0]) - ty.read(from[1])).abs() + ty.read(from[2]))
        }),
        // The hardware returns all ones for a division by zero.
        "div" => Box::new(move |from| {
            ty.write(ty.read(from[0]).checked_div(ty.read(from[1])).unwrap_or(-1))
        }),
        "rem" => Box::new(move |from| {
            ty.write(ty.read(from[0]).checked_rem(ty.read(from[1])).unwrap_or(-1))
        }),
        "abs" => Box::new(move |from| ty.write(ty.read(from[0]).abs())),
        "neg" => Box::new(move |from| ty.write(-ty.read(from[0]))),
        "min" | "max" => {
            let (is_least, relu) = (opcode == "min", has("relu"));
            Box::new(move |from| {
                let (one, other) = (ty.read(from[0]), ty.read(from[1]));
                let chosen = if is_least { one.min(other) } else { one.max(other) };
                ty.write(if relu { chosen.max(0) } else { chosen })
            })
        }
        "popc" => Box::new(move |from| (from[0] & bits(ty.mask())).count_ones().into()),
        "clz" => Box::new(move |from| {
            ((from[0] & bits(ty.mask())).leading_zeros() + ty.bits - 64).into()
        }),
        "bfind" => {
            let shifts = has("shiftamt");
            Box::new(move |from| bfind(ty, from[0], shifts))
        }
        "fns" => Box::new(move |from| fns(from[0], from[1], from[2])),
        "brev" => Box::new(move |from| from[0].reverse_bits() >> (64 - ty.bits)),
        "bfe" => Box::new(move |from| bfe(ty, from)),
        "bfi" => Box::new(move |from| bfi(ty, from)),
        "bmsk" => {
            let clamps = has("clamp");
            Box::new(move |from| bmsk(clamps, from))
        }
        "szext" => {
            let clamps = has("clamp");
            Box::new(move |from| szext(ty, clamps, from))
        }
        "dp4a" => {
            let (one, other) = (ty, *types.get(1)?);
            Box::new(move |from| dot(from, (one, 8), (other, 8), 4, 0))
        }
        "dp2a" => {
            let (one, other, half) = (ty, *types.get(1)?, if has("hi") { 2 } else { 0 });
            Box::new(move |from| dot(from, (one, 16), (other, 8), 2, half))
        }
        "and" => Box::new(move |from| ty.write(ty.read(from[0]) & ty.read(from[1]))),
        "or" => Box::new(move |from| ty.write(ty.read(from[0]) | ty.read(from[1]))),
        "xor" => Box::new(move |from| ty.write(ty.read(from[0]) ^ ty.read(from[1]))),
        "not" => Box::new(move |from| ty.write(!ty.read(from[0]))),
        "cnot" => Box::new(move |from| (ty.read(from[0]) == 0).into()),
        "lop3" => Box::new(lop3),
        "shf" => {
            let (is_left, clamps) = (has("l"), has("clamp"));
            Box::new(move |from| shf(is_left, clamps, from))
        }
        "shl" => Box::new(move |from| {
            let by = small(Integer::unsigned(32).read(from[1])).min(ty.bits);
            ty.write(ty.read(from[0]) << by)
        }),
        "shr" => Box::new(move |from| {
            let by = small(Integer::unsigned(32).read(from[1])).min(ty.bits);
            ty.write(ty.read(from[0]) >> by)
        }),
        "prmt" => {
            let mode = words.iter().copied().find(|word| *word != "b32");
            let mode = PrmtMode::of(mode)?;
            Box::new(move |from| prmt(mode, from))
        }
        "set" => {
            let (compare, from_ty) = (Compare::of(words)?, *types.get(1)?);
            Box::new(move |from| {
                let holds = compare.holds(from_ty, from) & 1 != 0;
                ty.write(if holds { -1 } else { 0 })
            })
        }
        "setp" => {
            let compare = Compare::of(words)?;
            Box::new(move |from| compare.holds(ty, from))
        }
        "selp" => Box::new(move |from| if from[2] & 1 != 0 { from[0] } else { from[1] }),
        "slct" => {
            let by = *types.get(1)?;
            Box::new(move |from| if by.read(from[2]) >= 0 { from[0] } else { from[1] })
        }
        "mov" => Box::new(move |from| ty.write(ty.read(from[0]))),
        "cvt" => {
            let (from_ty, saturates) = (*types.get(1)?, has("sat"));
            Box::new(move |from| {
                let number = from_ty.read(from[0]);
                if saturates { ty.saturated(number) } else { ty.write(number) }
            })
        }
        _ => return None,
    })
}

/// Returns the operation of a packed instruction on two 16-bit numbers in each register.
fn by_halves(opcode: &str, words: &[&str], half: &str) -> Option<Operation> {
    let words: Vec<&str> = words.iter().copied().chain([half]).collect();
    let operation = operation(opcode, &words)?;
    Some(Box::new(move |from| {
        let of = |shift: u32| {
            let halves: Vec<u64> = from.iter().map(|number| number >> shift & 0xffff).collect();
            (operation(&halves) & 0xffff) << shift
        };
        of(0) | of(16)
    }))
}

/// Whether it is a type other than a single integer.
fn is_foreign(word: &str) -> bool {
    let is_float = matches!(word, "f16" | "f32" | "f64" | "bf16" | "f16x2" | "bf16x2" | "tf32");
    is_float || matches!(word, "u16x2" | "s16x2" | "b128")
}

/// Returns the operation of an instruction on predicates.
fn predicate(opcode: &str) -> Option<Operation> {
    Some(match opcode {
        "and" => Box::new(|from| from[0] & from[1] & 1),
        "or" => Box::new(|from| (from[0] | from[1]) & 1),
        "xor" => Box::new(|from| (from[0] ^ from[1]) & 1),
        "not" => Box::new(|from| !from[0] & 1),
        "mov" => Box::new(|from| from[0] & 1),
        _ => return None,
    })
}

/// The half of a product that is written.
#[derive(Clone, Copy)]
pub(super) enum Half {
    Low,
    High,
    Wide,
}

impl Half {
    pub(super) fn of(words: &[&str]) -> Option<Self> {
        words.iter().find_map(|word| match *word {
            "lo" => Some(Self::Low),
            "hi" => Some(Self::High),
            "wide" => Some(Self::Wide),
            _ => None,
        })
    }

    fn written(self, ty: Integer) -> Integer {
        let bits = if matches!(self, Self::Wide) { ty.bits * 2 } else { ty.bits };
        Integer { bits, ..ty }
    }

    pub(super) fn product(self, from: &[u64], ty: Integer) -> u64 {
        let (one, other) = (ty.read(from[0]), ty.read(from[1]));
        match self {
            Self::Low | Self::Wide => self.written(ty).write(one.wrapping_mul(other)),
            Self::High if ty.is_signed => ty.write((one * other) >> ty.bits),
            // All 128 bits of it may be used.
            Self::High => {
                let product = one.unsigned_abs() * other.unsigned_abs();
                u64::try_from(product >> ty.bits).unwrap_or_default()
            }
        }
    }
}

/// A comparison, and the combination with a third predicate.
#[derive(Clone, Copy)]
struct Compare {
    how: fn(i128, i128) -> bool,
    is_unsigned: bool,
    combine: Option<fn(bool, bool) -> bool>,
}

impl Compare {
    fn of(words: &[&str]) -> Option<Self> {
        let (how, is_unsigned): (fn(i128, i128) -> bool, bool) = match *words.first()? {
            "eq" => (|one, other| one == other, false),
            "ne" => (|one, other| one != other, false),
            "lt" => (|one, other| one < other, false),
            "le" => (|one, other| one <= other, false),
            "gt" => (|one, other| one > other, false),
            "ge" => (|one, other| one >= other, false),
            "lo" => (|one, other| one < other, true),
            "ls" => (|one, other| one <= other, true),
            "hi" => (|one, other| one > other, true),
            "hs" => (|one, other| one >= other, true),
            _ => return None,
        };
        let combine: Option<fn(bool, bool) -> bool> = match words.get(1) {
            Some(&"and") => Some(|one, other| one && other),
            Some(&"or") => Some(|one, other| one || other),
            Some(&"xor") => Some(|one, other| one != other),
            Some(_) | None => None,
        };
        Some(Self { how, is_unsigned, combine })
    }

    /// Returns the predicate, and its complement in the next bit.
    fn holds(self, ty: Integer, from: &[u64]) -> u64 {
        let ty = Integer { is_signed: ty.is_signed && !self.is_unsigned, ..ty };
        let holds = (self.how)(ty.read(from[0]), ty.read(from[1]));
        let with = |holds: bool| match (self.combine, from.get(2)) {
            (Some(combine), Some(third)) => combine(holds, third & 1 != 0),
            (_, _) => holds,
        };
        u64::from(with(holds)) | u64::from(with(!holds)) << 1
    }
}
