//! Compares the tensor maps of `ptx-types` with a driver's verdicts and descriptors: a CSV file with a row for
//! each encode call, with the columns of `tests/tensor/README.md`.

use std::collections::HashMap;
use std::fmt;
use std::io::Read as _;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};
use ptx_types::Target;
use ptx_types::tensor::{
    ElementType, Interleave, L2Promotion, MAX_RANK, Mode, OobFill, Spec, Swizzle, Tensor, describe,
    difference, encode,
};

/// The number of disagreements that are kept as text.
const WORDS: usize = 10;

/// How often the two sides agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The rows in which they agree.
    pub agree: usize,
    /// The rows in which they disagree.
    pub disagree: usize,
}

impl Tally {
    fn count(&mut self, agrees: bool) {
        if agrees {
            self.agree += 1;
        } else {
            self.disagree += 1;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} agree, {} disagree", self.agree, self.disagree)
    }
}

/// The comparison of a file.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Whether the driver accepts the map.
    pub verdicts: Tally,
    /// The 128 bytes of each map that the driver accepted.
    pub descriptors: Tally,
    /// The maps that the driver accepts and a document forbids.
    pub tolerated: usize,
    /// The maps with an unknown value of an option or element type.
    pub unnumbered: usize,
    /// The first disagreements, as text.
    pub disagreements: Vec<String>,
}

impl Report {
    /// Whether there are no disagreements.
    pub fn is_clean(&self) -> bool {
        self.verdicts.disagree == 0 && self.descriptors.disagree == 0
    }

    /// Compares a map with the driver's descriptor, which is `None` if it refused the map. `place` names the
    /// origin of the map.
    pub fn compare(
        &mut self,
        place: &dyn fmt::Display,
        spec: &Spec,
        tensor: &Tensor,
        theirs: Option<&[u8; 128]>,
    ) {
        let verdict = spec.check_tensor(tensor, Some(Target::Sm90a));
        self.verdicts.count(verdict.is_accepted() == theirs.is_some());
        if verdict.is_accepted() != theirs.is_some() {
            self.note(|| match verdict.driver().next() {
                Some(violation) => format!("{place}: the driver accepts it, but {violation}"),
                None => {
                    format!("{place}: the driver refuses it, but no rule does: {spec:?} {tensor:?}")
                }
            });
        }
        let Some(theirs) = theirs else { return };
        self.tolerated += usize::from(!verdict.is_allowed());
        let ours = encode(spec, tensor, Target::Sm90a).ok();
        let agrees = ours.is_some_and(|ours| ours.as_bytes() == theirs);
        self.descriptors.count(agrees);
        if !agrees {
            self.note(|| match ours {
                Some(ours) => format!(
                    "{place}: the driver writes {}\n  and the encoder {}\n  in which {}",
                    describe(theirs),
                    describe(ours.as_bytes()),
                    difference(ours.as_bytes(), theirs)
                ),
                None => format!("{place}: the encoder refuses {}", describe(theirs)),
            });
        }
    }

    fn note(&mut self, words: impl FnOnce() -> String) {
        if self.disagreements.len() < WORDS {
            self.disagreements.push(words());
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "verdicts: {}", self.verdicts)?;
        writeln!(f, "descriptors: {}", self.descriptors)?;
        write!(
            f,
            "{} accepted by the driver and forbidden by a document, {} with an unknown value",
            self.tolerated, self.unnumbered
        )?;
        for words in &self.disagreements {
            write!(f, "\n{words}")?;
        }
        Ok(())
    }
}

/// Compares a file, which may be compressed.
///
/// # Errors
/// If something cannot be read; the error is a line that describes it.
pub fn compare_file(path: &Path) -> Result<Report, String> {
    let named = |why: &dyn fmt::Display| format!("{}: {why}", path.display());
    let bytes = std::fs::read(path).map_err(|error| named(&error))?;
    let text = if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut text = String::new();
        let mut decoder = flate2::read::MultiGzDecoder::new(bytes.as_slice());
        decoder.read_to_string(&mut text).map_err(|error| named(&error))?;
        text
    } else {
        String::from_utf8(bytes).map_err(|error| named(&error))?
    };
    compare(&text).map_err(|why| named(&why))
}

/// Compares the rows of a file.
///
/// # Errors
/// If something cannot be read; the error is a line that describes it.
pub fn compare(text: &str) -> Result<Report, String> {
    // A row may have fewer cells; a missing one is reported when it is read.
    let mut reader =
        ReaderBuilder::new().trim(Trim::All).flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    if header.is_empty() {
        return Err("there is no header".to_owned());
    }
    let columns = header.iter().enumerate().map(|(at, name)| (name, at)).collect();
    let mut report = Report::default();
    for cells in reader.records() {
        let cells = cells.map_err(|error| error.to_string())?;
        let line = cells.position().map_or(0, csv::Position::line);
        let row = Row { line, columns: &columns, cells: &cells };
        compare_row(&row, &mut report)?;
    }
    if report.verdicts == Tally::default() {
        return Err("there are no rows".to_owned());
    }
    Ok(report)
}

