//! The final check of a module: the rules, with every constant known, and then ptxas.
//!
//! [`assembles!`](macro@crate::assembles) turns this into tests.

mod message;
mod verdict;

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use std::io::Write as _;

use ptx_types::ir::{self, FunctionKind};
use ptx_types::{Demand, Resource, Target};

use self::message::gathered;
use crate::Module;
use crate::ptxas::{AssembleError, Assembled, FindError, Ptxas, Severity};

pub use message::Message;
pub use verdict::{Assembly, NotAssembled};

/// Checks a module with [`Module::check`], and then with the ptxas that [`Ptxas::find`] finds: for its own target
/// and for the given ones. The demands apply to every kernel, on every target. Without the feature `check`, ptxas is the
/// only judge.
///
/// ```no_run
/// # #[ptx::module(target = sm_80)]
/// # mod saxpy {
/// #     #[kernel]
/// #     pub fn saxpy() {
/// #         ptx! { ret; }
/// #     }
/// # }
/// use ptx::rules::Comparison;
/// use ptx::{Demand, Resource, Target};
///
/// # fn main() -> Result<(), ptx::assembly::NotAssembled> {
/// let demands = [Demand::new(Resource::Registers, Comparison::LessOrEqual, 40)];
/// let assembly = ptx::assembles(&saxpy::MODULE, &[Target::Sm90], &demands)?;
/// for message in &assembly.messages {
///     println!("{message}"); // warnings, and remarks on performance
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`NotAssembled::Refused`] has every error, each at its Rust token; [`NotAssembled::NoPtxas`] if there is no ptxas
/// and the rules find nothing.
pub fn assembles(
    module: &Module<'_>,
    targets: &[Target],
    demands: &[Demand],
) -> Result<Assembly, NotAssembled> {
    match Ptxas::find() {
        Ok(ptxas) => assembles_with(&ptxas, module, targets, demands),
        Err(error) => {
            let messages = findings(module);
            let module = module.name.to_string();
            Err(match messages.as_slice() {
                [] => NotAssembled::NoPtxas { module, error },
                _ => NotAssembled::Refused { module, messages },
            })
        }
    }
}

/// Does the same as [`assembles()`], with the given ptxas.
///
/// # Errors
/// Every error, each at its Rust token.
pub fn assembles_with(
    ptxas: &Ptxas,
    module: &Module<'_>,
    targets: &[Target],
    demands: &[Demand],
) -> Result<Assembly, NotAssembled> {
    let mut asked = Vec::from([module.target]);
    for target in targets {
        if !asked.contains(target) {
            asked.push(*target);
        }
    }
    let (mut assembled, mut by_target) = (Vec::new(), Vec::new());
    for target in asked {
        let messages = match assemble(ptxas, module, target) {
            Ok(found) => {
                let mut messages = broken(module, &found, demands);
                let diagnostics = found.warnings.iter().chain(&found.remarks);
                messages.extend(Message::of_ptxas(diagnostics));
                assembled.push((target, found));
                messages
            }
            Err(messages) => messages,
        };
        by_target.push((target, messages));
    }
    let mut messages = findings(module);
    messages.extend(gathered(by_target));
    if messages.iter().any(|message| message.severity >= Severity::Error) {
        return Err(NotAssembled::Refused { module: module.name.to_string(), messages });
    }
    Ok(Assembly { release: ptxas.release(), assembled, messages })
}

#[cfg(not(feature = "check"))]
const fn findings(_: &Module<'_>) -> Vec<Message> {
    Vec::new()
}

#[cfg(feature = "check")]
fn findings(module: &Module<'_>) -> Vec<Message> {
    module.check().iter().map(Message::of_finding).collect()
}

/// The messages of ptxas about functions of other modules, which a linker resolves: calls of them, and their addresses.
const FOR_LINKER: [&str; 2] = ["Unresolved extern", "Cannot take address of function"];

