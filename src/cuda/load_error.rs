//! How a module is loaded, and why it is not.

use std::boxed::Box;
use std::string::String;
use std::vec::Vec;

use cudarc::driver::DriverError;
use ptx_types::ir::VersionCause;
use ptx_types::{Release, Target, Version};
use thiserror::Error;

use super::calls::CallError;
use super::difference::Differences;
use super::refusal::Refusal;
use crate::ptxas::Diagnostic;

/// How the driver compiles a module. What is not said is the driver's to choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct LoadOptions {
    /// 0 to 4, 4 where nothing is said.
    pub optimization_level: Option<u32>,
    /// Registers of a thread at most.
    pub max_registers: Option<u32>,
    /// Keeps the lines of the text for profilers; where the module has `line_info = true`, it does so
    /// without.
    pub line_info: bool,
    /// Keeps what a debugger needs.
    pub debug: bool,
}

impl LoadOptions {
    /// Nothing is said.
    pub const fn new() -> Self {
        Self { optimization_level: None, max_registers: None, line_info: false, debug: false }
    }

    /// 0 to 4.
    pub const fn optimization_level(mut self, level: u32) -> Self {
        self.optimization_level = Some(level);
        self
    }

    /// Registers of a thread at most.
    pub const fn max_registers(mut self, registers: u32) -> Self {
        self.max_registers = Some(registers);
        self
    }

    /// Keeps the lines of the text for profilers.
    pub const fn line_info(mut self) -> Self {
        self.line_info = true;
        self
    }

    /// Keeps what a debugger needs.
    pub const fn debug(mut self) -> Self {
        self.debug = true;
        self
    }
}

/// Why a module was not loaded.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no driver, or it is too old.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The context cannot be used.
    #[error("the context cannot be used: {0}")]
    Context(#[from] DriverError),
    /// The device does not say what it is.
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
    /// The driver is too old for the module's PTX version.
    #[error("{}", version_message(.module, *.needs, .cause, *.takes, *.driver))]
    Version {
        /// The module.
        module: &'static str,
        /// The version of its text.
        needs: Version,
        /// What needs it.
        cause: VersionCause<'static>,
        /// The newest version that the driver takes, if it says.
        takes: Option<Version>,
        /// The release of CUDA that the driver is of, if it says.
        driver: Option<Release>,
    },
    /// The compiler in the driver refuses the module.
    #[error("the driver cannot compile the module `{module}`:\n{}", list(.diagnostics))]
    Compile {
        /// The module.
        module: &'static str,
        /// What it says, at the tokens in Rust.
        diagnostics: Vec<Diagnostic>,
    },
    /// The driver does not take the module, and its compiler does not say why.
    #[error("the driver refuses the module `{module}`: {refusal}{}", said(.log))]
    Refused {
        /// The module.
        module: &'static str,
        /// The driver's answer.
        #[source]
        refusal: Refusal,
        /// What its compiler wrote.
        log: String,
    },
    /// There is no such level.
    #[error("optimisation level {level} does not exist; the levels are 0 to 4")]
    OptimizationLevel {
        /// What was asked for.
        level: u32,
    },
    /// What was loaded is not what was declared.
    #[error(transparent)]
    Differs(Box<Differences>),
}

fn advice(target: Target) -> &'static str {
    if target.is_baseline() {
        "declare an older target"
    } else {
        "declare a target without a letter at its end, which later devices also run, or use another device"
    }
}

fn list(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> =
        diagnostics.iter().map(|diagnostic| std::format!("  {diagnostic}")).collect();
    lines.join("\n")
}

fn said(log: &str) -> String {
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
