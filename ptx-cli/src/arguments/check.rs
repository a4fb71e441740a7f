//! `ptx check`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use ptx_isa::rules::Rule;
use ptx_text::{Group, Launch};

use super::assembler::AssemblerOptions;
use crate::allowed::hazard;

/// `ptx check`.
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("launch").multiple(true).args(["block", "grid", "cluster", "dynamic", "param"]))
)]
#[command(after_help = "Exit status:\n  \
    0  there are no errors\n  \
    1  there are errors\n  \
    2  the command line is wrong, a file could not be read, ptxas could not be run or crashed, or the\n     \
    output could not be written\n\n\
    A hazard is allowed in the file by a comment on the line before a statement or declaration, and for a \
    whole function on the line before that:\n  \
    // ptx: allow(A034)")]
pub struct Check {
    /// PTX files; `-` is the standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How to write what is found.
    #[command(flatten)]
    pub output: FindingsOutput,
    /// The kernels to which `--block` and the options after it apply, by their names, separated by commas;
    /// without it, they apply to all.
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "launch")]
    pub kernel: Vec<String>,
    /// Follow the threads of kernels in blocks of this many threads, such as `128` or `32,8`, where
    /// no `.reqntid` says how many; without it, what goes wrong in blocks of 32, 128 and 1,024 threads
    /// is reported.
    #[arg(long, value_name = "THREADS", value_parser = block, allow_negative_numbers = true)]
    pub block: Option<[u32; 3]>,
    /// The blocks of the grid, such as `64` or `8,8,2`.
    #[arg(long, value_name = "BLOCKS", value_parser = extents, allow_negative_numbers = true)]
    pub grid: Option<[u32; 3]>,
    /// The blocks of a cluster, where no `.reqnctapercluster` says how many.
    #[arg(long, value_name = "BLOCKS", value_parser = cluster, allow_negative_numbers = true)]
    pub cluster: Option<[u32; 3]>,
    /// The bytes of dynamic shared memory.
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    pub dynamic: Option<u32>,
    /// The number in a parameter, by its name or its number from 0: `n=64`, `2=64`; others are tried
    /// with several numbers. Or the bytes of the buffer that a parameter points to, `p=@65536`; or its
    /// words of 32 bits, which `ld.global.nc` reads: `p=[0,2,4]`.
    #[arg(long, value_name = "NAME=NUMBER", value_parser = param)]
    pub param: Vec<(String, String)>,
    /// Report what mostly does no harm, too: threads of one warp that only lockstep orders, since
    /// there is no `bar.warp.sync` between their accesses (A117); threads that store the same number
    /// (A117); and reads of shared memory that nothing writes (A122).
    #[arg(long)]
    pub strict: bool,
    /// Do not report the hazard with this code, such as `A034`; several are separated by commas.
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = hazard)]
    pub allow: Vec<&'static Rule>,
    /// Treat warnings as errors.
    #[arg(long)]
    pub deny_warnings: bool,
    /// Run ptxas too, and report its messages.
    #[arg(long)]
    pub ptxas: bool,
    /// Which ptxas runs.
    #[command(flatten)]
    pub assembler: AssemblerOptions,
}

impl Check {
    /// The launch that is given, if any part of one is.
    ///
    /// # Errors
    /// If something is passed in a parameter twice.
    pub fn launch(&self) -> Result<Option<Launch>, String> {
        let Self { block, grid, cluster, dynamic, .. } = *self;
        let mut launch = Launch { block, grid, cluster, dynamic, ..Launch::default() };
        for (name, value) in &self.param {
            ptx_text::pass(&mut launch, name, value)?;
        }
        Ok((launch != Launch::default()).then_some(launch))
    }
}

/// Reads extents: `128`, `32,8` or `32x8x1`.
fn extents(text: &str) -> Result<[u32; 3], String> {
    let mut all = [1; 3];
    let parts: Vec<&str> = text.split([',', 'x']).collect();
    if parts.len() > all.len() {
        return Err("write at most three numbers".to_owned());
    }
    for (extent, part) in all.iter_mut().zip(parts) {
        *extent = match part.trim().parse() {
            Ok(0) => return Err("no extent is 0".to_owned()),
            Ok(number) => number,
            Err(error) => return Err(format!("`{part}`: {error}")),
        };
    }
    Ok(all)
}

/// Reads the extents of a block.
fn block(text: &str) -> Result<[u32; 3], String> {
    Group::Block.checked(extents(text)?)
}

/// Reads the extents of a cluster.
fn cluster(text: &str) -> Result<[u32; 3], String> {
    Group::Cluster.checked(extents(text)?)
}

/// Reads what is passed in a parameter: `n=64`, `p=@65536`, `p=[0,2,4]`.
fn param(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write a name, `=` and a number")?;
    ptx_text::pass(&mut Launch::default(), name, value)?;
    Ok((name.to_owned(), value.to_owned()))
}

/// How findings are written.
#[derive(Clone, Copy, Debug, Args)]
pub struct FindingsOutput {
    /// How to write what is found.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    format: Format,
    /// Short for `--format json`.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl FindingsOutput {
    /// How to write what is found.
    pub const fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// A format of findings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// As rustc shows errors, with the lines that they are about.
    Text,
    /// One JSON document.
    Json,
    /// One SARIF 2.1.0 log, as code hosts and editors read.
    Sarif,
}
