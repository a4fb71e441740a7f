//! Why a kernel was not launched.

use core::fmt;
use std::boxed::Box;
use std::string::String;
use std::vec::Vec;

use cudarc::driver::{CudaContext, DriverError};
use ptx_types::Target;
use thiserror::Error;

use super::calls::CallError;
use super::contract::{Broken, Count};
use super::fault::{Fault, fault_of};
use super::fault_meaning::code_of;
use super::refusal::Refusal;
use super::shape::Dim;
use super::stray::Stray;

/// A launch that is invalid, or that the driver refuses: nothing runs. Only a launch that is
/// [checked](super::Launch::checked) returns one after it ran.
#[derive(Clone)]
pub struct LaunchError {
    kernel: &'static str,
    reason: Box<Reason>,
}

impl LaunchError {
    #[cold]
    pub(super) fn new(kernel: &'static str, reason: Reason) -> Self {
        Self { kernel, reason: Box::new(reason) }
    }

    /// The kernel's name in PTX.
    pub fn kernel(&self) -> &'static str {
        self.kernel
    }

    /// Why.
    pub fn reason(&self) -> &Reason {
        &self.reason
    }
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match &*self.reason {
            Reason::Failed(fault) if fault.launches().len() > 1 => "or another kernel failed",
            Reason::Failed(_) | Reason::Strays(_) => "failed",
            _ => "was not launched",
        };
        write!(f, "`{}` {what}: {}", self.kernel, self.reason)
    }
}

impl core::error::Error for LaunchError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.reason.source()
    }
}

