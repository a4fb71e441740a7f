//! The arguments that a graph keeps.

use ptx_types::__private::ByValue;
use ptx_types::DeviceCopy;

use super::buffer::GraphBuffer;
use super::condition::Condition;
use crate::cuda::bound::BoundMap;
use crate::cuda::converted::Checked;
use crate::cuda::fits::Takes;
use crate::cuda::raw::{Aliased, RawMap, RawPtr};

/// An argument that stays valid as long as the graph: a value, and what is bound to the graph.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not bound to the graph, which may run after it is gone",
    label = "an argument of this launch is a `{Self}`",
    note = "`scope.read(..)` and `scope.write(..)` bind a buffer; pass what they return, as `&` or `&mut`, or a map that it makes"
)]
#[doc(hidden)]
pub trait Lasting {}

#[diagnostic::do_not_recommend]
impl<P: DeviceCopy<Passing = ByValue>> Lasting for P {}

#[diagnostic::do_not_recommend]
impl<T, A> Lasting for &GraphBuffer<T, A> {}
#[diagnostic::do_not_recommend]
impl<T, A> Lasting for &mut GraphBuffer<T, A> {}
#[diagnostic::do_not_recommend]
impl<T, A> Lasting for Aliased<'_, GraphBuffer<T, A>> {}
#[diagnostic::do_not_recommend]
impl Lasting for Condition {}
#[diagnostic::do_not_recommend]
impl<N> Lasting for Checked<N> {}
// Whether the map is one of a buffer of the graph is asked when it is bound.
#[diagnostic::do_not_recommend]
impl<M: ptx_types::MapType, A> Lasting for &BoundMap<'_, M, A> {}
// Unsafe code vouches for these.
#[diagnostic::do_not_recommend]
impl<S, T, A> Lasting for RawPtr<S, T, A> {}
#[diagnostic::do_not_recommend]
impl<M> Lasting for RawMap<M> {}

/// A list of such arguments: `(A, (B, ()))`.
#[doc(hidden)]
pub trait AllLasting {}

impl AllLasting for () {}

impl<A: Lasting, R: AllLasting> AllLasting for (A, R) {}

/// Arguments of the kernel `K` that are all such.
#[doc(hidden)]
pub trait LastingArguments<K> {}

impl<K: Takes<A, Each: AllLasting>, A> LastingArguments<K> for A {}
