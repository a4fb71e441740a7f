//! The driver's calls, looked up by name in its library.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::fmt;
use std::sync::OnceLock;

use libloading::Library;
use ptx_types::tensor::Descriptor;
use ptx_types::{Release, Target};

/// Declares [`Call`] and the driver's library: for each call its name in the library, the first release of CUDA
/// whose drivers have it, and its type.
macro_rules! calls {
    ($($(#[$doc:meta])* $Name:ident $field:ident $symbol:literal since ($major:literal, $minor:literal): ($($arg:ident: $ty:ty),* $(,)?);)*) => {
        /// A call of the driver.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Call {
            $($(#[$doc])* $Name,)*
        }

        impl Call {
            /// The driver's name for it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Name => $symbol,)* }
            }

            /// The first release of CUDA whose drivers have it.
            pub const fn since(self) -> Release {
                match self { $(Self::$Name => Release::new($major, $minor),)* }
            }
        }

        $(pub(super) type $Name = unsafe extern "C" fn($($arg: $ty),*) -> u32;)*

        /// The functions that the driver's library exports.
        struct Driver {
            $($field: Option<$Name>,)*
            version: Option<DriverGetVersion>,
            device: Option<CtxGetDevice>,
            attribute: Option<DeviceGetAttribute>,
            error_name: Option<GetErrorText>,
            error_text: Option<GetErrorText>,
            /// Keeps the functions loaded.
            _library: Library,
        }

        impl Driver {
            /// The functions of the library.
            ///
            /// # Safety
            /// The library has to be the driver's.
            unsafe fn of(library: Library) -> Self {
                // SAFETY: the types are those that the driver's manual gives for these names.
                unsafe {
                    Self {
                        $($field: symbol(&library, $symbol),)*
                        version: symbol(&library, "cuDriverGetVersion"),
                        device: symbol(&library, "cuCtxGetDevice"),
                        attribute: symbol(&library, "cuDeviceGetAttribute"),
                        error_name: symbol(&library, "cuGetErrorName"),
                        error_text: symbol(&library, "cuGetErrorString"),
                        _library: library,
                    }
                }
            }
        }

        $(
            /// The call, or why it is missing.
            pub(super) fn $field() -> Result<$Name, CallError> {
                find(Call::$Name, |driver| driver.$field)
            }
        )*
    };
}

/// A function of a module: `CUfunction`.
pub(super) type FunctionHandle = *mut c_void;
/// A module: `CUmodule`.
pub(super) type ModuleHandle = *mut c_void;
/// A stream: `CUstream`.
pub(super) type StreamHandle = *mut c_void;
/// A link in progress: `CUlinkState`.
pub(super) type LinkHandle = *mut c_void;

/// A graph: `CUgraph`.
pub(super) type GraphHandle = *mut c_void;
/// A node of a graph: `CUgraphNode`.
pub(super) type NodeHandle = *mut c_void;
/// A graph that can be launched: `CUgraphExec`.
pub(super) type ExecutableHandle = *mut c_void;

/// `CUlaunchConfig`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct LaunchConfig {
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) dynamic_shared: u32,
    pub(super) stream: StreamHandle,
    pub(super) attributes: *const LaunchAttribute,
    pub(super) count: u32,
}

/// `CUlaunchAttribute`: a number, and its value in 64 bytes.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(super) struct LaunchAttribute {
    pub(super) id: u32,
    pub(super) padding: u32,
    pub(super) value: [u64; 8],
}

/// `CUDA_KERNEL_NODE_PARAMS_v1`.
#[repr(C)]
pub(super) struct KernelNodeParams {
    pub(super) function: FunctionHandle,
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) dynamic_shared: u32,
    pub(super) params: *mut *mut c_void,
    pub(super) extra: *mut *mut c_void,
}