/// Why a kernel was not launched. Sizes are in bytes.
#[derive(Clone, Error)]
#[non_exhaustive]
pub enum Reason {
    /// The module is loaded for a target without this kernel.
    #[error(
        "it is declared for {}, and this device runs the module for `{loaded}`; launch another kernel there, or declare it \
         with `#[target({loaded})]`, too",
        names(.targets)
    )]
    OtherTarget {
        /// The targets that have it.
        targets: Vec<Target>,
        /// The target that is loaded.
        loaded: Target,
    },
    /// The stream belongs to another context than the module.
    #[error(
        "{what} belongs to a different context from the module; load the module in that context too"
    )]
    OtherContext {
        /// The stream, or what else belongs to another context.
        what: &'static str,
    },
    /// An argument belongs to another context than the module.
    #[error(
        "the argument for `{parameter}` belongs to another context than the module; copy it to \
         a buffer of this one"
    )]
    ArgumentContext {
        /// The parameter.
        parameter: &'static str,
    },
    /// A buffer does not hold a whole number of the parameter's elements.
    #[error(
        "the buffer for `{parameter}` has {len} elements, and `{parameter}` points to {per} of them at a \
         time; {len} is not a multiple of {per}"
    )]
    NotWhole {
        /// The parameter.
        parameter: &'static str,
        /// The number of elements in the buffer.
        len: usize,
        /// How many of them make one element of the parameter.
        per: usize,
    },
    /// A buffer starts at an address that is not aligned as the parameter's type requires.
    #[error(
        "the buffer for `{parameter}` starts at {address:#x}, which is not a multiple of {align}, as \
         `{parameter}` promises; start the view at another element, or declare a lower alignment"
    )]
    Misaligned {
        /// The parameter.
        parameter: &'static str,
        /// The address where the buffer starts.
        address: u64,
        /// The alignment that the parameter's type requires.
        align: usize,
    },
    /// The kernel may write the same bytes through two arguments.
    #[error(
        "the arguments for `{first}` and `{second}` share {bytes} bytes from {address:#x}, and the kernel may write \
         through both; if it only reads one of them, declare that `#[readonly]`, and if it works in place, pass \
         `ptx::cuda::Aliased`"
    )]
    Overlap {
        /// The parameter that is declared first.
        first: &'static str,
        /// The other parameter.
        second: &'static str,
        /// The first address that both contain.
        address: u64,
        /// How many bytes both contain.
        bytes: u64,
    },
    /// An integer that is [`Checked`](super::Checked) does not fit its parameter.
    #[error("the argument for `{parameter}` is {value}, and a `{ty}` holds {least} to {most}")]
    Integer {
        /// The parameter.
        parameter: &'static str,
        /// The value.
        value: Count,
        /// The type of the parameter.
        ty: &'static str,
        /// Its minimum.
        least: i128,
        /// Its maximum.
        most: i128,
    },
    /// A map borrows its buffer shared, and safe code launches a kernel that may store through it.
    #[error(
        "the map for `{parameter}` only loads, and the kernel may store through it; bind the buffer with \
         `over_mut`, or declare the parameter `#[readonly]`"
    )]
    LoadsOnly {
        /// The parameter.
        parameter: &'static str,
    },
    /// A condition of the declaration does not hold.
    #[error("{0}")]
    Contract(Broken),
    /// The grid that follows from the arguments is invalid.
    #[error("the grid that the arguments give is ({}, {}, {}), but each extent of a grid must be 0 to 4294967295", .counts[0], .counts[1], .counts[2])]
    Grid {
        /// The computed extents.
        counts: [Count; 3],
    },
    /// Something that the declaration leaves open is not set.
    #[error("its {what} is not set")]
    NotSet {
        /// Grid, block, cluster, or length in dynamic shared memory.
        what: &'static str,
    },
    /// The block is too large.
    #[error(
        "a block of {given} threads was requested, but {} at most {most}; make the block smaller and the grid larger",
        if *.declared { "`maxntid` declares" } else { "this device has" }
    )]
    BlockTooLarge {
        /// The requested block.
        given: Dim,
        /// The maximum number of threads.
        most: u64,
        /// Whether the maximum comes from the declaration; otherwise it comes from the device.
        declared: bool,
    },
    /// An extent is 0.
    #[error(
        "a {what} of {given} was requested, but every extent must be at least 1; skip the launch, or write at least 1"
    )]
    Zero {
        /// Grid, block or cluster.
        what: &'static str,
        /// The requested extents.
        given: Dim,
    },
    /// An extent exceeds the device's maximum.
    #[error(
        "a {what} of {given} was requested, but this device has at most {limit}; make it smaller and let each thread do more, or use another dimension"
    )]
    TooLarge {
        /// Grid or block.
        what: &'static str,
        /// The requested extents.
        given: Dim,
        /// The device's maximum.
        limit: Dim,
    },
    /// The device does not support clusters.
    #[error(
        "it needs clusters, which this device does not have; devices of compute capability 9.0 and later do"
    )]
    NoClusters,
    /// The cluster is larger than declared.
    #[error(
        "clusters of {given} blocks were requested, but `maxclusterrank` declares at most {most}; make the cluster smaller"
    )]
    ClusterTooLarge {
        /// The requested cluster.
        given: Dim,
        /// The declared maximum number of blocks.
        most: u64,
    },
    /// The grid does not consist of whole clusters.
    #[error(
        "a grid of {grid} blocks is not a multiple of its clusters of {cluster}; the next multiple is {}",
        next(*.grid, *.cluster)
    )]
    NotWholeClusters {
        /// The grid.
        grid: Dim,
        /// The cluster.
        cluster: Dim,
    },
    /// The device cannot hold one cluster of this shape.
    #[error(
        "a cluster of {cluster} with blocks of {block} and {dynamic} bytes of dynamic shared memory does \
         not fit on this device; make the cluster or its blocks smaller ({refusal})"
    )]
    ClusterDoesNotFit {
        /// The cluster.
        cluster: Dim,
        /// The block.
        block: Dim,
        /// The dynamic shared memory of a block.
        dynamic: usize,
        /// The driver's answer.
        #[source]
        refusal: Refusal,
    },
    /// A block needs more shared memory than the device has.
    #[error(
        "it needs {} bytes of shared memory, {statically} static and {dynamic} dynamic, and a block of \
         this device has at most {limit}; request less, or make its shared variables smaller",
        .statically.saturating_add(*.dynamic)
    )]
    SharedMemory {
        /// Static shared memory.
        statically: usize,
        /// Dynamic shared memory.
        dynamic: usize,
        /// The maximum that a block can opt in to.
        limit: usize,
    },
    /// The stream is being captured.
    #[error(
        "its stream is being captured into a graph, which may run after the arguments are gone; make it a node of a graph that keeps them, by `ptx::cuda::capture` and `.capture(..)`; or launch it by `.unvouched()`, which is `unsafe`, and keep the arguments alive as long as the graph"
    )]
    Captured,
    /// A map for a node of a graph is one of a buffer that is not bound to the graph.
    #[error(
        "the map for `{parameter}` is over a buffer that is not bound to the graph, which may run after it is gone; bind the buffer with `scope.read(..)` or `scope.write(..)`, and make the map by `.map()` or `.map_mut()` of what that returns"
    )]
    NotBound {
        /// The parameter.
        parameter: &'static str,
    },
    /// An argument is bound to another graph than the launch, which may belong to none.
    #[error(
        "the argument for `{parameter}` is bound to a graph that this launch does not belong to; a launch with it is a node of that graph, by `.capture(..)` or `.update(..)`, and the host reads it by `graph.view(..)`"
    )]
    OtherGraph {
        /// The parameter.
        parameter: &'static str,
    },
    /// A node belongs to another graph.
    #[error("the node belongs to another graph; update it in the one that it was captured in")]
    OtherNode,
    /// A node is a launch of another kernel.
    #[error(
        "the node is a launch of another kernel, `{kernel}`; update it by a launch of that one"
    )]
    OtherKernel {
        /// The kernel of the node.
        kernel: &'static str,
    },
    /// A node is in the body of a condition.
    #[error(
        "the node is in the body of a condition, whose nodes the driver cannot replace; capture the graph again, or let the kernel read what changes from memory"
    )]
    InCondition,
    /// A node has another cluster.
    #[error(
        "the node was captured with {}, and {} was requested; the cluster of a node cannot be replaced",
        .captured.map_or_else(|| "no cluster".into(), |cluster| std::format!("a cluster of {cluster}")),
        .given.map_or_else(|| "none".into(), |cluster| std::format!("one of {cluster}")),
    )]
    OtherCluster {
        /// The cluster of the node.
        captured: Option<Dim>,
        /// The requested one.
        given: Option<Dim>,
    },
    /// An update has attributes.
    #[error(
        "a node keeps the attributes that it was captured with, such as `.priority(..)` and `.cooperative()`; leave them out of the update"
    )]
    AttributesInGraph,
    /// A launch that records an event becomes a node.
    #[error(
        "a node of a graph does not record an event; record one in the stream, after `graph.launch()`"
    )]
    EventInGraph,
    /// This thread has a [guard](super::ManagedGuard) of a managed variable that the kernel uses.
    #[error("this thread has locked a managed variable that it uses; drop the guard first")]
    Borrowed,
    /// The device does not support cooperative launches.
    #[error("this device has no cooperative launches")]
    NoCooperative,
    /// A cooperative grid does not fit on the device.
    #[error(
        "a cooperative grid of {grid} has {} blocks, and this device runs {} at once, {each} on each of \
         {multiprocessors} multiprocessors; launch at most so many, and let each do more",
        .grid.count(),
        u64::from(*.each) * u64::from(*.multiprocessors)
    )]
    DoesNotFit {
        /// The grid.
        grid: Dim,
        /// Blocks per multiprocessor.
        each: u32,
        /// Multiprocessors of the device.
        multiprocessors: u32,
    },
    /// The access-policy window is larger than the device supports.
    #[error(
        "an access-policy window of {bytes} bytes was requested, but this device has at most {most}; make it smaller"
    )]
    Window {
        /// The requested size.
        bytes: usize,
        /// The device's maximum.
        most: usize,
    },
    /// The hit ratio is out of range.
    #[error("the hit ratio of the access-policy window is {ratio}; it must be 0.0 to 1.0")]
    HitRatio {
        /// The requested ratio.
        ratio: f32,
    },
    /// The `miss` property is `Persisting`.
    #[error(
        "`miss` of the access-policy window is `Persisting`; it must be `Normal` or `Streaming`"
    )]
    PersistingMiss,
    /// The carveout is out of range.
    #[error("a carveout of {percent} percent was requested; it must be 0 to 100")]
    Carveout {
        /// The requested percentage.
        percent: u32,
    },
    /// The driver is too old.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The driver refuses a setting that the launch needs.
    #[error(transparent)]
    Refused(Refusal),
    /// The driver refuses the launch.
    #[error(
        "{refusal}; the grid is {grid}, the block {block}, dynamic shared memory {dynamic} bytes"
    )]
    NotLaunched {
        /// The grid.
        grid: Dim,
        /// The block.
        block: Dim,
        /// The dynamic shared memory of a block.
        dynamic: usize,
        /// The driver's answer.
        #[source]
        refusal: Refusal,
    },
    /// An earlier kernel has failed.
    #[error(transparent)]
    Fault(Fault),
    /// This kernel has failed: the launch was [checked](super::Launch::checked), or the driver waits for each launch
    /// (`CUDA_LAUNCH_BLOCKING=1`).
    #[error(transparent)]
    Failed(Fault),
    /// The kernel ran in a [checked](super::Launch::checked) launch, and wrote outside of its buffers, or to one
    /// that it only reads. The buffers have the contents from before the launch.
    #[error("it wrote where it must not; its buffers are left as they were:{}", listed(.0))]
    Strays(Vec<Stray>),
    /// A checked launch is to fill an output with poison that is not one.
    #[error(
        "`{name}` is to be poisoned, but it is not a buffer that this kernel may write{}",
        known(.outputs)
    )]
    NoOutput {
        /// The name.
        name: String,
        /// The parameters that could be named.
        outputs: Vec<&'static str>,
    },
    /// A checked launch is to be captured.
    #[error(
        "its stream is being captured into a graph, and a checked launch runs at once; launch it without `.checked()` \
         and `.poisoned(..)` there"
    )]
    CheckedCapture,
    /// The context or the stream cannot be used.
    #[error("the context cannot be used: {0}")]
    Driver(DriverError),
}

