//! The arguments of a launch together: their number, and whether each fits its parameter.
//!
//! Each trait has one implementation that messages may name, at the kernel's signature, or none, so that they do not
//! list those of other kernels and other types.

use super::argument::{Argument, ReadOnly};
use super::facts::KernelType;
use super::launch_error::LaunchError;
use super::prepared::Prepared;

/// The arguments of the kernel `K`: a tuple with one for each parameter, each of which fits its parameter.
pub trait Arguments<K: KernelType> {
    /// Binds each argument, checks the contract, and launches.
    #[doc(hidden)]
    fn __launch(&mut self, prepared: &Prepared<'_>) -> Result<(), LaunchError>;
}

// This is the only implementation of `Arguments`, so that messages list no other kernels.
impl<K: KernelType + Takes<T>, T: Fits<K, <K as Takes<T>>::Counted>> Arguments<K> for T {
    #[inline]
    fn __launch(&mut self, prepared: &Prepared<'_>) -> Result<(), LaunchError> {
        self.launch(K::COUNTED, prepared)
    }
}

/// A kernel that takes tuples of this many arguments. The kernel's expansion implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "these are not the arguments of the kernel `{Self}`",
    label = "not one for each parameter",
    note = "arguments are a tuple with one for each parameter, in the order of the declaration: `(&src, &mut dst, n)`; of a single one, `(n,)`"
)]
pub trait Takes<T> {
    /// The types of the arguments: `(A, (B, ()))`.
    type Each;

    /// [`Counted`].
    type Counted;

    /// That there are as many arguments as parameters.
    const COUNTED: Self::Counted;
}

/// There are as many arguments as parameters.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Counted;

/// There are not, which [`Takes`] has reported: everything else fits then.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Miscounted {}

/// Arguments each of which fits its parameter. The kernel's expansion implements it, with a bound for each.
#[doc(hidden)]
pub trait Fits<K, C = Counted> {
    /// Binds each argument, checks the contract, and launches.
    fn launch(&mut self, counted: C, prepared: &Prepared<'_>) -> Result<(), LaunchError>;
}

#[diagnostic::do_not_recommend]
impl<K, T> Fits<K, Miscounted> for T {
    fn launch(&mut self, counted: Miscounted, _: &Prepared<'_>) -> Result<(), LaunchError> {
        match counted {}
    }
}

/// The traits of what fits a parameter, one for each kind of parameter, for their messages.
macro_rules! fits {
    ($($(#[$attribute:meta])* $name:ident: $argument:ty;)*) => {$(
        #[doc(hidden)]
        $(#[$attribute])*
        pub trait $name<P>: Argument<$argument> {}

        #[diagnostic::do_not_recommend]
        impl<P, A: Argument<$argument>> $name<P> for A {}
    )*};
}

fits! {
    #[diagnostic::on_unimplemented(
        message = "a parameter of type `{P}` does not take `{Self}`",
        label = "expected `{P}`",
        note = "`ptx::cuda::Checked(..)` converts another integer, such as the `usize` of `len()`"
    )]
    FitsInteger: P;
    #[diagnostic::on_unimplemented(
        message = "a parameter of type `{P}` does not take `{Self}`",
        label = "expected `{P}`"
    )]
    FitsValue: P;
    #[diagnostic::on_unimplemented(
        message = "a parameter of type `{P}` does not take `{Self}`",
        label = "expected `&mut buffer`",
        note = "a buffer is in GPU memory, such as the `CudaSlice` of `stream.clone_htod(&data)?`, with elements that the parameter points to, or their scalars; `&buffer` fits a `#[readonly]` parameter"
    )]
    FitsPointer: P;
    #[diagnostic::on_unimplemented(
        message = "a `#[readonly]` parameter of type `{P}` does not take `{Self}`",
        label = "expected `&buffer`",
        note = "a buffer is in GPU memory, such as the `CudaSlice` of `stream.clone_htod(&data)?`, with elements that the parameter points to, or their scalars"
    )]
    FitsReadOnly: ReadOnly<P>;
    #[diagnostic::on_unimplemented(
        message = "a parameter of type `{P}` does not take `{Self}`",
        label = "the host has no buffers in this state space",
        note = "`ptx::cuda::RawPtr` passes an address"
    )]
    FitsAddress: P;
    #[diagnostic::on_unimplemented(
        message = "a `#[readonly]` parameter of type `{P}` does not take `{Self}`",
        label = "the host has no buffers in this state space",
        note = "`ptx::cuda::RawPtr` passes an address"
    )]
    FitsReadOnlyAddress: ReadOnly<P>;
    #[diagnostic::on_unimplemented(
        message = "a parameter of type `{P}` does not take `{Self}`",
        label = "expected `&map`, of the parameter's tile",
        note = "`A::over(..)` and `A::over_mut(..)` make the maps that fit a `TensorMap<A>`; a tile with a different box, element type or swizzle has a different layout"
    )]
    FitsMap: P;
    #[diagnostic::on_unimplemented(
        message = "a `#[readonly]` parameter of type `{P}` does not take `{Self}`",
        label = "expected `&map`, of the parameter's tile",
        note = "`A::over(..)` makes the maps that fit a `TensorMap<A>`; a tile with a different box, element type or swizzle has a different layout"
    )]
    FitsReadOnlyMap: ReadOnly<P>;
}
