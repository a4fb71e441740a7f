//! Rust constants spliced into a kernel body: `#( expr )`.

use ptx_isa::__private::whole_of;

use crate::{Class, Number};

/// Seals [`Splice`]: the bytes of its values are read.
pub(crate) mod sealed {
    pub trait SealedSplice {}
}
use sealed::SealedSplice;

/// A type whose values can be spliced into a body: integers and floats of every width, `B8` to
/// `B128`, and `half`'s floats as their bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be spliced into PTX",
    label = "neither an integer nor a float",
    note = "`#( expr )` takes integers, floats and `B8`..`B128`; write a `bool` as `#(x as u32)`"
)]
pub trait Splice: Copy + Sync + SealedSplice + 'static {
    #[doc(hidden)]
    const CLASS: Class;
    /// Whether it is [`Number`], a value that was spliced before.
    #[doc(hidden)]
    const IS_NUMBER: bool = false;
}

impl SealedSplice for Number {}
#[diagnostic::do_not_recommend]
impl Splice for Number {
    const CLASS: Class = Class::Bits;
    const IS_NUMBER: bool = true;
}

macro_rules! splices {
    ($($T:ty: $Class:ident),* $(,)?) => {$(
        impl $crate::splice::sealed::SealedSplice for $T {}
        #[diagnostic::do_not_recommend]
        impl $crate::splice::Splice for $T {
            const CLASS: $crate::Class = $crate::Class::$Class;
        }
    )*};
}
pub(crate) use splices;

splices! {
    u8: Unsigned, u16: Unsigned, u32: Unsigned, u64: Unsigned, u128: Unsigned, usize: Unsigned,
    i8: Signed, i16: Signed, i32: Signed, i64: Signed, i128: Signed, isize: Signed,
    f32: Float, f64: Float,
}

/// An integer type, as which an alignment, an offset, an extent or a mask can be given.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer",
    label = "an alignment, an offset, a count or a mask is an integer"
)]
pub trait Whole: Splice {}

macro_rules! whole {
    ($($T:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Whole for $T {}
    )*};
}

whole!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

// Whether a number that was spliced before is an integer, only its value says.
#[diagnostic::do_not_recommend]
impl Whole for Number {}

/// The exact number for `value` in PTX text. Usable in constant code.
#[allow(clippy::cast_possible_truncation)] // floats are 4 or 8 bytes
pub const fn splice<T: Splice>(value: T) -> Number {
    if T::IS_NUMBER {
        return number_of(value);
    }
    let (bits, size) = (bits_of(value), size_of::<T>());
    match T::CLASS {
        Class::Unsigned | Class::Predicate => Number::Int { negative: false, magnitude: bits },
        Class::Signed => {
            let unused = 128 - 8 * size as u32;
            let signed = (bits << unused).cast_signed() >> unused;
            Number::Int { negative: signed < 0, magnitude: signed.unsigned_abs() }
        }
        Class::Float if size == 4 => Number::F32(bits as u32),
        Class::Float => Number::F64(bits as u64),
        Class::Bits => Number::Bits(bits),
    }
}

/// A value that was spliced before.
#[allow(unsafe_code, reason = "it reads a value as what its type is, in constants")]
const fn number_of<T: Splice>(value: T) -> Number {
    #[repr(C)]
    union Is<T: Copy> {
        value: T,
        number: Number,
    }
    assert!(T::IS_NUMBER, "only `Number` is one");
    // SAFETY: `T` is `Number`: the trait is sealed, and no other type says so.
    unsafe { Is { value }.number }
}

/// The bits of a number, read in one step, since rustc evaluates this for each constant of a body.
#[allow(unsafe_code, reason = "it reads a number as its bits, in constants")]
const fn bits_of<T: Splice>(value: T) -> u128 {
    #[repr(C)]
    union Bits<T: Copy> {
        value: T,
        of_1: u8,
        of_2: u16,
        of_4: u32,
        of_8: u64,
        of_16: u128,
    }
    let bits = Bits { value };
    // SAFETY: every `Splice` type is a plain number: initialised bytes without padding or pointers, all of
    // which the field of its size reads.
    unsafe {
        match size_of::<T>() {
            1 => bits.of_1 as u128,
            2 => bits.of_2 as u128,
            4 => bits.of_4 as u128,
            8 => bits.of_8 as u128,
            _ => bits.of_16,
        }
    }
}

/// The value of an integer, which may be negative; 0 for other types.
pub const fn whole<T: Splice>(value: T) -> i128 {
    whole_of(splice(value))
}
