//! Graphs of the driver, and the nodes that launches become.

use core::cell::Cell;
use core::ffi::c_void;
use core::sync::atomic::{AtomicU64, Ordering};

use cudarc::driver::CudaContext;
use cudarc::driver::sys::{CUDA_MEMCPY3D, CUmemorytype};

use super::calls::{
    self, Call, CallError, EdgeData, ExecutableHandle, GraphHandle, GraphLaunch, KernelNodeParams,
    LaunchAttribute, MemsetNodeParams, NodeHandle,
};
use super::launch_error::Reason;
use super::refusal::Refusal;
use super::shape::Dim;

/// The number of a graph: what is bound to one does not fit another. 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GraphNumber(u64);

impl GraphNumber {
    /// What is bound to no graph.
    pub(super) const NONE: Self = Self(0);

    /// A number that no other graph of this process has.
    pub(super) fn next() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// Why a call of the driver failed.
#[derive(Clone, Copy)]
pub(super) enum Failure {
    Call(CallError),
    Refused(Refusal),
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Self::Call(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Failure> for Reason {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Call(error) => Self::Call(error),
            Failure::Refused(refusal) => Self::Refused(refusal),
        }
    }
}

/// A graph of the driver, which is freed when this is dropped.
#[derive(Debug)]
pub(super) struct OwnedGraph(GraphHandle);

// SAFETY: the handle belongs to the driver; any thread may use it, one at a time, and only `&mut` references to what
// owns this reach it.
unsafe impl Send for OwnedGraph {}
// SAFETY: as above.
unsafe impl Sync for OwnedGraph {}

impl OwnedGraph {
    pub(super) fn new() -> Result<Self, Failure> {
        let mut graph = core::ptr::null_mut();
        // SAFETY: a handle is written.
        let code = unsafe { calls::graph_create()?(&raw mut graph, 0) };
        Refusal::of(Call::GraphCreate, code)?;
        Ok(Self(graph))
    }

    pub(super) fn handle(&self) -> GraphHandle {
        self.0
    }

    /// The graph as it can be launched.
    pub(super) fn instantiate(&mut self) -> Result<Executable, Failure> {
        let mut executable = core::ptr::null_mut();
        // SAFETY: the graph is alive; a handle is written.
        let code = unsafe { calls::graph_instantiate()?(&raw mut executable, self.0, 0) };
        Refusal::of(Call::GraphInstantiate, code)?;
        Ok(Executable { handle: executable, launch: calls::graph_launch() })
    }
}

impl Drop for OwnedGraph {
    fn drop(&mut self) {
        if let Ok(destroy) = calls::graph_destroy() {
            // SAFETY: the graph is alive, and nothing uses it any more.
            let _ = unsafe { destroy(self.0) };
        }
    }
}

/// A graph that can be launched. If it is dropped while it runs, the driver frees it when it has ended.
#[derive(Debug)]
pub(super) struct Executable {
    handle: ExecutableHandle,
    launch: Result<GraphLaunch, CallError>,
}

// SAFETY: as for `OwnedGraph`.
unsafe impl Send for Executable {}
// SAFETY: as above.
unsafe impl Sync for Executable {}

impl Executable {
    /// Launches it in a stream of its context, which is current.
    pub(super) fn launch(&mut self, stream: *mut c_void) -> Result<(), Failure> {
        // SAFETY: both handles are alive.
        let code = unsafe { self.launch?(self.handle, stream) };
        Ok(Refusal::of(Call::GraphLaunch, code)?)
    }

    /// Copies what it needs to the device, so that the first launch is as fast as the others.
    pub(super) fn upload(&mut self, stream: *mut c_void) -> Result<(), Failure> {
        // SAFETY: both handles are alive.
        let code = unsafe { calls::graph_upload()?(self.handle, stream) };
        Ok(Refusal::of(Call::GraphUpload, code)?)
    }

    /// Keeps a node from running in later launches.
    pub(super) fn disable(&mut self, node: &KernelNode) -> Result<(), Failure> {
        // SAFETY: it is one of the nodes of the graph that this was made from.
        unsafe { enable(self.handle, node.node, false) }
    }

