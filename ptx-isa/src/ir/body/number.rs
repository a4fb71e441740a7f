//! Numbers and their operators (PTX ISA 4.5), as ptxas computes them.

/// The value of a number or of a constant expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// A signed integer, `.s64`.
    Signed(i64),
    /// An unsigned integer, `.u64`: one with a `U`, or one that does not fit in `.s64`.
    Unsigned(u64),
    /// A floating-point number, `.f64`.
    Double(f64),
    /// The bits of an `.f32`, `0f3F800000`. Operators take them as the low bits of an `.f64`.
    Single(u32),
}

/// The reason why ptxas refuses an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// A number that does not fit, or a result that no register can hold.
    Overflow,
    /// `0f3F800000` beside an operator.
    Single,
    /// An integer and a floating-point number as operands of one operator.
    Mixed,
    /// A floating-point number where only an integer may stand.
    NotAnInteger,
    /// A division by zero.
    Zero,
    /// A cast to another type than `.s64` and `.u64`.
    Cast,
}

/// A binary operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    And,
    ExclusiveOr,
    Or,
    BothTrue,
    EitherTrue,
}

impl Number {
    /// A PTX number: an integer, a decimal floating-point number, or the bits of one; `None` for
    /// anything else.
    pub(super) fn parse(text: &str) -> Option<Result<Self, Refusal>> {
        if let Some(digits) = text.strip_prefix('-') {
            return Some(Self::parse(digits)?.map(Self::negated));
        }
        let bits = |letters: [&str; 2], count| {
            let digits = text.strip_prefix(letters[0]).or(text.strip_prefix(letters[1]))?;
            let is_it =
                digits.len() == count && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            u64::from_str_radix(digits, 16).ok().filter(|_| is_it)
        };
        #[allow(clippy::cast_possible_truncation)] // eight digits
        if let Some(bits) = bits(["0f", "0F"], 8) {
            return Some(Ok(Self::Single(bits as u32)));
        }
        if let Some(bits) = bits(["0d", "0D"], 16) {
            return Some(Ok(Self::Double(f64::from_bits(bits))));
        }
        let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        if !is_hexadecimal && text.contains(['.', 'e', 'E']) {
            return decimal(text);
        }
        integer(text)
    }

    /// The integer that an `i128` has, if it has 64 bits.
    pub(super) fn of_integer(value: i128) -> Option<Self> {
        i64::try_from(value)
            .map(Self::Signed)
            .or_else(|_| u64::try_from(value).map(Self::Unsigned))
            .ok()
    }

    /// The integer, if it is one.
    pub const fn integer(self) -> Option<i128> {
        match self {
            Self::Signed(value) => Some(value as i128),
            Self::Unsigned(value) => Some(value as i128),
            Self::Double(_) | Self::Single(_) => None,
        }
    }

    /// The bits of an integer.
    const fn bits(self) -> Result<u64, Refusal> {
        match self {
            Self::Signed(value) => Ok(value.cast_unsigned()),
            Self::Unsigned(value) => Ok(value),
            Self::Double(_) | Self::Single(_) => Err(Refusal::NotAnInteger),
        }
    }

    /// The floating-point number as an operand.
    const fn double(self) -> Option<f64> {
        match self {
            Self::Double(value) => Some(value),
            Self::Single(bits) => Some(f64::from_bits(bits as u64)),
            Self::Signed(_) | Self::Unsigned(_) => None,
        }
    }

