//! What comes of a file.

use super::count::CountedFile;
use crate::finding::Finding;

/// A file that was counted, or why it was not.
pub(super) enum Outcome {
    Counted(CountedFile),
    /// It has errors of syntax.
    Syntax(String, Vec<Finding>),
    /// ptxas refuses it.
    Refused(String, String),
    /// It could not be read.
    Failed(String, String),
}
