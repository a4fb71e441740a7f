//! Launches: what is said of them, and the kernels that they are of.

use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

use cudarc::driver::{CudaEvent, CudaStream};

use super::argument::Arguments;
use super::facts::{DynamicSlice, Facts, NeedsGrid, Unvouched, Vouched};
use super::launch_error::LaunchError;
use super::plan::Plan;
use super::prepared::Prepared;
use super::resources::Resources;
use super::shape::{AccessPolicyWindow, ClusterScheduling, Dim, MemorySyncDomain, Said};

/// A kernel of a loaded module. It keeps the module loaded; cloning it is cheap.
///
/// `blur.rows()` is its [`Launch`]; [`Launch::kernel`] is the kernel itself, to keep or to send to
/// another thread, and [`configure`](Self::configure) leads back.
pub struct LoadedKernel<K, S = Unvouched> {
    facts: Arc<Facts>,
    of: PhantomData<fn() -> (K, S)>,
}

impl<K, S> LoadedKernel<K, S> {
    pub(super) fn new(facts: Facts) -> Self {
        Self { facts: Arc::new(facts), of: PhantomData }
    }

    /// A launch, of which nothing is said yet.
    #[inline]
    pub fn configure(&self) -> Launch<'_, K, S> {
        Launch::of(self)
    }

    #[inline]
    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The kernel's name in PTX.
    pub fn name(&self) -> &'static str {
        self.facts.ir.name
    }

    /// The driver's handle, a `CUfunction`, for calls that this crate does not have. It is valid as long
    /// as this kernel or another handle of its module is.
    pub fn cu_function(&self) -> cudarc::driver::sys::CUfunction {
        self.facts.function.cast()
    }
}

impl<K, S> Clone for LoadedKernel<K, S> {
    fn clone(&self) -> Self {
        Self { facts: Arc::clone(&self.facts), of: PhantomData }
    }
}

impl<K, S> fmt::Debug for LoadedKernel<K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LoadedKernel({})", self.name())
    }
}

/// A launch of a kernel, of which more or less is said: `blur.rows().grid(100).block(64)`.
///
/// The block comes from `reqntid` of the declaration, the cluster from `reqnctapercluster`, the grid from
/// `grid = ..`, dynamic shared memory from its type; what the declaration leaves open is said here, and
/// nothing else. It can be launched any number of times.
#[must_use = "nothing runs until it is launched"]
pub struct Launch<'k, K, S = Unvouched> {
    kernel: &'k LoadedKernel<K, S>,
    plan: Plan<'k>,
}

impl<K, S> Clone for Launch<'_, K, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, S> Copy for Launch<'_, K, S> {}

impl<K, S> fmt::Debug for Launch<'_, K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launch")
            .field("kernel", &self.kernel.name())
            .field("grid", &self.plan.grid)
            .field("block", &self.plan.block)
            .field("cluster", &self.plan.cluster)
            .field("dynamic", &self.plan.dynamic)
            .finish_non_exhaustive()
    }
}

impl<'k, K, S> Launch<'k, K, S> {
    #[inline]
    pub(super) fn of(kernel: &'k LoadedKernel<K, S>) -> Self {
        let said = Said::default();
        let facts = kernel.facts();
        let plan = Plan { facts, grid: None, block: None, cluster: None, dynamic: None, said };
        Self { kernel, plan }
    }

    /// The kernel, to keep or to send to another thread.
    pub fn kernel(&self) -> LoadedKernel<K, S> {
        self.kernel.clone()
    }

    /// The blocks of the grid in each dimension.
    #[inline]
    pub fn grid(mut self, blocks: impl Into<Dim>) -> Self
    where
        K: NeedsGrid,
    {
        self.plan.grid = Some(blocks.into());
        self
    }

    /// The threads of a block in each dimension; `reqntid` in the declaration says it once and for all.
    #[inline]
    pub fn block(mut self, threads: impl Into<Dim>) -> Self {
        self.plan.block = Some(threads.into());
        self
    }

    /// The blocks of a cluster in each dimension; `reqnctapercluster` in the declaration says it once and
    /// for all. More than 8 blocks are not held by every device with clusters; what they need is set.
    pub fn cluster(mut self, blocks: impl Into<Dim>) -> Self {
        self.plan.cluster = Some(blocks.into());
        self
    }

    /// The elements of the slice in dynamic shared memory; of several, which share their memory, of the
    /// one with the largest elements.
    #[inline]
    pub fn dynamic(mut self, len: usize) -> Self
    where
        K: DynamicSlice,
    {
        self.plan.dynamic = Some(len);
        self
    }

    /// How clusters are spread over the multiprocessors.
    pub fn cluster_scheduling(mut self, policy: ClusterScheduling) -> Self {
        self.plan.said.scheduling = Some(policy);
        self
    }

    /// All blocks run at once, so that they can wait for each other; a grid that does not fit on the
    /// device is an `Err`.
    pub fn cooperative(mut self) -> Self {
        self.plan.said.cooperative = true;
        self
    }