    /// Whether the integer is not zero.
    pub(super) const fn is_true(self) -> Result<bool, Refusal> {
        match self.bits() {
            Ok(bits) => Ok(bits != 0),
            Err(refusal) => Err(refusal),
        }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Signed(value) => Self::Signed(value.wrapping_neg()),
            Self::Unsigned(value) => Self::Unsigned(value.wrapping_neg()),
            Self::Double(value) => Self::Double(-value),
            Self::Single(bits) => Self::Double(-f64::from_bits(bits.into())),
        }
    }

    /// `!`, which is signed.
    pub(super) fn is_zero(self) -> Result<Self, Refusal> {
        Ok(Self::Signed((!self.is_true()?).into()))
    }

    /// `~`, which is unsigned.
    pub(super) fn complement(self) -> Result<Self, Refusal> {
        Ok(Self::Unsigned(!self.bits()?))
    }

    /// The integer as another type.
    pub(super) fn cast(self, to: &str) -> Result<Self, Refusal> {
        match to {
            ".s64" => Ok(Self::Signed(self.bits()?.cast_signed())),
            ".u64" => Ok(Self::Unsigned(self.bits()?)),
            _ => Err(Refusal::Cast),
        }
    }

    /// The result of a binary operator.
    pub(super) fn binary(self, operator: Operator, other: Self) -> Result<Self, Refusal> {
        match (self.double(), other.double()) {
            (Some(left), Some(right)) => of_doubles(left, operator, right),
            (None, None) => of_integers(self, operator, other),
            (_, _) => Err(Refusal::Mixed),
        }
    }
}

/// The result for two integers: unsigned if one of them is, but a shift has the type of its left operand, `%` is
/// always unsigned, and a truth value is signed.
fn of_integers(left: Number, operator: Operator, right: Number) -> Result<Number, Refusal> {
    let is_signed = |number| matches!(number, Number::Signed(_));
    let (left_is_signed, are_signed) = (is_signed(left), is_signed(left) && is_signed(right));
    let (left, right) = (left.bits()?, right.bits()?);
    let (signed_left, signed_right) = (left.cast_signed(), right.cast_signed());
    let order = if are_signed { signed_left.cmp(&signed_right) } else { left.cmp(&right) };
    let truth = |holds: bool| (u64::from(holds), true);
    // Only the low six bits count.
    let shift = right & 63;
    let (bits, is_signed) = match operator {
        Operator::Divide | Operator::Remainder if right == 0 => return Err(Refusal::Zero),
        Operator::Divide if are_signed => {
            // ptxas ends with a signal where the quotient does not fit.
            let quotient = signed_left.checked_div(signed_right).ok_or(Refusal::Overflow)?;
            (quotient.cast_unsigned(), true)
        }
        Operator::Divide => (left / right, false),
        Operator::Remainder => (left % right, false),
        Operator::Multiply => (left.wrapping_mul(right), are_signed),
        Operator::Add => (left.wrapping_add(right), are_signed),
        Operator::Subtract => (left.wrapping_sub(right), are_signed),
        Operator::ShiftLeft => (left << shift, left_is_signed),
        Operator::ShiftRight if left_is_signed => ((signed_left >> shift).cast_unsigned(), true),
        Operator::ShiftRight => (left >> shift, false),
        Operator::Less => truth(order.is_lt()),
        Operator::LessOrEqual => truth(order.is_le()),
        Operator::Greater => truth(order.is_gt()),
        Operator::GreaterOrEqual => truth(order.is_ge()),
        Operator::Equal => truth(order.is_eq()),
        Operator::NotEqual => truth(order.is_ne()),
        Operator::And => (left & right, are_signed),
        Operator::ExclusiveOr => (left ^ right, are_signed),
        Operator::Or => (left | right, are_signed),
        Operator::BothTrue => truth(left != 0 && right != 0),
        Operator::EitherTrue => truth(left != 0 || right != 0),
    };
    Ok(if is_signed { Number::Signed(bits.cast_signed()) } else { Number::Unsigned(bits) })
}

/// The bit of a quiet NaN.
const QUIET: u64 = 1 << 51;

