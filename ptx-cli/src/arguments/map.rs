//! `ptx map`.

use std::str::FromStr;

use clap::{Args, Subcommand, ValueEnum};
use ptx_isa::tensor::{ElementType, Interleave, L2Promotion, OobFill, Swizzle};

use super::output::Output;

/// `ptx map`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    ptx map decode dump.bin --at 0x40\n  \
    ptx map encode --element bf16 --address 0x7f0000000000 --dims 4096,1024 --box 64,128 --swizzle 128B\n  \
    ptx map swizzle --element bf16 --box 64,8 --swizzle 128B --svg\n  \
    ptx map conflicts --row-bytes 128 --swizzle 128B --width 16 --row 'lane % 8' --column 'lane / 8 * 16'\n\n\
    Exit status:\n  \
    0  the answer is printed\n  \
    1  the bytes are not a tensor map, or the map breaks a rule\n  \
    2  the command line is wrong, a file could not be read, or the output could not be written")]
pub struct Map {
    /// What about it.
    #[command(subcommand)]
    pub command: MapCommand,
}

/// What `ptx map` does.
#[derive(Debug, Subcommand)]
pub enum MapCommand {
    /// Print the fields of a tensor map of 128 bytes, as the driver writes it for `sm_90`.
    Decode(Decode),
    /// Print the 128 bytes of a tensor map, as the driver writes it for `sm_90`.
    Encode(Encode),
    /// Draw where the 16-byte chunks of a box lie in shared memory.
    Swizzle(SwizzleOfBox),
    /// Count the bank conflicts when the lanes of a warp access shared memory.
    Conflicts(Conflicts),
}

/// `ptx map decode`.
#[derive(Debug, Args)]
pub struct Decode {
    /// The bytes in hexadecimal, or a file with them or with the 128 bytes; `-` is the standard input. Words
    /// such as `0x00a01000`, as debuggers print memory, are little-endian.
    #[arg(value_name = "BYTES")]
    pub bytes: String,
    /// The offset of the map in the file, such as `64` or `0x40`.
    #[arg(long, value_name = "OFFSET", value_parser = number)]
    pub at: Option<u64>,
    /// How to write the result.
    #[command(flatten)]
    pub output: Output,
}

/// `ptx map encode`.
#[derive(Debug, Args)]
pub struct Encode {
    /// The type of the elements, such as `bf16`.
    #[arg(long, value_name = "TYPE", value_parser = word::<ElementType>)]
    pub element: ElementType,
    /// The address of the tensor in global memory.
    #[arg(long, value_name = "ADDRESS", value_parser = number)]
    pub address: u64,
    /// The extents in elements, the innermost first.
    #[arg(long, value_name = "EXTENTS", value_delimiter = ',', required = true)]
    pub dims: Vec<u64>,
    /// The strides in bytes, one fewer than extents; without them, rows have no gaps between them.
    #[arg(long, value_name = "STRIDES", value_delimiter = ',')]
    pub strides: Option<Vec<u64>>,
    /// The extents of the box in elements, the innermost first.
    #[arg(long = "box", value_name = "EXTENTS", value_delimiter = ',', required = true)]
    pub box_dims: Vec<u32>,
    /// The strides of the elements that are copied.
    #[arg(long, value_name = "STRIDES", value_delimiter = ',')]
    pub element_strides: Option<Vec<u32>>,
    /// The interleave: `None`, `16B` or `32B`.
    #[arg(long, value_name = "INTERLEAVE", default_value = "None", value_parser = word::<Interleave>)]
    pub interleave: Interleave,
    /// The swizzle, such as `128B`.
    #[arg(long, value_name = "SWIZZLE", default_value = "None", value_parser = word::<Swizzle>)]
    pub swizzle: Swizzle,
    /// The L2 promotion, such as `256B`.
    #[arg(long, value_name = "BYTES", default_value = "None", value_parser = word::<L2Promotion>)]
    pub l2_promotion: L2Promotion,
    /// What is loaded outside the tensor: `Zero` or `Nan`.
    #[arg(long, value_name = "FILL", default_value = "Zero", value_parser = word::<OobFill>)]
    pub fill: OobFill,
    /// How to write the result.
    #[command(flatten)]
    pub output: Output,
}

