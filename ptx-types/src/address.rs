//! Addresses in initial values, as Rust constants (PTX ISA 5.4.4).
//!
//! The initial value is evaluated in several rounds, with a placeholder for each `addr(X)`: all zeros,
//! ones in the first byte only, all ones, and then one round for each binary digit of the address's own
//! number. An address lies where the bytes differ between rounds, whatever Rust expression carried it
//! there.

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

use ptx_isa::__private::{check_pointed, require};

use crate::ir::{Address, Byte, Init, Link, Linked, Type, Variable};
use crate::rules::gcd;
use crate::types::pointer::Ptr;
use crate::types::value::PtxType;
use crate::{Generic, PointerSpace, Space};

/// The address of code, as a type: [`Holds`] takes it as the space of function tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Code {}

/// A type that can hold an address in `S` in an initial value: `u64` holds any address, `Ptr<S, T>` one in
/// its own space, and `u32` a truncated one, which is a hazard (rule D040).
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
    /// An address whose first byte alone is all ones.
    #[doc(hidden)]
    const FIRST: Self;
    /// The alignment in bytes that the type promises of the pointee; 1 if it promises nothing.
    #[doc(hidden)]
    const ALIGN: usize = 1;
}

macro_rules! integers {
    ($($Int:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S> Holds<S> for $Int {
            const ZERO: Self = 0;
            const ONES: Self = <$Int>::MAX;
            const FIRST: Self = 0xFF;
        }
    )*};
}
integers!(u64, u32);

#[diagnostic::do_not_recommend]
impl<S: PointerSpace, T: PtxType, A: crate::aligned::PointeeAlign> Holds<S> for Ptr<S, T, A> {
    const ZERO: Self = Self::new(0);
    const ONES: Self = Self::new(u64::MAX);
    const FIRST: Self = Self::new(0xFF);
    const ALIGN: usize = match Self::POINTER {
        Some(pointer) => match pointer.alignment() {
            Some(align) => align,
            None => 1,
        },
        None => 1,
    };
}

/// The indices of the rounds; `DIGITS` is the first of the rounds for digits.
const ZEROS: usize = 0;
const FIRSTS: usize = 1;
const ONES: usize = 2;
const DIGITS: usize = 3;

/// The placeholder in a round for the address with this number (from 1).
///
/// # Panics
/// If the type promises a greater alignment than `aligned`, that of `symbol` plus the offset.
#[track_caller]
pub const fn placeholder<V: Holds<S>, S>(
    number: usize,
    round: u32,
    symbol: &str,
    aligned: usize,
) -> V {
    require(check_pointed(symbol, aligned, V::ALIGN));
    digit(number, round)
}

/// The placeholder of the address with this number in a round.
const fn digit<V: Holds<S>, S>(number: usize, round: u32) -> V {
    match round as usize {
        ZEROS => V::ZERO,
        FIRSTS => V::FIRST,
        ONES => V::ONES,
        digit if number >> (digit - DIGITS) & 1 == 1 => V::ONES,
        _ => V::ZERO,
    }
}

/// The placeholder for one byte of an address.
pub const fn placeholder_byte(number: usize, round: u32) -> u8 {
    digit::<Octet, Generic>(number, round).0
}

/// The alignment in bytes of an address in a variable of this type and declared alignment: the
/// variable's, or the offset's if that is less.
#[allow(clippy::cast_possible_truncation)] // The result is no greater than the alignment, a `usize`.
pub const fn aligned(ty: &Type<'_>, align: Option<usize>, address: &Address<'_>) -> usize {
    let target = Variable { align, ..Variable::new(Space::Global, "", ty) };
    let align = match target.alignment() {
        Some(align) => align,
        None => 1,
    };
    gcd(align as u64, address.addend.unsigned_abs() as u64) as usize
}

/// A byte that holds part of an address.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Octet(u8);

// SAFETY: a transparent `u8`.
unsafe impl PtxType for Octet {
    const TYPE: &'static Type<'static> = <u8 as PtxType>::TYPE;
}

#[diagnostic::do_not_recommend]
impl<S> Holds<S> for Octet {
    const ZERO: Self = Self(0);
    const ONES: Self = Self(0xFF);
    const FIRST: Self = Self(0xFF);
}