#[allow(clippy::float_cmp)] // as ptxas compares
fn of_doubles(left: f64, operator: Operator, right: f64) -> Result<Number, Refusal> {
    let truth = |holds: bool| Ok(Number::Signed(holds.into()));
    let (value, propagated) = match operator {
        Operator::Divide if right == 0.0 => return Err(Refusal::Zero),
        Operator::Divide => (left / right, left),
        Operator::Subtract => (left - right, left),
        // ptxas exchanges their operands.
        Operator::Multiply => (left * right, right),
        Operator::Add => (left + right, right),
        Operator::Less => return truth(left < right),
        Operator::LessOrEqual => return truth(left <= right),
        Operator::Greater => return truth(left > right),
        Operator::GreaterOrEqual => return truth(left >= right),
        Operator::Equal => return truth(left == right),
        Operator::NotEqual => return truth(left != right),
        Operator::Remainder
        | Operator::ShiftLeft
        | Operator::ShiftRight
        | Operator::And
        | Operator::ExclusiveOr
        | Operator::Or
        | Operator::BothTrue
        | Operator::EitherTrue => return Err(Refusal::NotAnInteger),
    };
    if !value.is_nan() {
        return Ok(Number::Double(value));
    }
    // The bits of a NaN are those that an x86-64 processor computes, on which ptxas runs.
    let operand = [propagated, left, right].into_iter().find(|operand| operand.is_nan());
    let bits = operand.map_or(0xFFF8_0000_0000_0000, |operand| operand.to_bits() | QUIET);
    Ok(Number::Double(f64::from_bits(bits)))
}

/// A decimal floating-point number.
fn decimal(text: &str) -> Option<Result<Number, Refusal>> {
    /// The length from which a number may be a subnormal one exactly, which ptxas accepts.
    const LONG: usize = 700;
    let value: f64 = text.parse().ok()?;
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let is_zero = mantissa.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let is_lost = value.abs() < f64::MIN_POSITIVE && !is_zero && text.len() < LONG;
    Some(if value.is_infinite() || is_lost {
        Err(Refusal::Overflow)
    } else {
        Ok(Number::Double(value))
    })
}

/// An integer: decimal, `0x`, `0b` or octal, with an optional `U`. ptxas keeps the low 64 bits, and refuses one
/// where bit 63 of the number without its last digits is set.
fn integer(text: &str) -> Option<Result<Number, Refusal>> {
    let digits = text.strip_suffix('U').unwrap_or(text);
    let prefixed =
        |letters: [&str; 2]| digits.strip_prefix(letters[0]).or(digits.strip_prefix(letters[1]));
    let (base, digits) = match (prefixed(["0x", "0X"]), prefixed(["0b", "0B"])) {
        (Some(digits), _) => (16, digits),
        (None, Some(digits)) => (2, digits),
        (None, None) if digits.starts_with('0') => (8, digits),
        (None, None) => (10, digits),
    };
    let digits = digits.chars().map(|digit| digit.to_digit(base));
    let (mut value, mut count, mut is_refused) = (0_u64, 0_usize, false);
    for digit in digits {
        is_refused |= value >> 63 == 1;
        value = value.wrapping_mul(base.into()).wrapping_add(digit?.into());
        count += 1;
    }
    if count == 0 {
        return None;
    }
    Some(match i64::try_from(value) {
        _ if is_refused => Err(Refusal::Overflow),
        Ok(value) if !text.ends_with('U') => Ok(Number::Signed(value)),
        _ => Ok(Number::Unsigned(value)),
    })
}

/// The bits of an `.f64` as an `.f32`. A NaN keeps its upper bits.
pub fn single_bits(value: f64) -> u32 {
    #[allow(clippy::cast_possible_truncation)] // rounds, as the assembler does
    if !value.is_nan() {
        return (value as f32).to_bits();
    }
    let bits = value.to_bits();
    let (sign, fraction) = (bits >> 63 << 31, bits >> 29 & 0x7F_FFFF);
    #[allow(clippy::cast_possible_truncation)] // 32 bits
    let bits = (sign | 0x7F80_0000 | fraction) as u32;
    // A NaN whose upper bits are zero would be an infinity.
    if fraction == 0 { bits | 1 << 22 } else { bits }
}
