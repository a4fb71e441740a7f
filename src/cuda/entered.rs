//! The context that modules are loaded into, and the targets that suit its device.

use std::vec::Vec;

use cudarc::driver::CudaContext;

use super::context::Limits;
use super::links::check_links;
use super::load_error::LoadError;
use crate::Module;

/// What is loaded into a context.
pub(super) struct Entered {
    /// The module for the target that suits the device best.
    pub(super) declaration: &'static Module<'static>,
    /// Likewise those that it is linked with.
    pub(super) with: Vec<&'static Module<'static>>,
    pub(super) limits: Limits,
}

impl Entered {
    /// The module and those that it is linked with, each once.
    pub(super) fn all(&self) -> Vec<&'static Module<'static>> {
        let mut all = std::vec![self.declaration];
        for module in &self.with {
            if !all.iter().any(|known| core::ptr::eq(*known, *module)) {
                all.push(module);
            }
        }
        all
    }
}

/// Makes the context current, chooses the targets of the modules for its device, and checks that what they declare `extern`
/// is defined.
pub(super) fn enter(
    declaration: &'static Module<'static>,
    with: &[&'static Module<'static>],
    context: &CudaContext,
) -> Result<Entered, LoadError> {
    let has_one_target = |module: &&'static Module<'static>| module.each_target().count() == 1;
    let is_chosen = has_one_target(&declaration) && with.iter().all(has_one_target);
    if is_chosen {
        check_links(declaration, with)?;
    }
    let (declaration, limits) = enter_alone(declaration, context)?;
    let chosen = with.iter().map(|module| of_device(module, limits.arch));
    let with = chosen.collect::<Result<Vec<_>, _>>()?;
    if !is_chosen {
        check_links(declaration, &with)?;
    }
    Ok(Entered { declaration, with, limits })
}

/// Makes the context current, and chooses the target of the module for its device.
pub(super) fn enter_alone(
    declaration: &'static Module<'static>,
    context: &CudaContext,
) -> Result<(&'static Module<'static>, Limits), LoadError> {
    context.bind_to_thread()?;
    let limits = Limits::of(context).ok_or(LoadError::UnknownDevice)?;
    Ok((of_device(declaration, limits.arch)?, limits))
}

/// The module for the target that suits a device of this architecture best.
fn of_device(
    declaration: &'static Module<'static>,
    arch: u16,
) -> Result<&'static Module<'static>, LoadError> {
    let module = declaration.name;
    declaration.for_arch(arch).ok_or_else(|| match declaration.each_target().count() {
        1 => LoadError::Target { module, target: declaration.target, arch },
        _ => {
            let targets = declaration.each_target().map(|module| module.target).collect();
            LoadError::Targets { module, targets, arch }
        }
    })
}
