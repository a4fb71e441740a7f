//! The layout of a box in shared memory: an SVG on standard output in the style of the figures of PTX ISA
//! 5.5.7, and bank conflicts on standard error.
//!
//! `cargo run --example swizzle -- --element bf16 --box 64x8 --swizzle B128 > out.svg`

use ptx::ParseError;
use ptx::tensor::{ElementType, Spec, Swizzle};

/// The box to draw.
struct Options {
    spec: Spec,
    /// The bytes that a thread reads at a time.
    access: usize,
}

fn parse(arguments: &[String]) -> Result<Options, String> {
    let (mut element, mut swizzle, mut access) = (ElementType::Bf16, Swizzle::B128, 16);
    let mut box_dims = vec![64, 8];
    let mut arguments = arguments.iter();
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("`{name}` has no value"))?;
        let wrong = || format!("`{name} {value}` means nothing");
        let message = |error: ParseError| error.to_string();
        match name.as_str() {
            "--element" => element = value.parse().map_err(message)?,
            "--swizzle" => swizzle = value.parse().map_err(message)?,
            "--access" => {
                access = value.parse().ok().filter(|n| [4, 8, 16].contains(n)).ok_or_else(wrong)?;
            }
            "--box" => {
                let extents: Result<Vec<u32>, _> = value.split('x').map(str::parse).collect();
                box_dims = extents.map_err(|_| wrong())?;
            }
            _ => {
                return Err(format!(
                    "`{name}` is none of `--element`, `--box`, `--swizzle` and `--access`"
                ));
            }
        }
    }
    let spec = Spec::tiled(element, &box_dims).map_err(|verdict| verdict.to_string())?;
    let spec = spec.with_swizzle(swizzle).checked(None).map_err(|verdict| verdict.to_string())?;
    Ok(Options { spec, access })
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = parse(&arguments)?;
    print!("{}", options.spec.picture().svg());
    let (ways, access) = (options.spec.column_conflicts(options.access), options.access);
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
        assert_eq!(swizzled.spec.picture().svg().matches("<rect").count(), 64);
        assert_eq!(swizzled.spec.column_conflicts(swizzled.access), 1);
        let plain = parse(&words("--element bf16 --box 64x8 --swizzle None"))?;
        assert_eq!(plain.spec.column_conflicts(plain.access), 8);
        assert!(parse(&words("--box 65x8")).is_err());
        assert!(parse(&words("--colour red")).is_err());
        Ok(())
    }
}
