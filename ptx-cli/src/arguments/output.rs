//! How a result is written: as text or as JSON.

use clap::{Args, ValueEnum};

/// How a result is written.
#[derive(Clone, Copy, Debug, Args)]
pub struct Output {
    /// How to write the result.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    format: OutputFormat,
    /// Short for `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// How a result is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OutputFormat {
    /// Lines and tables.
    Text,
    /// One JSON document.
    Json,
}

impl Output {
    /// How to write the result.
    pub const fn format(&self) -> OutputFormat {
        if self.json { OutputFormat::Json } else { self.format }
    }
}
