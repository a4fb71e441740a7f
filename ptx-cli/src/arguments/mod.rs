//! The command line.

mod bind;
mod check;
mod completions;
mod explain;
mod import;
mod layout;
mod names;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ColorChoice, Parser, Subcommand};

pub use bind::Bind;
pub use check::{Check, Format};
pub use completions::Completions;
pub use explain::Explain;
pub use import::Import;
pub use layout::{Layout, LayoutFormat};

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
    /// Write a PTX file as a Rust module, whose declarations are Rust and whose bodies are its PTX.
    Import(Import),
    /// Write what `ptx::import!` makes of a PTX file: the names and types of its kernels and variables.
    Bind(Bind),
    /// Print what a rule means, with an example, what a GPU does, and the fix.
    Explain(Explain),
    /// Print the completions of a shell.
    Completions(Completions),
}