/// `CUDA_MEMSET_NODE_PARAMS_v1`.
#[repr(C)]
pub(super) struct MemsetNodeParams {
    pub(super) address: u64,
    pub(super) pitch: usize,
    pub(super) value: u32,
    pub(super) element_bytes: u32,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// `CUgraphEdgeData`.
#[repr(C)]
pub(super) struct EdgeData {
    pub(super) from_port: u8,
    pub(super) to_port: u8,
    pub(super) kind: u8,
    pub(super) reserved: [u8; 5],
}

/// `CUgraphNodeParams` of a conditional node.
#[repr(C)]
pub(super) struct ConditionalNodeParams {
    pub(super) kind: u32,
    pub(super) reserved: [u32; 3],
    pub(super) condition: u64,
    pub(super) conditional: u32,
    pub(super) size: u32,
    /// Written by the driver: the graphs of the bodies.
    pub(super) bodies: *const GraphHandle,
    pub(super) context: *mut c_void,
    /// The union is larger.
    pub(super) padding: [u64; 26],
}

calls! {
    /// Encodes a map of the tiled modes.
    EncodeTiled tiled "cuTensorMapEncodeTiled" since (12, 0): (
        map: *mut Descriptor,
        element: u32,
        rank: u32,
        address: *mut c_void,
        dims: *const u64,
        strides: *const u64,
        box_dims: *const u32,
        element_strides: *const u32,
        interleave: u32,
        swizzle: u32,
        l2_promotion: u32,
        oob_fill: u32,
    );
    /// Encodes a map of the mode `im2col`.
    EncodeIm2col im2col "cuTensorMapEncodeIm2col" since (12, 0): (
        map: *mut Descriptor,
        element: u32,
        rank: u32,
        address: *mut c_void,
        dims: *const u64,
        strides: *const u64,
        lower: *const c_int,
        upper: *const c_int,
        channels_per_pixel: u32,
        pixels_per_column: u32,
        element_strides: *const u32,
        interleave: u32,
        swizzle: u32,
        l2_promotion: u32,
        oob_fill: u32,
    );
    /// Encodes a map of the modes `im2col::w` and `im2col::w::128`.
    EncodeIm2colWide wide "cuTensorMapEncodeIm2colWide" since (12, 8): (
        map: *mut Descriptor,
        element: u32,
        rank: u32,
        address: *mut c_void,
        dims: *const u64,
        strides: *const u64,
        lower: c_int,
        upper: c_int,
        channels_per_pixel: u32,
        pixels_per_column: u32,
        element_strides: *const u32,
        interleave: u32,
        wide_mode: u32,
        swizzle: u32,
        l2_promotion: u32,
        oob_fill: u32,
    );
    /// Replaces the address in a map.
    ReplaceAddress replace "cuTensorMapReplaceAddress" since (12, 0): (
        map: *mut Descriptor,
        address: *mut c_void,
    );
    /// Compiles PTX, and loads the result.
    ModuleLoadDataEx module_compile "cuModuleLoadDataEx" since (2, 1): (
        module: *mut ModuleHandle,
        image: *const c_void,
        count: u32,
        options: *mut u32,
        values: *mut *mut c_void,
    );
    /// Starts to compile and link PTX.
    LinkCreate link_create "cuLinkCreate_v2" since (6, 5): (
        count: u32,
        options: *mut u32,
        values: *mut *mut c_void,
        state: *mut LinkHandle,
    );
    /// Compiles PTX.
    LinkAddData link_add "cuLinkAddData_v2" since (6, 5): (
        state: LinkHandle,
        kind: u32,
        data: *mut c_void,
        size: usize,
        name: *const c_char,
        count: u32,
        options: *mut u32,
        values: *mut *mut c_void,
    );
    /// Produces a cubin from the compiled code.
    LinkComplete link_complete "cuLinkComplete" since (5, 5): (
        state: LinkHandle,
        cubin: *mut *mut c_void,
        size: *mut usize,
    );
    /// Frees the link state.
    LinkDestroy link_destroy "cuLinkDestroy" since (5, 5): (state: LinkHandle);
    /// Loads a cubin.
    ModuleLoadData module_load "cuModuleLoadData" since (2, 0): (
        module: *mut ModuleHandle,
        image: *const c_void,
    );
    /// Unloads a module.
    ModuleUnload module_unload "cuModuleUnload" since (2, 0): (module: ModuleHandle);
    /// Finds a kernel.
    ModuleGetFunction module_function "cuModuleGetFunction" since (2, 0): (
        function: *mut FunctionHandle,
        module: ModuleHandle,
        name: *const c_char,
    );
    /// Finds a variable.
    ModuleGetGlobal module_global "cuModuleGetGlobal_v2" since (3, 2): (
        address: *mut u64,
        bytes: *mut usize,
        module: ModuleHandle,
        name: *const c_char,
    );
    /// Returns an attribute of a kernel.
    FuncGetAttribute function_attribute "cuFuncGetAttribute" since (2, 2): (
        value: *mut c_int,
        attribute: u32,
        function: FunctionHandle,
    );
    /// Sets an attribute of a kernel.
    FuncSetAttribute set_function_attribute "cuFuncSetAttribute" since (9, 0): (
        function: FunctionHandle,
        attribute: u32,
        value: c_int,
    );
    /// Returns the offset and the size of a kernel's parameter.
    FuncGetParamInfo param_info "cuFuncGetParamInfo" since (12, 4): (
        function: FunctionHandle,
        index: usize,
        offset: *mut usize,
        size: *mut usize,
    );
    /// Returns the context that is current.
    CtxGetCurrent current "cuCtxGetCurrent" since (4, 0): (context: *mut *mut c_void);
    /// Says whether a stream is being captured.
    StreamIsCapturing is_capturing "cuStreamIsCapturing" since (10, 0): (
        stream: StreamHandle,
        status: *mut u32,
    );
    /// Returns a number of a stream that no other stream of the process has.
    StreamGetId stream_id "cuStreamGetId" since (12, 0): (
        stream: StreamHandle,
        id: *mut u64,
    );
    /// Launches a kernel.
    LaunchKernel launch "cuLaunchKernel" since (4, 0): (
        function: FunctionHandle,
        grid_x: u32,
        grid_y: u32,
        grid_z: u32,
        block_x: u32,
        block_y: u32,
        block_z: u32,
        dynamic_shared: u32,
        stream: StreamHandle,
        params: *mut *mut c_void,
        extra: *mut *mut c_void,
    );
    /// Launches a kernel with attributes: clusters and the like.
    LaunchKernelEx launch_ex "cuLaunchKernelEx" since (11, 8): (
        config: *const LaunchConfig,
        function: FunctionHandle,
        params: *mut *mut c_void,
        extra: *mut *mut c_void,
    );
    /// Returns the number of a context, which no other context of the process has.
    CtxGetId context_id "cuCtxGetId" since (12, 0): (context: *mut c_void, id: *mut u64);
    /// Returns how many blocks a multiprocessor holds.
    MaxActiveBlocks max_blocks "cuOccupancyMaxActiveBlocksPerMultiprocessor" since (6, 5): (
        blocks: *mut c_int,
        function: FunctionHandle,
        threads: c_int,
        dynamic_shared: usize,
    );
    /// Suggests a block with which the most threads run at once.
    SuggestBlock suggest_block "cuOccupancyMaxPotentialBlockSize" since (6, 5): (
        grid: *mut c_int,
        block: *mut c_int,
        function: FunctionHandle,
        dynamic_shared_of: Option<unsafe extern "C" fn(c_int) -> usize>,
        dynamic_shared: usize,
        limit: c_int,
    );
    /// Returns the device's address of pinned memory of the host.
    HostGetDevicePointer host_address "cuMemHostGetDevicePointer_v2" since (3, 2): (
        address: *mut u64,
        host: *mut c_void,
        flags: u32,
    );
    /// Returns what the driver knows of an address.
    PointerGetAttribute pointer_attribute "cuPointerGetAttribute" since (4, 0): (
        value: *mut c_void,
        attribute: u32,
        address: u64,
    );
    /// Returns how many clusters the device holds.
    MaxActiveClusters max_clusters "cuOccupancyMaxActiveClusters" since (11, 8): (
        clusters: *mut c_int,
        function: FunctionHandle,
        config: *const LaunchConfig,
    );
    /// Makes a graph without nodes.
    GraphCreate graph_create "cuGraphCreate" since (10, 0): (graph: *mut GraphHandle, flags: u32);
    /// Frees a graph.
    GraphDestroy graph_destroy "cuGraphDestroy" since (10, 0): (graph: GraphHandle);
    /// Adds a kernel to a graph.
    GraphAddKernelNode graph_add_kernel "cuGraphAddKernelNode" since (10, 0): (
        node: *mut NodeHandle,
        graph: GraphHandle,
        dependencies: *const NodeHandle,
        count: usize,
        params: *const KernelNodeParams,
    );
    /// Removes a node of a graph.
    GraphDestroyNode graph_remove "cuGraphDestroyNode" since (10, 0): (node: NodeHandle);
    /// Sets an attribute of a kernel in a graph.
    GraphKernelNodeSetAttribute graph_kernel_attribute "cuGraphKernelNodeSetAttribute" since (11, 0): (
        node: NodeHandle,
        attribute: u32,
        value: *const [u64; 8],
    );
    /// Adds a copy to a graph.
    GraphAddMemcpyNode graph_add_copy "cuGraphAddMemcpyNode" since (10, 0): (
        node: *mut NodeHandle,
        graph: GraphHandle,
        dependencies: *const NodeHandle,
        count: usize,
        copy: *const cudarc::driver::sys::CUDA_MEMCPY3D,
        context: *mut c_void,
    );
    /// Adds bytes that are set to a graph.
    GraphAddMemsetNode graph_add_set "cuGraphAddMemsetNode" since (10, 0): (
        node: *mut NodeHandle,
        graph: GraphHandle,
        dependencies: *const NodeHandle,
        count: usize,
        params: *const MemsetNodeParams,
        context: *mut c_void,
    );
    /// Adds a node that only waits to a graph.
    GraphAddEmptyNode graph_add_empty "cuGraphAddEmptyNode" since (10, 0): (
        node: *mut NodeHandle,
        graph: GraphHandle,
        dependencies: *const NodeHandle,
        count: usize,
    );
    /// Adds what is submitted to a stream to a graph.
    StreamBeginCaptureToGraph begin_capture "cuStreamBeginCaptureToGraph" since (12, 3): (
        stream: StreamHandle,
        graph: GraphHandle,
        dependencies: *const NodeHandle,
        edges: *const EdgeData,
        count: usize,
        mode: u32,
    );
    /// Returns the nodes that the next one in the stream depends on.
    StreamGetCaptureInfo capture_info "cuStreamGetCaptureInfo_v3" since (12, 3): (
        stream: StreamHandle,
        status: *mut u32,
        id: *mut u64,
        graph: *mut GraphHandle,
        dependencies: *mut *const NodeHandle,
        edges: *mut *const EdgeData,
        count: *mut usize,
    );
    /// Ends the capture of a stream.
    StreamEndCapture end_capture "cuStreamEndCapture" since (10, 0): (
        stream: StreamHandle,
        graph: *mut GraphHandle,
    );
    /// Adds dependencies between nodes of a graph.
    GraphAddDependencies graph_add_dependencies "cuGraphAddDependencies_v2" since (12, 3): (
        graph: GraphHandle,
        from: *const NodeHandle,
        to: *const NodeHandle,
        edges: *const EdgeData,
        count: usize,
    );
    /// Makes a condition for a graph.
    GraphConditionalHandleCreate graph_condition "cuGraphConditionalHandleCreate" since (12, 3): (
        condition: *mut u64,
        graph: GraphHandle,
        context: *mut c_void,
        default: u32,
        flags: u32,
    );
    /// Adds a conditional node to a graph.
    GraphAddNode graph_add_conditional "cuGraphAddNode" since (12, 3): (
        node: *mut NodeHandle,
        graph: GraphHandle,
        dependencies: *const NodeHandle,
        count: usize,
        params: *mut ConditionalNodeParams,
    );
    /// Makes a graph that can be launched.
    GraphInstantiate graph_instantiate "cuGraphInstantiateWithFlags" since (11, 4): (
        executable: *mut ExecutableHandle,
        graph: GraphHandle,
        flags: u64,
    );
    /// Frees a graph that can be launched.
    GraphExecDestroy graph_exec_destroy "cuGraphExecDestroy" since (10, 0): (
        executable: ExecutableHandle,
    );
    /// Launches a graph.
    GraphLaunch graph_launch "cuGraphLaunch" since (10, 0): (
        executable: ExecutableHandle,
        stream: StreamHandle,
    );
    /// Copies a graph to the device before its first launch.
    GraphUpload graph_upload "cuGraphUpload" since (11, 1): (
        executable: ExecutableHandle,
        stream: StreamHandle,
    );
    /// Replaces the arguments and the shape of a kernel in a graph.
    GraphExecKernelNodeSetParams graph_set_kernel "cuGraphExecKernelNodeSetParams" since (10, 1): (
        executable: ExecutableHandle,
        node: NodeHandle,
        params: *const KernelNodeParams,
    );
    /// Says whether a node of a graph runs.
    GraphNodeSetEnabled graph_enable "cuGraphNodeSetEnabled" since (11, 6): (
        executable: ExecutableHandle,
        node: NodeHandle,
        enabled: u32,
    );
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A call that cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// There is no driver on this machine.
    #[error("`{call}` cannot be called: there is no CUDA driver on this machine")]
    NoDriver {
        /// The call.
        call: Call,
    },
    /// The driver is too old.
    #[error(
        "the driver has no `{call}`: the driver is for CUDA {}, but the call needs {}",
        .driver.map_or_else(|| "an unknown release".into(), |release| std::format!("{release}")),
        .call.since()
    )]
    Absent {
        /// The call.
        call: Call,
        /// The newest release of CUDA that the driver supports, if it reports one.
        driver: Option<Release>,
    },
}

