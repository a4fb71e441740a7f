//! A file, and what it needs.

use ptx_isa::Target;

use super::header::Level;
use super::lowest::Kernel;
use crate::finding::Finding;
use crate::terminal::Status;

/// What is known of a file.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    /// Why it could not be read, written or assembled.
    pub(crate) failure: Option<String>,
    /// Why it is not known what it needs.
    pub(crate) errors: Vec<Finding>,
    pub(crate) outcome: Option<Outcome>,
}

/// What a file needs.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) declared: Level,
    pub(crate) lowest: Level,
    pub(crate) for_target: Vec<Finding>,
    /// The target of a family that a newer version has and that suffices, too.
    pub(crate) family: Option<Target>,
    pub(crate) for_version: Vec<Finding>,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) is_written: bool,
}

impl File {
    /// The exit status for it.
    pub(crate) fn status(&self, is_check: bool) -> Status {
        let differs = |it: &Outcome| it.declared != it.lowest;
        match self {
            Self { failure: Some(_), .. } => Status::Failed,
            Self { errors, .. } if !errors.is_empty() => Status::Errors,
            Self { outcome: Some(outcome), .. } if is_check && differs(outcome) => Status::Errors,
            Self { .. } => Status::Clean,
        }
    }
}