/// `ptx map swizzle`.
#[derive(Debug, Args)]
pub struct SwizzleOfBox {
    /// The type of the elements, such as `bf16`.
    #[arg(long, value_name = "TYPE", value_parser = word::<ElementType>)]
    pub element: ElementType,
    /// The extents of the box in elements, the innermost first.
    #[arg(long = "box", value_name = "EXTENTS", value_delimiter = ',', required = true)]
    pub box_dims: Vec<u32>,
    /// The swizzle, such as `128B`.
    #[arg(long, value_name = "SWIZZLE", default_value = "None", value_parser = word::<Swizzle>)]
    pub swizzle: Swizzle,
    /// How to draw it.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub format: PictureFormat,
    /// Short for `--format svg`.
    #[arg(long, conflicts_with = "format")]
    pub svg: bool,
    /// Short for `--format json`.
    #[arg(long, conflicts_with_all = ["format", "svg"])]
    pub json: bool,
}

impl SwizzleOfBox {
    /// How to draw it.
    pub fn format(&self) -> PictureFormat {
        match (self.svg, self.json) {
            (true, _) => PictureFormat::Svg,
            (false, true) => PictureFormat::Json,
            (false, false) => self.format,
        }
    }
}

/// `ptx map conflicts`.
#[derive(Debug, Args)]
#[command(
    after_help = "Expressions have numbers, `lane`, `+ - * / %`, `<< >> & ^ |` and parentheses, as in C.\n\n\
    Shared memory has 32 banks of 4 bytes. A wavefront serves at most one word of each bank: 32 lanes at once \
    with up to 4 bytes each, 16 with 8 bytes, 8 with 16 bytes. Lanes that access the same word do not conflict."
)]
pub struct Conflicts {
    /// The bytes from one row to the next.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(1..))]
    pub row_bytes: u32,
    /// The bytes that each lane accesses: 1, 2, 4, 8 or 16; for `ldmatrix`, 16.
    #[arg(long, value_name = "BYTES", default_value = "4")]
    pub width: u32,
    /// The row that a lane accesses, such as `lane % 8`.
    #[arg(long, value_name = "EXPRESSION", default_value = "0", allow_hyphen_values = true)]
    pub row: String,
    /// The byte in the row at which its access starts, such as `lane / 8 * 16`.
    #[arg(long, value_name = "EXPRESSION", default_value = "0", allow_hyphen_values = true)]
    pub column: String,
    /// The swizzle, such as `128B`; the rows start at a multiple of its repeat.
    #[arg(long, value_name = "SWIZZLE", default_value = "None", value_parser = word::<Swizzle>)]
    pub swizzle: Swizzle,
    /// The number of lanes, from 0, that take part.
    #[arg(long, value_name = "NUMBER", default_value = "32", value_parser = clap::value_parser!(u32).range(1..=32))]
    pub lanes: u32,
    /// How to write the result.
    #[command(flatten)]
    pub output: Output,
}

/// How a box is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PictureFormat {
    /// As text, a line for each 128 bytes, with chunks as `row.chunk`.
    Text,
    /// As a picture, with a colour for each row.
    Svg,
    /// One JSON document.
    Json,
}

/// Reads a word with alternatives, also as the manuals write it: `128B`, `none`.
fn word<T: FromStr<Err: ToString>>(text: &str) -> Result<T, String> {
    let bytes = text.strip_suffix('B').filter(|digits| digits.parse::<u32>().is_ok());
    let other = match (bytes, text) {
        (Some(digits), _) => format!("B{digits}"),
        (None, "none") => "None".to_owned(),
        (None, "zero") => "Zero".to_owned(),
        (None, "nan") => "Nan".to_owned(),
        (None, _) => text.to_owned(),
    };
    other.parse().or_else(|_| text.parse()).map_err(|error: T::Err| error.to_string())
}

/// Reads a number, decimal or hexadecimal.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    let found = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    found.map_err(|error| format!("{error}; write a number such as `64` or `0x40`"))
}
