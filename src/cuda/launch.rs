//! Launches, and the kernels that they run.

use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use super::facts::{
    Facts, Given, HasBlock, HasCluster, HasDynamic, HasGrid, KernelType, NeedsBlock, NeedsCluster,
    NeedsDynamic, NeedsGrid, Unvouched, Vouched,
};
use super::fits::Arguments;
use super::graph::{Graph, LastingArguments, Node, NodeOf, Scope, add_kernel, replace_kernel};
use super::launch_error::{LaunchError, Reason};
use super::plan::Plan;
use super::prepared::Prepared;
use super::resources::{Resources, SuggestedBlock};
use super::shape::{Extents, Settings};

/// A kernel of a loaded module. It keeps the module loaded; cloning it is cheap.
///
/// `blur.rows()` is its [`Launch`]; [`Launch::kernel`] is the kernel itself, to keep or to send to
/// another thread, and [`configure`](Self::configure) leads back.
///
/// The type of the kernel `scale_rows` of the module `scale` is `scale::kernels::ScaleRows`: a module has a module `kernels`
/// with such a name for each of its kernels, unless something else in it is called `kernels`.
///
/// ```no_run
/// use ptx::cuda::{context, load};
/// use ptx::prelude::*;
///
/// #[ptx::module(target = sm_80)]
/// pub mod scale {
///     use super::*;
///
///     #[kernel(reqntid = 128, grid = n.div_ceil(128))]
///     pub fn scale(data: Ptr<Global, f32>, n: u32) {
///         ptx! { ret; }
///     }
/// }
///
/// struct Scaler {
///     kernel: scale::kernels::Scale,
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = context(0)?;
/// let scaler = Scaler { kernel: load::<scale::Loaded>(&context)?.scale().kernel() };
/// let stream = context.default_stream();
/// let mut data = stream.alloc_zeros::<f32>(1000)?;
/// unsafe { scaler.kernel.configure().launch(&stream, (&mut data, 1000))? };
/// # Ok(())
/// # }
/// ```
pub struct LoadedKernel<K, S = Unvouched> {
    facts: Arc<Facts>,
    of: PhantomData<fn() -> (K, S)>,
}

impl<K, S> LoadedKernel<K, S> {
    pub(super) fn new(facts: Facts) -> Self {
        Self { facts: Arc::new(facts), of: PhantomData }
    }

    /// A launch that has set what the declaration does.
    #[inline]
    pub fn configure(&self) -> Launch<'_, K, S, K::Grid, K::Block, K::Cluster, K::Dynamic>
    where
        K: KernelType,
    {
        Launch::of(self)
    }

    /// The kernel's name in PTX.
    pub fn name(&self) -> &'static str {
        self.facts.ir.name
    }

    /// The driver's handle, a `CUfunction`, for calls that this crate does not wrap. It is valid as long
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

/// A launch of a kernel, as configured so far: `blur.rows().grid(100).block(64)`.
///
/// The block comes from `reqntid` of the declaration, the cluster from `reqnctapercluster`, the grid from
/// `grid = ..`, dynamic shared memory from its type; only what the declaration leaves open is set here, and all of that has to
/// be: the types after the kernel's say of the grid, the block, the cluster and the dynamic shared memory whether they are
/// [`Given`] or [`Missing`](super::Missing).
/// It can be launched any number of times.
///
/// # Checked launches
///
/// [`checked`](Self::checked), or `PTX_CHECKED_LAUNCHES=1` in the environment when the module is loaded, makes a launch that
/// - waits for all work in the context before and after the kernel, one launch of the process at a time, so that a
///   [`Fault`](super::Fault) is of this launch;
/// - runs the kernel on copies of its buffers with a pad before and after each, as large as the buffer, but at least
///   4 KiB and at most 1 MiB. The pads are filled with NaN and compared afterwards;
/// - compares buffers of `#[readonly]` parameters with their copies, and copies all others back if nothing is wrong.
///   If something is, the buffers have the contents from before the launch, while variables of the module have changed.
///
/// It takes the memory of another copy of each buffer. It does not see accesses beyond the pads, reads outside of a buffer,
/// nor anything about memory of variables, maps, shared memory, [`RawPtr`](super::RawPtr) or pointers in structs; a
/// buffer that the kernel also has by one of these stays in its place, and is not checked. A kernel must not
/// keep the address of a buffer for a later launch. Launches in a stream that is being captured are not checked, and
/// `checked` refuses them. What other processes and other libraries run on the GPU is not waited for.
#[must_use = "nothing runs until it is launched"]
pub struct Launch<
    'k,
    K,
    S = Unvouched,
    Grid = Given,
    Block = Given,
    Cluster = Given,
    Dynamic = Given,
