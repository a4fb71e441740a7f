//! Submits a launch to the driver.

use core::ffi::c_void;
use core::fmt;

use cudarc::driver::CudaStream;
use ptx_types::ir::Param;

use super::attribute::{Attributes, cluster_attribute};
use super::calls::{Call, KernelNodeParams, LaunchConfig};
use super::checked::{self, is_checked};
use super::context::{is_captured, is_same};
use super::contract::{Broken, Count};
use super::facts::{DeclaredShape, PORTABLE_CLUSTER};
use super::fault::fault_of;
use super::launch_error::{LaunchError, Reason};
use super::launch_log::Ticket;
use super::nodes::{Configured, GraphNumber, Recorder};
use super::plan::{Plan, blocks_at_once, within};
use super::recorded::Pointed;
use super::refusal::Refusal;
use super::shape::{Dim, Settings, Shape};

/// A launch with its stream, which binds its arguments.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Prepared<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) stream: &'a CudaStream,
    /// Whether safe code launches it, because the kernel's author vouches for it.
    pub(super) is_vouched: bool,
    /// The graph that it becomes a part of; otherwise it runs.
    pub(super) recorder: Option<&'a Recorder>,
}

impl fmt::Debug for Prepared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prepared({})", self.plan.facts.ir.name)
    }
}

