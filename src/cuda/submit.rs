//! Submits a launch to the driver.

#![allow(
    clippy::inline_always,
    reason = "code that is called is memory that a launch has to fetch: see docs/measurements.md"
)]

use core::ffi::c_void;
use std::sync::Arc;

use super::attribute::{Attributes, cluster_attribute};
use super::calls::{Call, KernelNodeParams, LaunchConfig, LaunchKernel};
use super::checked::{self, is_checked};
use super::contract::Count;
use super::facts::{DeclaredShape, Fixed, PORTABLE_CLUSTER};
use super::fault::fault_of;
use super::kept::{Passed, Pointed};
use super::launch_error::{LaunchError, Reason};
use super::launch_ring::Ticket;
use super::nodes::{Configured, Recorder};
use super::order::Used;
use super::plan::{blocks_at_once, within};
use super::prepared::Prepared;
use super::refusal::Refusal;
use super::shape::{Dim, Settings, Shape};

impl Prepared<'_> {
    /// Launches the kernel with the contract's grid, if there is one, and for each argument an address and what it points
    /// to.
    ///
    /// # Safety
    /// There are as many addresses as parameters, and each points to a value of its parameter's type.
    ///
    /// # Errors
    /// The shape or the attributes are invalid, or the driver refuses the launch.
    pub unsafe fn submit(
        &self,
        grid: Option<[Count; 3]>,
        params: &mut [*mut c_void],
        pointed: &[Pointed],
    ) -> Result<(), LaunchError> {
        // SAFETY: the caller guarantees it.
        match unsafe { self.try_submit(grid, params, pointed) } {
            Ok(()) => Ok(()),
            Err(reason) => Err(self.error(reason)),
        }
    }

    /// # Safety
    /// As in [`submit`](Self::submit).
    #[inline]
    unsafe fn try_submit(
        &self,
        contract: Option<[Count; 3]>,
        params: &mut [*mut c_void],
        pointed: &[Pointed],
    ) -> Result<(), Reason> {
        let plan = self.plan;
        let facts = plan.facts;
        let grid = match (&contract, plan.grid) {
            (Some(counts), _) => grid_of(counts)?,
            (None, Some(grid)) => grid,
            (None, None) => return Err(Reason::NotSet { what: "grid" }),
        };
        if let Some(Fixed { block, dynamic }) = facts.fixed
            && plan.is_plain
            && self.recorder.is_none()
            && grid.is_within(facts.module.limits.grid)
        {
            self.is_ordered()?;
            let shape = Shape { grid, block, cluster: None, dynamic };
            // SAFETY: the caller guarantees it.
            return unsafe { self.run_after(shape, params, pointed) };
        }
        // SAFETY: the caller guarantees it.
        unsafe { self.submit_any(grid, contract.is_some(), params, pointed) }
    }

    /// Launches the kernel with this grid, which may follow from the arguments, or makes the launch a node of a graph.
    ///
    /// # Safety
    /// As in [`submit`](Self::submit).
    #[inline(never)]
    unsafe fn submit_any(
        &self,
        grid: Dim,
        is_computed: bool,
        params: &mut [*mut c_void],
        pointed: &[Pointed],
    ) -> Result<(), Reason> {
        let plan = self.plan;
        let block = plan.block()?;
        let dynamic = plan.dynamic_bytes()?;
        let is_empty = is_computed && grid.count() == 0;
        let grid = match (is_empty, self.recorder) {
            (true, None) => return Ok(()),
            // A node needs blocks, also one that does not run.
            (true, Some(_)) => plan.cluster(None)?.unwrap_or(Dim([1; 3])),
            (false, _) => grid,
        };
        within("grid", grid, plan.facts.module.limits.grid)?;
        let cluster = plan.cluster(Some(grid))?;
        self.is_ordered()?;
        let shape = Shape { grid, block, cluster, dynamic };
        let Some(recorder) = self.recorder else {
            // SAFETY: the caller guarantees it.
            return unsafe { self.run_after(shape, params, pointed) };
        };
        if plan.is_checked {
            return Err(Reason::CheckedCapture);
        }
        let bytes = u32::try_from(dynamic).unwrap_or(u32::MAX);
        self.record(recorder, shape, bytes, params.as_mut_ptr(), !is_empty)
    }

    /// Whether earlier work on the arguments could be ordered: errors were recorded when they were bound.
    #[inline]
    fn is_ordered(&self) -> Result<(), Reason> {
        let context = &self.plan.facts.module.context;
        if context.is_managing_stream_synchronization() {
            context.check_err().map_err(Reason::Driver)?;
        }
        Ok(())
    }

    /// Launches the kernel, in order with what sets the variables that it uses, if there are any.
    ///
    /// # Safety
    /// As in [`submit`](Self::submit).
    #[inline(always)]
    unsafe fn run_after(
        &self,
        shape: Shape,
        params: &mut [*mut c_void],
        pointed: &[Pointed],
    ) -> Result<(), Reason> {
        // SAFETY: the caller guarantees it.
        match &self.plan.facts.used {
            None => unsafe { self.run(shape, params, pointed) },
            Some(used) => unsafe { self.run_in_order(used, shape, params, pointed) },
        }
    }

    /// Launches the kernel, in order with what sets the variables that it uses.
    ///
    /// # Safety
    /// As in [`submit`](Self::submit).
    #[inline(never)]
    unsafe fn run_in_order(
        &self,
        used: &Arc<Used>,
        shape: Shape,
        params: &mut [*mut c_void],
        pointed: &[Pointed],
    ) -> Result<(), Reason> {
        let facts = self.plan.facts;
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

    /// Launches the kernel, and notes it in the log.
    ///
    /// # Safety
    /// As in [`submit`](Self::submit).
    unsafe fn run(
        &self,
        shape: Shape,
        params: &mut [*mut c_void],
        pointed: &[Pointed],
    ) -> Result<(), Reason> {
        let facts = self.plan.facts;
        if !self.plan.is_plain || facts.module.is_checked {
            // SAFETY: the caller guarantees it.
            return unsafe { self.run_special(shape, params, pointed) };
        }
        let launch = facts.launch?;
        // SAFETY: the caller guarantees it.
        let ticket = unsafe { self.log(shape, params, pointed) };
        // SAFETY: the caller guarantees it.
        match unsafe { self.call(launch, shape, params) } {
            0 => {
                ticket.submitted();
                Ok(())
            }
            code => Err(self.refused(Refusal { call: Call::LaunchKernel, code }, shape, ticket)),
        }
    }

    /// Launches the kernel with attributes or checks, if they are asked for.
    ///
    /// # Safety
    /// As in [`submit`](Self::submit).
    #[inline(never)]
    unsafe fn run_special(
        &self,
        shape: Shape,
        params: &mut [*mut c_void],
        pointed: &[Pointed],
    ) -> Result<(), Reason> {
        let plan = self.plan;
        if is_checked(plan, self.stream)? {
            // SAFETY: the caller guarantees it.
            let submit = |params: &mut [*mut c_void]| unsafe { self.submit_shape(shape, params) };
            // SAFETY: the caller guarantees it.
            let launched =
                unsafe { checked::launch(plan, self.stream, shape, params, pointed, submit) }?;
            return launched.map_err(|refusal| self.explain(refusal, shape));
        }
        // SAFETY: the caller guarantees it.
        let ticket = unsafe { self.log(shape, params, pointed) };
        // SAFETY: the caller guarantees it.
        match unsafe { self.submit_shape(shape, params) } {
            Ok(Ok(())) => {
                ticket.submitted();
                Ok(())
            }
            Ok(Err(refusal)) => Err(self.refused(refusal, shape, ticket)),
            Err(reason) => {
                ticket.retract();
                Err(reason)
            }
        }
    }

    /// Notes the launch in the log.
    ///
    /// # Safety
    /// As in [`submit`](Self::submit).
    #[inline(always)]
    unsafe fn log(&self, shape: Shape, params: &[*mut c_void], pointed: &[Pointed]) -> Ticket<'_> {
        let facts = self.plan.facts;
        let stream = self.stream.cu_stream().addr();
        let passed = Passed { slots: facts.slots(), params, pointed };
        // SAFETY: the caller guarantees it, and the slots are the kernel's.
        unsafe { facts.log.record(facts.ir, shape, stream, passed) }
    }

    /// Calls the driver without attributes.
    ///
    /// # Safety
    /// As in [`submit`](Self::submit).
    #[inline(always)]
    unsafe fn call(
        &self,
        launch: LaunchKernel,
        Shape { grid, block, dynamic, .. }: Shape,
        params: &mut [*mut c_void],
    ) -> u32 {
        let stream = self.stream.cu_stream().cast::<c_void>();
        let bytes = u32::try_from(dynamic).unwrap_or(u32::MAX);
        let ([x, y, z], [block_x, block_y, block_z]) = (grid.0, block.0);
        let (params, none) = (params.as_mut_ptr(), core::ptr::null_mut());
        let function = self.plan.facts.function;
        // SAFETY: the function belongs to a loaded module, the stream to its context; the caller guarantees that each
        // parameter has the address of a value.
        unsafe { launch(function, x, y, z, block_x, block_y, block_z, bytes, stream, params, none) }
    }

    /// Calls the driver.
    ///
    /// # Safety
    /// As in [`submit`](Self::submit).
    unsafe fn submit_shape(
        &self,
        shape: Shape,
        params: &mut [*mut c_void],
    ) -> Result<Result<(), Refusal>, Reason> {
        let plan = self.plan;
        if plan.cluster.is_none() && plan.settings.is_empty() {
            // SAFETY: the caller guarantees it.
            let code = unsafe { self.call(plan.facts.launch?, shape, params) };
            return Ok(Refusal::of(Call::LaunchKernel, code));
        }
        let stream = self.stream.cu_stream().cast::<c_void>();
        let bytes = u32::try_from(shape.dynamic).unwrap_or(u32::MAX);
        self.launch_with_attributes(shape, bytes, stream, params.as_mut_ptr())
    }

    /// Why the driver refused the launch, or what failed before.
    #[cold]
    fn refused(&self, refusal: Refusal, shape: Shape, ticket: Ticket<'_>) -> Reason {
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

/// The grid with the extents that follow from the arguments.
#[inline]
fn grid_of(counts: &[Count; 3]) -> Result<Dim, Reason> {
    match counts.map(Count::to_u32) {
        [Some(x), Some(y), Some(z)] => Ok(Dim([x, y, z])),
        _ => Err(beyond(counts)),
    }
}

#[cold]
fn beyond(counts: &[Count; 3]) -> Reason {
    Reason::Grid { counts: *counts }
}