ptx_types::__debug_as_message!(CallError);

type DriverGetVersion = unsafe extern "C" fn(version: *mut c_int) -> u32;
type CtxGetDevice = unsafe extern "C" fn(device: *mut c_int) -> u32;
type DeviceGetAttribute =
    unsafe extern "C" fn(value: *mut c_int, attribute: u32, device: c_int) -> u32;

type GetErrorText = unsafe extern "C" fn(code: u32, text: *mut *const c_char) -> u32;

impl Driver {
    /// Loads the driver's library, by the same names as cudarc.
    fn load() -> Option<Self> {
        const NAMES: [&str; 3] = ["libcuda.so.1", "libcuda.so", "nvcuda.dll"];
        let library = NAMES.iter().find_map(|name| {
            // SAFETY: the initialisers of the driver's library have no preconditions.
            unsafe { Library::new(*name) }.ok()
        })?;
        // SAFETY: it is the driver's library.
        Some(unsafe { Self::of(library) })
    }

    fn release(&self) -> Option<Release> {
        let mut version = 0;
        // SAFETY: it writes one number.
        let answer = unsafe { self.version?(&raw mut version) };
        let version = u32::try_from(version).ok().filter(|_| answer == 0)?;
        let major = u8::try_from(version / 1000).ok()?;
        Some(Release::new(major, u8::try_from(version % 1000 / 10).ok()?))
    }

