//! The layout of a box in shared memory: an SVG in the style of the figures of PTX ISA 5.5.7, and its bank
//! conflicts.
//!
//! `cargo run --example swizzle -- --element bf16 --box 64x8 --swizzle B128 --out target/swizzle.svg`

use std::path::{Path, PathBuf};

use ptx::ParseError;
use ptx::tensor::{ElementType, Spec, Swizzle};

/// The box to draw.
struct Options {
    spec: Spec,
    /// The bytes that a thread reads at a time.
    access: usize,
    out: PathBuf,
}

fn parse(arguments: &[String]) -> Result<Options, String> {
    let (mut element, mut swizzle, mut access) = (ElementType::Bf16, Swizzle::B128, 16);
    let mut box_dims = vec![64, 8];
    let mut out = PathBuf::from("target/swizzle.svg");
    let mut arguments = arguments.iter();
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("`{name}` has no value"))?;
        let wrong = || format!("`{name} {value}` means nothing");
        let message = |error: ParseError| error.to_string();
        match name.as_str() {
            "--element" => element = value.parse().map_err(message)?,
            "--swizzle" => swizzle = value.parse().map_err(message)?,
            "--out" => out = PathBuf::from(value),
            "--access" => {
                access = value.parse().ok().filter(|n| [4, 8, 16].contains(n)).ok_or_else(wrong)?;
            }
            "--box" => {
                let extents: Result<Vec<u32>, _> = value.split('x').map(str::parse).collect();
                box_dims = extents.map_err(|_| wrong())?;
            }
            _ => {
                return Err(format!(
                    "`{name}` is none of `--element`, `--box`, `--swizzle`, `--access` and `--out`"
                ));
            }
        }
    }
    let spec = Spec::tiled(element, &box_dims).map_err(|verdict| verdict.to_string())?;
    let spec = spec.with_swizzle(swizzle).checked(None).map_err(|verdict| verdict.to_string())?;
    Ok(Options { spec, access, out })
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Options { spec, access, out } = parse(&arguments)?;
    write(&out, &spec.picture().svg())
        .map_err(|error| format!("cannot write {}: {error}", out.display()))?;
    println!("Written to {}.", out.display());
    let ways = spec.column_conflicts(access);
    println!("Columns, {access} bytes a row: {ways} accesses to one bank at worst.");
    Ok(())
}

fn write(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_and_conflicts() -> Result<(), String> {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let swizzled = parse(&words("--element bf16 --box 64x8 --swizzle B128"))?;
        assert_eq!(swizzled.spec.picture().svg().matches("<rect").count(), 64);
        assert_eq!(swizzled.spec.column_conflicts(swizzled.access), 1);
        assert_eq!(swizzled.out, Path::new("target/swizzle.svg"));
        let elsewhere = parse(&words("--out elsewhere/box.svg"))?;
        assert_eq!(elsewhere.out, Path::new("elsewhere/box.svg"));
        let plain = parse(&words("--element bf16 --box 64x8 --swizzle None"))?;
        assert_eq!(plain.spec.column_conflicts(plain.access), 8);
        assert!(parse(&words("--box 65x8")).is_err());
        assert!(parse(&words("--colour red")).is_err());
        Ok(())
    }
}