    pub(super) fn handle(&mut self) -> ExecutableHandle {
        self.handle
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        if let Ok(destroy) = calls::graph_exec_destroy() {
            // SAFETY: it is alive; the driver frees it after the launches that still run.
            let _ = unsafe { destroy(self.handle) };
        }
    }
}

/// Says whether a node runs in later launches.
///
/// # Safety
/// The node is one of the graph that the executable was made from.
unsafe fn enable(
    executable: ExecutableHandle,
    node: NodeHandle,
    is_enabled: bool,
) -> Result<(), Failure> {
    // SAFETY: the caller's.
    let code = unsafe { calls::graph_enable()?(executable, node, u32::from(is_enabled)) };
    Ok(Refusal::of(Call::GraphNodeSetEnabled, code)?)
}

/// A node that others can follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    pub(super) node: NodeHandle,
    /// Only a kernel can let the next one start early.
    pub(super) is_kernel: bool,
}

/// Where the next node goes: a graph, and the node that it follows.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) graph: GraphHandle,
    pub(super) last: Option<Last>,
}

// SAFETY: as for `OwnedGraph`, of which these are parts.
unsafe impl Send for End {}
// SAFETY: as above.
unsafe impl Sync for End {}

/// Memory that a node copies.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Device(u64),
    Host(*mut c_void),
}

impl End {
    pub(super) fn dependencies(last: Option<&Last>) -> (*const NodeHandle, usize) {
        last.map_or((core::ptr::null(), 0), |last| (&raw const last.node, 1))
    }

    /// Adds a copy of some bytes.
    ///
    /// # Safety
    /// Both places have as many bytes, and keep them as long as the graph can run.
    pub(super) unsafe fn copy(
        &mut self,
        from: Place,
        to: Place,
        bytes: usize,
        context: &CudaContext,
    ) -> Result<(), Failure> {
        let (from_kind, from_host, from_device) = split(from);
        let (to_kind, to_host, to_device) = split(to);
        let copy = CUDA_MEMCPY3D {
            srcXInBytes: 0,
            srcY: 0,
            srcZ: 0,
            srcLOD: 0,
            srcMemoryType: from_kind,
            srcHost: from_host,
            srcDevice: from_device,
            srcArray: core::ptr::null_mut(),
            reserved0: core::ptr::null_mut(),
            srcPitch: 0,
            srcHeight: 0,
            dstXInBytes: 0,
            dstY: 0,
            dstZ: 0,
            dstLOD: 0,
            dstMemoryType: to_kind,
            dstHost: to_host,
            dstDevice: to_device,
            dstArray: core::ptr::null_mut(),
            reserved1: core::ptr::null_mut(),
            dstPitch: 0,
            dstHeight: 0,
            WidthInBytes: bytes,
            Height: 1,
            Depth: 1,
        };
        let (dependencies, count) = Self::dependencies(self.last.as_ref());
        let mut node = core::ptr::null_mut();
        let add = calls::graph_add_copy()?;
        let context = context.cu_ctx().cast();
        // SAFETY: graph, node and context are alive; what is copied is guaranteed by the caller.
        let code = unsafe {
            add(&raw mut node, self.graph, dependencies, count, &raw const copy, context)
        };
        Refusal::of(Call::GraphAddMemcpyNode, code)?;
        self.last = Some(Last { node, is_kernel: false });
        Ok(())
    }
    /// Adds bytes that are set to zero.
    ///
    /// # Safety
    /// There are as many at the address, as long as the graph can run.
    pub(super) unsafe fn zero(
        &mut self,
        address: u64,
        bytes: usize,
        context: &CudaContext,
    ) -> Result<(), Failure> {
        let params = MemsetNodeParams {
            address,
            pitch: 0,
            value: 0,
            element_bytes: 1,
            width: bytes,
            height: 1,
        };
        let (dependencies, count) = Self::dependencies(self.last.as_ref());
        let mut node = core::ptr::null_mut();
        let add = calls::graph_add_set()?;
        let context = context.cu_ctx().cast();
        // SAFETY: graph, node and context are alive; what is set is guaranteed by the caller.
        let code = unsafe {
            add(&raw mut node, self.graph, dependencies, count, &raw const params, context)
        };
        Refusal::of(Call::GraphAddMemsetNode, code)?;
        self.last = Some(Last { node, is_kernel: false });
        Ok(())
    }

