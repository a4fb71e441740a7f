//! `ptx map`.

mod bytes;
mod conflicts;
mod decode;
mod expression;

use std::io;

use ptx_isa::Target;
use ptx_isa::tensor::{MapError, Spec, encode};
use serde::Serialize;

use crate::arguments::{self, MapCommand, OutputFormat, PictureFormat};
use crate::json;
use crate::terminal::{Status, Terminal};

/// Answers a question about a tensor map.
///
/// # Errors
/// The answer could not be written.
pub(crate) fn map(command: &arguments::Map, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    match &command.command {
        MapCommand::Decode(command) => {
            let bytes = match bytes::read(command) {
                Ok(bytes) => bytes,
                Err(why) => return terminal.fail(&why),
            };
            match decode::decoded(&bytes) {
                Ok(decoded) if command.output.format() == OutputFormat::Json => {
                    write_json(&decoded, terminal)
                }
                Ok(decoded) => write(&decoded.text(), terminal),
                Err(wrong) => {
                    refuse(&format!("not a tensor map: {}", wrong.join("\n  ")), terminal)
                }
            }
        }
        MapCommand::Encode(command) => match encoded(command) {
            Ok(bytes) if command.output.format() == OutputFormat::Json => {
                match decode::decoded(&bytes) {
                    Ok(map) => write_json(&Encoded { hex: hex(&bytes), map }, terminal),
                    Err(wrong) => refuse(&wrong.join("\n  "), terminal),
                }
            }
            Ok(bytes) => write(&format!("{}\n", hex(&bytes)), terminal),
            Err(error) => refuse(&error, terminal),
        },
        MapCommand::Swizzle(command) => match of_box(command) {
            Ok(spec) => match command.format() {
                PictureFormat::Text => write(&spec.picture().to_string(), terminal),
                PictureFormat::Svg => write(&spec.picture().svg(), terminal),
                PictureFormat::Json => write_json(&Chunks::of(&spec), terminal),
            },
            Err(error) => refuse(&error, terminal),
        },
        MapCommand::Conflicts(command) => match conflicts::conflicts(command) {
            Ok(access) if command.output.format() == OutputFormat::Json => {
                write_json(&access, terminal)
            }
            Ok(access) => write(&access.text(), terminal),
            Err(why) => terminal.fail(&why),
        },
    }
}

fn write(text: &str, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    terminal.out.write_all(text.as_bytes())?;
    Ok(Status::Clean)
}

fn write_json(fields: &impl Serialize, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    json::write(fields, terminal)?;
    Ok(Status::Clean)
}

fn refuse(why: &dyn std::fmt::Display, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    terminal.write_error(why)?;
    Ok(Status::Errors)
}

/// A map that was encoded.
#[derive(Debug, Serialize)]
struct Encoded {
    /// Its 128 bytes.
    hex: String,
    #[serde(flatten)]
    map: decode::Decoded,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
}

fn encoded(command: &arguments::Encode) -> Result<[u8; 128], MapError> {
    let mut spec = Spec::tiled(command.element, &command.box_dims)
        .map_err(MapError::Rules)?
        .with_interleave(command.interleave)
        .with_swizzle(command.swizzle)
        .with_l2_promotion(command.l2_promotion)
        .with_oob_fill(command.fill);
    if let Some(strides) = &command.element_strides {
        spec = spec.with_element_strides(strides)?;
    }
    let tensor = spec.tensor(command.address, &command.dims, command.strides.as_deref())?;
    encode(&spec, &tensor, Target::Sm90)
}

fn of_box(command: &arguments::SwizzleOfBox) -> Result<Spec, MapError> {
    let spec = Spec::tiled(command.element, &command.box_dims).map_err(MapError::Rules)?;
    spec.with_swizzle(command.swizzle).checked(None).map_err(MapError::Rules)
}

/// Where the chunks of a box lie.
#[derive(Debug, Serialize)]
struct Chunks {
    bytes: usize,
    alignment: usize,
    /// For each row, the offsets of its 16-byte chunks.
    rows: Vec<Vec<usize>>,
}

impl Chunks {
    fn of(spec: &Spec) -> Self {
        let chunks = spec.row_bytes().div_ceil(16);
        let offset = |row: usize, chunk: usize| spec.swizzle(row * spec.row_pitch() + chunk * 16);
        Self {
            bytes: spec.tile_bytes(),
            alignment: spec.tile_alignment(),
            rows: (0..spec.rows())
                .map(|row| (0..chunks).map(|chunk| offset(row, chunk)).collect())
                .collect(),
        }
    }
}
