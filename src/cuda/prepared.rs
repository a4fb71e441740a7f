//! Submits a launch to the driver.

use core::ffi::c_void;
use core::fmt;

use cudarc::driver::CudaStream;
use ptx_types::ir::Param;

use super::attribute::{Attributes, cluster_attribute};
use super::calls::{Call, LaunchConfig};
use super::context::{is_captured, is_same};
use super::contract::{Broken, Count};
use super::facts::{DeclaredShape, PORTABLE_CLUSTER};
use super::launch_error::{LaunchError, Reason};
use super::plan::{Plan, blocks_at_once, within};
use super::refusal::Refusal;
use super::shape::Dim;

/// The resolved shape of a launch.
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
    pub(super) plan: &'a Plan<'a>,
    pub(super) stream: &'a CudaStream,
    /// Whether safe code launches it, because the kernel's author vouches for it.
    pub(super) is_vouched: bool,
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
        // Safe code cannot guarantee that what a graph needs still exists when it runs.
        if self.is_vouched
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

    /// Launches the kernel with the contract's grid, if there is one, and an address for each argument.
    ///
    /// # Safety
    /// There are as many addresses as parameters, and each points to a value of its parameter's size.
    ///
    /// # Errors
    /// The shape or the attributes are invalid, or the driver refuses the launch.
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
            None => plan.grid.ok_or(Reason::NotSet { what: "grid" })?,
        };
        let block = plan.block()?;
        let dynamic = plan.dynamic_bytes()?;
        if contract.is_some() && grid.count() == 0 {
            return Ok(());
        }
        within("grid", grid, limits.grid)?;
        let cluster = plan.cluster(Some(grid))?;
        // Errors in ordering earlier work were recorded when the arguments were bound.
        let context = &facts.module.context;
        if context.is_managing_stream_synchronization() {
            context.check_err().map_err(Reason::Driver)?;
        }
        let stream = self.stream.cu_stream().cast::<c_void>();
        let bytes = u32::try_from(dynamic).unwrap_or(u32::MAX);
        let params = params.as_mut_ptr();
        let _submitted = match &facts.used {
            Some(used) => {
                let submitted = facts.module.borrows.submit(|variable| used.contains(variable));
                submitted.map_err(|_| Reason::Borrowed)?
            }
            None => None,
        };
        // What sets the variables that the kernel uses, in other streams, comes before or after it.
        let submission = match &facts.used {
            Some(used) => facts.module.order.launch(self.stream, used).map_err(Reason::Driver)?,
            None => None,
        };
        let refused = if plan.cluster.is_none() && plan.settings.is_empty() {
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
            Refusal::of(Call::LaunchKernel, code)
        } else {
            let shape = Shape { grid, block, cluster, dynamic };
            self.launch_with_attributes(shape, bytes, stream, params)?
        };
        refused
            .map_err(|refusal| self.explain(refusal, Shape { grid, block, cluster, dynamic }))?;
        match (submission, &facts.used) {
            (Some(submission), Some(used)) => {
                submission.used(self.stream, used).map_err(Reason::Driver)
            }
            _ => Ok(()),
        }
    }

    /// Launches the kernel with `cuLaunchKernelEx`.
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
        // A declared cluster is not passed again.
        if let Some(cluster) = plan.cluster.and(cluster)
            && !matches!(facts.cluster, DeclaredShape::Exactly(_))
        {
            if cluster.count() > PORTABLE_CLUSTER {
                facts.allow_large_clusters().map_err(Reason::Refused)?;
            }
            attributes.push(cluster_attribute(cluster));
        }
        if plan.settings.cooperative {
            self.fits_at_once(grid, block, dynamic)?;
        }
        plan.settings.push(&mut attributes, &facts.module.limits)?;
        let (attributes, count) = attributes.as_raw();
        let (grid, block) = (grid.0, block.0);
        let config = LaunchConfig { grid, block, dynamic_shared: bytes, stream, attributes, count };
        // SAFETY: as in `try_submit`; there are as many attributes as the configuration states.
        let code =
            unsafe { launch(&raw const config, facts.function, params, core::ptr::null_mut()) };
        Ok(Refusal::of(Call::LaunchKernelEx, code))
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
