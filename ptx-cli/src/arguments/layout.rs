//! `ptx layout`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `ptx layout`.
#[derive(Debug, Args)]
#[command(after_help = "Exit status:\n  \
    0  the layout is shown\n  \
    1  the file has errors of grammar\n  \
    2  the command line is wrong, the file could not be read, or the output could not be written")]
pub struct Layout {
    /// A PTX file; `-` is the standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How to write the layout.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub format: LayoutFormat,
    /// Short for `--format json`.
    #[arg(long, conflicts_with_all = ["format", "svg"])]
    pub json: bool,
    /// Short for `--format svg`.
    #[arg(long, conflicts_with = "format")]
    pub svg: bool,
}

impl Layout {
    /// How to write the layout.
    pub fn format(&self) -> LayoutFormat {
        match (self.json, self.svg) {
            (true, _) => LayoutFormat::Json,
            (false, true) => LayoutFormat::Svg,
            (false, false) => self.format,
        }
    }
}

/// How a layout is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LayoutFormat {
    /// Tables.
    Text,
    /// One JSON document.
    Json,
    /// A picture.
    Svg,
}