    /// Lets what follows wait for these nodes.
    ///
    /// # Safety
    /// They are nodes of the graph.
    pub(super) unsafe fn join(&mut self, nodes: &[NodeHandle]) -> Result<(), Failure> {
        let mut node = core::ptr::null_mut();
        let add = calls::graph_add_empty()?;
        // SAFETY: the graph is alive; the nodes are guaranteed by the caller.
        let code = unsafe { add(&raw mut node, self.graph, nodes.as_ptr(), nodes.len()) };
        Refusal::of(Call::GraphAddEmptyNode, code)?;
        self.last = Some(Last { node, is_kernel: false });
        Ok(())
    }
}

fn split(place: Place) -> (CUmemorytype, *mut c_void, u64) {
    match place {
        Place::Device(address) => {
            (CUmemorytype::CU_MEMORYTYPE_DEVICE, core::ptr::null_mut(), address)
        }
        Place::Host(pointer) => (CUmemorytype::CU_MEMORYTYPE_HOST, pointer, 0),
    }
}

/// A kernel's node.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelNode {
    pub(super) node: NodeHandle,
    /// The cluster stays as it was captured.
    pub(super) cluster: Option<Dim>,
    pub(super) is_cooperative: bool,
    /// A node without blocks does not run.
    pub(super) is_enabled: bool,
    /// Nodes of the body of a condition cannot be replaced.
    pub(super) is_conditional: bool,
}

// SAFETY: as for `OwnedGraph`, of which it is a part.
unsafe impl Send for KernelNode {}
// SAFETY: as above.
unsafe impl Sync for KernelNode {}

/// What a launch does instead of running.
#[derive(Clone, Copy, Debug)]
pub(super) enum Recording {
    /// It adds a node.
    Add(End),
    /// It replaces what a node launches.
    Replace(ExecutableHandle, KernelNode),
}

/// A launch for a graph instead of a stream: it takes the configured kernel, and hands back its node.
#[derive(Debug)]
pub(super) struct Recorder {
    pub(super) number: GraphNumber,
    recording: Recording,
    made: Cell<Option<KernelNode>>,
}

/// A kernel for a graph.
pub(super) struct Configured<'a> {
    pub(super) params: KernelNodeParams,
    pub(super) cluster: Option<Dim>,
    pub(super) attributes: &'a [LaunchAttribute],
    pub(super) is_cooperative: bool,
    /// Whether it may start before the kernel that it follows has ended.
    pub(super) starts_early: bool,
    /// Whether it has blocks.
    pub(super) is_enabled: bool,
}

impl Recorder {
    /// A recorder for one launch.
    ///
    /// # Safety
    /// The handles are alive as long as it is used, and nothing else uses them meanwhile.
    pub(super) unsafe fn new(number: GraphNumber, recording: Recording) -> Self {
        Self { number, recording, made: Cell::new(None) }
    }

    /// The node of the kernel that was launched.
    pub(super) fn made(&self) -> Option<KernelNode> {
        self.made.get()
    }

    /// The node that is replaced, whose attributes stay.
    pub(super) fn replaced(&self) -> Option<&KernelNode> {
        match &self.recording {
            Recording::Add(_) => None,
            Recording::Replace(_, node) => Some(node),
        }
    }

    /// Adds or replaces the node.
    ///
    /// # Safety
    /// The function belongs to a loaded module, and there is an address of a value for each of its parameters.
    pub(super) unsafe fn kernel(&self, kernel: &Configured<'_>) -> Result<(), Reason> {
        // SAFETY: the handles are alive, as `new` asks for; the rest is the caller's.
        let node = unsafe {
            match self.recording {
                Recording::Add(end) => add(end, kernel)?,
                Recording::Replace(executable, node) => replace(executable, node, kernel)?,
            }
        };
        self.made.set(Some(node));
        Ok(())
    }
}

