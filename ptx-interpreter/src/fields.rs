//! The results of instructions on bits, bytes and bit fields (PTX ISA 9.7.1 and 9.7.8).

use super::integer::{Integer, bits};

pub(super) fn bfind(ty: Integer, from: u64, shifts: bool) -> u64 {
    let number = ty.read(from);
    let number = if number < 0 { !number } else { number };
    match number.checked_ilog2() {
        Some(place) if shifts => (ty.bits - 1 - place).into(),
        Some(place) => place.into(),
        None => u32::MAX.into(),
    }
}

/// Finds the n-th set bit from a base on.
pub(super) fn fns(mask: u64, base: u64, offset: u64) -> u64 {
    let (offset, base) = (Integer { bits: 32, is_signed: true }.read(offset), base & 0xffff_ffff);
    let is_set = |place: i128| mask >> place & 1 != 0;
    let (mut place, mut count) = (i128::from(base), offset.abs() - 1);
    let step = match offset {
        0 => return if base < 32 && is_set(place) { base } else { u32::MAX.into() },
        1.. => 1,
        _ => -1,
    };
    while (0..32).contains(&place) {
        if is_set(place) {
            if count == 0 {
                return bits(place);
            }
            count -= 1;
        }
        place += step;
    }
    u32::MAX.into()
}

/// Returns a bit position or length. PTX ISA restricts it to 255; beyond that, an H100
/// uses its lowest eight bits for a 32-bit number, and saturates for a 64-bit one.
fn place(ty: Integer, register: u64) -> u64 {
    let register = register & 0xffff_ffff;
    if ty.bits > 32 { register.min(0xff) } else { register & 0xff }
}

pub(super) fn bfe(ty: Integer, from: &[u64]) -> u64 {
    let (position, length) = (place(ty, from[1]), place(ty, from[2]));
    let top = u64::from(ty.bits - 1);
    let bit = |place: u64| from[0] >> place & 1;
    let sign = if ty.is_signed && length > 0 { bit((position + length - 1).min(top)) } else { 0 };
    let field = |place| {
        if place < length && position + place <= top { bit(position + place) } else { sign }
    };
    (0..=top).fold(0, |all, place| all | field(place) << place)
}

pub(super) fn bfi(ty: Integer, from: &[u64]) -> u64 {
    let (position, length) = (place(ty, from[2]), place(ty, from[3]));
    let mut all = from[1];
    for place in (0..length).take_while(|place| position + place < ty.bits.into()) {
        let at = position + place;
        all = all & !(1 << at) | (from[0] >> place & 1) << at;
    }
    all
}

pub(super) fn bmsk(clamps: bool, from: &[u64]) -> u64 {
    let (a, b) = (from[0] & 0xffff_ffff, from[1] & 0xffff_ffff);
    let (first, count) = (a & 31, b & 31);
    if clamps && a >= 32 {
        return 0;
    }
    let low = if clamps && b >= 32 { 32 } else { count };
    let above = u64::from(u32::MAX) << first & 0xffff_ffff;
    if low == 0 { 0 } else { above & !(u64::MAX << (first + low).min(32)) }
}

pub(super) fn szext(ty: Integer, clamps: bool, from: &[u64]) -> u64 {
    let (a, b) = (from[0] & 0xffff_ffff, from[1] & 0xffff_ffff);
    if clamps && b >= 32 {
        return a;
    }
    match b & 31 {
        0 => 0,
        count => {
            let low = a & !(u64::MAX << count);
            let is_negative = ty.is_signed && a >> (count - 1) & 1 != 0;
            if is_negative { (low | u64::MAX << count) & 0xffff_ffff } else { low }
        }
    }
}

/// Computes a dot product of packed parts: their types, the width of one, and the offset of the second source.
pub(super) fn dot(
    from: &[u64],
    one: (Integer, u32),
    other: (Integer, u32),
    count: u32,
    start: u32,
) -> u64 {
    let part = |register: u64, (ty, bits): (Integer, u32), n: u32| {
        Integer { bits, ..ty }.read(register >> (n * bits))
    };
    let products = (0..count).map(|n| part(from[0], one, n) * part(from[1], other, n + start));
    let sum = Integer { bits: 32, is_signed: one.0.is_signed || other.0.is_signed };
    sum.write(products.sum::<i128>() + sum.read(from[2]))
}

pub(super) fn lop3(from: &[u64]) -> u64 {
    (0..32).fold(0, |all, place| {
        let bit = |n: usize| from[n] >> place & 1;
        let row = bit(0) << 2 | bit(1) << 1 | bit(2);
        all | (from[3] >> row & 1) << place
    })
}

pub(super) fn shf(is_left: bool, clamps: bool, from: &[u64]) -> u64 {
    let (low, high) = (from[0] & 0xffff_ffff, from[1] & 0xffff_ffff);
    let by = from[2] & 0xffff_ffff;
    let by = if clamps { by.min(32) } else { by & 31 };
    let both = u128::from(high << 32 | low);
    let shifted = if is_left { (both << by) >> 32 } else { both >> by };
    u64::try_from(shifted & 0xffff_ffff).unwrap_or_default()
}

#[derive(Clone, Copy)]
pub(super) enum PrmtMode {
    Index,
    Forward,
    Backward,
    Replicate8,
    EdgeLeft,
    EdgeRight,
    Replicate16,
}

impl PrmtMode {
    pub(super) fn of(word: Option<&str>) -> Option<Self> {
        Some(match word {
            None => Self::Index,
            Some("f4e") => Self::Forward,
            Some("b4e") => Self::Backward,
            Some("rc8") => Self::Replicate8,
            Some("ecl") => Self::EdgeLeft,
            Some("ecr") => Self::EdgeRight,
            Some("rc16") => Self::Replicate16,
            Some(_) => return None,
        })
    }
}

pub(super) fn prmt(mode: PrmtMode, from: &[u64]) -> u64 {
    let both = (from[0] & 0xffff_ffff) | from[1] << 32;
    let control = from[2];
    let of_mode = control & 3;
    let chosen = |n: u64| match mode {
        PrmtMode::Index => control >> (4 * n) & 15,
        PrmtMode::Forward => of_mode + n,
        PrmtMode::Backward => (of_mode + 8 - n) & 7,
        PrmtMode::Replicate8 => of_mode,
        PrmtMode::EdgeLeft => n.max(of_mode),
        PrmtMode::EdgeRight => n.min(of_mode),
        PrmtMode::Replicate16 => (of_mode & 1) * 2 + (n & 1),
    };
    (0..4).fold(0, |all, n| {
        let place = chosen(n);
        let byte = both >> (8 * (place & 7)) & 0xff;
        let is_sign = place & 8 != 0;
        let byte = match (is_sign, byte >> 7) {
            (false, _) => byte,
            (true, 0) => 0,
            (true, _) => 0xff,
        };
        all | byte << (8 * n)
    })
}