> {
    pub(super) facts: &'k Arc<Facts>,
    pub(super) plan: Plan<'k>,
    of: PhantomData<fn() -> (K, S)>,
    shape: PhantomData<fn() -> (Grid, Block)>,
    rest: PhantomData<fn() -> (Cluster, Dynamic)>,
}

impl<K, S, G, B, C, D> Clone for Launch<'_, K, S, G, B, C, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, S, G, B, C, D> Copy for Launch<'_, K, S, G, B, C, D> {}

impl<K, S, G, B, C, D> fmt::Debug for Launch<'_, K, S, G, B, C, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launch")
            .field("kernel", &self.name())
            .field("grid", &self.plan.grid)
            .field("block", &self.plan.block)
            .field("cluster", &self.plan.cluster)
            .field("dynamic", &self.plan.dynamic)
            .finish_non_exhaustive()
    }
}

impl<'k, K, S, G, B, C, D> Launch<'k, K, S, G, B, C, D> {
    #[inline]
    pub(super) fn of(kernel: &'k LoadedKernel<K, S>) -> Self {
        let settings = Settings::default();
        let facts = &kernel.facts;
        let plan = Plan {
            facts,
            grid: None,
            block: None,
            cluster: None,
            dynamic: None,
            settings,
            is_plain: true,
            is_checked: false,
            poisoned: &[],
        };
        Self { facts, plan, of: PhantomData, shape: PhantomData, rest: PhantomData }
    }

    pub(super) fn name(&self) -> &'static str {
        self.facts.ir.name
    }

    /// The same launch in another state.
    #[inline]
    fn into_state<S2, G2, B2, C2, D2>(self) -> Launch<'k, K, S2, G2, B2, C2, D2> {
        let Self { facts, plan, .. } = self;
        Launch { facts, plan, of: PhantomData, shape: PhantomData, rest: PhantomData }
    }

    /// The kernel, to keep or to send to another thread.
    pub fn kernel(&self) -> LoadedKernel<K, S> {
        LoadedKernel { facts: Arc::clone(self.facts), of: PhantomData }
    }

    /// Sets the blocks of the grid in each dimension.
    #[inline]
    pub fn grid(mut self, blocks: impl Extents) -> Launch<'k, K, S, Given, B, C, D>
    where
        K: KernelType<Grid: NeedsGrid>,
    {
        self.plan.grid = Some(blocks.into());
        self.into_state()
    }

    /// Sets the threads of a block in each dimension; `reqntid` in the declaration sets them once and for all.
    #[inline]
    pub fn block(mut self, threads: impl Extents) -> Launch<'k, K, S, G, Given, C, D>
    where
        K: KernelType<Block: NeedsBlock>,
    {
        self.plan.block = Some(threads.into());
        self.into_state()
    }

    /// Sets the blocks of a cluster in each dimension; `reqnctapercluster` in the declaration sets them once and
    /// for all. Not every device with clusters supports more than 8 blocks; the opt-in that they need is requested.
    pub fn cluster(mut self, blocks: impl Extents) -> Launch<'k, K, S, G, B, Given, D>
    where
        K: KernelType<DeclaredCluster: NeedsCluster>,
    {
        self.plan.is_plain = false;
        self.plan.cluster = Some(blocks.into());
        self.into_state()
    }

    /// Sets the number of elements of the slice in dynamic shared memory; if several slices share the memory, of the
    /// slice with the largest elements.
    #[inline]
    pub fn dynamic(mut self, len: usize) -> Launch<'k, K, S, G, B, C, Given>
    where
        K: KernelType<Dynamic: NeedsDynamic>,
    {
        self.plan.dynamic = Some(len);
        self.into_state()
    }

    /// The resources of the kernel: registers, spills, memory; and, if the block is known, how many blocks a
    /// multiprocessor holds at once, and how many clusters the device holds.
    ///
    /// # Errors
    /// The block, the cluster or the dynamic shared memory that was set is invalid.
    pub fn resources(&self) -> Result<Resources, LaunchError> {
        let context = &self.facts.module.context;
        let explain = |reason: Reason| LaunchError::new(self.name(), reason.explained(context));
        self.plan.resources().map_err(explain)
    }

    /// Suggests the number of threads of a block with which the most threads of this kernel run at once on a
    /// multiprocessor (`cuOccupancyMaxPotentialBlockSize`), at most `maxntid`.
    ///
    /// ```no_run
    /// # use ptx::prelude::*;
    /// # #[ptx::module(target = sm_80)]
    /// # mod fill {
    /// #     use super::*;
    /// #     #[kernel(maxntid = 512)]
    /// #     pub fn fill(data: Ptr<Global, f32>, n: u32) {
    /// #         ptx! { ret; }
    /// #     }
    /// # }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let context = ptx::cuda::context(0)?;
    /// # let stream = context.default_stream();
    /// # let fill = ptx::cuda::load::<fill::Loaded>(&context)?;
    /// # let (mut data, n) = (stream.alloc_zeros::<f32>(1000)?, 1000_u32);
    /// let block = fill.fill().suggest_block()?.threads;
    /// let launch = fill.fill().block(block).grid(n.div_ceil(block));
    /// unsafe { launch.launch(&stream, (&mut data, n))? };
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The dynamic shared memory is not set, or not available; or the driver refuses.
    pub fn suggest_block(&self) -> Result<SuggestedBlock, LaunchError>
    where
        K: KernelType<Block: NeedsBlock>,
    {
        self.plan.suggested_block().map_err(|reason| LaunchError::new(self.name(), reason))
    }
}

