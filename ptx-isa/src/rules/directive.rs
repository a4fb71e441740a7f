//! The directives of functions that rules are asked about.

use crate::ir::{Directive, FunctionKind};
use crate::target::Version;

/// A directive of functions.
#[derive(Clone, Copy, Debug)]
pub enum GivenDirective<'a> {
    /// One of the IR, with its values.
    Known(Directive),
    /// One that the IR does not have.
    Other(OtherDirective<'a>),
}

/// A directive of functions that the IR does not have.
#[derive(Clone, Copy, Debug)]
pub struct OtherDirective<'a> {
    /// Its name without the dot.
    pub name: &'a str,
    /// The functions that have it, if not both kinds.
    pub of: Option<FunctionKind>,
    /// The lowest PTX version that has it.
    pub since: Version,
    /// The lowest architecture that has it.
    pub min_arch: u16,
}

impl<'a> GivenDirective<'a> {
    /// Its name, and what needs it, without values.
    pub(super) const fn described(self) -> OtherDirective<'a> {
        let kind = match self {
            Self::Known(directive) => directive.kind,
            Self::Other(other) => return other,
        };
        let of = if kind.is_of_kernels() { FunctionKind::Kernel } else { FunctionKind::Device };
        let (since, min_arch) = (kind.since(), kind.min_arch());
        OtherDirective { name: kind.name(), of: Some(of), since, min_arch }
    }
}
