//! The properties of a kernel of a loaded module.

use std::boxed::Box;
use std::sync::{Arc, OnceLock};

use ptx_types::ir::{self, DirectiveKind};

use super::calls::{self, Call, CallError, FunctionHandle};
use super::context::Limits;
use super::difference::Difference;
use super::kept::{Slot, slots};
use super::launch_log::Log;
use super::module::{LoadedModule, int};
use super::order::Used;
use super::refusal::Refusal;
use super::shape::Dim;

/// A kernel as a type: `#[ptx::module]` defines one for each kernel, only for `ptx::cuda`.
#[doc(hidden)]
pub trait KernelType: 'static {
    /// [`Vouched`] or [`Unvouched`].
    type Safety: 'static;

    /// Whether the grid is [`Given`] by the declaration, or [`Missing`].
    type Grid: 'static;

    /// The same for the block.
    type Block: 'static;

    /// The same for the cluster; given, too, if there need not be one.
    type Cluster: 'static;

    /// The same for a cluster that the launch may set.
    type DeclaredCluster: 'static;

    /// The same for the length of a slice in dynamic shared memory; given, too, if there is none.
    type Dynamic: 'static;

    /// The declaration.
    fn declaration() -> &'static ir::Function<'static>;
}

/// The kernel's author vouches for it with `#[kernel(unsafe(safe_launch))]`: its launch is a safe function.
#[derive(Clone, Copy, Debug)]
pub enum Vouched {}

/// Nobody vouches for the kernel: its launch is `unsafe`.
#[derive(Clone, Copy, Debug)]
pub enum Unvouched {}

/// In a [`Launch`](super::Launch), what the declaration or a method has set.
#[derive(Clone, Copy, Debug)]
pub enum Given {}

/// In a [`Launch`](super::Launch), what has to be set before it can be launched.
#[derive(Clone, Copy, Debug)]
pub enum Missing {}

/// The grid is set.
#[diagnostic::on_unimplemented(
    message = "the grid of this launch is not set",
    label = "call `.grid(..)` before, or declare `#[kernel(grid = ..)]`"
)]
#[doc(hidden)]
pub trait HasGrid {}

#[diagnostic::do_not_recommend]
impl HasGrid for Given {}

/// The block is set.
#[diagnostic::on_unimplemented(
    message = "the block of this launch is not set",
    label = "call `.block(..)` before, or declare `#[kernel(reqntid = ..)]`"
)]
#[doc(hidden)]
pub trait HasBlock {}

#[diagnostic::do_not_recommend]
impl HasBlock for Given {}

/// The cluster is set.
#[diagnostic::on_unimplemented(
    message = "the cluster of this launch is not set, and the kernel is declared `explicitcluster`",
    label = "call `.cluster(..)` before, or declare `#[kernel(reqnctapercluster = ..)]`"
)]
#[doc(hidden)]
pub trait HasCluster {}

#[diagnostic::do_not_recommend]
impl HasCluster for Given {}

/// The length of a slice in dynamic shared memory is set.
#[diagnostic::on_unimplemented(
    message = "the length of the slice in dynamic shared memory is not set",
    label = "call `.dynamic(..)` before, with its number of elements"
)]
#[doc(hidden)]
pub trait HasDynamic {}

#[diagnostic::do_not_recommend]
impl HasDynamic for Given {}

/// The declaration leaves the block open, without `reqntid`: the launch has to set it.
#[diagnostic::on_unimplemented(
    message = "the block of this kernel is declared by `reqntid`",
    label = "remove this"
)]
#[doc(hidden)]
pub trait NeedsBlock {}

#[diagnostic::do_not_recommend]
impl NeedsBlock for Missing {}

/// The declaration leaves the cluster open, without `reqnctapercluster`: the launch may set it.
#[diagnostic::on_unimplemented(
    message = "the cluster of this kernel is declared by `reqnctapercluster`",
    label = "remove this"
)]
#[doc(hidden)]
pub trait NeedsCluster {}

#[diagnostic::do_not_recommend]
impl NeedsCluster for Missing {}

/// The grid does not follow from the arguments: the launch has to set it.
#[diagnostic::on_unimplemented(
    message = "the grid of this kernel is computed from its arguments, as `grid = ..` declares",
    label = "remove this"
)]
#[doc(hidden)]
pub trait NeedsGrid {}

#[diagnostic::do_not_recommend]
impl NeedsGrid for Missing {}

/// The kernel uses a slice in dynamic shared memory, whose length the launch has to set.
#[diagnostic::on_unimplemented(
    message = "this kernel uses no dynamic shared memory whose length the launch specifies",
    label = "remove this; a sized `#[shared(dynamic)]` variable needs no length"
)]
#[doc(hidden)]
pub trait NeedsDynamic {}

#[diagnostic::do_not_recommend]
impl NeedsDynamic for Missing {}