impl<'a> Prepared<'a> {
    /// The stream.
    #[inline]
    pub(super) fn stream(&self) -> &'a CudaStream {
        self.stream
    }

    /// Whether the kernel's author vouches for the launch.
    #[inline]
    pub(super) const fn is_vouched(&self) -> bool {
        self.is_vouched
    }

    /// A parameter by its number.
    #[inline]
    pub(super) fn param(&self, index: usize) -> &'static Param<'static> {
        &self.plan.facts.ir.params[index]
    }

    /// An error of this launch.
    #[cold]
    pub(super) fn error(&self, reason: Reason) -> LaunchError {
        let facts = self.plan.facts;
        LaunchError::new(facts.ir.name, reason.explained(&facts.module.context))
    }

    /// Compares the graph that an argument is bound to with the graph of the launch.
    #[inline]
    pub(super) fn same_graph(&self, bound: GraphNumber, index: usize) -> Result<(), LaunchError> {
        let number = self.recorder.map_or(GraphNumber::NONE, |recorder| recorder.number);
        if bound == number {
            return Ok(());
        }
        let parameter = self.param(index).variable.name;
        Err(self.error(if bound == GraphNumber::NONE {
            Reason::NotBound { parameter }
        } else {
            Reason::OtherGraph { parameter }
        }))
    }

    /// Compares the stream's context with the module's, and makes it current: before arguments are
    /// bound.
    ///
    /// # Errors
    /// They differ, or the context cannot be used.
    #[inline]
    pub fn start(&self) -> Result<(), LaunchError> {
        let context = &self.plan.facts.module.context;
        // Safe code cannot guarantee that what a graph needs still exists when it runs.
        if self.is_vouched
            && self.recorder.is_none()
            && is_captured(self.stream).map_err(|error| self.error(Reason::Driver(error)))?
        {
            return Err(self.error(Reason::Captured));
        }
        if !is_same(self.stream.context(), context) {
            return Err(self.error(Reason::OtherContext { what: "the stream" }));
        }
        context.bind_to_thread().map_err(|error| self.error(Reason::Driver(error)))
    }

    /// The error for a condition of the contract that does not hold: its text, and its values.
    #[cold]
    pub fn broken(
        &self,
        condition: &'static str,
        values: &[(&'static str, &dyn fmt::Display)],
    ) -> LaunchError {
        self.error(Reason::Contract(Broken::new(condition, values)))
    }

    /// Launches the kernel with the contract's grid, if there is one, and for each argument an address and what it points
    /// to.
    ///
    /// # Safety
    /// There are as many addresses as parameters, and each points to a value of its parameter's type.
    ///
    /// # Errors
    /// The shape or the attributes are invalid, or the driver refuses the launch.
    #[inline]
    pub unsafe fn submit(
        &self,
        grid: Option<[Count; 3]>,
        params: &mut [*mut c_void],
        pointed: &[Pointed],
    ) -> Result<(), LaunchError> {
        // SAFETY: the caller guarantees it.
        unsafe { self.try_submit(grid, params, pointed) }.map_err(|reason| self.error(reason))
    }

    /// # Safety
    /// As in [`submit`](Self::submit).
    unsafe fn try_submit(
        &self,
        contract: Option<[Count; 3]>,
        params: &mut [*mut c_void],
        pointed: &[Pointed],
    ) -> Result<(), Reason> {
        let plan = self.plan;
        let facts = plan.facts;
        let limits = &facts.module.limits;
        let grid = match contract {
            Some(counts) => {
                let extent = |count: Count| count.to_u32().ok_or(Reason::Grid { counts });
                Dim([extent(counts[0])?, extent(counts[1])?, extent(counts[2])?])
            }
            None => plan.grid.ok_or(Reason::NotSet { what: "grid" })?,
        };
        let block = plan.block()?;
        let dynamic = plan.dynamic_bytes()?;
        let is_empty = contract.is_some() && grid.count() == 0;
        let grid = match (is_empty, self.recorder) {
            (true, None) => return Ok(()),
            // A node needs blocks, also one that does not run.
            (true, Some(_)) => plan.cluster(None)?.unwrap_or(Dim([1; 3])),
            (false, _) => grid,
        };
        within("grid", grid, limits.grid)?;
        let cluster = plan.cluster(Some(grid))?;
        // Errors in ordering earlier work were recorded when the arguments were bound.
        let context = &facts.module.context;
        if context.is_managing_stream_synchronization() {
            context.check_err().map_err(Reason::Driver)?;
        }
        let shape = Shape { grid, block, cluster, dynamic };
        if let Some(recorder) = self.recorder {
            if plan.is_checked {
                return Err(Reason::CheckedCapture);
            }
            let bytes = u32::try_from(dynamic).unwrap_or(u32::MAX);
            return self.record(recorder, shape, bytes, params.as_mut_ptr(), !is_empty);
        }
        let Some(used) = &facts.used else {
            // SAFETY: the caller guarantees it.
            return unsafe { self.run(shape, params, pointed) };
        };
        let borrowed = facts.module.borrows.submit(|variable| used.contains(variable));
        let _submitted = borrowed.map_err(|_| Reason::Borrowed)?;
        // What sets the variables that the kernel uses, in other streams, comes before or after it.
        let submission = facts.module.order.launch(self.stream, used).map_err(Reason::Driver)?;
        // SAFETY: the caller guarantees it.
        unsafe { self.run(shape, params, pointed) }?;
        let recorded =
            submission.map_or(Ok(()), |mut submission| submission.used(self.stream, used));
        recorded.map_err(Reason::Driver)
    }

    /// Launches the kernel, with checks if they are asked for, and notes it in the log.
    ///
    /// # Safety
    /// As in [`submit`](Self::submit).
    #[inline]
    unsafe fn run(
        &self,
        shape: Shape,
        params: &mut [*mut c_void],
        pointed: &[Pointed],
    ) -> Result<(), Reason> {
        let plan = self.plan;
        let facts = plan.facts;
        if is_checked(plan, self.stream)? {
            let submit = |params: &mut [*mut c_void]| self.submit_shape(shape, params);
            // SAFETY: the caller guarantees it.
            let launched =
                unsafe { checked::launch(plan, self.stream, shape, params, pointed, submit) }?;
            return launched.map_err(|refusal| self.explain(refusal, shape));
        }
        let stream = self.stream.cu_stream().addr();
        // SAFETY: the caller guarantees it, and the slots are the kernel's.
        let ticket =
            unsafe { facts.log.record(facts.ir, &facts.slots, shape, stream, params, pointed) };
        match self.submit_shape(shape, params) {
            Ok(Ok(())) => {
                facts.log.submitted(ticket);
                Ok(())
            }
            Ok(Err(refusal)) => Err(self.refused(refusal, shape, ticket)),
            Err(reason) => {
                facts.log.retract(ticket);
                Err(reason)
            }
        }
    }

    /// Calls the driver.
    #[inline]
    fn submit_shape(
        &self,
        shape: Shape,
        params: &mut [*mut c_void],
    ) -> Result<Result<(), Refusal>, Reason> {
        let plan = self.plan;
        let facts = plan.facts;
        let Shape { grid, block, dynamic, .. } = shape;
        let stream = self.stream.cu_stream().cast::<c_void>();
        let bytes = u32::try_from(dynamic).unwrap_or(u32::MAX);
        let params = params.as_mut_ptr();
        if plan.cluster.is_none() && plan.settings.is_empty() {
            let launch = facts.launch?;
            let ([x, y, z], [block_x, block_y, block_z]) = (grid.0, block.0);
            let none = core::ptr::null_mut();
            // SAFETY: the function belongs to a loaded module, the stream to its context; each parameter has
            // the address of a value that lives until the call returns.
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
            Ok(Refusal::of(Call::LaunchKernel, code))
        } else {
            self.launch_with_attributes(shape, bytes, stream, params)
        }
    }

    /// Why the driver refused the launch, or what failed before.
    #[cold]
    fn refused(&self, refusal: Refusal, shape: Shape, ticket: Ticket) -> Reason {
        let facts = self.plan.facts;
        if facts.log.refused(ticket, refusal.code) {
            let fault = fault_of(&facts.module.context, refusal.code);
            return fault.map_or_else(|| self.explain(refusal, shape), Reason::Failed);
        }
        self.explain(refusal, shape)
    }

    /// Launches the kernel with `cuLaunchKernelEx`.
    fn launch_with_attributes(
        &self,
        Shape { grid, block, cluster, dynamic }: Shape,
        bytes: u32,
        stream: *mut c_void,
        params: *mut *mut c_void,
    ) -> Result<Result<(), Refusal>, Reason> {
        let facts = self.plan.facts;
        let launch = facts.launch_ex?;
        let shape = Shape { grid, block, cluster, dynamic };
        let attributes = self.attributes(shape, &self.plan.settings)?;
        let (attributes, count) = attributes.as_raw();
        let (grid, block) = (grid.0, block.0);
        let config = LaunchConfig { grid, block, dynamic_shared: bytes, stream, attributes, count };
        // SAFETY: as in `try_submit`; there are as many attributes as the configuration states.
        let code =
            unsafe { launch(&raw const config, facts.function, params, core::ptr::null_mut()) };
        Ok(Refusal::of(Call::LaunchKernelEx, code))
    }

    /// The attributes of a launch with these settings.
    fn attributes(
        &self,
        Shape { grid, block, cluster, dynamic }: Shape,
        settings: &Settings<'_>,
    ) -> Result<Attributes, Reason> {
        let plan = self.plan;
        let facts = plan.facts;
        let mut attributes = Attributes::default();
        // A declared cluster is not passed again.
        if let Some(cluster) = plan.cluster.and(cluster)
            && !matches!(facts.cluster, DeclaredShape::Exactly(_))
        {
            if cluster.count() > PORTABLE_CLUSTER {
                facts.allow_large_clusters().map_err(Reason::Refused)?;
            }
            attributes.push(cluster_attribute(cluster));
        }
        if settings.cooperative {
            self.fits_at_once(grid, block, dynamic)?;
        }
        settings.push(&mut attributes, &facts.module.limits)?;
        Ok(attributes)
    }

    /// Makes the launch a node of a graph.
    #[cold]
    fn record(
        &self,
        recorder: &Recorder,
        shape: Shape,
        bytes: u32,
        params: *mut *mut c_void,
        is_enabled: bool,
    ) -> Result<(), Reason> {
        let given = &self.plan.settings;
        if given.programmatic_event.is_some() || given.completion_event.is_some() {
            return Err(Reason::EventInGraph);
        }
        if recorder.replaced().is_some() && !given.is_empty() {
            return Err(Reason::AttributesInGraph);
        }
        let starts_early = given.programmatic_serialization;
        let is_cooperative =
            recorder.replaced().map_or(given.cooperative, |node| node.is_cooperative);
        if is_cooperative {
            self.fits_at_once(shape.grid, shape.block, shape.dynamic)?;
        }
        // In a graph, it is the dependency that is programmatic.
        let settings = Settings { programmatic_serialization: false, ..*given };
        let attributes = self.attributes(shape, &settings)?;
        let params = KernelNodeParams {
            function: self.plan.facts.function,
            grid: shape.grid.0,
            block: shape.block.0,
            dynamic_shared: bytes,
            params,
            extra: core::ptr::null_mut(),
        };
        let kernel = Configured {
            params,
            cluster: shape.cluster,
            attributes: attributes.as_slice(),
            is_cooperative,
            starts_early,
            is_enabled,
        };
        // SAFETY: the function belongs to a loaded module; each parameter has the address of a value that lives until
        // the call returns.
        unsafe { recorder.kernel(&kernel) }
    }

    /// Compares a cooperative grid with the number of blocks that the device holds at once.
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

    /// Why the driver refused the launch.
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
