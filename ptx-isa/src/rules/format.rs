//! Tests of the content of registers that an instruction uses as numbers in a format.

use super::{Arg, Args, NONE};
use crate::number_format::{NumberFormat, PackedNumbers};

/// The number of tracked bytes of a register.
pub const REGISTER_BYTES: usize = 8;

/// The content of a byte of a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ByteFormat {
    /// Unknown.
    Unknown,
    /// Zero, which is the same in every format.
    Zero,
    /// This byte of a number, from 0.
    Of(NumberFormat, u8),
}

/// A register that an instruction uses as numbers.
#[derive(Clone, Copy, Debug)]
pub struct UsedNumbers<'a> {
    /// The register.
    pub name: &'a str,
    /// Its bytes, the lowest first.
    pub holds: [ByteFormat; REGISTER_BYTES],
    /// The numbers that the instruction reads from its lowest bytes.
    pub taken: PackedNumbers,
    /// The role of these numbers.
    pub role: NumberRole,
}

/// The role of numbers in an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NumberRole {
    /// The instruction computes with them, or converts them.
    Operand,
    /// A fragment of a matrix.
    Fragment,
    /// Scales of blocks of a matrix, of which the instruction selects some.
    Scales,
}

/// Numbers in another format than the expected one.
struct Misfit {
    format: NumberFormat,
    /// Their first byte in the register.
    first: usize,
    /// Their size in bytes.
    bytes: usize,
}

/// The format of the numbers that exactly fill these bytes.
const fn whole(
    holds: &[ByteFormat; REGISTER_BYTES],
    first: usize,
    bytes: usize,
) -> Option<NumberFormat> {
    let ByteFormat::Of(format, _) = holds[first] else { return None };
    if !bytes.is_multiple_of(format.bytes()) {
        return None;
    }
    let mut n = 0;
    while n < bytes {
        match holds[first + n] {
            ByteFormat::Of(other, part)
                if other as u8 == format as u8 && part as usize == n % format.bytes() => {}
            ByteFormat::Of(..) | ByteFormat::Zero | ByteFormat::Unknown => return None,
        }
        n += 1;
    }
    Some(format)
}

/// Whether numbers in one format may be read in another: if the formats are equal, or if one is the upper part of
/// the other, so that the numbers are approximately equal.
pub(super) const fn may_be(is: NumberFormat, taken: NumberFormat) -> bool {
    is as u8 == taken as u8 || is.is_upper_part_of(taken) || taken.is_upper_part_of(is)
}

/// The first numbers that are certainly in another format.
const fn misfit(taken: UsedNumbers<'_>) -> Option<Misfit> {
    let PackedNumbers { format, bytes } = taken.taken;
    let (mut first, size) = (0, format.bytes());
    if let Some(is) = whole(&taken.holds, first, bytes) {
        let misfit = Misfit { format: is, first, bytes };
        return if may_be(is, format) { None } else { Some(misfit) };
    }
    while first + size <= bytes {
        if let Some(is) = whole(&taken.holds, first, size)
            && !may_be(is, format)
        {
            return Some(Misfit { format: is, first, bytes: size });
        }
        first += size;
    }
    None
}

/// The fix for a fragment of numbers in this format.
const fn mend(format: NumberFormat) -> &'static str {
    match format {
        NumberFormat::E4m3 => "write `.e4m3` for that matrix, or convert the fragment first",
        NumberFormat::E5m2 => "write `.e5m2` for that matrix, or convert the fragment first",
        NumberFormat::E2m3 => "write `.e2m3` for that matrix, or convert the fragment first",
        NumberFormat::E3m2 => "write `.e3m2` for that matrix, or convert the fragment first",
        NumberFormat::E2m1 => "write `.e2m1` for that matrix, or convert the fragment first",
        NumberFormat::F16 => "write `.f16` for that matrix, or convert the fragment first",
        NumberFormat::Bf16 => "write `.bf16` for that matrix, or convert the fragment first",
        NumberFormat::Ue8m0 | NumberFormat::F32 | NumberFormat::F64 => "convert it first",
    }
}