/// The driver's numbers of a kernel's attributes.
pub(super) mod attribute {
    pub(in super::super) const MAX_THREADS: u32 = 0;
    pub(in super::super) const SHARED_BYTES: u32 = 1;
    pub(in super::super) const CONST_BYTES: u32 = 2;
    pub(in super::super) const LOCAL_BYTES: u32 = 3;
    pub(in super::super) const REGISTERS: u32 = 4;
    pub(in super::super) const MAX_DYNAMIC_SHARED_BYTES: u32 = 8;
    pub(in super::super) const NON_PORTABLE_CLUSTER: u32 = 14;
}

/// The largest cluster, in blocks, that every device with clusters supports.
pub(super) const PORTABLE_CLUSTER: u64 = 8;

/// The declared shape of a block or a cluster.
#[derive(Clone, Copy, Debug)]
pub(super) enum DeclaredShape {
    /// Nothing is declared: the launch sets it.
    Free,
    /// This shape exactly.
    Exactly(Dim),
    /// At most this many in all.
    AtMost(u64),
    /// The launch has to set it, up to this many in all.
    SetByLaunch { most: Option<u64> },
}

/// The dynamic shared memory that a kernel names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dynamic {
    /// Bytes of the largest variable with a size.
    pub(super) sized: usize,
    /// The slice with the largest elements: its name, and the size of an element in bytes.
    pub(super) slice: Option<(&'static str, usize)>,
}

impl Dynamic {
    fn of(ir: &ir::Function<'static>) -> Option<Self> {
        let mut dynamic = None;
        for variable in ir.uses.iter().filter(|variable| variable.is_dynamic()) {
            let found = dynamic.get_or_insert(Self { sized: 0, slice: None });
            match (variable.bytes(), variable.ty.element().size()) {
                (Some(bytes), _) => found.sized = found.sized.max(bytes),
                (None, Some(each)) if found.slice.is_none_or(|(_, known)| known < each) => {
                    found.slice = Some((variable.name, each));
                }
                (None, _) => {}
            }
        }
        dynamic
    }
}

/// What a declaration leaves to no launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixed {
    pub(super) block: Dim,
    /// Dynamic shared memory in bytes.
    pub(super) dynamic: usize,
}

/// Whether the device has blocks of this shape.
fn is_possible(block: Dim, limits: &Limits) -> bool {
    block.is_within(limits.block) && block.count() <= u64::from(limits.threads)
}

/// The properties of a loaded kernel, so that a launch does not query the driver.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) module: Arc<LoadedModule>,
    pub(super) ir: &'static ir::Function<'static>,
    pub(super) function: FunctionHandle,
    pub(super) block: DeclaredShape,
    pub(super) cluster: DeclaredShape,
    pub(super) static_shared: usize,
    pub(super) dynamic: Option<Dynamic>,
    /// The variables that it uses and the host can copy, if there are any.
    pub(super) used: Option<Arc<Used>>,
    /// The block and the dynamic shared memory of all its launches, if nothing of that is left open or wrong.
    pub(super) fixed: Option<Fixed>,
    pub(super) current: Result<calls::CtxGetCurrent, CallError>,
    pub(super) is_capturing: Result<calls::StreamIsCapturing, CallError>,
    pub(super) launch: Result<calls::LaunchKernel, CallError>,
    pub(super) launch_ex: Result<calls::LaunchKernelEx, CallError>,
    /// Where launches are recorded.
    pub(super) log: Arc<Log>,
    /// What is recorded of each argument, once it has been launched.
    slots: OnceLock<Box<[Slot]>>,
}

// SAFETY: the handle belongs to the driver, and any thread may use it.
unsafe impl Send for Facts {}
// SAFETY: as above.
unsafe impl Sync for Facts {}

impl Facts {
    pub(super) fn of(
        module: Arc<LoadedModule>,
        ir: &'static ir::Function<'static>,
        function: FunctionHandle,
    ) -> Self {
        let directive = |kind| ir.directives.iter().find(|directive| directive.kind == kind);
        let block = match (directive(DirectiveKind::ReqNTid), directive(DirectiveKind::MaxNTid)) {
            (Some(exact), _) => DeclaredShape::Exactly(Dim(exact.values)),
            (None, Some(most)) => DeclaredShape::AtMost(Dim(most.values).count()),
            (None, None) => DeclaredShape::Free,
        };
        let most = directive(DirectiveKind::MaxClusterRank).map(|most| u64::from(most.values[0]));
        let cluster = if let Some(exact) = directive(DirectiveKind::ReqNCtaPerCluster) {
            DeclaredShape::Exactly(Dim(exact.values))
        } else if directive(DirectiveKind::ExplicitCluster).is_some() {
            DeclaredShape::SetByLaunch { most }
        } else {
            most.map_or(DeclaredShape::Free, DeclaredShape::AtMost)
        };
        let (dynamic, used) = (Dynamic::of(ir), module.used_by(ir));
        let mut facts =
            Self { function, block, cluster, dynamic, used, ..Self::absent(module, ir) };
        let loaded = facts.attribute(attribute::SHARED_BYTES);
        facts.static_shared = loaded.or_else(|| ir.static_shared_bytes()).unwrap_or(0);
        facts.fixed = facts.fixed();
        facts
    }