fn assemble(ptxas: &Ptxas, module: &Module<'_>, target: Target) -> Result<Assembled, Vec<Message>> {
    if target != module.target && !module.target.runs_on(target.arch()) {
        let own = module.target;
        return Err([Message::error(
            None,
            format!("code for `{own}` does not run on `{target}`; leave it out, or declare the module for a target whose code runs on both"),
        )]
        .into());
    }
    let outcome = match ptxas.assemble_for(module, target) {
        Err(AssembleError::Refused { diagnostics, .. })
            if diagnostics.iter().all(|diagnostic| {
                FOR_LINKER.iter().any(|it| diagnostic.message.starts_with(it))
            }) =>
        {
            ptxas.assemble_for_linking(module, target)
        }
        outcome => outcome,
    };
    outcome.map_err(|error| match error {
        AssembleError::Refused { diagnostics, .. } => Message::of_ptxas(&diagnostics),
        other => [Message::error(None, other.to_string())].into(),
    })
}

/// The demands that are not met.
fn broken(module: &ir::Module<'_>, assembled: &Assembled, demands: &[Demand]) -> Vec<Message> {
    let mut found = Vec::new();
    let is_kernel = |function: &&&ir::Function<'_>| {
        function.kind == FunctionKind::Kernel && function.body.is_some()
    };
    for demand in demands {
        if !demand.resource.is_of_kernels() {
            let number = match demand.resource {
                Resource::Warnings => assembled.warnings.len(),
                _ => assembled.remarks.len(),
            };
            if !demand.is_met_by(number) {
                let name = module.name;
                let text = format!("the module `{name}` {}", demand.broken_by(number));
                found.push(Message::error(None, text));
            }
            continue;
        }
        let mut is_asked = false;
        for kernel in module.functions.iter().filter(is_kernel) {
            is_asked = true;
            let (name, place) = (kernel.name, kernel.place.and_then(|place| place.location()));
            let text = match assembled.report.kernel(name) {
                None => format!(
                    "ptxas does not report what kernel `{name}` takes, but `{demand}` is required"
                ),
                Some(resources) => {
                    let number = match demand.resource {
                        Resource::Registers => resources.registers,
                        Resource::Spills => resources.spill_bytes.0 + resources.spill_bytes.1,
                        Resource::Stack => resources.stack_bytes,
                        _ => resources.shared_bytes,
                    };
                    if demand.is_met_by(number) {
                        continue;
                    }
                    format!("kernel `{name}` {}", demand.broken_by(number))
                }
            };
            found.push(Message::error(place, text));
        }
        if !is_asked {
            let name = module.name;
            let text = format!("`{demand}` is required of kernels, but `{name}` has none");
            found.push(Message::error(None, text));
        }
    }
    found
}

/// The body of the tests that `assembles!` generates. Warnings and remarks, and the note that there is no ptxas, are
/// written past the test harness, which shows a test's output only if the test fails.
///
/// # Panics
/// If the module does not assemble; without a ptxas, if one is required.
#[doc(hidden)]
#[track_caller]
pub fn assert_assembles(module: &Module<'_>, targets: &[Target], demands: &[Demand]) {
    for of_target in module.each_target() {
        // Code for one of the targets need not run on the others.
        let run = |target: &&Target| of_target.target.runs_on(target.arch());
        let is_only = module.each_target().count() == 1;
        let targets: Vec<Target> =
            targets.iter().filter(|target| is_only || run(target)).copied().collect();
        assert_assembles_one(of_target, &targets, demands);
    }
}

#[track_caller]
fn assert_assembles_one(module: &Module<'_>, targets: &[Target], demands: &[Demand]) {
    let lines = match assembles(module, targets, demands) {
        Ok(assembly) => {
            assembly.messages.iter().map(|message| message.to_string() + "\n").collect()
        }
        Err(NotAssembled::NoPtxas { module, error: FindError::NotFound { .. } })
            if std::env::var_os("PTX_REQUIRE_PTXAS").is_none() =>
        {
            format!(
                "NOT RUN: ptxas was not found, so `{module}` was checked, but not assembled; \
                 `PTX_REQUIRE_PTXAS=1 cargo test` says how to get it\n"
            )
        }
        Err(refused) => panic!("{refused}"),
    };
    // In one write, so that the lines of two tests do not mix. A failure to write is ignored.
    let _ = std::io::stderr().write_all(lines.as_bytes());
}