/// The byte of the integer `value` that a PTX mask selects: `mask(0xff00, 1000 + 546)`. `Checker::mask`
/// reports a mask that selects no byte.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // only one byte is wanted
pub const fn masked(mask: u64, value: i128) -> u8 {
    (value >> (8 * byte(mask).index() as u32)) as u8
}

/// The byte that a mask selects; the lowest for a mask that selects none, which `Checker::mask`
/// reports.
pub const fn byte(mask: u64) -> Byte {
    match Byte::of_mask(mask) {
        Some(byte) => byte,
        None => Byte::ALL[0],
    }
}

/// A numbered address, and the byte of it that is stored.
#[derive(Clone, Copy, Debug)]
pub struct Numbered {
    /// The address.
    pub address: Address<'static>,
    /// The byte that a mask selects; `None` for the whole address.
    pub byte: Option<Byte>,
    /// Its alignment in bytes; 0, a multiple of every alignment, where none is required.
    pub aligned: usize,
}

/// The number of places that hold an address. `values` are the initial value in each round.
pub const fn count_links<T: PtxType, const R: usize>(values: &[T; R]) -> usize {
    if T::TYPE.has_padding() {
        return 0;
    }
    let (zeros, firsts) = (T::TYPED.bytes_of(&values[ZEROS]), T::TYPED.bytes_of(&values[FIRSTS]));
    let (mut at, mut count) = (0, 0);
    while at < firsts.len() {
        if firsts[at] != zeros[at] {
            count += 1;
        }
        at += 1;
    }
    count
}

/// The places that hold addresses, in order.
///
/// # Panics
/// If an address was modified before it was stored in the value; in constant code, this is an error at
/// the caller.
#[track_caller]
pub const fn locate_links<T: PtxType, const R: usize, const N: usize>(
    values: &[T; R],
    numbered: &[Numbered],
) -> [Link<'static>; N] {
    let address = Address { symbol: "", generic: false, addend: 0 };
    let mut links = [Link { at: 0, size: 0, address, byte: None }; N];
    if T::TYPE.has_padding() {
        return links;
    }
    let mut rounds: [&[u8]; R] = [&[]; R];
    let mut round = 0;
    while round < R {
        rounds[round] = T::TYPED.bytes_of(&values[round]);
        round += 1;
    }
    let (zeros, firsts, ones) = (rounds[ZEROS], rounds[FIRSTS], rounds[ONES]);
    let (mut at, mut found) = (0, 0);
    while at < zeros.len() {
        if ones[at] == zeros[at] {
            at += 1;
            continue;
        }
        // A place starts with a first byte, and ends at the next place or where the address ends.
        assert!(firsts[at] != zeros[at] && found < N, "{}", CHANGED);
        let mut end = at;
        while end < zeros.len()
            && ones[end] != zeros[end]
            && (end == at || firsts[end] == zeros[end])
        {
            assert!(ones[end] == 0xFF && zeros[end] == 0, "{}", CHANGED);
            end += 1;
        }
        let (mut number, mut digit) = (0, DIGITS);
        while digit < R {
            if rounds[digit][at] != zeros[at] {
                number |= 1 << (digit - DIGITS);
            }
            digit += 1;
        }
        assert!(number > 0 && number <= numbered.len(), "{}", CHANGED);
        let Numbered { address, byte, .. } = numbered[number - 1];
        let is_whole = match byte {
            Some(_) => end - at == 1,
            None => end - at == 4 || end - at == 8,
        };
        assert!(is_whole, "{}", CHANGED);
        links[found] = Link { at, size: end - at, address, byte };
        found += 1;
        at = end;
    }
    assert!(found == N, "{}", CHANGED);
    links
}

const CHANGED: &str = "the address of a variable is known only when the module is loaded, and can only be stored unchanged: whole, in a `u64` or a `Ptr`, or byte by byte, as `mask(0xff, ..)`; write `addr(X) + 8` for an offset [D039, PTX ISA 5.4.4]";

/// The initial value with the addresses `links`; none if its type has padding, whose bytes cannot be
/// read: a rule rejects it.
pub const fn linked<T: PtxType>(
    value: &'static T,
    links: &'static [Link<'static>],
) -> Init<'static> {
    if T::TYPE.has_padding() {
        return Init::None;
    }
    let bytes = T::TYPED.bytes_of(value);
    if links.is_empty() { Init::Bytes(bytes) } else { Init::Linked(Linked { bytes, links }) }
}