    fn target(&self) -> Option<Target> {
        const MAJOR: u32 = 75;
        const MINOR: u32 = 76;
        let mut device = 0;
        // SAFETY: it writes one number.
        if unsafe { self.device?(&raw mut device) } != 0 {
            return None;
        }
        let attribute = |which| {
            let mut value = 0;
            // SAFETY: it writes one number.
            let answer = unsafe { self.attribute?(&raw mut value, which, device) };
            u16::try_from(value).ok().filter(|_| answer == 0)
        };
        let arch = attribute(MAJOR)?.checked_mul(10)?.checked_add(attribute(MINOR)?)?;
        // The last target of an architecture has all of its features.
        Target::ALL.iter().rev().copied().find(|target| target.arch() == arch)
    }
}

/// A function of the library, if it exports it.
///
/// # Safety
/// `F` has to be a pointer to a function of the type that belongs to the name.
unsafe fn symbol<F: Copy>(library: &Library, name: &str) -> Option<F> {
    // SAFETY: the caller guarantees it.
    unsafe { library.get::<F>(name.as_bytes()) }.ok().map(|symbol| *symbol)
}

fn driver() -> Option<&'static Driver> {
    static DRIVER: OnceLock<Option<Driver>> = OnceLock::new();
    DRIVER.get_or_init(Driver::load).as_ref()
}

