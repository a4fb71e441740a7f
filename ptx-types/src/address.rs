//! Addresses in initial values, as Rust constants (PTX ISA 5.4.4).
//!
//! `addr(X)` in an initial value is written as a number first, in several rounds: all zeros, then
//! all ones where the binary digits of the address's own number say so. Where the bytes differ
//! between rounds, there the address is, whatever Rust expression carried it.

use crate::ir::{Address, Byte, Init, Link, Linked};
use crate::pointer::Ptr;
use crate::rules::late::has_padding;
use crate::space::{Generic, PointerSpace};
use crate::value::{PtxType, bytes_of};

/// The address of code, as a type: what [`Holds`] says of tables of functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Code {}

/// A type that can hold an address in `S` of initial values: `u64` any, `Ptr<S, T>` one in its own
/// space, and `u32`, which is a hazard (rule D040).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold the address of something in `{S}`",
    label = "this address does not fit here",
    note = "`addr(X)` is an address in `X`'s own space, for `u64` and `Ptr<Space, T>`; `generic(X)` is for `u64` and `Ptr<Generic, T>`"
)]
pub trait Holds<S>: PtxType + Copy {
    /// An address of all zero bits.
    #[doc(hidden)]
    const ZERO: Self;
    /// An address of all one bits.
    #[doc(hidden)]
    const ONES: Self;
    /// An address of which only the first byte is ones.
    #[doc(hidden)]
    const FIRST: Self;
}

macro_rules! integers {
    ($($Int:ty),*) => {$(
        impl<S> Holds<S> for $Int {
            const ZERO: Self = 0;
            const ONES: Self = <$Int>::MAX;
            const FIRST: Self = 0xFF;
        }
    )*};
}
integers!(u64, u32);

impl<S: PointerSpace, T: PtxType, A: crate::aligned::PointeeAlign> Holds<S> for Ptr<S, T, A> {
    const ZERO: Self = Self::new(0);
    const ONES: Self = Self::new(u64::MAX);
    const FIRST: Self = Self::new(0xFF);
}

/// How many rounds tell `count` addresses apart: one of zeros, one of first bytes, and one for each
/// binary digit of their numbers, which start at 1.
pub const fn rounds(count: usize) -> u32 {
    2 + (usize::BITS - count.leading_zeros())
}

/// Whether the address with this number is ones in a digit's round.
const fn digit(number: usize, round: u32) -> bool {
    number >> (round - 2) & 1 == 1
}

/// The placeholder of an address with this number (from 1) in a round.
pub const fn placeholder<V: Holds<S>, S>(number: usize, round: u32) -> V {
    match round {
        0 => V::ZERO,
        1 => V::FIRST,
        _ if digit(number, round) => V::ONES,
        _ => V::ZERO,
    }
}

/// The placeholder of one byte of an address.
pub const fn placeholder_byte(number: usize, round: u32) -> u8 {
    placeholder::<Octet, Generic>(number, round).0
}

/// A byte that holds a part of an address.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Octet(u8);

// SAFETY: a transparent `u8`.
unsafe impl PtxType for Octet {
    const TYPE: &'static crate::ir::Type<'static> = <u8 as PtxType>::TYPE;
}

impl<S> Holds<S> for Octet {
    const ZERO: Self = Self(0);
    const ONES: Self = Self(0xFF);
    const FIRST: Self = Self(0xFF);
}

/// One byte of the integer `value`, selected by a mask of PTX: `mask(0xff00, 1000 + 546)`. A mask
/// that selects no byte is reported by `require_mask`.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // one byte is asked for
pub const fn masked(mask: u64, value: i128) -> u8 {
    (value >> (8 * byte(mask).index() as u32)) as u8
}

/// Which byte a mask selects; the lowest for one that selects none, which is reported by
/// `require_mask`.
pub const fn byte(mask: u64) -> Byte {
    match Byte::of_mask(mask) {
        Some(byte) => byte,
        None => Byte::ALL[0],
    }
}

/// What an address with a number refers to, and which byte of it is meant.
#[derive(Clone, Copy, Debug)]
pub struct Numbered {
    /// The address.
    pub address: Address<'static>,
    /// The byte that a mask selects; `None` for all of it.
    pub byte: Option<Byte>,
}

/// How many places hold an address. `values` are the initial value in each round.
pub const fn count_links<T: PtxType>(values: &[T]) -> usize {
    if has_padding(T::TYPE) {
        return 0;
    }
    let first = bytes_of(&values[1]);
    let zeros = bytes_of(&values[0]);
    let (mut at, mut count) = (0, 0);
    while at < first.len() {
        if first[at] != zeros[at] {
            count += 1;
        }
        at += 1;
    }
    count
}

/// The places that hold addresses, in order.
///
/// # Panics
/// If an address was changed on its way into the value; in constant code, that is an error at the
/// caller.
#[track_caller]
pub const fn locate_links<T: PtxType, const N: usize>(
    values: &[T],
    numbered: &[Numbered],
) -> [Link<'static>; N] {
    let address = Address { symbol: "", generic: false, addend: 0 };
    let mut links = [Link { at: 0, size: 0, address, byte: None }; N];
    let size = if has_padding(T::TYPE) { 0 } else { size_of::<T>() };
    let mut found = 0;
    let mut at = 0;
    while at < size {
        if bytes_of(&values[1])[at] == bytes_of(&values[0])[at] {
            assert!(number_at(values, at) == 0, "{}", CHANGED);
            at += 1;
            continue;
        }
        let number = number_at(values, at);
        assert!(number > 0 && number <= numbered.len(), "{}", CHANGED);
        let mut end = at + 1;
        while end < size
            && bytes_of(&values[1])[end] == bytes_of(&values[0])[end]
            && number_at(values, end) == number
        {
            end += 1;
        }
        let Numbered { address, byte } = numbered[number - 1];
        let is_whole = match byte {
            Some(_) => end - at == 1,
            None => end - at == 4 || end - at == 8,
        };
        assert!(is_whole, "{}", CHANGED);
        links[found] = Link { at, size: end - at, address, byte };
        found += 1;
        at = end;
    }
    links
}

const CHANGED: &str = "the address of a variable is known when the module is loaded, and until then it can only be stored as it is: all of it in a `u64` or a `Ptr`, or one byte by `mask(0xff, ..)`; write `addr(X) + 8` for an offset [D039, PTX ISA 5.4.4]";

/// The number of the address that byte `at` is a part of; 0 for none.
#[track_caller]
const fn number_at<T: PtxType>(values: &[T], at: usize) -> usize {
    let (mut number, mut round) = (0, 2);
    while round < values.len() {
        let byte = bytes_of(&values[round])[at];
        if byte != bytes_of(&values[0])[at] {
            assert!(byte == 0xFF && bytes_of(&values[0])[at] == 0, "{}", CHANGED);
            number |= 1 << (round - 2);
        }
        round += 1;
    }
    number
}

/// The initial value of which `links` are the addresses; none if a rule refuses its type for
/// padding, whose bytes cannot be read.
pub const fn linked<T: PtxType>(
    value: &'static T,
    links: &'static [Link<'static>],
) -> Init<'static> {
    if has_padding(T::TYPE) {
        return Init::None;
    }
    let bytes = bytes_of(value);
    if links.is_empty() { Init::Bytes(bytes) } else { Init::Linked(Linked { bytes, links }) }
}
