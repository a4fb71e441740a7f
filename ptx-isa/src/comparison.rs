//! Comparisons, as `setp` performs them.

/// A comparison of two integers (PTX ISA 9.7.6, `setp`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `.eq`
    Equal,
    /// `.ne`
    NotEqual,
    /// `.lt`, `.lo`
    Less,
    /// `.le`, `.ls`
    LessOrEqual,
    /// `.gt`, `.hi`
    Greater,
    /// `.ge`, `.hs`
    GreaterOrEqual,
}

impl Comparison {
    /// The comparison that a modifier names, and whether it compares as unsigned whatever the type is.
    pub fn from_modifier(word: &str) -> Option<(Self, bool)> {
        Some(match word {
            "eq" => (Self::Equal, false),
            "ne" => (Self::NotEqual, false),
            "lt" => (Self::Less, false),
            "le" => (Self::LessOrEqual, false),
            "gt" => (Self::Greater, false),
            "ge" => (Self::GreaterOrEqual, false),
            "lo" => (Self::Less, true),
            "ls" => (Self::LessOrEqual, true),
            "hi" => (Self::Greater, true),
            "hs" => (Self::GreaterOrEqual, true),
            _ => return None,
        })
    }

    /// The operator's symbol.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    /// The comparison that holds where this one does not.
    pub const fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }

    /// The equivalent comparison with the operands swapped.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Equal | Self::NotEqual => self,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }

    /// Whether it holds for two numbers.
    pub const fn holds(self, one: i128, other: i128) -> bool {
        match self {
            Self::Equal => one == other,
            Self::NotEqual => one != other,
            Self::Less => one < other,
            Self::LessOrEqual => one <= other,
            Self::Greater => one > other,
            Self::GreaterOrEqual => one >= other,
        }
    }

    /// Whether it holds for two numbers in registers of this many bits, compared as signed or unsigned.
    pub const fn holds_in(self, one: i128, other: i128, bits: u32, is_signed: bool) -> bool {
        let bits = if bits > 64 { 64 } else { bits };
        if is_signed {
            self.holds(signed_in(one, bits), signed_in(other, bits))
        } else {
            let modulus = 1_i128 << bits;
            self.holds(one.rem_euclid(modulus), other.rem_euclid(modulus))
        }
    }

    /// Whether it holds for two numbers whose difference is between `least` and `most`; `None` if it holds
    /// for only some of them.
    pub const fn holds_between(self, least: i128, most: i128) -> Option<bool> {
        let (low, high) = (self.holds(least, 0), self.holds(most, 0));
        match self {
            Self::Equal | Self::NotEqual if least < 0 && most > 0 => None,
            Self::Equal | Self::NotEqual if least != most && (least == 0 || most == 0) => None,
            _ if low == high => Some(low),
            _ => None,
        }
    }
}

/// A number in a register of 1 to 64 bits, read as signed.
pub const fn signed_in(value: i128, bits: u32) -> i128 {
    let modulus = 1_i128 << bits;
    let rest = value.rem_euclid(modulus);
    if rest >= modulus / 2 { rest - modulus } else { rest }
}
