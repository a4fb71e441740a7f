//! The conditions that a declaration places on the arguments of every launch, computed without overflow.

use core::fmt;
use std::string::String;
use std::vec::Vec;

/// A number computed from the arguments of a launch; `None` if it exceeds 128 bits or comes from a division by
/// zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count(pub Option<i128>);

impl Count {
    #[inline]
    pub(super) fn to_u32(self) -> Option<u32> {
        u32::try_from(self.0?).ok()
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => write!(f, "{number}"),
            None => f.write_str("beyond what can be computed"),
        }
    }
}

/// A condition on the arguments that does not hold, with the values in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The condition as declared: `dst.len() >= n`.
    pub condition: &'static str,
    /// The terms in the condition, and their values.
    pub values: Vec<(&'static str, String)>,
}

impl Broken {
    pub(super) fn new(
        condition: &'static str,
        values: &[(&'static str, &dyn fmt::Display)],
    ) -> Self {
        let mut known: Vec<(&'static str, String)> = Vec::new();
        for (text, value) in values {
            if !known.iter().any(|(earlier, _)| earlier == text) {
                known.push((text, std::format!("{value}")));
            }
        }
        Self { condition, values: known }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its declaration requires `{}`", self.condition)?;
        for (n, (text, value)) in self.values.iter().enumerate() {
            let before = match n {
                0 => ", and ",
                _ if n + 1 == self.values.len() => " and ",
                _ => ", ",
            };
            write!(f, "{before}`{text}` is {value}")?;
        }
        Ok(())
    }
}

/// An integer in a contract.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer, but a contract computes with integers",
    label = "not an integer",
    note = "compare floating-point numbers with literals such as `0.0`, or name a field or `.len()`"
)]
pub trait ToNumber {
    /// The number; `None` beyond 127 bits.
    fn to_number(&self) -> Option<i128>;
}

/// An integer of Rust.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer, and `Checked` converts integers",
    label = "not an integer"
)]
pub trait Integer: ToNumber {}

macro_rules! integers {
    ($($T:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Integer for $T {}

        #[diagnostic::do_not_recommend]
        impl ToNumber for $T {
            #[inline]
            fn to_number(&self) -> Option<i128> {
                i128::try_from(*self).ok()
            }
        }
    )*};
}

integers!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

#[diagnostic::do_not_recommend]
impl<T: ToNumber> ToNumber for &T {
    #[inline]
    fn to_number(&self) -> Option<i128> {
        T::to_number(self)
    }
}

/// The value of an integer of any type.
#[doc(hidden)]
#[inline]
pub fn number<T: ToNumber>(value: T) -> Option<i128> {
    value.to_number()
}

/// The quotient, rounded up; `None` for a division by zero.
#[doc(hidden)]
#[inline]
pub fn div_ceil(a: i128, b: i128) -> Option<i128> {
    // A division of 128 bits takes longer than the rest of a contract.
    if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b))
        && b != 0
    {
        return Some(i128::from(a.div_ceil(b)));
    }
    let (quotient, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
    let is_below = rest != 0 && (rest > 0) == (b > 0);
    if is_below { quotient.checked_add(1) } else { Some(quotient) }
}

/// The next multiple; `None` for a multiple of zero.
#[doc(hidden)]
#[inline]
pub fn next_multiple_of(a: i128, b: i128) -> Option<i128> {
    div_ceil(a, b)?.checked_mul(b)
}

/// The number, if it fits the type of the cast.
#[doc(hidden)]
#[inline]
pub fn narrow<T: TryFrom<i128>>(value: i128) -> Option<i128> {
    T::try_from(value).ok().map(|_| value)
}

/// The number shifted left; `None` if the number of bits is negative.
#[doc(hidden)]
#[inline]
pub fn shl(a: i128, b: i128) -> Option<i128> {
    a.checked_mul(pow(2, b)?)
}

/// The number shifted right; `None` if the number of bits is negative or beyond 127.
#[doc(hidden)]
#[inline]
pub fn shr(a: i128, b: i128) -> Option<i128> {
    a.checked_shr(u32::try_from(b).ok()?)
}

/// The power.
#[doc(hidden)]
#[inline]
pub fn pow(a: i128, b: i128) -> Option<i128> {
    a.checked_pow(u32::try_from(b).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString as _;

    #[test]
    fn numbers_are_computed_without_overflow() {
        assert_eq!(number(u64::MAX), Some(i128::from(u64::MAX)));
        assert_eq!(number(u128::MAX), None);
        assert_eq!(number(-3_i8), Some(-3));
        assert_eq!(div_ceil(10_241, 256), Some(41));
        assert_eq!(div_ceil(0, 256), Some(0));
        assert_eq!(div_ceil(-1, 256), Some(0));
        assert_eq!(div_ceil(1, 0), None);
        assert_eq!(
            (div_ceil(7, -2), div_ceil(-7, -2), div_ceil(-8, 2)),
            (Some(-3), Some(4), Some(-4))
        );
        assert_eq!(div_ceil(i128::from(u64::MAX), 1), Some(i128::from(u64::MAX)));
        assert_eq!(div_ceil(i128::from(u64::MAX) + 2, 2), Some((1 << 63) + 1));
        assert_eq!(next_multiple_of(17, 16), Some(32));
        assert_eq!(pow(2, 200), None);
        assert_eq!(narrow::<u32>(1 << 32), None);
        assert_eq!(narrow::<i8>(-128), Some(-128));
        assert_eq!((shl(65_536, 16), shl(1, 200), shl(1, -1)), (Some(1 << 32), None, None));
        assert_eq!((shr(511, 8), shr(1, 128), shr(1, -1)), (Some(1), None, None));
    }

    #[test]
    fn a_broken_condition_reports_its_values_once() {
        let broken = Broken::new(
            "dst.len() >= n && n > 0",
            &[("dst.len()", &100_u64), ("n", &10_241_u32), ("n", &10_241_u32)],
        );
        assert_eq!(
            broken.to_string(),
            "its declaration requires `dst.len() >= n && n > 0`, and `dst.len()` is 100 and `n` is 10241"
        );
    }
}