impl<K, G, B, C, D> Launch<'_, K, Unvouched, G, B, C, D> {
    /// Lets the kernel start before the previous one in the stream has ended: the kernel itself waits, with
    /// `griddepcontrol.wait`, before it reads what the previous one writes.
    pub fn programmatic_stream_serialization(mut self) -> Self {
        self.plan.set().programmatic_serialization = true;
        self
    }

    /// Launches the kernel on the stream and returns at once. The arguments are a tuple with one for each
    /// parameter, `(&mut buffer, n)`, for one parameter `(n,)`. Everything that can be checked is
    /// checked before anything runs.
    ///
    /// # Safety
    /// The caller guarantees what cannot be checked here:
    /// - the kernel, with this grid and these arguments, accesses nothing outside the buffers and
    ///   variables that it is given, and nothing that it or the host does not own at that time;
    /// - a buffer under a `#[readonly]` parameter, or behind a map that only [loads](super::Loads), is not
    ///   written, also not by addresses that the kernel has from elsewhere;
    /// - threads of the kernel do not race with each other, nor with other work on the module's variables,
    ///   which are not ordered between streams;
    /// - it terminates;
    /// - in a stream that is being captured, what it is given, and its module, live as long as the graph.
    ///
    /// # Errors
    /// The shape or the attributes are invalid, an argument does not fit, the contract of the declaration
    /// does not hold, or the driver refuses; nothing runs then.
    #[inline]
    pub unsafe fn launch<A: Arguments<K>>(
        &self,
        stream: &CudaStream,
        mut arguments: A,
    ) -> Result<(), LaunchError>
    where
        K: KernelType,
        G: HasGrid,
        B: HasBlock,
        C: HasCluster,
        D: HasDynamic,
    {
        arguments.__launch(&Prepared {
            plan: &self.plan,
            stream,
            is_vouched: false,
            recorder: None,
        })
    }
}

impl<'k, K, G, B, C, D> Launch<'k, K, Vouched, G, B, C, D> {
    /// The same launch without the guarantee of the kernel's author: it is `unsafe`, and takes a stream that is being
    /// captured into a graph, whose nodes run when Rust's borrows of their arguments may have ended.
    pub fn unvouched(self) -> Launch<'k, K, Unvouched, G, B, C, D> {
        self.into_state()
    }

    /// Lets the kernel start before the previous one in the stream has ended.
    ///
    /// # Safety
    /// The kernel itself waits, with `griddepcontrol.wait`, before it reads what the previous one writes, and before
    /// it writes what the previous one reads: its declaration does not state this.
    pub unsafe fn programmatic_stream_serialization(mut self) -> Self {
        self.plan.set().programmatic_serialization = true;
        self
    }

    /// Launches the kernel on the stream and returns at once. The arguments are a tuple with one for each
    /// parameter, `(&mut buffer, n)`, for one parameter `(n,)`. Everything that can be checked is
    /// checked before anything runs.
    ///
    /// It is safe because the declaration of the kernel vouches for it: `unsafe(safe_launch)`. A map that
    /// only [loads](super::Loads) is then accepted for `#[readonly]` parameters alone.
    ///
    /// # Errors
    /// The shape or the attributes are invalid, an argument does not fit, the contract of the declaration
    /// does not hold, or the driver refuses; nothing runs then.
    #[inline]
    pub fn launch<A: Arguments<K>>(
        &self,
        stream: &CudaStream,
        mut arguments: A,
    ) -> Result<(), LaunchError>
    where
        K: KernelType,
        G: HasGrid,
        B: HasBlock,
        C: HasCluster,
        D: HasDynamic,
    {
        arguments.__launch(&Prepared { plan: &self.plan, stream, is_vouched: true, recorder: None })
    }
}

