//! The command line.

mod assembler;
mod bind;
mod check;
mod completions;
mod diff;
mod explain;
mod fmt;
mod import;
mod layout;
mod lsp;
mod map;
mod min;
mod names;
mod new;
mod output;
mod stats;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ColorChoice, Parser, Subcommand};

pub use assembler::{AssemblerOptions, AssemblerPath};
pub use bind::Bind;
pub use check::{Check, Format};
pub use completions::Completions;
pub use diff::Diff;
pub use explain::Explain;
pub use fmt::Fmt;
pub use import::Import;
pub use layout::{Layout, LayoutFormat};
pub use lsp::Lsp;
pub(crate) use map::number;
pub use map::{Conflicts, Decode, Encode, Map, MapCommand, PictureFormat, SwizzleOfBox};
pub use min::Min;
pub use new::{New, Template};
pub use output::{Output, OutputFormat};
pub use stats::Stats;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Checks, measures, compares, formats and imports PTX files.
#[derive(Debug, Parser)]
#[command(name = "ptx", version, styles = STYLES, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to write in colours; the variable `NO_COLOR` turns `auto` off.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        value_enum,
        display_order = 900
    )]
    pub color: ColorChoice,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Create a project: a kernel, its test, and a program that launches it.
    New(New),
    /// Report what is wrong with PTX files: grammar, names, and what faults, corrupts or hangs when it runs.
    Check(Check),
    /// Show what the storage of a PTX file takes, and where it lies.
    Layout(Layout),
    /// Count what the statements of PTX files do: kinds, bytes moved, storage, and registers by ptxas.
    Stats(Stats),
    /// Compare what two PTX files mean, whatever their names, comments and order of declarations.
    Diff(Diff),
    /// Show the lowest `.version` and `.target` that PTX files need, and which statements need them; set them in the files.
    Min(Min),
    /// Print the fields of a tensor map, draw its swizzle, and count bank conflicts.
    Map(Map),
    /// Format PTX files, and the bodies of `ptx!` in Rust files.
    Fmt(Fmt),
    /// Write a PTX file as a Rust module, whose declarations are Rust and whose bodies are its PTX.
    Import(Import),
    /// Write what `ptx::import!` makes of a PTX file: the names and types of its kernels and variables.
    Bind(Bind),
    /// Print what a rule means, with an example, what a GPU does, and the fix.
    Explain(Explain),
    /// Serve an editor, by the language server protocol.
    Lsp(Lsp),
    /// Print the completions of a shell.
    Completions(Completions),
}
