//! Launches: shape, attributes, and the call.

use core::ffi::c_void;
use core::fmt;

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaEvent, CudaStream};
use ptx_types::ir::Param;

use super::argument::Arguments;
use super::attribute::{Attributes, cluster_attribute};
use super::calls::{self, Call, LaunchConfig};
use super::contract::{Broken, Count};
use super::kernel::{
    DynamicSlice, Extent, Facts, LoadedKernel, NeedsGrid, PORTABLE_CLUSTER, Unvouched, Vouched,
};
use super::launch_error::{LaunchError, Reason};
use super::load::int;
use super::refusal::Refusal;
use super::resources::Resources;

/// The extents of a grid, a block or a cluster: `n`, `(x, y)` or `(x, y, z)`; what is left out is 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dim(pub [u32; 3]);

impl From<u32> for Dim {
    fn from(x: u32) -> Self {
        Self([x, 1, 1])
    }
}

impl From<(u32, u32)> for Dim {
    fn from((x, y): (u32, u32)) -> Self {
        Self([x, y, 1])
    }
}

impl From<(u32, u32, u32)> for Dim {
    fn from((x, y, z): (u32, u32, u32)) -> Self {
        Self([x, y, z])
    }
}

impl From<[u32; 3]> for Dim {
    fn from(extents: [u32; 3]) -> Self {
        Self(extents)
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        match (y, z) {
            (1, 1) => write!(f, "{x}"),
            (_, 1) => write!(f, "({x}, {y})"),
            _ => write!(f, "({x}, {y}, {z})"),
        }
    }
}

impl Dim {
    /// How many there are in all.
    pub const fn count(self) -> u64 {
        let [x, y, z] = self.0;
        (x as u64).saturating_mul(y as u64).saturating_mul(z as u64)
    }
}

/// How the blocks of clusters are spread over the multiprocessors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClusterScheduling {
    /// The blocks of a cluster on as many multiprocessors as there are.
    Spread = 1,
    /// As the hardware balances the load.
    LoadBalancing = 2,
}

/// Which of the stream's two domains the memory operations of a launch are in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemorySyncDomain {
    /// The default one.
    Default = 0,
    /// That of work which is read by other devices.
    Remote = 1,
}

/// What the L2 cache does with the accesses to a window of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessProperty {
    /// As ever.
    Normal = 0,
    /// Not to be kept.
    Streaming = 1,
    /// To be kept.
    Persisting = 2,
}

/// A window of global memory that the L2 cache treats in another way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AccessPolicyWindow {
    /// The first byte's address.
    pub address: u64,
    /// The bytes.
    pub bytes: usize,
    /// The share of accesses that are treated as `hit` says, 0.0 to 1.0; the others as `miss` says.
    pub hit_ratio: f32,
    /// What becomes of that share.
    pub hit: AccessProperty,
    /// What becomes of the others; not `Persisting`.
    pub miss: AccessProperty,
}

/// What was said of a launch beyond its shape.
#[derive(Clone, Copy, Default)]
pub(super) struct Said<'k> {
    pub(super) scheduling: Option<ClusterScheduling>,
    pub(super) cooperative: bool,
    pub(super) programmatic_serialization: bool,
    pub(super) programmatic_event: Option<(&'k CudaEvent, bool)>,
    pub(super) completion_event: Option<&'k CudaEvent>,
    pub(super) priority: Option<i32>,
    pub(super) domain: Option<MemorySyncDomain>,
    pub(super) domain_map: Option<(u8, u8)>,
    pub(super) window: Option<AccessPolicyWindow>,
    pub(super) carveout: Option<u32>,
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
    pub fn grid(mut self, blocks: impl Into<Dim>) -> Self
    where
        K: NeedsGrid,
    {
        self.plan.grid = Some(blocks.into());
        self
    }

    /// The threads of a block in each dimension; `reqntid` in the declaration says it once and for all.
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

/// What was said of a launch, with what is known of its kernel.
#[derive(Clone, Copy)]
pub(super) struct Plan<'k> {
    facts: &'k Facts,
    grid: Option<Dim>,
    block: Option<Dim>,
    cluster: Option<Dim>,
    dynamic: Option<usize>,
    said: Said<'k>,
}

