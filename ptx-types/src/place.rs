//! Places in declared objects, as bodies write them: `SMEM.full[2]`.
//!
//! Expanded code follows such a path with rustc's own types: what a field is and how many elements an
//! array has nobody else knows.

use core::marker::PhantomData;
use core::mem::{MaybeUninit, size_of};

use crate::handle::Variable;
use crate::space::{Generic, StateSpace};
use crate::text::Text;
use crate::types::{Aligned, Alignment, Ptr};

/// A place of type `T`, so many bytes from the start of an object.
pub struct Place<T: ?Sized> {
    offset: usize,
    of: PhantomData<fn() -> *const T>,
}

/// What is in a state space, or in any.
#[diagnostic::on_unimplemented(
    message = "this is in `{Self}` memory, and the address is to be one of `{S}` memory",
    label = "in `{Self}` memory",
    note = "write the state space that it is in behind `lea`"
)]
pub trait IsIn<S> {}

impl<S: StateSpace> IsIn<S> for S {}
impl<S: StateSpace> IsIn<S> for Generic {}

/// The start of a variable that is in this state space.
pub const fn place_in<S, V: StateSpace + IsIn<S>, T: ?Sized>(
    _: &'static Variable<V, T>,
) -> Place<T> {
    Place::START
}

/// The start of a variable.
pub const fn place<S: StateSpace, T: ?Sized>(_: &'static Variable<S, T>) -> Place<T> {
    Place::START
}

/// What leads to elements one after the other.
pub trait Leads {
    /// The state space.
    type Into;
    /// The type of an element.
    type To;
}

impl<S, T, A> Leads for Ptr<S, T, A> {
    type Into = S;
    type To = T;
}

/// The first of the elements that a pointer into this state space leads to.
pub const fn pointee_in<S, P: Leads<Into: IsIn<S>>>() -> Place<[P::To]> {
    Place::START
}

/// The first of the elements that a pointer leads to.
pub const fn pointee<P: Leads>() -> Place<[P::To]> {
    Place::START
}

impl<T: ?Sized> Place<T> {
    /// The start of an object.
    pub const START: Self = Self { offset: 0, of: PhantomData };

    /// How far it is from the start, in bytes.
    pub const fn offset(self) -> usize {
        self.offset
    }

    const fn at<U: ?Sized>(self, further: usize) -> Place<U> {
        Place { offset: self.offset + further, of: PhantomData }
    }
}

impl<T> Place<T> {
    /// An object to find fields of.
    pub const fn object(&self) -> MaybeUninit<T> {
        MaybeUninit::uninit()
    }

    /// The place of a field of the object.
    ///
    /// # Safety
    ///
    /// The field is one of the object.
    #[allow(unsafe_code)]
    pub const unsafe fn field<F>(self, object: *const T, field: *const F) -> Place<F> {
        // SAFETY: as the caller says, both are in one object.
        let further = unsafe { field.byte_offset_from(object) };
        self.at(further.unsigned_abs())
    }

    /// How far the next one is, in bytes, in an array of them.
    pub const fn stride(self) -> usize {
        size_of::<T>()
    }
}

/// Panics where an array has fewer elements, at the caller, which expanded code puts at the index.
#[track_caller]
const fn require_element(name: &str, elements: usize, index: i128) {
    if index >= 0 && index < elements as i128 {
        return;
    }
    let mut text = Text::<1024>::new();
    text.push_str("`");
    text.push_str(name);
    text.push_str("` has ");
    text.push_int(elements as i128, false);
    text.push_str(if elements == 1 { " element" } else { " elements" });
    text.push_str(", and this is element ");
    text.push_int(index, false);
    text.push_str("; elements count from 0 [A020, PTX ISA 6.4.1]");
    panic!("{}", text.as_str());
}

/// What has elements one after the other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements",
    label = "an index behind what is no array",
    note = "an index goes into an array, or behind a pointer; write the field before it, if it goes into one"
)]
pub trait Elements {
    /// The type of an element.
    type Element;
    /// How many there are, or may be.
    const COUNT: usize;
}

impl<E, const N: usize> Elements for [E; N] {
    type Element = E;
    const COUNT: usize = N;
}

impl<E> Elements for [E] {
    type Element = E;
    const COUNT: usize = usize::MAX;
}

impl<E, const N: usize, A: Alignment> Elements for Aligned<[E; N], A> {
    type Element = E;
    const COUNT: usize = N;
}

/// An element of an array that has this name.
#[track_caller]
pub const fn element<T: Elements + ?Sized>(
    array: Place<T>,
    name: &str,
    index: i128,
) -> Place<T::Element> {
    require_element(name, T::COUNT, index);
    array.at(index.unsigned_abs() as usize * size_of::<T::Element>())
}

/// The first element, of those that a register chooses among.
pub const fn elements<T: Elements + ?Sized>(array: Place<T>) -> Place<T::Element> {
    array.at(0)
}
