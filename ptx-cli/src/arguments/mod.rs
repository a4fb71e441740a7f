//! The command line.

mod check;
mod completions;
mod explain;
mod fmt;
mod layout;
mod lsp;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ColorChoice, Parser, Subcommand};
use ptx_isa::Target;

pub use check::{Check, Format};
pub use completions::Completions;
pub use explain::Explain;
pub use fmt::{Fmt, FmtFormat};
pub use layout::{Layout, LayoutFormat};
pub use lsp::Lsp;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Checks PTX files, and shows where their storage lies.
#[derive(Debug, Parser)]
#[command(name = "ptx", version, styles = STYLES, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to write in colours; the variable `NO_COLOR` turns `auto` off.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_enum)]
    pub color: ColorChoice,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Report what is wrong with PTX files: grammar, names, and what faults, corrupts or hangs when it runs.
    Check(Check),
    /// Show what the storage of a PTX file takes, and where it lies.
    Layout(Layout),
    /// Format PTX files, and the bodies of `ptx!` in Rust files.
    Fmt(Fmt),
    /// Print what a rule means, with an example, what a GPU does, and the fix.
    Explain(Explain),
    /// Serve an editor, by the language server protocol.
    Lsp(Lsp),
    /// Print the completions of a shell.
    Completions(Completions),
}

/// The target with this name.
fn target(name: &str) -> Result<Target, String> {
    Target::from_name(name).ok_or_else(|| Target::meant(name, &[]))
}
