//! `ptx import`.

use std::path::PathBuf;

use clap::Args;

use super::output::Output;

/// `ptx import`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    ptx import blur.ptx -o src/blur.rs\n  \
    ptx import blur.ptx --places --name rows\n  \
    ptx import ring.ptx --places --structs src/types.rs --type SMEM=Ring --type 'fill.image=Image'\n\n\
Exit status:\n  \
    0  the module is written\n  \
    1  the file has errors of grammar, or something that a module cannot say; nothing is written\n  \
    2  the command line is wrong, the file could not be read, or the output could not be written")]
pub struct Import {
    /// A PTX file; `-` is the standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write a Rust file instead of printing it.
    #[arg(short, long, value_name = "FILE.rs")]
    pub output: Option<PathBuf>,
    /// The name of the module; without it, that of the file.
    #[arg(long, value_name = "NAME", value_parser = super::names::module_name)]
    pub name: Option<String>,
    /// Write accesses at known offsets of the file's arrays, and of what has a `--type`, as places: `[row[3]]` for
    /// `[row+12]`.
    #[arg(long)]
    pub places: bool,
    /// The Rust type of a variable or of a parameter, the latter after its function: `SMEM=Ring`, `fill.image=Image`,
    /// `fill.0=Ptr<Global, f32>`.
    #[arg(long = "type", value_name = "NAME=TYPE", value_parser = given_type)]
    pub types: Vec<(String, String)>,
    /// A Rust file with the structs that `--type` names, each with `#[repr(C)]`.
    #[arg(long, value_name = "FILE.rs", requires = "types")]
    pub structs: Vec<PathBuf>,
    /// Allow the hazards that are found, each in its item: the module is compiled in spite of them.
    #[arg(long)]
    pub allow_hazards: bool,
    /// How to write the result.
    #[command(flatten)]
    pub format: Output,
}

/// Reads a type: `SMEM=Ring`.
fn given_type(text: &str) -> Result<(String, String), String> {
    let Some((name, ty)) = text.split_once('=') else {
        return Err("expected a name and its type, as in `SMEM=Ring`".to_owned());
    };
    let (name, ty) = (name.trim(), ty.trim());
    if name.is_empty() {
        return Err("a name is missing before `=`".to_owned());
    }
    // Parsers recurse into each bracket on a finite stack.
    if ty.matches(['<', '[', '(', '&', '*']).count() > MOST_NESTED {
        return Err(format!("more than {MOST_NESTED} brackets are in the type"));
    }
    match syn::parse_str::<syn::Type>(ty) {
        Ok(_) => Ok((name.to_owned(), ty.to_owned())),
        Err(why) => Err(format!("`{ty}` is not a Rust type: {why}")),
    }
}

/// The most brackets in a type.
const MOST_NESTED: usize = 64;
