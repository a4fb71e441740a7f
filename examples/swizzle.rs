//! How a box lies in shared memory: an SVG on standard output in the manner of the figures of PTX ISA
//! 5.5.7, and bank conflicts on standard error.
//!
//! `cargo run --example swizzle -- --element bf16 --box 64x8 --swizzle B128 > out.svg`

use std::fmt::Write as _;

use ptx::tensor::{ElementType, Spec, Swizzle};

/// What is drawn.
struct Options {
    spec: Spec,
    /// The bytes that a thread reads at once.
    access: usize,
}

fn parse(arguments: &[String]) -> Result<Options, String> {
    let (mut element, mut swizzle, mut access) = (ElementType::Bf16, Swizzle::B128, 16);
    let mut extents = (64, 8);
    let mut arguments = arguments.iter();
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("`{name}` has no value"))?;
        let wrong = || format!("`{name} {value}` means nothing");
        match name.as_str() {
            "--element" => element = ElementType::from_name(value).ok_or_else(wrong)?,
            "--swizzle" => swizzle = Swizzle::from_name(value).ok_or_else(wrong)?,
            "--access" => {
                access = value.parse().ok().filter(|n| [4, 8, 16].contains(n)).ok_or_else(wrong)?;
            }
            "--box" => {
                let (inner, rows) = value.split_once('x').ok_or_else(wrong)?;
                let extent = |text: &str| text.parse().ok().filter(|n| (1..=256).contains(n));
                extents = extent(inner).zip(extent(rows)).ok_or_else(wrong)?;
            }
            _ => {
                return Err(format!(
                    "`{name}` is none of `--element`, `--box`, `--swizzle` and `--access`"
                ));
            }
        }
    }
    let spec = Spec { swizzle, ..Spec::tiled(element, 2, [extents.0, extents.1, 1, 1, 1]) };
    match spec.check(None) {
        verdict if verdict.is_allowed() => Ok(Options { spec, access }),
        verdict => Err(verdict.to_string()),
    }
}

/// Chunks of 16 bytes, eight to a line of 128: the number of the chunk in its row, one colour a row.
fn draw(spec: &Spec) -> String {
    const CELL: usize = 48;
    let lines = spec.tile_bytes().div_ceil(128);
    let (width, height) = (8 * CELL, (lines + 1) * CELL);
    let mut svg = String::new();
    // Writing into a `String` does not fail.
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" text-anchor=\"middle\">"
    );
    for column in 0..8 {
        let (x, first) = (column * CELL + CELL / 2, column * 4);
        let last = first + 3;
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{}\" font-size=\"9\">banks {first}-{last}</text>",
            CELL / 2
        );
    }
    for row in 0..spec.rows() {
        for chunk in 0..spec.row_bytes().div_ceil(16) {
            let at = spec.swizzle(row * spec.row_pitch() + chunk * 16);
            let (x, y) = (at % 128 / 16 * CELL, (at / 128 + 1) * CELL);
            let hue = row * 47 % 360;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" \
                 fill=\"hsl({hue},70%,80%)\" stroke=\"black\"/>\
                 <text x=\"{}\" y=\"{}\" font-size=\"16\">{chunk}</text>",
                x + CELL / 2,
                y + CELL / 2 + 5
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The most rows whose accesses to one column meet in a bank, of those that are made at once: 128
/// bytes, a thread a row.
fn conflicts(options: &Options) -> usize {
    let Options { spec, access } = options;
    let (at_once, mut worst) = (128 / access, 1);
    for column in (0..spec.row_bytes()).step_by(*access) {
        for first in (0..spec.rows()).step_by(at_once) {
            let mut banks = [0; 32];
            for row in first..spec.rows().min(first + at_once) {
                let at = spec.swizzle(row * spec.row_pitch() + column);
                for word in 0..access / 4 {
                    banks[(at / 4 + word) % 32] += 1;
                }
            }
            worst = banks.into_iter().fold(worst, usize::max);
        }
    }
    worst
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = parse(&arguments)?;
    print!("{}", draw(&options.spec));
    let (ways, access) = (conflicts(&options), options.access);
    eprintln!("columns, {access} bytes a row: {ways} accesses to one bank at worst");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_and_conflicts() -> Result<(), String> {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let swizzled = parse(&words("--element bf16 --box 64x8 --swizzle B128"))?;
        assert_eq!(draw(&swizzled.spec).matches("<rect").count(), 64);
        assert_eq!(conflicts(&swizzled), 1);
        let plain = parse(&words("--element bf16 --box 64x8 --swizzle None"))?;
        assert_eq!(conflicts(&plain), 8);
        assert!(parse(&words("--box 65x8")).is_err());
        assert!(parse(&words("--colour red")).is_err());
        Ok(())
    }
}
