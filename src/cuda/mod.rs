//! The host's side (feature `cuda`): loading a module, setting its variables, launching its kernels, and
//! tensor maps from the driver, on cudarc's contexts, streams and buffers.
//!
//! ```no_run
//! use ptx::prelude::*;
//!
//! #[ptx::module(target = sm_90a)]
//! pub mod scale {
//!     use super::*;
//!
//!     /// The host may replace it before a launch.
//!     #[constant]
//!     pub static FACTOR: f32 = 2.5;
//!
//!     #[kernel(
//!         reqntid = 128,
//!         requires(data.len() >= n),
//!         grid = n.div_ceil(128),
//!         unsafe(safe_launch)
//!     )]
//!     pub fn scale(data: Ptr<Global, f32>, n: u32) {
//!         ptx! {
//!             .reg .pred %p;
//!             .reg .b32 %i, %block, %n;
//!             .reg .b64 %at;
//!             .reg .f32 %x, %factor;
//!             mov.u32         %i, %tid.x;
//!             mov.u32         %block, %ctaid.x;
//!             mad.lo.u32      %i, %block, 128, %i;
//!             ld.param.u32    %n, [n];
//!             setp.ge.u32     %p, %i, %n;
//!             @%p ret;
//!             ld.param.u64    %at, [data];
//!             mad.wide.u32    %at, %i, #(size_of::<f32>()), %at;
//!             ld.global.f32   %x, [%at];
//!             ld.const.f32    %factor, [FACTOR];
//!             mul.f32         %x, %x, %factor;
//!             st.global.f32   [%at], %x;
//!             ret;
//!         }
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let context = ptx::cuda::context(0)?;
//! let stream = context.default_stream();
//! let scale = ptx::cuda::load::<scale::Loaded>(&context)?; // compiled, and compared with the declaration
//! scale.FACTOR.set(&stream, &10.0)?; // an `f32`, and nothing else
//! let mut data = stream.clone_htod(&[1.0_f32; 1000])?;
//! scale.scale().launch(&stream, (&mut data, 1000))?; // its declaration vouches for it: no `unsafe`
//! assert_eq!(stream.clone_dtoh(&data)?, [10.0; 1000]);
//! println!("{}", scale.scale().resources()?);
//! # Ok(())
//! # }
//! ```
//!
//! Every mistake is a compile error or an `Err` with names and numbers: arguments are checked by their
//! types, a loaded module when it is [loaded](load), shapes, lengths and contracts at the
//! [launch](Launch), before anything runs.
//!
//! # Graphs
//!
//! [`capture`] puts launches and copies together to a [`Graph`], which one call launches, and which keeps the buffers,
//! the memory and the modules that its nodes use.
//!
//! # Failures
//!
//! A kernel that fails is reported by a later call. [`synchronize`] waits for a stream, and its error, as that of
//! every call here, is a [`Fault`] then: it lists the launches that may have caused it. [`Launch::checked`]
//! finds the one.
//!
//! # Tensor maps
//!
//! [`encode`] encodes a descriptor with the driver, and returns its refusal with every rule that the
//! map breaks; [`verify_against_driver`] compares the encoder of [`tensor`](crate::tensor) with the driver;
//! [`Over`] makes a map of a declared type over a cudarc buffer, which it borrows.
//!
//! # Without a driver
//!
//! The driver's library is looked up at the first call. If it is missing, or too
//! old for a call, an error reports that: nothing here panics, and [`context`] makes a context without
//! the panic of cudarc's constructor.

#![allow(unsafe_code, reason = "it calls the driver")]