impl Plan<'_> {
    fn resources(&self) -> Result<Resources, Reason> {
        let facts = self.facts;
        facts.module.context.bind_to_thread().map_err(Reason::Driver)?;
        let block = match (facts.block, self.block) {
            (Extent::Free | Extent::Said { .. } | Extent::AtMost(_), None) => None,
            _ => Some(self.block()?),
        };
        let is_open = facts.dynamic.is_some_and(|dynamic| dynamic.slice.is_some());
        let dynamic =
            if is_open && self.dynamic.is_none() { None } else { Some(self.dynamic_bytes()?) };
        let mut resources = Resources::of(facts, block, dynamic);
        let (Some(block), Some(dynamic)) = (block, dynamic) else { return Ok(resources) };
        resources.blocks_per_multiprocessor = blocks_at_once(facts, block, dynamic);
        let cluster = match (facts.cluster, self.cluster) {
            (Extent::Free | Extent::Said { .. } | Extent::AtMost(_), None) => None,
            _ => self.cluster(None)?,
        };
        if let Some(cluster) = cluster {
            resources.cluster = Some(cluster);
            if cluster.count() > u64::from(PORTABLE_CLUSTER) {
                facts.allow_large_clusters().map_err(Reason::Refused)?;
            }
            resources.clusters = self.clusters_at_once(cluster, block, dynamic);
        }
        Ok(resources)
    }

    /// The threads of a block.
    fn block(&self) -> Result<Dim, Reason> {
        let facts = self.facts;
        let limits = &facts.module.limits;
        let block = match (facts.block, self.block) {
            (Extent::Exactly(exact), None) => Dim(exact),
            (Extent::Exactly(exact), Some(given)) => {
                if given.0 != exact {
                    return Err(Reason::OtherBlock { given, required: Dim(exact) });
                }
                given
            }
            (Extent::AtMost(most), None) => return Err(Reason::NoBlock { most: Some(most) }),
            (Extent::Free | Extent::Said { .. }, None) => {
                return Err(Reason::NoBlock { most: None });
            }
            (Extent::AtMost(most), Some(given)) => {
                if given.count() > u64::from(most) {
                    return Err(Reason::BlockTooLarge { given, most, declared: true });
                }
                given
            }
            (Extent::Free | Extent::Said { .. }, Some(given)) => given,
        };
        within("block", block, limits.block)?;
        if block.count() > u64::from(limits.threads) {
            return Err(Reason::BlockTooLarge {
                given: block,
                most: limits.threads,
                declared: false,
            });
        }
        Ok(block)
    }

    /// The blocks of a cluster, where there is one.
    fn cluster(&self, grid: Option<Dim>) -> Result<Option<Dim>, Reason> {
        let facts = self.facts;
        let cluster = match (facts.cluster, self.cluster) {
            (Extent::Free | Extent::AtMost(_), None) => return Ok(None),
            (Extent::Said { .. }, None) => return Err(Reason::NoCluster),
            (Extent::Exactly(exact), None) => Dim(exact),
            (Extent::Exactly(exact), Some(given)) => {
                if given.0 != exact {
                    return Err(Reason::OtherCluster { given, required: Dim(exact) });
                }
                given
            }
            (Extent::AtMost(most) | Extent::Said { most: Some(most) }, Some(given))
                if given.count() > u64::from(most) =>
            {
                return Err(Reason::ClusterTooLarge { given, most });
            }
            (Extent::Free | Extent::Said { .. } | Extent::AtMost(_), Some(given)) => given,
        };
        if !facts.module.limits.has_clusters {
            return Err(Reason::NoClusters);
        }
        if cluster.count() == 0 {
            return Err(Reason::Zero { what: "cluster", given: cluster });
        }
        if let Some(grid) = grid {
            let whole = |n: usize| grid.0[n].is_multiple_of(cluster.0[n]);
            if !(whole(0) && whole(1) && whole(2)) {
                return Err(Reason::NotWholeClusters { grid, cluster });
            }
        }
        Ok(Some(cluster))
    }

    /// The bytes of dynamic shared memory.
    fn dynamic_bytes(&self) -> Result<usize, Reason> {
        let facts = self.facts;
        let Some(dynamic) = facts.dynamic else { return Ok(0) };
        let bytes = match (dynamic.slice, self.dynamic) {
            (None, _) => return Ok(dynamic.sized),
            (Some((slice, _)), None) => return Err(Reason::NoLength { slice }),
            (Some((_, each)), Some(len)) => len.saturating_mul(each).max(dynamic.sized),
        };
        let limit = facts.module.limits.shared;
        if bytes > limit.saturating_sub(facts.static_shared) {
            let statically = facts.static_shared;
            return Err(Reason::SharedMemory { statically, dynamic: bytes, limit });
        }
        Ok(bytes)
    }

    /// How many clusters the device holds at once.
    fn clusters_at_once(&self, cluster: Dim, block: Dim, dynamic: usize) -> Option<u32> {
        let call = calls::max_clusters().ok()?;
        let attributes = [cluster_attribute(cluster)];
        let config = LaunchConfig {
            grid: cluster.0,
            block: block.0,
            dynamic_shared: u32::try_from(dynamic).ok()?,
            stream: core::ptr::null_mut(),
            attributes: attributes.as_ptr(),
            count: 1,
        };
        let mut clusters = 0;
        // SAFETY: the function is of a loaded module, and the configuration has as many attributes as it
        // says; one number is written.
        let code = unsafe { call(&raw mut clusters, self.facts.function, &raw const config) };
        u32::try_from(clusters).ok().filter(|_| code == 0)
    }
}