    fn fixed(&self) -> Option<Fixed> {
        if self.module.is_checked {
            return None;
        }
        let dynamic = self.dynamic.map_or(Some(0), |it| it.slice.is_none().then_some(it.sized))?;
        match (self.block, self.cluster) {
            (DeclaredShape::Exactly(block), DeclaredShape::Free | DeclaredShape::AtMost(_)) => {
                is_possible(block, &self.module.limits).then_some(Fixed { block, dynamic })
            }
            _ => None,
        }
    }

    /// A kernel that was not found; the load that needs it fails.
    pub(super) fn absent(module: Arc<LoadedModule>, ir: &'static ir::Function<'static>) -> Self {
        Self {
            log: Arc::clone(&module.log),
            slots: OnceLock::new(),
            module,
            ir,
            function: core::ptr::null_mut(),
            block: DeclaredShape::Free,
            cluster: DeclaredShape::Free,
            static_shared: 0,
            dynamic: None,
            used: None,
            fixed: None,
            current: calls::current(),
            is_capturing: calls::is_capturing(),
            launch: calls::launch(),
            launch_ex: calls::launch_ex(),
        }
    }

    /// What is recorded of each argument.
    #[inline]
    pub(super) fn slots(&self) -> &[Slot] {
        self.slots.get_or_init(|| slots(self.ir))
    }

    /// An attribute of the kernel from the driver.
    pub(super) fn attribute(&self, attribute: u32) -> Option<usize> {
        self.try_attribute(attribute).ok().flatten()
    }

    /// Whether the driver says anything of the kernel: it does not once the context is lost.
    pub(super) fn answers(&self) -> Result<(), Refusal> {
        self.try_attribute(attribute::REGISTERS).map(|_| ())
    }

    fn try_attribute(&self, attribute: u32) -> Result<Option<usize>, Refusal> {
        let Ok(call) = calls::function_attribute() else { return Ok(None) };
        let mut value = 0;
        // SAFETY: the function belongs to a loaded module; one number is written.
        let code = unsafe { call(&raw mut value, attribute, self.function) };
        Refusal::of(Call::FuncGetAttribute, code).map(|()| usize::try_from(value).ok())
    }

    fn set(&self, attribute: u32, value: usize) -> Result<(), Refusal> {
        let refused = |code| Refusal { call: Call::FuncSetAttribute, code };
        let set = calls::set_function_attribute().map_err(|_| refused(801))?;
        // SAFETY: the function belongs to a loaded module.
        Refusal::of(Call::FuncSetAttribute, unsafe { set(self.function, attribute, int(value)) })
    }

    /// The maximum number of threads of a block by the declaration.
    pub(super) fn most_threads(&self) -> Option<u64> {
        match self.block {
            DeclaredShape::Exactly(threads) => Some(threads.count()),
            DeclaredShape::AtMost(threads) => Some(threads),
            DeclaredShape::Free | DeclaredShape::SetByLaunch { .. } => None,
        }
    }

    /// Requests what the kernel needs beyond the defaults: more dynamic shared memory, never
    /// less than before, and larger clusters.
    pub(super) fn opt_in(&self) -> Result<(), Difference> {
        let kernel = self.ir.name;
        if let Some(dynamic) = self.dynamic {
            let limit = self.module.limits.shared;
            let (statically, sized) = (self.static_shared, dynamic.sized);
            let left = limit.saturating_sub(statically);
            if sized > left {
                return Err(Difference::SharedMemory { kernel, statically, dynamic: sized, limit });
            }
            let wanted = if dynamic.slice.is_some() { left } else { sized };
            let now = self.attribute(attribute::MAX_DYNAMIC_SHARED_BYTES).unwrap_or(0);
            if wanted > now {
                self.set(attribute::MAX_DYNAMIC_SHARED_BYTES, wanted).map_err(|refusal| {
                    Difference::NotSet { kernel, what: "more dynamic shared memory", refusal }
                })?;
            }
        }
        if let DeclaredShape::Exactly(cluster) = self.cluster
            && cluster.count() > PORTABLE_CLUSTER
        {
            self.allow_large_clusters().map_err(|refusal| Difference::NotSet {
                kernel,
                what: "clusters of more than 8 blocks",
                refusal,
            })?;
        }
        Ok(())
    }

    /// Allows clusters with more blocks than every device supports.
    pub(super) fn allow_large_clusters(&self) -> Result<(), Refusal> {
        if self.attribute(attribute::NON_PORTABLE_CLUSTER) == Some(1) {
            return Ok(());
        }
        self.set(attribute::NON_PORTABLE_CLUSTER, 1)
    }
}
