//! Graphs: launches and copies that one call submits.

mod buffer;
mod condition;
mod error;
mod foreign;
mod instance;
mod keeps;
mod lasting;
mod launch;
mod memory;
mod node;
mod scope;

use std::sync::Arc;

use cudarc::driver::CudaStream;

pub use buffer::{GraphBuffer, Readable, Writable};
pub use condition::Condition;
pub use error::GraphError;
pub use instance::Graph;
#[doc(hidden)]
pub use lasting::{AllLasting, Lasting, LastingArguments};
pub(super) use launch::{add_kernel, replace_kernel};
pub use memory::{Download, PinnedMemory, Upload};
pub use node::{AnyNode, Node, NodeOf};
pub use scope::Scope;

/// Puts launches and copies together to a [`Graph`], which one call launches, and returns it with what the closure
/// returns: the handles of buffers, nodes and memory that are needed later.
///
/// The closure binds buffers to the [`Scope`], and adds launches, each by [`Launch::capture`](crate::cuda::Launch::capture), and
/// copies. They run in this order. What is not added to the scope is not part of the graph: the stream is not put into
/// the driver's capture mode, so that synchronising calls, allocations and other work are allowed in the closure, also
/// in the default stream, and nothing is left behind by a closure that fails or panics.
///
/// ```no_run
/// use ptx::prelude::*;
///
/// #[ptx::module(target = sm_80)]
/// pub mod scale {
///     use super::*;
///
///     #[kernel(
///         reqntid = 128,
///         requires(data.len() >= n),
///         grid = n.div_ceil(128),
///         unsafe(safe_launch)
///     )]
///     pub fn double(data: Ptr<Global, f32>, n: u32) {
///         ptx! {
///             let %outside: bool;
///             let %i, %block, %n: u32;
///             let %at: Ptr<Global, f32>;
///             let %x: f32;
///             mov.u32         %i, %tid.x;
///             mov.u32         %block, %ctaid.x;
///             mad.lo.u32      %i, %block, 128, %i;
///             ld.param.u32    %n, [n];
///             setp.ge.u32     %outside, %i, %n;
///             @%outside ret;
///             lea.global.u64  %at, data[%i];
///             ld.global.f32   %x, [%at];
///             add.f32         %x, %x, %x;
///             st.global.f32   [%at], %x;
///             ret;
///         }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = ptx::cuda::context(0)?;
/// let stream = context.new_stream()?;
/// let module = ptx::cuda::load::<scale::Loaded>(&context)?;
/// let mut data = stream.clone_htod(&[1.0_f32; 1000])?;
///
/// let (mut graph, (mut doubled, node)) = ptx::cuda::capture(&stream, |scope| {
///     let mut data = scope.write(&mut data)?; // borrowed as long as the graph exists
///     module.double().capture(scope, (&mut data, 1000))?;
///     let node = module.double().capture(scope, (&mut data, 1000))?;
///     Ok((data, node))
/// })?;
/// graph.launch()?; // each element is 4.0
/// module.double().update(&mut graph, &node, (&mut doubled, 500))?;
/// graph.launch()?; // the first 500 are 16.0, the others 8.0
///
/// let values = stream.clone_dtoh(&graph.view(&doubled)?)?;
/// assert_eq!((values[0], values[999]), (16.0, 8.0));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of the closure; the stream is being captured, or is the per-thread default stream; or the driver refuses the
/// graph.
pub fn capture<'b, R>(
    stream: &Arc<CudaStream>,
    add: impl FnOnce(&mut Scope<'b>) -> Result<R, GraphError>,
) -> Result<(Graph<'b>, R), GraphError> {
    let mut scope = Scope::new(stream)?;
    let result = add(&mut scope)?;
    Ok((Graph::new(scope)?, result))
}
