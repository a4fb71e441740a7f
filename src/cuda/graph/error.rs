//! Why a graph was not made or launched.

use std::boxed::Box;

use cudarc::driver::{CudaContext, DriverError};
use thiserror::Error;

use crate::cuda::calls::CallError;
use crate::cuda::encode::EncodeError;
use crate::cuda::fault::{Fault, fault_of};
use crate::cuda::fault_meaning::code_of;
use crate::cuda::launch_error::LaunchError;
use crate::cuda::nodes::Failure;
use crate::cuda::pinned::PinnedError;
use crate::cuda::refusal::Refusal;
use crate::cuda::variable_error::VariableError;

/// Why a graph was not [captured](super::capture), launched, or used. The streams stay as they were.
#[derive(Error)]
#[non_exhaustive]
pub enum GraphError {
    /// A launch did not become a node.
    #[error(transparent)]
    InLaunch(#[from] LaunchError),
    /// A variable cannot be copied.
    #[error(transparent)]
    InVariable(#[from] VariableError),
    /// A map was not encoded.
    #[error(transparent)]
    InMap(#[from] EncodeError),
    /// The stream is being captured into a graph of somebody else.
    #[error(
        "the stream is being captured into another graph, by `cuStreamBeginCapture`; end that capture first, or use another stream"
    )]
    Captured,
    /// The stream is another one in each thread.
    #[error(
        "each thread has a per-thread default stream of its own, and a graph may be sent to another thread; make a stream with `context.new_stream()`, or use `context.default_stream()`"
    )]
    PerThreadStream,
    /// A buffer belongs to another context than the graph.
    #[error(
        "the buffer belongs to another context than the stream of the graph; copy it to a buffer of this one"
    )]
    OtherContext,
    /// Page-locked memory belongs to another context than the graph.
    #[error(
        "the page-locked memory belongs to another context than the stream of the graph; allocate it in this one"
    )]
    OtherContextMemory,
    /// Page-locked memory for a copy cannot be allocated.
    #[error(transparent)]
    InMemory(#[from] PinnedError),
    /// A buffer, a condition or memory belongs to another graph.
    #[error("the {what} belongs to another graph; make one in this graph")]
    OtherGraph {
        /// The buffer, the condition or the memory.
        what: &'static str,
    },
    /// The numbers of elements differ.
    #[error("{given} elements are given, but {len} are copied; give {len}")]
    Length {
        /// The number of elements that are copied.
        len: usize,
        /// The given number.
        given: usize,
    },
    /// This thread has a [guard](crate::cuda::ManagedGuard) of a managed variable of a module whose variables the graph uses.
    #[error(
        "this thread has locked a managed variable of a module whose variables the graph uses; drop the guard first"
    )]
    Borrowed,
    /// The graph has not been launched, so there is nothing to read.
    #[error("the graph has not been launched yet, so there is nothing to read")]
    NotLaunched,
    /// A condition decides on two nodes.
    #[error("the condition decides on another node already; make one for each")]
    ConditionUsed,
    /// The driver has ended the capture of a stream, because of a call that it does not allow there.
    #[error(
        "the driver ended the capture of the stream in `capture_stream`, because of a call that it does not allow there ({}); its closure must not synchronise or query the stream, an event in it or the context, wait for an event from before, or leave another stream unjoined",
        cause(*.source, .call.as_deref())
    )]
    Invalidated {
        /// The driver's answer.
        source: Refusal,
        /// What the closure returned, if that was an error.
        call: Option<Box<GraphError>>,
    },
    /// The graph is incomplete.
    #[error("the graph is incomplete: the driver ended the capture of a stream for it")]
    Invalid,
    /// A condition decides on no node.
    #[error(
        "a condition of the graph decides on no node; give it to `run_if` or `run_while`, or leave it out"
    )]
    ConditionUnused,
    /// The driver is too old.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The driver refuses a call.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A kernel has failed, of this graph or an earlier one.
    #[error(transparent)]
    Fault(Fault),
    /// A call of the driver failed, perhaps because earlier work did.
    #[error("a call of the driver failed, or earlier work did: {0}")]
    Driver(#[from] DriverError),
    /// What the closure of [`capture`](super::capture) returned.
    #[error("{0}")]
    Other(#[source] Box<dyn core::error::Error + Send + Sync>),
}

impl GraphError {
    /// An error of the closure's own.
    pub fn other(error: impl Into<Box<dyn core::error::Error + Send + Sync>>) -> Self {
        Self::Other(error.into())
    }
}

impl GraphError {
    /// The same, explained if it reports that a kernel has failed.
    #[cold]
    pub(super) fn explained(self, context: &CudaContext) -> Self {
        let code = match &self {
            Self::Driver(error) => code_of(*error),
            Self::Refused(refusal) => refusal.code,
            _ => return self,
        };
        fault_of(context, code).map_or(self, Self::Fault)
    }
}

/// What the driver or the closure says of a call that is not allowed.
fn cause(source: Refusal, call: Option<&GraphError>) -> std::string::String {
    match call {
        Some(GraphError::Driver(error)) => std::format!("{error}"),
        Some(other) => std::format!("{other}"),
        None => std::format!("{source}"),
    }
}

impl From<Failure> for GraphError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Call(error) => Self::Call(error),
            Failure::Refused(refusal) => Self::Refused(refusal),
        }
    }
}

ptx_types::__debug_as_message!(GraphError);
