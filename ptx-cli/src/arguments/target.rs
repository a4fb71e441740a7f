//! The names of targets.

use ptx_isa::Target;

/// The target with this name.
pub(super) fn target(name: &str) -> Result<Target, String> {
    Target::from_name(name).ok_or_else(|| Target::meant(name, &[]))
}