/// How many blocks a multiprocessor holds at once.
fn blocks_at_once(facts: &Facts, block: Dim, dynamic: usize) -> Option<u32> {
    let call = calls::max_blocks().ok()?;
    let threads = int(usize::try_from(block.count()).ok()?);
    let mut blocks = 0;
    // SAFETY: the function is of a loaded module; one number is written.
    let code = unsafe { call(&raw mut blocks, facts.function, threads, dynamic) };
    u32::try_from(blocks).ok().filter(|_| code == 0)
}

/// Refuses a stream that is being captured: safe code cannot know what the graph will need when it runs.
fn not_capturing(stream: &CudaStream) -> Result<(), Reason> {
    use cudarc::driver::sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;

    match stream.capture_status() {
        Ok(CU_STREAM_CAPTURE_STATUS_NONE) => Ok(()),
        Ok(_) => Err(Reason::Captured),
        Err(error) => Err(Reason::Driver(error)),
    }
}

/// Whether two handles are of one context.
#[inline]
pub(super) fn is_same(one: &Arc<CudaContext>, other: &Arc<CudaContext>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

/// Whether extents are neither zero nor more than the device has.
fn within(what: &'static str, given: Dim, limit: [u32; 3]) -> Result<(), Reason> {
    if given.count() == 0 {
        return Err(Reason::Zero { what, given });
    }
    if given.0.iter().zip(&limit).any(|(extent, most)| extent > most) {
        return Err(Reason::TooLarge { what, given, limit: Dim(limit) });
    }
    Ok(())
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
    pub fn launch<A: Arguments<K>>(
        &self,
        stream: &CudaStream,
        mut arguments: A,
    ) -> Result<(), LaunchError> {
        arguments.__launch(&Prepared { plan: &self.plan, stream, is_vouched: true })
    }
}

/// What a launch comes out as.
struct Shape {
    grid: Dim,
    block: Dim,
    cluster: Option<Dim>,
    dynamic: usize,
}

/// A launch with its stream, which binds its arguments.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Prepared<'a> {
    plan: &'a Plan<'a>,
    stream: &'a CudaStream,
    /// Whether safe code launches it, on the word of the kernel's author.
    is_vouched: bool,
}

impl fmt::Debug for Prepared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prepared({})", self.plan.facts.ir.name)
    }
}

