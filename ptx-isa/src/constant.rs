//! Rust constants as the numbers that PTX text has.

/// A number in PTX text, with its width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Number {
    /// An integer, printed in decimal.
    Int {
        /// Whether it is negative.
        negative: bool,
        /// Its absolute value.
        magnitude: u128,
    },
    /// Untyped bits, printed in hexadecimal.
    Bits(u128),
    /// The bits of an `f32`, printed as `0f3F800000`.
    F32(u32),
    /// The bits of an `f64`, printed as `0d3FF0000000000000`.
    F64(u64),
}

/// The value of a number that is an integer; 0 for others.
#[allow(clippy::cast_possible_wrap)] // an address has 64 bits
pub const fn whole_of(number: Number) -> i128 {
    match number {
        Number::Int { negative: false, magnitude } => magnitude as i128,
        Number::Int { negative: true, magnitude } => -(magnitude as i128),
        Number::Bits(_) | Number::F32(_) | Number::F64(_) => 0,
    }
}