/// One of the library's functions, or why there is none.
fn find<F>(call: Call, of: impl Fn(&Driver) -> Option<F>) -> Result<F, CallError> {
    let driver = driver().ok_or(CallError::NoDriver { call })?;
    of(driver).ok_or_else(|| CallError::Absent { call, driver: driver.release() })
}

/// The driver's name and description of an error.
pub(super) fn error_texts(code: u32) -> [Option<&'static str>; 2] {
    let Some(driver) = driver() else { return [None; 2] };
    [driver.error_name, driver.error_text].map(|call| {
        let mut text = core::ptr::null();
        // SAFETY: it writes a pointer to a text that lives as long as the library.
        if unsafe { call?(code, &raw mut text) } != 0 || text.is_null() {
            return None;
        }
        // SAFETY: the driver's texts end with a zero.
        unsafe { CStr::from_ptr(text) }.to_str().ok()
    })
}

/// An attribute of a device, by the driver's number.
pub(super) fn device_attribute(attribute: u32, device: c_int) -> Option<u64> {
    let mut value = 0;
    // SAFETY: it writes one number.
    let answer = unsafe { driver()?.attribute?(&raw mut value, attribute, device) };
    u64::try_from(value).ok().filter(|_| answer == 0)
}

/// The number of a context, which no other context of the process has; `None` if the driver does not report it.
pub(super) fn context_number(context: *mut c_void) -> Option<u64> {
    let mut number = 0;
    // SAFETY: the context exists, and one number is written.
    let code = unsafe { context_id().ok()?(context, &raw mut number) };
    (code == 0).then_some(number)
}

/// Whether there is a driver on this machine.
pub(super) fn has_driver() -> bool {
    driver().is_some()
}

/// The newest release of CUDA that the driver supports; `None` without a driver.
pub fn driver_release() -> Option<Release> {
    driver()?.release()
}

/// The target of the current context's GPU, with all of its features: `sm_90a`. `None` without a
/// current context, and for a GPU that no [`Target`] describes.
pub fn current_target() -> Option<Target> {
    driver()?.target()
}
