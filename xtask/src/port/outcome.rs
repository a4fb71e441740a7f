//! The outcome for a file.

/// An error in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The code of a rule, if it has one.
    pub code: Option<String>,
    /// The message.
    pub message: String,
    /// The line of the converted module that it points to.
    pub line: Option<usize>,
    /// The text of that line.
    pub text: String,
}

/// The outcome for a file.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The name of the file, without its folder and its extension.
    pub name: String,
    /// Descriptions of the parts without a form in Rust.
    pub left_out: Vec<String>,
    /// The errors, including those that another one hid until it was allowed.
    pub findings: Vec<Finding>,
    /// The errors that remain when hazards are allowed.
    pub remaining: Vec<Finding>,
    /// The difference between the two cubins, or the reason why there is nothing to compare.
    pub different: Option<String>,
    /// Whether the two cubins are equal.
    pub is_equal: bool,
}
