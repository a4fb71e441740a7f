//! The command line.

use std::path::PathBuf;

use clap::Parser;
use clap::builder::styling::{AnsiColor, Styles};
use ptx_isa::{Target, Version};
use ptx_smith::Kind;
use ptx_smith::fault::{Fault, NOT_IN_TEXT};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Makes random PTX for tests of assemblers, parsers and simulators.
///
/// What is made depends on the kind, the seed, the number of the file and the options alone. The exit code is 0, or 1
/// if a command that `--run` names failed, or 2 if something cannot be made, written or started.
#[derive(Debug, Parser)]
#[command(name = "ptx-smith", version, styles = STYLES, max_term_width = 100)]
pub(crate) struct Arguments {
    /// What to make.
    #[arg(value_enum)]
    pub(crate) kind: Kind,
    /// The seed.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How many files.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) count: usize,
    /// The number of the first file.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) from: usize,
    /// The target, such as `sm_90a`; without it, each file has a random one. With `--rule`, a mutant has another one if the
    /// rule is never broken alone on that target.
    #[arg(long, value_name = "TARGET", value_parser = target)]
    pub(crate) target: Option<Target>,
    /// The PTX version, such as `8.6`; without it, each file has the lowest one with all that is in it.
    #[arg(long, value_name = "VERSION", value_parser = version)]
    pub(crate) isa: Option<Version>,
    /// The folder for the files, which is created; without it, they are written to the standard output.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// A command that is run with each file, whose path stands for `{}`. If it fails, or accepts what is wrong, the smallest
    /// file of which the same is true is written, and nothing else.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) run: Option<String>,
    /// After how many seconds the command has failed.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "run")]
    pub(crate) timeout: u64,
    /// The code of the rule that mutants break, such as `A021`; without it, each breaks a random one.
    #[arg(long, value_name = "CODE", value_parser = rule)]
    pub(crate) rule: Option<&'static str>,
    /// Make only mutants that an assembler refuses.
    #[arg(long)]
    pub(crate) refused: bool,
    /// Write what was drawn: the number of each row, type, state space, modifier and rule. Files are written to `--out`
    /// alone.
    #[arg(long)]
    pub(crate) statistics: bool,
}

fn target(name: &str) -> Result<Target, String> {
    Target::from_name(name).ok_or_else(|| Target::meant(name, &[]))
}

fn rule(code: &str) -> Result<&'static str, String> {
    if let Some(fault) = Fault::all().iter().find(|fault| fault.code == code) {
        return Ok(fault.code);
    }
    let reason = NOT_IN_TEXT.iter().find(|(codes, _)| codes.contains(&code));
    Err(reason.map_or_else(
        || "it is not the code of a rule".to_owned(),
        |(_, reason)| format!("no file breaks this rule: {reason}"),
    ))
}

fn version(text: &str) -> Result<Version, String> {
    let version = Version::parse(text).ok_or("write a version such as `8.6`")?;
    let (oldest, newest) = (ptx_smith::module::OLDEST, ptx_smith::module::newest());
    if version.is_below(oldest) || newest.is_below(version) {
        return Err(format!("it is from {oldest} to {newest}"));
    }
    Ok(version)
}
