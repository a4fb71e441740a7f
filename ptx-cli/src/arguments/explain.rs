//! `ptx explain`.

use clap::Args;

use super::output::Output;

/// `ptx explain`.
#[derive(Debug, Args)]
#[command(after_help = "Exit status:\n  \
    0  the rule is explained\n  \
    2  no rule has this code, or the output could not be written")]
pub struct Explain {
    /// The code of a rule, such as `A021`; without one, all rules are listed.
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
    /// How to write the result.
    #[command(flatten)]
    pub format: Output,
}
