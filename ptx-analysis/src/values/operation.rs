//! Evaluates instructions on numbers: exactly for known operands, and otherwise as a range that
//! contains the result.

use ptx_isa::instruction::Computes;
use ptx_isa::rules::signed_in;

use crate::values::bits::{Bits, lowest};
use crate::values::coordinates::Coordinates;
use crate::values::number::{Linear, Sum, view};

/// Integer arithmetic of a width and signedness.
#[derive(Clone, Copy)]
pub(crate) struct Operator<'o> {
    pub(crate) bits: u32,
    pub(crate) is_signed: bool,
    /// The ranges of special registers.
    pub(crate) coordinates: &'o Coordinates,
}

/// Returns the minimum and the maximum of these numbers.
fn hull(numbers: [i128; 4]) -> (i128, i128) {
    let [first, rest @ ..] = numbers;
    rest.into_iter().fold((first, first), |(least, most), it| (least.min(it), most.max(it)))
}

/// Returns a bit-field position or length; values beyond a byte behave differently for 32-bit and 64-bit
/// registers.
fn within_a_byte(number: &Linear) -> Option<u32> {
    Some(u8::try_from(number.value()?).ok()?.into())
}

impl Operator<'_> {
    /// Returns the range of a number.
    pub(crate) fn span(&self, number: &Linear) -> Option<(i128, i128)> {
        let of_sum = || self.coordinates.range_of(number.launch.as_ref()?);
        match (number.value(), of_sum()) {
            (Some(value), _) => Some((value, value)),
            (None, Some(range)) if range.1 - range.0 < 1 << self.bits => Some(range),
            (None, _) => number.within,
        }
    }

    /// Returns the range of a number as the instruction reads it.
    fn view(&self, number: &Linear) -> (i128, i128) {
        view(self.span(number), self.bits, self.is_signed)
    }

    /// Returns the number as the instruction reads it, if it is known.
    fn read(&self, number: &Linear) -> Option<i128> {
        number.value().map(|_| self.view(number).0)
    }

    fn bits_of(&self, number: &Linear) -> Option<Bits> {
        Bits::of(number, self.span(number), self.bits)
    }

    /// Returns a known result.
    fn result(&self, value: i128) -> Linear {
        Linear::exact(Sum::known(signed_in(value, self.bits)))
    }

    /// Returns a result within a range.
    fn between(&self, span: (i128, i128)) -> Linear {
        if span.0 == span.1 {
            return self.result(span.0);
        }
        Linear::unknown().between(Some(span)).wrapped(self.bits)
    }

    /// Returns the number with its symbolic sum, if the instruction reads it unchanged.
    fn plain<'n>(&self, number: &'n Linear) -> Option<&'n Linear> {
        let sum = number.launch.as_ref()?;
        let range = self.coordinates.range_of(sum)?;
        (view(Some(range), self.bits, self.is_signed) == range).then_some(number)
    }

    /// Returns the number truncated to this width.
    pub(crate) fn narrowed(&self, number: Linear) -> Linear {
        if self.plain(&number).is_some() { number } else { number.wrapped(self.bits) }
    }

    /// Returns a number of this width, extended to a wider register.
    pub(crate) fn extended(&self, number: Linear) -> Linear {
        if self.plain(&number).is_some() {
            // The sum is unchanged, but a proven range may hold for the other signedness.
            let span = view(number.span(), self.bits, self.is_signed);
            return number.between(Some(span));
        }
        number.extended(self.bits, self.is_signed)
    }

    pub(crate) fn and(&self, one: &Linear, other: &Linear) -> Option<Linear> {
        let (mine, others) = (self.bits_of(one)?, self.bits_of(other)?);
        // A mask that keeps all possible bits changes nothing.
        for (number, bits, mask) in [(one, mine, others), (other, others, mine)] {
            let keeps = mask.number().value().is_some()
                && mask.possible() & bits.possible() == bits.possible();
            if keeps {
                return Some(number.clone());
            }
        }
        Some(mine.and(others).number())
    }

    pub(crate) fn or(&self, one: &Linear, other: &Linear) -> Option<Linear> {
        let (mine, others) = (self.bits_of(one)?, self.bits_of(other)?);
        if mine.possible() & others.possible() == 0 {
            return Some(one.plus(other).wrapped(self.bits));
        }
        Some(mine.or(others).number())
    }

    pub(crate) fn exclusive_or(&self, one: &Linear, other: &Linear) -> Option<Linear> {
        let (mine, others) = (self.bits_of(one)?, self.bits_of(other)?);
        if mine.possible() & others.possible() == 0 {
            return Some(one.plus(other).wrapped(self.bits));
        }
        Some(mine.exclusive_or(others).number())
    }

    /// Shifts right; a shift by the full width or more leaves only the sign.
    pub(crate) fn shift_right(&self, one: &Linear, by: &Linear) -> Linear {
        let (least, most) = self.view(one);
        let (from, to) = view(self.span(by), 32, false);
        let last = i128::from(self.bits);
        let (from, to) = (from.min(last), to.min(last));
        if from == to {
            if let Some(sum) =
                self.plain(one).and_then(|one| one.launch.as_ref()?.divided(1 << from))
            {
                return Linear::of(sum).between(Some((least >> from, most >> from)));
            }
            if !self.is_signed
                && let (Some(bits), Ok(by)) = (self.bits_of(one), u32::try_from(from))
            {
                return bits.shifted_right(by).number();
            }
        }
        let ends = [least >> from, least >> to, most >> from, most >> to];
        self.between(hull(ends))
    }

    /// Returns the remainder of a division.
    pub(crate) fn remainder(&self, one: &Linear, by: &Linear) -> Linear {
        let ((least, most), (from, to)) = (self.view(one), self.view(by));
        if let (Some(one), Some(by)) = (self.read(one), self.read(by))
            && by != 0
        {
            return self.result(one % by);
        }
        // A division by zero has an unspecified result.
        if from <= 0 {
            return Linear::unknown();
        }
        if least >= 0 && most < from {
            return one.clone();
        }
        let rest = self.between((if least < 0 { 1 - to } else { 0 }, (to - 1).min(most.max(0))));
        match self.read(by) {
            // A power of two keeps the lowest bits.
            Some(by) if by.count_ones() == 1 && least >= 0 => {
                let mask = Linear::exact(Sum::known(by - 1));
                self.and(one, &mask).unwrap_or(rest)
            }
            _ => rest,
        }
    }

    /// Extracts the bit field of this length from bit `first` on.
    fn field(&self, one: &Linear, first: &Linear, length: &Linear) -> Linear {
        let bits = self.bits;
        let (Some(first), Some(length)) = (within_a_byte(first), within_a_byte(length)) else {
            return Linear::unknown();
        };
        if length == 0 {
            return self.result(0);
        }
        if self.is_signed {
            let Some(value) = self.read(one) else {
                let half = 1_i128 << (length.min(bits) - 1);
                return self.between((-half, half - 1));
            };
            return match length.min(bits.saturating_sub(first)) {
                // Beyond the end there is only the sign, but ptxas folds it to -1 if it knows the position.
                0 if value >= 0 && bits == 32 => self.between((-1, 0)),
                0 => self.result(if value < 0 { -1 } else { 0 }),
                length => self.result(signed_in(value >> first, length)),
            };
        }
        let shifted = self.shift_right(one, &Linear::exact(Sum::known(first.into())));
        let mask = Linear::exact(Sum::known(lowest(length).into()));
        self.and(&shifted, &mask).unwrap_or_else(Linear::unknown)
    }

    /// Inserts the lowest bits of `field` into a number from bit `first` on.
    fn with_field(&self, field: &Linear, into: &Linear, first: &Linear, length: &Linear) -> Linear {
        let place = (within_a_byte(first), within_a_byte(length));
        let parts = (self.bits_of(field), self.bits_of(into), place.0, place.1);
        let (Some(field), Some(into), Some(first), Some(length)) = parts else {
            return Linear::unknown();
        };
        // Here the PTX ISA inserts all bits up to the end; ptxas takes the length modulo 32 if it knows both.
        if self.bits == 32 && length >= 32 && (1..32).contains(&first) {
            return Linear::unknown();
        }
        let all = Linear::exact(Sum::known(-1));
        let Some(all) = self.bits_of(&all) else { return Linear::unknown() };
        let place = all.lowest(length).shifted_left(first);
        let kept = into.and(place.inverted());
        kept.or(field.lowest(length).shifted_left(first).and(place)).number()
    }

    /// Evaluates a division.
    fn quotient(&self, one: &Linear, by: &Linear) -> Option<Linear> {
        let (from, to) = self.view(by);
        let (least, most) = self.view(one);
        if let (Some(one), Some(by)) = (self.read(one), self.read(by)) {
            // A division by zero has an unspecified result.
            return one.checked_div(by).map(|quotient| self.result(quotient));
        }
        if from <= 0 || least < 0 {
            return None;
        }
        if from == to
            && let Some(sum) = self.plain(one).and_then(|one| one.launch.as_ref()?.divided(from))
        {
            return Some(Linear::of(sum).between(Some((least / from, most / from))));
        }
        Some(self.between((least / to, most / from)))
    }

    /// Evaluates a multiplication of the lowest 24 bits.
    fn product24(&self, one: &Linear, other: &Linear) -> Option<Linear> {
        let narrow = Operator { bits: 24, ..*self };
        let read = |number: &Linear| {
            let span = narrow.view(number);
            // Only if no bits are cut off.
            (span == self.view(number)).then_some(())
        };
        if let (Some(one), Some(other)) = (one.value(), other.value()) {
            let cut = |value: i128| {
                if self.is_signed { signed_in(value, 24) } else { value & 0xff_ffff }
            };
            return Some(self.result(cut(one) * cut(other)));
        }
        read(one)?;
        read(other)?;
        Some(one.times(other).wrapped(self.bits))
    }

    /// Counts bits.
    fn counted(&self, how: Computes, one: &Linear) -> Linear {
        let bits = self.bits;
        let Some(value) = one.value() else {
            let width = i128::from(bits);
            let unsigned = Operator { is_signed: false, ..*self };
            let (least, most) = unsigned.view(one);
            let length = |value: i128| i128::from(i128::BITS - value.leading_zeros());
            return self.between(match how {
                Computes::FirstBit => (-1, width - 1),
                Computes::LeadingZeros => (width - length(most), width - length(least)),
                _ => (0, length(most)),
            });
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        // truncated to the register
        let value = value as u64 & lowest(bits);
        let zeros = |value: u64| value.leading_zeros() + bits - 64;
        self.result(match how {
            Computes::Population => value.count_ones().into(),
            Computes::LeadingZeros => zeros(value).into(),
            _ => {
                let is_negative = self.is_signed && zeros(value) == 0;
                let value = if is_negative { !value & lowest(bits) } else { value };
                i128::from(bits) - 1 - i128::from(zeros(value))
            }
        })
    }

    /// Evaluates a selection of bytes.
    fn permutation(&self, one: &Linear, other: &Linear, selection: &Linear) -> Option<Linear> {
        let selection = selection.value()?;
        let (low, high) = (self.bits_of(one)?, self.bits_of(other)?);
        let mut all: Option<Bits> = None;
        for n in 0..4_u32 {
            let pick = u32::try_from(selection >> (4 * n) & 0xf).ok()?;
            let from = if pick & 4 == 0 { low } else { high };
            let byte = from.shifted_right(8 * (pick & 3)).lowest(8);
            // The sign bit of the byte, replicated.
            let byte = if pick & 8 == 0 {
                byte
            } else {
                let sign = byte.shifted_right(7).number().value()?;
                self.bits_of(&Linear::exact(Sum::known(sign * 0xff)))?
            };
            let placed = byte.shifted_left(8 * n);
            all = Some(all.map_or(placed, |all| all.or(placed)));
        }
        Some(all?.number())
    }

    /// Evaluates a funnel shift of a lower and an upper half.
    fn funnel_shift(
        &self,
        [low, high]: [&Linear; 2],
        by: &Linear,
        [is_left, wraps]: [&Linear; 2],
    ) -> Option<Linear> {
        let (is_left, wraps) = (is_left.value()? != 0, wraps.value()? != 0);
        let by = by.value()?;
        let by = if wraps { by & 31 } else { by };
        let by = u32::try_from(by).map_or(32, |by| by.min(32));
        let (low, high) = (self.bits_of(low)?.resized(64), self.bits_of(high)?.resized(64));
        let both = high.shifted_left(32).or(low);
        let moved =
            if is_left { both.shifted_left(by).shifted_right(32) } else { both.shifted_right(by) };
        Some(moved.resized(32).number())
    }

    /// Evaluates an operation; `None` if nothing is known about the result.
    pub(crate) fn compute(&self, how: Computes, of: &[Linear]) -> Option<Linear> {
        let bits = self.bits;
        Some(match (how, of) {
            (Computes::Absolute, [one]) => match self.view(one) {
                (0.., _) => one.clone(),
                (least, most @ ..=0) => self.between((-most, -least)),
                (least, most) => self.between((0, most.max(-least))),
            },
            (Computes::Minimum, [one, other]) => {
                let (mine, others) = (self.view(one), self.view(other));
                if mine.1 <= others.0 {
                    return Some(one.clone());
                }
                if others.1 <= mine.0 {
                    return Some(other.clone());
                }
                one.join(other).between(Some((mine.0.min(others.0), mine.1.min(others.1))))
            }
            (Computes::Maximum, [one, other]) => {
                let (mine, others) = (self.view(one), self.view(other));
                if mine.1 <= others.0 {
                    return Some(other.clone());
                }
                if others.1 <= mine.0 {
                    return Some(one.clone());
                }
                one.join(other).between(Some((mine.0.max(others.0), mine.1.max(others.1))))
            }
            (Computes::Quotient, [one, by]) => self.quotient(one, by)?,
            (Computes::HighProduct, [one, other]) => {
                let ((a, b), (c, d)) = (self.view(one), self.view(other));
                let high = |one: i128, other: i128| Some(one.checked_mul(other)? >> bits);
                self.between(hull([high(a, c)?, high(a, d)?, high(b, c)?, high(b, d)?]))
            }
            (Computes::Product24, [one, other]) => self.product24(one, other)?,
            (Computes::SumOfDifference, [one, other, third]) => {
                let ((a, b), (c, d)) = (self.view(one), self.view(other));
                let (least, most) = (a - d, b - c);
                let apart = (least.max(-most).max(0), most.max(-least));
                self.between(apart).plus(third).wrapped(bits)
            }
            (Computes::ExtractField, [one, first, length]) => self.field(one, first, length),
            (Computes::InsertField, [field, into, first, length]) => {
                self.with_field(field, into, first, length)
            }
            (Computes::Reversal, [one]) => self.bits_of(one)?.reversed().number(),
            (Computes::Population | Computes::LeadingZeros | Computes::FirstBit, [one]) => {
                self.counted(how, one)
            }
            (Computes::Table, [one, other, third, table]) => {
                let table = u8::try_from(table.value()?).ok()?;
                let all = [self.bits_of(one)?, self.bits_of(other)?, self.bits_of(third)?];
                Bits::by_table(table, all).number()
            }
            (Computes::Permutation, [one, other, selection]) => {
                self.permutation(one, other, selection)?
            }
            // The lower half, the upper half, the shift amount, whether it shifts left, and whether the amount wraps.
            (Computes::FunnelShift, [low, high, by, is_left, wraps]) => {
                self.funnel_shift([low, high], by, [is_left, wraps])?
            }
            (_, _) => return None,
        })
    }
}

#[cfg(test)]
mod tests;