impl<'a> Prepared<'a> {
    /// The stream.
    pub(super) fn stream(&self) -> &'a CudaStream {
        self.stream
    }

    /// Whether the kernel's author vouches for the launch.
    #[inline]
    pub(super) const fn is_vouched(&self) -> bool {
        self.is_vouched
    }

    /// A parameter by its number.
    pub(super) fn param(&self, index: usize) -> &'static Param<'static> {
        &self.plan.facts.ir.params[index]
    }

    /// An error of this launch.
    pub(super) fn error(&self, reason: Reason) -> LaunchError {
        LaunchError::new(self.plan.facts.ir.name, reason)
    }

    /// Compares the stream's context with the module's, and makes it current: before arguments are
    /// bound.
    ///
    /// # Errors
    /// They differ, or the context cannot be used.
    #[inline]
    pub fn start(&self) -> Result<(), LaunchError> {
        let context = &self.plan.facts.module.context;
        if self.is_vouched {
            not_capturing(self.stream).map_err(|reason| self.error(reason))?;
        }
        if !is_same(self.stream.context(), context) {
            return Err(self.error(Reason::OtherContext { what: "the stream" }));
        }
        context.bind_to_thread().map_err(|error| self.error(Reason::Driver(error)))
    }

    /// A condition of the contract that does not hold: its text, and the values in it.
    #[cold]
    pub fn broken(
        &self,
        condition: &'static str,
        values: &[(&'static str, &dyn fmt::Display)],
    ) -> LaunchError {
        self.error(Reason::Contract(Broken::new(condition, values)))
    }

    /// Launches, with the grid of the contract if there is one, and an address for each argument.
    ///
    /// # Safety
    /// There are as many addresses as parameters, each of a value of its parameter's size.
    ///
    /// # Errors
    /// The shape or the attributes cannot be, or the driver refuses.
    #[inline]
    pub unsafe fn submit(
        &self,
        grid: Option<[Count; 3]>,
        params: &mut [*mut c_void],
    ) -> Result<(), LaunchError> {
        self.try_submit(grid, params).map_err(|reason| self.error(reason))
    }

    fn try_submit(
        &self,
        contract: Option<[Count; 3]>,
        params: &mut [*mut c_void],
    ) -> Result<(), Reason> {
        let plan = self.plan;
        let facts = plan.facts;
        let limits = &facts.module.limits;
        let grid = match contract {
            Some(counts) => {
                let extent = |count: Count| count.to_u32().ok_or(Reason::Grid { counts });
                Dim([extent(counts[0])?, extent(counts[1])?, extent(counts[2])?])
            }
            None => plan.grid.ok_or(Reason::NoGrid)?,
        };
        let block = plan.block()?;
        let dynamic = plan.dynamic_bytes()?;
        if contract.is_some() && grid.count() == 0 {
            return Ok(());
        }
        within("grid", grid, limits.grid)?;
        let cluster = plan.cluster(Some(grid))?;
        // Work that could not be ordered was noted when the arguments were bound.
        let context = &facts.module.context;
        if context.is_managing_stream_synchronization() {
            context.check_err().map_err(Reason::Driver)?;
        }
        let stream = self.stream.cu_stream().cast::<c_void>();
        let bytes = u32::try_from(dynamic).unwrap_or(u32::MAX);
        let params = params.as_mut_ptr();
        let refused = if plan.cluster.is_none() && plan.said.is_empty() {
            let launch = facts.launch?;
            let ([x, y, z], [block_x, block_y, block_z]) = (grid.0, block.0);
            let none = core::ptr::null_mut();
            // SAFETY: the function is of a loaded module, the stream of its context; each parameter has
            // an address, whose value lives until the call returns.
            let code = unsafe {
                launch(
                    facts.function,
                    x,
                    y,
                    z,
                    block_x,
                    block_y,
                    block_z,
                    bytes,
                    stream,
                    params,
                    none,
                )
            };
            Refusal::of(Call::LaunchKernel, code)
        } else {
            let shape = Shape { grid, block, cluster, dynamic };
            self.launch_with_attributes(shape, bytes, stream, params)?
        };
        refused.map_err(|refusal| self.explain(refusal, Shape { grid, block, cluster, dynamic }))
    }

    /// As `cuLaunchKernelEx` has it.
    fn launch_with_attributes(
        &self,
        Shape { grid, block, cluster, dynamic }: Shape,
        bytes: u32,
        stream: *mut c_void,
        params: *mut *mut c_void,
    ) -> Result<Result<(), Refusal>, Reason> {
        let plan = self.plan;
        let facts = plan.facts;
        let launch = facts.launch_ex?;
        let mut attributes = Attributes::default();
        // A cluster that is declared is not said again.
        if let Some(cluster) = plan.cluster.and(cluster)
            && !matches!(facts.cluster, Extent::Exactly(_))
        {
            if cluster.count() > u64::from(PORTABLE_CLUSTER) {
                facts.allow_large_clusters().map_err(Reason::Refused)?;
            }
            attributes.push(cluster_attribute(cluster));
        }
        if plan.said.cooperative {
            self.fits_at_once(grid, block, dynamic)?;
        }
        plan.said.push(&mut attributes, &facts.module.limits)?;
        let (attributes, count) = attributes.as_raw();
        let (grid, block) = (grid.0, block.0);
        let config = LaunchConfig { grid, block, dynamic_shared: bytes, stream, attributes, count };
        // SAFETY: as in `try_submit`; there are as many attributes as the configuration says.
        let code =
            unsafe { launch(&raw const config, facts.function, params, core::ptr::null_mut()) };
        Ok(Refusal::of(Call::LaunchKernelEx, code))
    }

    /// Compares a cooperative grid with what the device holds at once.
    fn fits_at_once(&self, grid: Dim, block: Dim, dynamic: usize) -> Result<(), Reason> {
        let limits = &self.plan.facts.module.limits;
        if !limits.has_cooperative {
            return Err(Reason::NoCooperative);
        }
        let Some(each) = blocks_at_once(self.plan.facts, block, dynamic) else { return Ok(()) };
        let most = u64::from(each) * u64::from(limits.multiprocessors);
        if grid.count() > most {
            return Err(Reason::DoesNotFit { grid, each, multiprocessors: limits.multiprocessors });
        }
        Ok(())
    }

    /// Why the driver does not launch.
    #[cold]
    fn explain(&self, refusal: Refusal, Shape { grid, block, cluster, dynamic }: Shape) -> Reason {
        if let Some(cluster) = cluster
            && self.plan.clusters_at_once(cluster, block, dynamic).is_none_or(|count| count == 0)
        {
            return Reason::ClusterDoesNotFit { cluster, block, dynamic, refusal };
        }
        Reason::NotLaunched { grid, block, dynamic, refusal }
    }
}