/// Adds a kernel's node, if all of it can be added.
///
/// # Safety
/// The handles are alive; and what [`Recorder::kernel`] asks for.
unsafe fn add(end: End, kernel: &Configured<'_>) -> Result<KernelNode, Reason> {
    let (add, remove) = (calls::graph_add_kernel()?, calls::graph_remove()?);
    let starts_early = kernel.starts_early && end.last.is_some_and(|last| last.is_kernel);
    let ordered = if starts_early { None } else { end.last };
    let (dependencies, count) = End::dependencies(ordered.as_ref());
    let mut node = core::ptr::null_mut();
    // SAFETY: graph and dependencies are alive; the parameters are guaranteed by the caller.
    let code =
        unsafe { add(&raw mut node, end.graph, dependencies, count, &raw const kernel.params) };
    Refusal::of(Call::GraphAddKernelNode, code).map_err(Failure::from)?;
    // SAFETY: the node was just added to the graph.
    let completed = unsafe { complete(node, end, kernel, starts_early) };
    if let Err(failure) = completed {
        // SAFETY: the node is alive, and nothing depends on it.
        let _ = unsafe { remove(node) };
        return Err(failure.into());
    }
    Ok(KernelNode {
        node,
        cluster: kernel.cluster,
        is_cooperative: kernel.is_cooperative,
        is_enabled: kernel.is_enabled,
        is_conditional: false,
    })
}

/// Sets the attributes of a node, and lets it start early.
///
/// # Safety
/// The handles are alive.
unsafe fn complete(
    node: NodeHandle,
    end: End,
    kernel: &Configured<'_>,
    starts_early: bool,
) -> Result<(), Failure> {
    for attribute in kernel.attributes {
        let set = calls::graph_kernel_attribute()?;
        // SAFETY: the node is alive; the value has the 64 bytes of a `CUlaunchAttributeValue`.
        let code = unsafe { set(node, attribute.id, &raw const attribute.value) };
        Refusal::of(Call::GraphKernelNodeSetAttribute, code)?;
    }
    if let Some(last) = end.last.filter(|_| starts_early) {
        let depend = calls::graph_add_dependencies()?;
        // From the port "programmatic launch", of the kind "programmatic".
        let edge = EdgeData { from_port: 1, to_port: 0, kind: 1, reserved: [0; 5] };
        let from = &raw const last.node;
        // SAFETY: graph and nodes are alive; there is one of each.
        let code = unsafe { depend(end.graph, from, &raw const node, &raw const edge, 1) };
        Refusal::of(Call::GraphAddDependencies, code)?;
    }
    Ok(())
}

/// Replaces what a node launches.
///
/// # Safety
/// The handles are alive; and what [`Recorder::kernel`] asks for.
unsafe fn replace(
    executable: ExecutableHandle,
    mut node: KernelNode,
    kernel: &Configured<'_>,
) -> Result<KernelNode, Reason> {
    if node.is_conditional {
        return Err(Reason::InCondition);
    }
    if node.cluster != kernel.cluster {
        return Err(Reason::OtherCluster { captured: node.cluster, given: kernel.cluster });
    }
    if kernel.is_enabled {
        let set = calls::graph_set_kernel()?;
        // SAFETY: the node is one of the graph; the parameters are guaranteed by the caller.
        let code = unsafe { set(executable, node.node, &raw const kernel.params) };
        Refusal::of(Call::GraphExecKernelNodeSetParams, code).map_err(Failure::from)?;
    }
    if kernel.is_enabled != node.is_enabled {
        // SAFETY: the node is one of the graph.
        unsafe { enable(executable, node.node, kernel.is_enabled)? };
        node.is_enabled = kernel.is_enabled;
    }
    Ok(node)
}