    /// Records the event when all blocks have said `griddepcontrol.launch_dependents` or ended; with
    /// `at_block_start`, when all have started. The event has no timing.
    pub fn programmatic_event(mut self, event: &'k CudaEvent, at_block_start: bool) -> Self {
        self.plan.said.programmatic_event = Some((event, at_block_start));
        self
    }

    /// Records the event when all blocks have started. The event has no timing.
    pub fn launch_completion_event(mut self, event: &'k CudaEvent) -> Self {
        self.plan.said.completion_event = Some(event);
        self
    }

    /// The priority; lower numbers run first.
    pub fn priority(mut self, priority: i32) -> Self {
        self.plan.said.priority = Some(priority);
        self
    }

    /// The logical domain of its memory operations.
    pub fn memory_sync_domain(mut self, domain: MemorySyncDomain) -> Self {
        self.plan.said.domain = Some(domain);
        self
    }

    /// The physical domains that the default and the remote one are.
    pub fn memory_sync_domain_map(mut self, default: u8, remote: u8) -> Self {
        self.plan.said.domain_map = Some((default, remote));
        self
    }

    /// A window of global memory that the L2 cache treats in another way.
    pub fn access_policy_window(mut self, window: AccessPolicyWindow) -> Self {
        self.plan.said.window = Some(window);
        self
    }

    /// The share of a multiprocessor's first-level memory that is to be shared memory, in percent: a
    /// preference.
    pub fn shared_carveout(mut self, percent: u32) -> Self {
        self.plan.said.carveout = Some(percent);
        self
    }

    /// What the kernel takes: registers, spills, memory; and, where the block is known, how many blocks a
    /// multiprocessor holds at once, and how many clusters the device.
    ///
    /// # Errors
    /// What is said of the block, the cluster or dynamic shared memory cannot be.
    pub fn resources(&self) -> Result<Resources, LaunchError> {
        self.plan.resources().map_err(|reason| LaunchError::new(self.kernel.name(), reason))
    }
}

impl<K> Launch<'_, K, Unvouched> {
    /// Lets the kernel start before the one before it in the stream has ended: it waits itself, with
    /// `griddepcontrol.wait`, before it reads what that one writes.
    pub fn programmatic_stream_serialization(mut self) -> Self {
        self.plan.said.programmatic_serialization = true;
        self
    }

    /// Launches the kernel on the stream and returns at once. The arguments are a tuple with one for each
    /// parameter, `(&mut buffer, n)`, for one parameter `(n,)`. Everything that can be compared is
    /// compared before anything runs.
    ///
    /// # Safety
    /// The caller vouches for what nobody here can see:
    /// - the kernel, with this grid and these arguments, accesses nothing outside the buffers and
    ///   variables that it is given, and nothing that it or the host does not own at that time;
    /// - a buffer under a `#[readonly]` parameter, or behind a map that only [loads](super::Loads), is not
    ///   written, also not by addresses that the kernel has from elsewhere;
    /// - threads of the kernel do not race with each other, nor with other work on the module's variables,
    ///   which are not ordered between streams;
    /// - it ends;
    /// - in a stream that is being captured, what it is given, and its module, live as long as the graph.
    ///
    /// # Errors
    /// The shape or the attributes cannot be, an argument does not fit, the contract of the declaration
    /// does not hold, or the driver refuses; nothing runs then.
    #[inline]
    pub unsafe fn launch<A: Arguments<K>>(
        &self,
        stream: &CudaStream,
        mut arguments: A,
    ) -> Result<(), LaunchError> {
        arguments.__launch(&Prepared { plan: &self.plan, stream, is_vouched: false })
    }
}

impl<K> Launch<'_, K, Vouched> {
    /// Lets the kernel start before the one before it in the stream has ended.
    ///
    /// # Safety
    /// The kernel waits itself, with `griddepcontrol.wait`, before it reads what that one writes, and before
    /// it writes what that one reads: its declaration does not say so.
    pub unsafe fn programmatic_stream_serialization(mut self) -> Self {
        self.plan.said.programmatic_serialization = true;
        self
    }

    /// Launches the kernel on the stream and returns at once. The arguments are a tuple with one for each
    /// parameter, `(&mut buffer, n)`, for one parameter `(n,)`. Everything that can be compared is
    /// compared before anything runs.
    ///
    /// It is safe because the declaration of the kernel vouches for it: `unsafe(safe_launch)`. A map that
    /// only [loads](super::Loads) is then for `#[readonly]` parameters alone.
    ///
    /// # Errors
    /// The shape or the attributes cannot be, an argument does not fit, the contract of the declaration
    /// does not hold, or the driver refuses; nothing runs then.
    #[inline]
    pub fn launch<A: Arguments<K>>(
        &self,
        stream: &CudaStream,
        mut arguments: A,
    ) -> Result<(), LaunchError> {
        arguments.__launch(&Prepared { plan: &self.plan, stream, is_vouched: true })
    }
}
