//! Why a variable was not copied.

use cudarc::driver::DriverError;
use thiserror::Error;

use super::fault::Fault;

/// Why a variable was not copied. Nothing is copied then.
#[derive(Clone, Error)]
#[non_exhaustive]
pub enum VariableError {
    /// The variable is not in the loaded module.
    #[error(
        "no kernel of the module uses `{variable}`, so the compiler left it out; use it, or make it `pub`"
    )]
    LeftOut {
        /// The variable.
        variable: &'static str,
    },
    /// The stream belongs to another context than the module.
    #[error(
        "the stream belongs to another context than the module of `{variable}`; use one of the module's context"
    )]
    OtherContext {
        /// The variable.
        variable: &'static str,
    },
    /// The stream is being captured.
    #[error(
        "the stream is being captured into a graph, which may run after the values for `{variable}` are gone; set it before or after the capture, or in a graph of `ptx::cuda::capture`, by `scope.set(..)` and `scope.get(..)`"
    )]
    Captured {
        /// The variable.
        variable: &'static str,
    },
    /// The range exceeds the array.
    #[error("`{variable}` has {len} elements, but elements {start} to {end} were requested")]
    OutOfBounds {
        /// The variable.
        variable: &'static str,
        /// The number of elements in the array.
        len: usize,
        /// The first requested element.
        start: usize,
        /// The end of the requested range.
        end: usize,
    },
    /// The number of values differs from the number of elements.
    #[error("{given} values are given for {len} elements of `{variable}`")]
    Length {
        /// The variable.
        variable: &'static str,
        /// The number of elements.
        len: usize,
        /// The number of values.
        given: usize,
    },
    /// An earlier kernel has failed.
    #[error("`{variable}` cannot be copied: {fault}")]
    Fault {
        /// The variable.
        variable: &'static str,
        /// The failure.
        fault: Fault,
    },
    /// This thread has a [guard](super::ManagedGuard) of the variable.
    #[error("this thread has locked `{variable}`; drop the guard first")]
    Borrowed {
        /// The variable.
        variable: &'static str,
    },
    /// The host cannot access the variable in place.
    #[error(
        "the host cannot access `{variable}` in place, since the device has no concurrent access to managed memory; copy it by `get` and `set`"
    )]
    NoManagedAccess {
        /// The variable.
        variable: &'static str,
    },
    /// The driver refuses the copy.
    #[error("`{variable}` cannot be copied: {source}")]
    Driver {
        /// The variable.
        variable: &'static str,
        /// The driver's error.
        source: DriverError,
    },
}

ptx_types::__debug_as_message!(VariableError);