mod argument;
mod attribute;
mod borrows;
mod bound;
mod buffers;
mod cache;
mod calls;
mod checked;
mod compile;
mod context;
mod contract;
mod converted;
mod cubins;
mod difference;
pub mod dlpack;
mod encode;
mod entered;
mod environment;
mod facts;
mod fault;
mod fault_meaning;
mod fits;
mod foreign;
mod graph;
mod kept;
mod launch;
mod launch_error;
mod launch_log;
mod launch_ring;
mod launch_settings;
mod links;
mod load;
mod load_error;
mod loader;
mod managed;
mod module;
mod nodes;
mod order;
mod overlap;
mod owned_map;
mod padded;
mod pinned;
mod plan;
mod prepared;
mod raw;
mod recorded;
mod refusal;
mod resources;
mod shape;
mod stray;
mod submit;
mod synchronize;
mod turns;
mod variable;
mod variable_error;
mod variable_slice;
mod verify;

pub use argument::{Argument, ReadOnly};
pub use bound::{Access, BoundMap, Loads, MapBuilder, Over, Stores};
pub use cache::{Cache, CacheError, load_all_cached, load_cached, load_linked_cached};
pub use calls::{Call, CallError, current_target, driver_release};
pub use context::{ContextError, context};
pub use contract::{Broken, Count};
pub use converted::Checked;
pub use cubins::{Cubin, Cubins, load_cubins};
pub use difference::{Difference, Differences};
pub use encode::{Answer, EncodeError, OutOfBuffer, ask, encode, replace_address};
pub use facts::{Given, Missing, Unvouched, Vouched};
// Messages name these.
#[doc(hidden)]
pub use argument::Buffer;
#[doc(hidden)]
pub use contract::{Integer, ToNumber};
#[doc(hidden)]
pub use facts::{
    HasBlock, HasCluster, HasDynamic, HasGrid, NeedsBlock, NeedsCluster, NeedsDynamic, NeedsGrid,
};
pub use fault::Fault;
pub use fault_meaning::{FaultMeaning, fault_meaning};
pub use fits::Arguments;
#[doc(hidden)]
pub use fits::{
    Counted, Fits, FitsAddress, FitsInteger, FitsMap, FitsPointer, FitsReadOnly,
    FitsReadOnlyAddress, FitsReadOnlyMap, FitsValue, Takes,
};
pub use foreign::{BorrowedStream, ForeignError, ForeignSlice, borrow_context, borrow_stream};
#[doc(hidden)]
pub use graph::{AllLasting, Lasting, LastingArguments};
pub use graph::{
    AnyNode, Condition, Download, Graph, GraphBuffer, GraphError, Node, NodeOf, PinnedMemory,
    Readable, Scope, Upload, Writable, capture,
};
pub use launch::{Launch, LoadedKernel};
pub use launch_error::{LaunchError, Reason};
pub use links::{LinkError, check_links};
pub use load::{
    Load, context_of, linked, load, load_all, load_cubin, load_linked, load_with, origin,
    target_of, warnings,
};
pub use load_error::{LoadError, LoadOptions, Stale};
pub use managed::ManagedGuard;
pub use module::{Cached, Origin};
pub use order::Held;
pub use owned_map::OwnedMap;
pub use pinned::{Pinned, PinnedError};
pub use raw::{Aliased, RawMap, RawPtr};
pub use recorded::RecordedLaunch;
pub use refusal::Refusal;
pub use resources::{Resources, SuggestedBlock};
pub use shape::{
    AccessPolicyWindow, AccessProperty, ClusterScheduling, Dim, Extents, MemorySyncDomain,
};
pub use stray::Stray;
pub use synchronize::{SynchronizeError, explain, synchronize};
pub use variable::{LoadedVariable, Managed};
pub use variable_error::VariableError;
pub use variable_slice::LoadedSlice;
pub use verify::{Mismatch, verify_against_driver};

/// The items that expanded code needs besides the public interface. Not covered by semantic versioning.
#[doc(hidden)]
pub mod __private {
    pub use super::argument::{Bound, Seen};
    pub use super::contract::{div_ceil, narrow, next_multiple_of, number, pow, shl, shr};
    pub use super::facts::KernelType;
    pub use super::kept::Pointed;
    pub use super::loader::{Loader, declared};
    pub use super::module::LoadedModule;
    pub use super::prepared::Prepared;

    pub use cudarc::driver::{DeviceRepr, ValidAsZeroBits};
    pub use std::sync::Arc;
}
