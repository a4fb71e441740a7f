//! A launch with its stream, before its arguments are bound.

use core::fmt;
use std::sync::Arc;

use cudarc::driver::CudaStream;
use ptx_types::ir::Param;

use super::context::{is_captured, is_same, make_current};
use super::contract::Broken;
use super::launch_error::{LaunchError, Reason};
use super::nodes::{GraphNumber, Recorder};
use super::plan::Plan;

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
        if self.is_ready() { Ok(()) } else { self.try_start() }
    }

    /// Whether it is known without further calls that nothing keeps the launch from its stream.
    #[inline]
    fn is_ready(&self) -> bool {
        let facts = self.plan.facts;
        let context = &facts.module.context;
        let (Ok(current), Ok(is_capturing)) = (facts.current, facts.is_capturing) else {
            return false;
        };
        let (mut found, mut status) = (core::ptr::null_mut(), 0);
        // SAFETY: the driver writes a handle.
        let code = unsafe { current(&raw mut found) };
        if !Arc::ptr_eq(self.stream.context(), context)
            || code != 0
            || found != context.cu_ctx().cast()
        {
            return false;
        }
        // SAFETY: the stream exists, and a number is written.
        !self.needs_own_stream()
            || unsafe { is_capturing(self.stream.cu_stream().cast(), &raw mut status) } == 0
                && status == 0
    }

    /// Whether the stream may be captured and must not be: safe code cannot guarantee that what a graph needs still exists
    /// when it runs. The driver does not capture the default stream.
    #[inline]
    fn needs_own_stream(&self) -> bool {
        self.is_vouched && self.recorder.is_none() && !self.stream.cu_stream().is_null()
    }

    #[cold]
    fn try_start(&self) -> Result<(), LaunchError> {
        let context = &self.plan.facts.module.context;
        if !is_same(self.stream.context(), context) {
            return Err(self.error(Reason::OtherContext { what: "the stream" }));
        }
        let driver = |error| self.error(Reason::Driver(error));
        make_current(context).map_err(driver)?;
        if self.needs_own_stream() && is_captured(self.stream).map_err(driver)? {
            return Err(self.error(Reason::Captured));
        }
        Ok(())
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
}