fn compare_row(row: &Row<'_>, report: &mut Report) -> Result<(), String> {
    let line = row.line;
    let is_taken = row.number::<u64>("curesult")? == 0;
    let Some((spec, tensor)) = row.map()? else {
        report.unnumbered += 1;
        report.verdicts.count(!is_taken);
        if is_taken {
            report.note(|| format!("line {line}: the driver accepts a value unknown here"));
        }
        return Ok(());
    };
    let theirs = if is_taken { Some(row.descriptor()?) } else { None };
    report.compare(&format_args!("line {line}"), &spec, &tensor, theirs.as_ref());
    Ok(())
}

/// A row, with its columns by name.
struct Row<'a> {
    line: u64,
    columns: &'a HashMap<&'a str, usize>,
    cells: &'a StringRecord,
}

impl<'a> Row<'a> {
    fn cell(&self, column: &str) -> Result<&'a str, String> {
        let cell = self.columns.get(column).and_then(|at| self.cells.get(*at));
        cell.ok_or_else(|| format!("line {}: no `{column}`", self.line))
    }

    fn number<T: std::str::FromStr>(&self, column: &str) -> Result<T, String> {
        let cell = self.cell(column)?;
        cell.parse().map_err(|_| format!("line {}: `{column}` is `{cell}`", self.line))
    }

    /// The numbers of `column0`, `column1` and so on.
    fn numbers<T: std::str::FromStr + Default + Copy, const N: usize>(
        &self,
        column: &str,
    ) -> Result<[T; N], String> {
        let mut numbers = [T::default(); N];
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = self.number(&format!("{column}{i}"))?;
        }
        Ok(numbers)
    }

    /// The map, unless one of its values is unknown.
    fn map(&self) -> Result<Option<(Spec, Tensor)>, String> {
        let hex = self.cell("address_hex")?;
        let address = u64::from_str_radix(hex.trim_start_matches("0x"), 16)
            .map_err(|_| format!("line {}: `address_hex` is `{hex}`", self.line))?;
        let (rank, mut dims): (u32, [u64; MAX_RANK]) = (self.number("rank")?, self.numbers("dim")?);
        // The driver was not given the values beyond the rank.
        dims.iter_mut().skip(rank as usize).for_each(|extent| *extent = 1);
        let tensor = Tensor { address, dims, strides: self.numbers("stride")? };
        let (Some(element), Some(interleave), Some(swizzle), Some(l2_promotion), Some(oob_fill)) = (
            ElementType::from_driver(self.number("dtype")?),
            Interleave::from_driver(self.number("interleave")?),
            Swizzle::from_driver(self.number("swizzle")?),
            L2Promotion::from_driver(self.number("l2_promotion")?),
            OobFill::from_driver(self.number("oob_fill")?),
        ) else {
            return Ok(None);
        };
        let Some(mode) = self.mode()? else { return Ok(None) };
        let spec = Spec {
            element,
            rank,
            mode,
            element_strides: self.numbers("element_stride")?,
            interleave,
            swizzle,
            l2_promotion,
            oob_fill,
        };
        Ok(Some((spec, tensor)))
    }

    fn mode(&self) -> Result<Option<Mode>, String> {
        let call: u32 = self.number("mode")?;
        if call == 0 {
            return Ok(Some(Mode::Tiled { box_dims: self.numbers("box")? }));
        }
        let (lower, upper): ([i32; 3], [i32; 3]) = (self.numbers("lower")?, self.numbers("upper")?);
        let channels_per_pixel = self.number("channels_per_pixel")?;
        let pixels_per_column = self.number("pixels_per_column")?;
        if call == 1 {
            return Ok(Some(Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column }));
        }
        let (lower, upper) = (lower[0], upper[0]);
        Ok(match (call, self.number::<u32>("wide_mode")?) {
            (2, 0) => Some(Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column }),
            (2, 1) => {
                Some(Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column })
            }
            _ => None,
        })
    }

    fn descriptor(&self) -> Result<[u8; 128], String> {
        let hex = self.cell("descriptor_hex")?;
        let wrong = || format!("line {}: `descriptor_hex` is not 128 bytes", self.line);
        if hex.len() != 256 || !hex.is_ascii() {
            return Err(wrong());
        }
        let mut bytes = [0; 128];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).map_err(|_| wrong())?;
        }
        Ok(bytes)
    }
}