/// The name of numbers in a format that fill this many bytes.
const fn name(format: NumberFormat, bytes: usize) -> Arg<'static> {
    Arg::Str(format.packed_name(format.count_in(bytes)))
}

pub(super) const fn number_of_other_format(taken: UsedNumbers<'_>) -> Option<Args<'_>> {
    match (taken.role, misfit(taken)) {
        (NumberRole::Operand, Some(Misfit { format, bytes, .. })) if bytes == taken.taken.bytes => {
            let wanted = name(taken.taken.format, bytes);
            Some([Arg::Str(taken.name), name(format, bytes), wanted, NONE])
        }
        (_, _) => None,
    }
}

pub(super) const fn lane_of_other_format(taken: UsedNumbers<'_>) -> Option<Args<'_>> {
    let bytes = taken.taken.bytes;
    match (taken.role, misfit(taken)) {
        (NumberRole::Operand | NumberRole::Fragment, Some(misfit)) if misfit.bytes < bytes => {
            let place = match (misfit.first, misfit.bytes * 2 == bytes) {
                (0, true) => "its lower half",
                (_, true) => "its upper half",
                (0, false) => "its lowest byte",
                (_, false) if misfit.first + misfit.bytes == bytes => "its highest byte",
                (_, false) => "one of its bytes",
            };
            let wanted = name(taken.taken.format, bytes);
            let is = name(misfit.format, misfit.bytes);
            Some([Arg::Str(taken.name), is, Arg::Str(place), wanted])
        }
        (_, _) => None,
    }
}

pub(super) const fn fragment_of_other_format(taken: UsedNumbers<'_>) -> Option<Args<'_>> {
    match (taken.role, misfit(taken)) {
        (NumberRole::Fragment, Some(Misfit { format, bytes, .. }))
            if bytes == taken.taken.bytes =>
        {
            let wanted = Arg::Str(taken.taken.format.name());
            Some([Arg::Str(taken.name), name(format, bytes), wanted, Arg::Str(mend(format))])
        }
        (_, _) => None,
    }
}

pub(super) const fn scales_of_other_format(taken: UsedNumbers<'_>) -> Option<Args<'_>> {
    let PackedNumbers { format, bytes } = taken.taken;
    let ByteFormat::Of(is, _) = taken.holds[0] else { return None };
    if !matches!(taken.role, NumberRole::Scales) {
        return None;
    }
    // The instruction reads some of these bytes, and no others.
    let mut n = 0;
    while n < bytes {
        match taken.holds[n] {
            ByteFormat::Of(is, _) if is as u8 != format as u8 => {}
            ByteFormat::Of(..) | ByteFormat::Zero | ByteFormat::Unknown => return None,
        }
        n += 1;
    }
    let wanted = match format {
        NumberFormat::E4m3 => "ue4m3",
        _ => format.name(),
    };
    Some([Arg::Str(taken.name), name(is, bytes), Arg::Str(wanted), NONE])
}

#[cfg(test)]
mod tests {
    use super::*;
    use NumberFormat::{Bf16, E2m1, E4m3, E5m2, F16, F32, Ue8m0};

    fn bytes_of(of: &[(NumberFormat, usize)]) -> [ByteFormat; REGISTER_BYTES] {
        let mut holds = [ByteFormat::Unknown; REGISTER_BYTES];
        let bytes = of.iter().flat_map(|(format, bytes)| {
            (0..*bytes).map(|n| ByteFormat::Of(*format, u8::try_from(n % format.bytes()).unwrap()))
        });
        holds.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
        holds
    }

    fn taken(
        of: &[(NumberFormat, usize)],
        (format, bytes): (NumberFormat, usize),
        role: NumberRole,
    ) -> Vec<&'static str> {
        let taken = PackedNumbers { format, bytes };
        let taken = UsedNumbers { name: "%r", holds: bytes_of(of), taken, role };
        let rules = crate::rules::check_numbers(taken).into_iter();
        rules.map(|violation| violation.rule.code).collect()
    }

    use std::vec::Vec;
    extern crate std;

    #[test]
    fn other_formats_of_the_same_size_are_found_in_all_of_a_register_and_in_lanes() {
        use NumberRole::{Fragment, Operand};
        assert_eq!(taken(&[(E5m2, 2)], (E4m3, 2), Operand), ["A080"]);
        assert_eq!(taken(&[(Bf16, 4)], (F16, 4), Operand), ["A080"]);
        assert_eq!(taken(&[(Bf16, 4)], (F16, 4), Fragment), ["A082"]);
        assert_eq!(taken(&[(F16, 2), (Bf16, 2)], (F16, 4), Operand), ["A081"]);
        assert_eq!(taken(&[(F16, 2), (Bf16, 2)], (Bf16, 4), Fragment), ["A081"]);
        assert_eq!(taken(&[(E4m3, 1), (E2m1, 1)], (E4m3, 2), Operand), ["A081"]);
        assert_eq!(taken(&[(E4m3, 2)], (E4m3, 2), Operand), [""; 0]);
        // Bytes beyond those that are read do not count.
        assert_eq!(taken(&[(F16, 2), (Bf16, 2)], (F16, 2), Operand), [""; 0]);
        assert_eq!(taken(&[], (F16, 4), Operand), [""; 0]);
    }

    #[test]
    fn numbers_are_whole_from_their_first_byte_on() {
        let mut holds = bytes_of(&[(Bf16, 4)]);
        assert_eq!(whole(&holds, 0, 4), Some(Bf16));
        holds[0] = ByteFormat::Of(Bf16, 1);
        assert_eq!(whole(&holds, 0, 4), None);
    }

    #[test]
    fn numbers_of_other_sizes_are_found_where_they_are_whole() {
        use NumberRole::{Fragment, Operand};
        assert_eq!(taken(&[(F32, 4)], (F16, 4), Fragment), ["A082"]);
        assert_eq!(taken(&[(F16, 4)], (F32, 4), Operand), ["A080"]);
        assert_eq!(taken(&[(E4m3, 4)], (F16, 4), Fragment), ["A082"]);
        assert_eq!(taken(&[(E4m3, 2), (F16, 2)], (F16, 4), Operand), ["A081"]);
        assert_eq!(taken(&[(F32, 4)], (F16, 2), Operand), [""; 0]);
        // One format is the upper part of the other.
        for (is, other) in [(E5m2, F16), (F16, E5m2), (Bf16, F32), (F32, Bf16)] {
            assert_eq!(taken(&[(is, 4)], (other, 4), Operand), [""; 0]);
        }
    }

    #[test]
    fn zeros_are_the_same_in_every_format() {
        let mut holds = bytes_of(&[(Bf16, 4)]);
        holds[0] = ByteFormat::Zero;
        holds[1] = ByteFormat::Zero;
        let of = |format, bytes| {
            let taken = PackedNumbers { format, bytes };
            let role = NumberRole::Operand;
            misfit(UsedNumbers { name: "%r", holds, taken, role }).map(|misfit| misfit.first)
        };
        assert_eq!(of(F16, 4), Some(2));
        assert_eq!(of(F16, 2), None);
        assert_eq!(of(F32, 4), None);
    }

    #[test]
    fn of_scales_every_byte_has_another_format() {
        use NumberRole::Scales;
        assert_eq!(taken(&[(E4m3, 4)], (Ue8m0, 4), Scales), ["A083"]);
        assert_eq!(taken(&[(Ue8m0, 4)], (E4m3, 4), Scales), ["A083"]);
        assert_eq!(taken(&[(F32, 4)], (Ue8m0, 4), Scales), ["A083"]);
        assert_eq!(taken(&[(E4m3, 3)], (Ue8m0, 4), Scales), [""; 0]);
        assert_eq!(taken(&[(E4m3, 3), (Ue8m0, 1)], (Ue8m0, 4), Scales), [""; 0]);
    }
}
