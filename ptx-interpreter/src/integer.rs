//! Integers in registers.

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Integer {
    pub bits: u32,
    pub is_signed: bool,
}

impl Integer {
    pub(crate) fn of(word: &str) -> Option<Self> {
        let (sign, bits) = word.split_at_checked(1)?;
        let bits = match bits {
            "8" => 8,
            "16" => 16,
            "32" => 32,
            "64" => 64,
            _ => return None,
        };
        matches!(sign, "u" | "s" | "b").then_some(Self { bits, is_signed: sign == "s" })
    }

    pub(super) fn unsigned(bits: u32) -> Self {
        Self { bits, is_signed: false }
    }

    /// Returns the number that a register holds.
    pub(crate) fn read(self, register: u64) -> i128 {
        let low = i128::from(register) & self.mask();
        if self.is_signed && low >> (self.bits - 1) != 0 { low - self.mask() - 1 } else { low }
    }

    /// Returns the register contents for a number: its lowest bits, extended to the register's width.
    pub(crate) fn write(self, number: i128) -> u64 {
        let low = number & self.mask();
        let is_negative = self.is_signed && low >> (self.bits - 1) != 0;
        bits(if is_negative { low - self.mask() - 1 } else { low })
    }

    /// Returns the lowest bits of a register, zero-extended.
    pub(super) fn number(self, register: u64) -> u64 {
        register & bits(self.mask())
    }

    pub(super) fn mask(self) -> i128 {
        (1 << self.bits) - 1
    }

    fn least(self) -> i128 {
        if self.is_signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    fn most(self) -> i128 {
        if self.is_signed { (1 << (self.bits - 1)) - 1 } else { self.mask() }
    }

    pub(super) fn saturated(self, number: i128) -> u64 {
        self.write(number.clamp(self.least(), self.most()))
    }
}

/// Returns the lowest 64 bits of a number.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // that is what it is for
pub(super) fn bits(number: i128) -> u64 {
    number as u64
}
