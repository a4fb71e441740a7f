//! How a module is loaded, and why loading fails.

use std::boxed::Box;
use std::string::String;
use std::vec::Vec;

use cudarc::driver::{CudaContext, DriverError};
use ptx_emit::Fingerprint;
use ptx_types::ir::VersionCause;
use ptx_types::{Release, Target, Version};
use thiserror::Error;

use super::calls::CallError;
use super::difference::Differences;
use super::fault::{Fault, fault_of};
use super::fault_meaning::code_of;
use super::links::LinkError;
use super::refusal::Refusal;
use crate::ptxas::Diagnostic;

/// How the driver compiles a module. The driver chooses whatever is not set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct LoadOptions {
    /// 0 to 4; the default is 4.
    pub optimization_level: Option<u32>,
    /// The maximum number of registers of a thread.
    pub max_registers: Option<u32>,
    /// Whether to keep the lines of the text for profilers; a module with `line_info = true` keeps them
    /// anyway.
    pub line_info: bool,
    /// Whether to keep debug information.
    pub debug: bool,
}

impl LoadOptions {
    /// Options with nothing set.
    pub const fn new() -> Self {
        Self { optimization_level: None, max_registers: None, line_info: false, debug: false }
    }

    /// Sets the optimisation level, 0 to 4.
    pub const fn optimization_level(mut self, level: u32) -> Self {
        self.optimization_level = Some(level);
        self
    }

    /// Sets the maximum number of registers of a thread.
    pub const fn max_registers(mut self, registers: u32) -> Self {
        self.max_registers = Some(registers);
        self
    }

    /// Keeps the lines of the text for profilers.
    pub const fn line_info(mut self) -> Self {
        self.line_info = true;
        self
    }

    /// Keeps debug information.
    pub const fn debug(mut self) -> Self {
        self.debug = true;
        self
    }
}

/// Why a module was not loaded.
#[derive(Clone, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no driver, or it is too old.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The context cannot be used.
    #[error("the context cannot be used: {0}")]
    Context(#[from] DriverError),
    /// An earlier kernel has failed, and the context is lost.
    #[error("the module `{module}` was not loaded: {fault}")]
    Fault {
        /// The module.
        module: &'static str,
        /// The failure.
        fault: Fault,
    },
    /// The driver does not report the limits of the device.
    #[error("the driver does not report the properties of the device of this context")]
    UnknownDevice,
    /// The device does not run code for the module's target.
    #[error(
        "the module `{module}` is for `{target}`, and this device has compute capability {}.{}; \
         {}",
        .arch / 10,
        .arch % 10,
        advice(*.target)
    )]
    Target {
        /// The module.
        module: &'static str,
        /// Its target.
        target: Target,
        /// 90 for a device of compute capability 9.0.
        arch: u16,
    },
    /// The device does not run code for any of the module's targets.
    #[error(
        "the module `{module}` is for {}, and this device has compute capability {}.{}; add an older target to `targets = [..]`, or one of \
         this architecture",
        listed(.targets),
        .arch / 10,
        .arch % 10
    )]
    Targets {
        /// The module.
        module: &'static str,
        /// Its targets.
        targets: Vec<Target>,
        /// 90 for a device of compute capability 9.0.
        arch: u16,
    },
    /// The driver is too old for the module's PTX version.
    #[error("{}", version_message(.module, *.needs, .cause, *.takes, *.driver))]
    Version {
        /// The module.
        module: &'static str,
        /// The version of its text.
        needs: Version,
        /// The feature that needs it.
        cause: VersionCause<'static>,
        /// The newest version that the driver accepts, if it reports one.
        takes: Option<Version>,
        /// The driver's release of CUDA, if it reports one.
        driver: Option<Release>,
    },
    /// The compiler in the driver does not accept the module.
    #[error("the driver cannot compile the module `{module}`:\n{}", list(.diagnostics))]
    Compile {
        /// The module.
        module: &'static str,
        /// Its messages, at the Rust tokens.
        diagnostics: Vec<Diagnostic>,
    },
    /// The driver does not accept the module, and its compiler does not say why.
    #[error("the driver refuses the module `{module}`: {refusal}{}", logged(.log))]
    Refused {
        /// The module.
        module: &'static str,
        /// The driver's answer.
        #[source]
        refusal: Refusal,
        /// The log of its compiler.
        log: String,
    },
    /// The modules cannot be linked.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The cubins were made from another text.
    #[error(transparent)]
    Stale(#[from] Stale),
    /// The handles of a module were requested that was not linked with the one that was loaded.
    #[error("`{module}` was not linked with `{with}`; name it in `ptx::cuda::load_linked`")]
    NotLinked {
        /// The module whose handles were requested.
        module: &'static str,
        /// The module that was loaded.
        with: &'static str,
    },
    /// The optimisation level does not exist.
    #[error("optimisation level {level} does not exist; the levels are 0 to 4")]
    OptimizationLevel {
        /// The requested level.
        level: u32,
    },
    /// The loaded module differs from its declaration.
    #[error(transparent)]
    Differs(Box<Differences>),
}

ptx_types::__debug_as_message!(LoadError);

impl LoadError {
    /// The same, explained if it reports that an earlier kernel has failed.
    #[cold]
    pub(super) fn explained(self, module: &'static str, context: &CudaContext) -> Self {
        let code = match &self {
            Self::Context(error) => Some(code_of(*error)),
            Self::Refused { refusal, .. } => Some(refusal.code),
            Self::Differs(differences) => differences.refusal().map(|refusal| refusal.code),
            _ => None,
        };
        let fault = code.and_then(|code| fault_of(context, code));
        fault.map_or(self, |fault| Self::Fault { module, fault })
    }
}

/// The cubins were made from another text than that of the module.
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "the cubins for `{module}` were made from another text (its fingerprint is {made_from}) than the module has now \
     ({text}): the build script uses another version of the module, or ran with other features; build them again"
)]
pub struct Stale {
    /// The module.
    pub module: &'static str,
    /// The fingerprint of the text that they were made from.
    pub made_from: Fingerprint,
    /// That of the module's text.
    pub text: Fingerprint,
}

ptx_types::__debug_as_message!(Stale);

fn advice(target: Target) -> &'static str {
    if target.is_baseline() {
        "declare an older target"
    } else {
        "declare a target without a letter at its end, which later devices also run, or use another device"
    }
}

fn listed(targets: &[Target]) -> String {
    let targets: Vec<String> = targets.iter().map(|target| std::format!("`{target}`")).collect();
    targets.join(", ")
}

fn list(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> =
        diagnostics.iter().map(|diagnostic| std::format!("  {diagnostic}")).collect();
    lines.join("\n")
}

fn logged(log: &str) -> String {
    if log.is_empty() { String::new() } else { std::format!("\n{log}") }
}

fn version_message(
    module: &str,
    needs: Version,
    cause: &VersionCause<'_>,
    takes: Option<Version>,
    driver: Option<Release>,
) -> String {
    let driver = driver.map_or_else(
        || String::from("this driver"),
        |release| std::format!("a driver for CUDA {release}"),
    );
    let takes = takes.map_or_else(
        || String::from("does not take it"),
        |version| std::format!("takes up to {version}"),
    );
    std::format!(
        "the module `{module}` needs PTX {needs} because of {cause}; {driver} {takes}; declare what \
         needs less, or use a newer driver"
    )
}
