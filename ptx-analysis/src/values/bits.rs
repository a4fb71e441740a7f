//! Numbers as sets of known bits.

use crate::values::number::{Linear, Sum, view};
use ptx_isa::rules::signed_in;

/// The known bits of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bits {
    /// The bits that are known.
    known: u64,
    /// The known bits that are one.
    ones: u64,
    /// The width of the register.
    width: u32,
}

/// Returns a mask of the lowest bits.
pub(crate) const fn lowest(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

impl Bits {
    /// Returns the bits of a number of this width; `None` if Rust constants determine them.
    pub(crate) fn of(number: &Linear, span: Option<(i128, i128)>, width: u32) -> Option<Self> {
        let all = lowest(width);
        let base = number.base.value()?;
        let (step, unknown) = number.step();
        if !unknown.is_empty() {
            return None;
        }
        // Truncated to the register.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let low = base as u64;
        let same = if step == 0 { all } else { lowest(step.trailing_zeros()) & all };
        let (least, most) = view(span, width, false);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let (least, most) = (least as u64, most as u64);
        let high = all & !lowest(u64::BITS - (least ^ most).leading_zeros());
        let high = high & !same;
        Some(Self { known: same | high, ones: (low & same) | (least & high), width })
    }

    /// Returns the number with these bits.
    pub(crate) fn number(self) -> Linear {
        let all = lowest(self.width);
        if self.known & all == all {
            return Linear::exact(Sum::known(signed_in(self.ones.into(), self.width)));
        }
        let same = self.known.trailing_ones();
        let base = self.ones & lowest(same);
        let span = (i128::from(self.ones), i128::from(self.ones | (all & !self.known)));
        let class = Linear::exact(Sum::known(base.into())).plus(&Linear::multiple_of(1 << same));
        class.between(Some(span))
    }

    /// Returns the bits that may be one.
    pub(crate) fn possible(self) -> u64 {
        self.ones | (lowest(self.width) & !self.known)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        let zeros = !self.possible() | !other.possible();
        let ones = self.ones & other.ones;
        Self { known: (zeros | ones) & lowest(self.width), ones, ..self }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        self.inverted().and(other.inverted()).inverted()
    }

    pub(crate) fn exclusive_or(self, other: Self) -> Self {
        let known = self.known & other.known;
        Self { known, ones: (self.ones ^ other.ones) & known, ..self }
    }

    /// Inverts all bits.
    pub(crate) fn inverted(self) -> Self {
        Self { ones: self.known & !self.ones, ..self }
    }

    /// Applies a lookup table to each bit of three numbers (PTX ISA 9.7.8.6, `lop3`).
    pub(crate) fn by_table(table: u8, [a, b, c]: [Self; 3]) -> Self {
        let pick = |of: Self, is_one: bool| {
            if is_one { of.possible() } else { of.inverted().possible() }
        };
        let possible = |table: u8| {
            (0..8_u8).filter(|n| table >> n & 1 == 1).fold(0, |all, n| {
                all | pick(a, n & 4 != 0) & pick(b, n & 2 != 0) & pick(c, n & 1 != 0)
            })
        };
        let all = lowest(a.width);
        let (ones, zeros) = (all & !possible(!table), all & !possible(table));
        Self { known: ones | zeros, ones, width: a.width }
    }

    /// Reverses the order of the bits.
    pub(crate) fn reversed(self) -> Self {
        let moved = |bits: u64| bits.reverse_bits() >> (64 - self.width.clamp(1, 64));
        Self { known: moved(self.known), ones: moved(self.ones), ..self }
    }

    /// Shifts left and fills with zeros.
    pub(crate) fn shifted_left(self, by: u32) -> Self {
        let all = lowest(self.width);
        let moved = |bits: u64| bits.checked_shl(by).unwrap_or(0) & all;
        Self { known: moved(self.known) | (lowest(by) & all), ones: moved(self.ones), ..self }
    }

    /// Shifts right and fills with zeros.
    pub(crate) fn shifted_right(self, by: u32) -> Self {
        let all = lowest(self.width);
        let moved = |bits: u64| bits.checked_shr(by).unwrap_or(0);
        let zeros = all & !moved(all);
        Self { known: moved(self.known) | zeros, ones: moved(self.ones), ..self }
    }

    /// Keeps only the lowest bits.
    pub(crate) fn lowest(self, width: u32) -> Self {
        let kept = lowest(width);
        let all = lowest(self.width);
        Self { known: self.known | (all & !kept), ones: self.ones & kept, ..self }
    }

    /// Returns a register of this width with the lowest bits of this one.
    pub(crate) fn resized(self, width: u32) -> Self {
        let zeros = lowest(width) & !lowest(self.width);
        let known = (self.known | zeros) & lowest(width);
        Self { known, ones: self.ones & lowest(width), width }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(number: &Linear, span: Option<(i128, i128)>) -> Bits {
        Bits::of(number, span, 32).expect("no constants")
    }

    #[test]
    fn bits_follow_from_steps_and_from_ends() {
        let number = Linear::exact(Sum::known(5)).plus(&Linear::multiple_of(8));
        let known = bits(&number, Some((64, 127)));
        assert_eq!(known.known, 0xffff_ffc7);
        assert_eq!(known.ones, 0x45);
        assert_eq!(known.number().value(), None);
        assert_eq!(known.number().within, Some((0x45, 0x7d)));
        assert_eq!(known.number().step().0, 8);
    }

    #[test]
    fn known_bits_are_computed_with() {
        let low = bits(&Linear::unknown(), Some((0, 15)));
        let high = bits(&Linear::multiple_of(16), None);
        assert_eq!(low.and(high).number().value(), Some(0));
        assert_eq!(low.possible() & high.possible(), 0);
        let minus = bits(&Linear::exact(Sum::known(-2)), Some((-2, -2)));
        assert_eq!(minus.number().value(), Some(-2));
        assert_eq!(minus.inverted().number().value(), Some(1));
        assert_eq!(low.shifted_left(28).shifted_right(28), low.lowest(4));
        assert_eq!(minus.reversed().number().value(), Some(0x7fff_ffff));
        let all = Bits::by_table(0xea, [low, high, minus]);
        assert_eq!(all.ones, 0xffff_fffe);
        let both = Bits::by_table(0xc0, [low, high, minus]);
        assert_eq!(both.number().value(), Some(0));
    }

    #[test]
    fn bits_are_reversed_in_their_register() {
        let reversed = |value: i128, width: u32| {
            let number = Linear::exact(Sum::known(value));
            Bits::of(&number, Some((value, value)), width).expect("no constants").reversed().ones
        };
        for (value, width, expected) in [
            (0, 0, 0),
            (1, 1, 1),
            (1, 2, 2),
            (1, 32, 1 << 31),
            (6, 32, 6 << 28),
            (1, 64, 1 << 63),
            (1, 65, 1 << 63),
        ] {
            assert_eq!(reversed(value, width), expected, "{value} in {width} bits");
        }
        let all = [lowest(0), lowest(1), lowest(63), lowest(64), lowest(65)];
        assert_eq!(all, [0, 1, u64::MAX >> 1, u64::MAX, u64::MAX]);
    }

    #[test]
    fn of_a_number_of_constants_no_bit_is_known() {
        let products = alloc::vec![crate::values::number::Product { times: 1, of: alloc::vec![0] }];
        let constant = Linear::exact(Sum { known: 0, products: products.clone() });
        assert_eq!(Bits::of(&constant, None, 32), None);
        let steps = alloc::vec![Sum { known: 0, products }];
        let multiple = Linear { steps, ..Linear::exact(Sum::known(4)) };
        assert_eq!(Bits::of(&multiple, None, 32), None);
    }
}
