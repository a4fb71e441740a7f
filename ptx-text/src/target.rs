//! The target of modules that name none.

use ptx_isa::Target;

/// Replaces a target that is missing or invalid, which was reported.
pub const FALLBACK_TARGET: Target = Target::Sm90a;
