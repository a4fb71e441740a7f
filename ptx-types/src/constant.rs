//! Rust constants as what the deferred rules of `ptx-isa` take.

use ptx_isa::__private::Found;
use ptx_isa::Class;
use ptx_isa::ir::Type;

use crate::Number;
pub use crate::splice::whole;
use crate::splice::{Splice, Whole, splice};

/// A count from a constant of any integer type; [`check_count`] reports a negative one at the token.
#[allow(clippy::cast_possible_truncation)] // compared below
pub const fn to_usize<T: Whole>(value: T) -> usize {
    match splice(value) {
        Number::Int { negative: false, magnitude } => {
            let size = magnitude as usize;
            if size as u128 == magnitude { size } else { usize::MAX }
        }
        Number::Int { negative: true, .. } | Number::Bits(_) | Number::F32(_) | Number::F64(_) => 1,
    }
}

/// A number of bytes from a constant of any integer type, which may be negative.
pub const fn to_i128<T: Whole>(value: T) -> i128 {
    whole(value)
}

/// A number that an example of a launch passes, in 64 bits.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // as the host passes it
pub const fn passed<T: Whole>(value: T) -> u64 {
    whole(value) as u64
}

/// Whether values of a type are integers, which an example of a launch can pass.
pub const fn is_integer(ty: &Type<'_>) -> bool {
    matches!(ty, Type::Scalar(scalar) if !matches!(scalar.class(), Class::Float | Class::Predicate))
}

/// A number from a constant that must be an integer.
pub const fn splice_whole<T: Whole>(value: T) -> Number {
    splice(value)
}

/// Whether a constant is an integer.
pub const fn is_whole<T: Splice>(value: T) -> bool {
    matches!(splice(value), Number::Int { .. })
}

/// Checks that a constant is a valid count.
pub const fn check_count<T: Splice>(value: T) -> Found {
    let is_negative = matches!(splice(value), Number::Int { negative: true, .. });
    Found::message(
        is_negative,
        "a length, a size or an alignment cannot be negative; write a positive number",
    )
}

/// Checks that a constant is a valid value of a directive.
pub const fn check_u32<T: Splice>(value: T) -> Found {
    match splice(value) {
        Number::Int { negative: false, magnitude } => Found::message(
            magnitude > u32::MAX as u128,
            "a directive takes a 32-bit number; write 4294967295 or less",
        ),
        Number::Int { .. } | Number::Bits(_) | Number::F32(_) | Number::F64(_) => {
            check_count(value)
        }
    }
}

/// A mask from a constant of any integer type: its low 64 bits.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // only these bits count
pub const fn to_mask<T: Whole>(value: T) -> u64 {
    to_i128(value) as u64
}

/// A corner from a constant of any integer type; a value that does not fit becomes the greatest or
/// least, which the rules always refuse.
#[allow(clippy::cast_possible_truncation)] // which is checked
pub const fn to_i32<T: Whole>(value: T) -> i32 {
    let value = whole(value);
    let corner = value as i32;
    if corner as i128 == value {
        corner
    } else if value.is_negative() {
        i32::MIN
    } else {
        i32::MAX
    }
}
