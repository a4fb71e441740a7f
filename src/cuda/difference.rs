//! Differences between what was loaded and what was declared.

use core::fmt;
use std::vec::Vec;

use thiserror::Error;

use super::refusal::Refusal;

/// Every difference between a loaded module and its declaration.
#[derive(Clone, Error)]
pub struct Differences {
    /// The module.
    pub module: &'static str,
    /// All differences; at least one.
    pub all: Vec<Difference>,
}

impl Differences {
    /// The first refusal of the driver among them.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        self.all.iter().find_map(|difference| match difference {
            Difference::NoKernel { refusal, .. } | Difference::NotSet { refusal, .. } => {
                Some(*refusal)
            }
            _ => None,
        })
    }
}

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the loaded module is not `{}` as it is declared here:", self.module)?;
        self.all.iter().try_for_each(|difference| write!(f, "\n  {difference}"))
    }
}

/// A difference between a loaded module and its declaration. Sizes and offsets are in bytes.
#[derive(Clone, Error)]
#[non_exhaustive]
pub enum Difference {
    /// A kernel is missing.
    #[error("there is no kernel `{kernel}`: {refusal}")]
    NoKernel {
        /// The kernel.
        kernel: &'static str,
        /// The driver's answer.
        refusal: Refusal,
    },
    /// A variable is missing.
    #[error("there is no variable `{variable}`")]
    NoVariable {
        /// The variable.
        variable: &'static str,
    },
    /// A parameter has a different size.
    #[error(
        "parameter `{parameter}` of `{kernel}` has {loaded} bytes, but {declared} are declared"
    )]
    ParameterSize {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// Its size as declared.
        declared: usize,
        /// Its size as loaded.
        loaded: usize,
    },
    /// A parameter has a different offset.
    #[error(
        "parameter `{parameter}` of `{kernel}` is at byte {loaded}, but is declared at byte {declared}"
    )]
    ParameterOffset {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// Its offset as declared.
        declared: usize,
        /// Its offset as loaded.
        loaded: usize,
    },
    /// The kernel has more parameters than declared.
    #[error("`{kernel}` has more parameters than the {declared} that are declared")]
    MoreParameters {
        /// The kernel.
        kernel: &'static str,
        /// How many are declared.
        declared: usize,
    },
    /// Static shared memory has a different size.
    #[error("`{kernel}` has {loaded} bytes of static shared memory, but {declared} are declared")]
    StaticShared {
        /// The kernel.
        kernel: &'static str,
        /// The size as declared.
        declared: usize,
        /// The size as loaded.
        loaded: usize,
    },
    /// A block can have fewer threads than declared.
    #[error(
        "a block of `{kernel}` can have {loaded} threads, and {declared} are declared; with \
         `max_registers` of `LoadOptions` or `maxnreg` each takes fewer registers"
    )]
    Threads {
        /// The kernel.
        kernel: &'static str,
        /// The number of threads that `maxntid` or `reqntid` declares.
        declared: u64,
        /// The number of threads that a block can have.
        loaded: usize,
    },
    /// A variable has a different size.
    #[error("variable `{variable}` has {loaded} bytes, but {declared} are declared")]
    VariableSize {
        /// The variable.
        variable: &'static str,
        /// Its size as declared.
        declared: usize,
        /// Its size as loaded.
        loaded: usize,
    },
    /// A block needs more shared memory than the device has.
    #[error("{}", shared_message(.kernel, *.statically, *.dynamic, *.limit))]
    SharedMemory {
        /// The kernel.
        kernel: &'static str,
        /// Static shared memory.
        statically: usize,
        /// Dynamic shared memory.
        dynamic: usize,
        /// The maximum that a block can opt in to.
        limit: usize,
    },
    /// The driver refuses a setting that the kernel needs.
    #[error("`{kernel}` needs {what}, which the driver refuses to set: {refusal}")]
    NotSet {
        /// The kernel.
        kernel: &'static str,
        /// The setting.
        what: &'static str,
        /// The driver's answer.
        refusal: Refusal,
    },
}

ptx_types::__debug_as_message!(Differences, Difference);

pub(super) fn shared_message(
    kernel: &str,
    statically: usize,
    dynamic: usize,
    limit: usize,
) -> std::string::String {
    std::format!(
        "`{kernel}` needs {} bytes of shared memory, {statically} static and {dynamic} dynamic, and a \
         block of this device has at most {limit}; reduce it by {} bytes",
        statically.saturating_add(dynamic),
        statically.saturating_add(dynamic).saturating_sub(limit),
    )
}