// Here, so that messages name `Launch::capture` and no module.
impl<K: KernelType, G: HasGrid, B: HasBlock, C: HasCluster, D: HasDynamic>
    Launch<'_, K, Vouched, G, B, C, D>
{
    /// Adds the launch to a graph, after what was added before. The arguments are those of
    /// [`launch`](Self::launch), with buffers that are bound to the graph.
    ///
    /// If the grid that follows from the arguments has no blocks, the node does not run until it is updated.
    ///
    /// # Errors
    /// The shape or the attributes are invalid, an argument does not fit or is bound to another graph, the contract of
    /// the declaration does not hold, or the driver refuses; nothing is added then.
    pub fn capture<A: Arguments<K> + LastingArguments<K>>(
        &self,
        scope: &mut Scope<'_>,
        mut arguments: A,
    ) -> Result<Node<K>, LaunchError> {
        add_kernel(&self.plan, scope, &mut arguments, true)
    }

    /// Replaces the arguments and the shape of a node. Launches of the graph that were submitted before keep theirs.
    ///
    /// # Errors
    /// The same as [`capture`](Self::capture); the node belongs to another graph, to the body of a condition or, as an
    /// [`AnyNode`](super::AnyNode), to another kernel; or the
    /// launch has attributes or another cluster, which a node keeps. The node stays as it was then.
    pub fn update<A: Arguments<K> + LastingArguments<K>>(
        &self,
        graph: &mut Graph<'_>,
        node: &impl NodeOf<K>,
        mut arguments: A,
    ) -> Result<(), LaunchError> {
        replace_kernel(&self.plan, graph, node, &mut arguments, true)
    }
}

impl<K: KernelType, G: HasGrid, B: HasBlock, C: HasCluster, D: HasDynamic>
    Launch<'_, K, Unvouched, G, B, C, D>
{
    /// Adds the launch to a graph, after what was added before. The arguments are those of
    /// [`launch`](Self::launch), with buffers that are bound to the graph.
    ///
    /// If the grid that follows from the arguments has no blocks, the node does not run until it is updated.
    ///
    /// # Safety
    /// The same as for [`launch`](Self::launch), at each launch of the graph: addresses and maps that the graph does not
    /// keep have to be valid as long as it exists.
    ///
    /// # Errors
    /// The shape or the attributes are invalid, an argument does not fit or is bound to another graph, the contract of
    /// the declaration does not hold, or the driver refuses; nothing is added then.
    pub unsafe fn capture<A: Arguments<K> + LastingArguments<K>>(
        &self,
        scope: &mut Scope<'_>,
        mut arguments: A,
    ) -> Result<Node<K>, LaunchError> {
        add_kernel(&self.plan, scope, &mut arguments, false)
    }

    /// Replaces the arguments and the shape of a node. Launches of the graph that were submitted before keep theirs.
    ///
    /// # Safety
    /// The same as for [`capture`](Self::capture).
    ///
    /// # Errors
    /// The same as [`capture`](Self::capture); the node belongs to another graph, to the body of a condition or, as an
    /// [`AnyNode`](super::AnyNode), to another kernel; or the
    /// launch has attributes or another cluster, which a node keeps. The node stays as it was then.
    pub unsafe fn update<A: Arguments<K> + LastingArguments<K>>(
        &self,
        graph: &mut Graph<'_>,
        node: &impl NodeOf<K>,
        mut arguments: A,
    ) -> Result<(), LaunchError> {
        replace_kernel(&self.plan, graph, node, &mut arguments, false)
    }
}
