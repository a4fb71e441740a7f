//! What became of a file.

/// An error of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The code of a rule, if it has one.
    pub code: Option<String>,
    /// What it says.
    pub message: String,
    /// The line of the converted module that it blames.
    pub line: Option<usize>,
    /// The text of that line.
    pub text: String,
}

/// What became of a file.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The name of the file, without its folder and its ending.
    pub name: String,
    /// What has no form in Rust, in words.
    pub left_out: Vec<String>,
    /// The errors, with those that another one hid until it was allowed.
    pub findings: Vec<Finding>,
    /// The errors that remain when hazards are allowed.
    pub remaining: Vec<Finding>,
    /// In what the two cubins differ, or why there is nothing to compare.
    pub different: Option<String>,
    /// Whether ptxas makes the same of both.
    pub is_equal: bool,
}