impl Reason {
    /// The same, explained if it reports that an earlier kernel has failed.
    #[cold]
    pub(super) fn explained(self, context: &CudaContext) -> Self {
        let code = match &self {
            Self::Driver(error) => code_of(*error),
            Self::Refused(refusal)
            | Self::NotLaunched { refusal, .. }
            | Self::ClusterDoesNotFit { refusal, .. } => refusal.code,
            _ => return self,
        };
        fault_of(context, code).map_or(self, Self::Fault)
    }
}

ptx_types::__debug_as_message!(LaunchError, Reason);

fn listed(strays: &[Stray]) -> String {
    let lines: Vec<String> = strays.iter().map(|stray| std::format!("\n  {stray}")).collect();
    lines.concat()
}

fn names(targets: &[Target]) -> String {
    let names: Vec<String> = targets.iter().map(|target| std::format!("`{target}`")).collect();
    names.join(", ")
}

fn known(outputs: &[&str]) -> String {
    if outputs.is_empty() {
        return String::from("; there is none");
    }
    std::format!("; these are: `{}`", outputs.join("`, `"))
}

/// The next larger grid that consists of whole clusters.
fn next(grid: Dim, cluster: Dim) -> Dim {
    let extent = |n: usize| grid.0[n].checked_next_multiple_of(cluster.0[n]).unwrap_or(u32::MAX);
    Dim([extent(0), extent(1), extent(2)])
}
