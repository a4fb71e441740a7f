//! Compares the cubins of two modules.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use object::elf::{self, FileHeader64, SectionHeader64};
use object::read::elf::{ElfFile64, SymbolTable};
use object::read::elf::{FileHeader as _, Rela as _, SectionHeader as _, SectionTable, Sym as _};
use object::{Endianness, SectionIndex, SymbolIndex};
use ptx_emit::ptxas::Ptxas;
use ptx_types::Target;

/// Runs a program that prints a module, assembles it and `original`, and compares the cubins.
///
/// # Errors
/// Returns the difference, or the reason why there is nothing to compare.
pub(crate) fn compare(original: &str, program: &Path, ptxas: &Ptxas) -> Result<(), String> {
    let output = Command::new(program).output();
    let output = output.map_err(|error| format!("the program does not run: {error}"))?;
    let printed = String::from_utf8(output.stdout).ok().filter(|_| output.status.success());
    compare_texts(original, &printed.ok_or("the program does not print its module")?, ptxas)
}

/// Assembles two texts, and compares the cubins.
///
/// # Errors
/// Returns the difference, or the reason why there is nothing to compare.
pub fn compare_texts(original: &str, printed: &str, ptxas: &Ptxas) -> Result<(), String> {
    let target = target(original).ok_or("the library does not know its `.target`")?;
    // Without linking, since a file may call functions of another.
    let assemble = |ptx: &str, whose: &str| {
        let assembled = ptxas.assemble_text_with(ptx, target, &["--compile-only"]);
        assembled.map_err(|error| format!("{whose}: {error}"))
    };
    let theirs = assemble(&without_debug(original), "the file itself")?;
    let ours = assemble(&without_debug(printed), "what comes back")?;
    let unread = |error: object::Error| format!("a cubin cannot be read: {error}");
    let theirs = contents(&theirs.cubin).map_err(unread)?;
    let ours = contents(&ours.cubin).map_err(unread)?;
    let names: BTreeSet<&String> = theirs.keys().chain(ours.keys()).collect();
    let differences: Vec<String> = names
        .into_iter()
        .filter_map(|name| match (theirs.get(name), ours.get(name)) {
            (theirs, ours) if theirs == ours => None,
            (Some(_), None) => Some(format!("{name} is gone")),
            (None, _) => Some(format!("{name} is new")),
            (Some(theirs), Some(ours)) => {
                Some(format!("{name} ({} bytes, {} here)", theirs.len(), ours.len()))
            }
        })
        .collect();
    if differences.is_empty() { Ok(()) } else { Err(differences.join(", ")) }
}

/// Whether two cubins have the same contents.
///
/// # Errors
/// One of them cannot be read.
pub fn are_equal(one: &[u8], other: &[u8]) -> Result<bool, String> {
    let contents = |cubin| contents(cubin).map_err(|error| error.to_string());
    Ok(contents(one)? == contents(other)?)
}

/// The most bytes of a variable whose initial value is returned.
pub(crate) const LARGEST: usize = 1 << 20;

/// The initial values of the variables in a cubin, by name; one of zeros only is not stored. Variables of more than 1 MiB
/// are left out.
///
/// # Errors
/// The cubin cannot be read.
pub fn initial_values(cubin: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let read = || -> object::Result<BTreeMap<String, Vec<u8>>> {
        let file: ElfFile64<'_> = ElfFile64::parse(cubin)?;
        let (header, endian) = (file.elf_header(), file.endian());
        let sections = header.sections(endian, cubin)?;
        let symbols = sections.symbols(endian, cubin, elf::SHT_SYMTAB)?;
        let mut found = BTreeMap::new();
        for symbol in symbols.iter() {
            if !matches!(symbol.st_type(), elf::STT_OBJECT | STT_VARIABLE) {
                continue;
            }
            let index = SectionIndex(symbol.st_shndx(endian).into());
            let Ok(section) = sections.section(index) else { continue };
            let size = usize::try_from(symbol.st_size(endian)).unwrap_or_default();
            if size > LARGEST {
                continue;
            }
            let value = match stored(section, symbol, endian, cubin)? {
                [] => vec![0; size],
                bytes => bytes.to_vec(),
            };
            found.insert(uncounted(symbol.name(endian, symbols.strings())?), value);
        }
        Ok(found)
    };
    read().map_err(|error| error.to_string())
}

/// The bytes of a variable that a section stores.
fn stored<'d>(
    section: &SectionHeader64<Endianness>,
    symbol: &elf::Sym64<Endianness>,
    endian: Endianness,
    cubin: &'d [u8],
) -> object::Result<&'d [u8]> {
    let start = usize::try_from(symbol.st_value(endian)).unwrap_or(usize::MAX);
    let size = usize::try_from(symbol.st_size(endian)).unwrap_or(usize::MAX);
    Ok(section.data(endian, cubin)?.get(start..start.saturating_add(size)).unwrap_or_default())
}

fn target(ptx: &str) -> Option<Target> {
    let rest = ptx.lines().find_map(|line| line.trim().strip_prefix(".target"))?;
    Target::from_name(rest.split([',', '/']).next()?.trim())
}

/// A file without the `debug` of its `.target`, which makes ptxas generate different code and has no form in
/// Rust.
fn without_debug(ptx: &str) -> String {
    let mut text = String::with_capacity(ptx.len());
    for line in ptx.lines() {
        if line.trim_start().starts_with(".target") {
            let words = line.split(',').filter(|word| word.trim() != "debug");
            text.push_str(&words.collect::<Vec<_>>().join(","));
        } else {
            text.push_str(line);
        }
        text.push('\n');
    }
    text
}

type Sections<'d> = SectionTable<'d, FileHeader64<Endianness>>;
type Symbols<'d> = SymbolTable<'d, FileHeader64<Endianness>>;

/// The contents of a cubin, by name: code with its registers and barriers, constants, the layout of shared and
/// global memory, the driver's metadata of kernels, and relocations.
fn contents(cubin: &[u8]) -> object::Result<BTreeMap<String, Vec<u8>>> {
    let file: ElfFile64<'_> = ElfFile64::parse(cubin)?;
    let (header, endian) = (file.elf_header(), file.endian());
    let sections = header.sections(endian, cubin)?;
    let symbols = sections.symbols(endian, cubin, elf::SHT_SYMTAB)?;
    let mut found = BTreeMap::new();
    for section in sections.iter() {
        let name = sections.section_name(endian, section)?;
        let name = String::from_utf8_lossy(name).into_owned();
        let is_code = name.starts_with(".text.");
        if is_code || name.starts_with(".nv.constant") {
            let mut bytes = section.data(endian, cubin)?.to_vec();
            if is_code {
                // The registers are in the upper byte, the barriers in the flags.
                bytes.extend((section.sh_info(endian) >> 24).to_le_bytes());
                bytes.extend(section.sh_flags(endian).to_le_bytes());
            }
            found.insert(name, bytes);
        } else if name.starts_with(".nv.shared") || name.starts_with(".nv.global") {
            let (size, align) = (section.sh_size(endian), section.sh_addralign(endian));
            found.insert(name, [size, align].map(u64::to_le_bytes).concat());
        } else if name.starts_with(".nv.info") {
            let symbol = |index| match symbols.symbol(SymbolIndex(index)) {
                Ok(symbol) => {
                    symbol.name(endian, symbols.strings()).map_or(String::new(), uncounted)
                }
                Err(_) => String::new(),
            };
            let attributes = attributes(section.data(endian, cubin)?, symbol);
            found.insert(name, attributes.join("\n").into_bytes());
        } else if !name.contains("debug")
            && let Some(lines) = relocations(section, endian, cubin, &symbols)?
        {
            found.insert(name, lines.join("\n").into_bytes());
        }
    }
    variables(&sections, &symbols, endian, cubin, &mut found)?;
    Ok(found)
}

/// Attributes whose first word is a symbol: the bank of parameters, the sizes of the frame and of
/// the stack, the number of registers.
const OF_A_SYMBOL: [u8; 5] = [0x0a, 0x11, 0x12, 0x23, 0x2f];

/// The attribute with the list of external symbols.
const OF_SYMBOLS: u8 = 0x0f;

/// The driver's metadata of kernels and functions, as sorted text. It refers to symbols by number, which depends
/// on how many there are.
fn attributes(mut data: &[u8], symbol: impl Fn(usize) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some((&[format, code, low, high], rest)) = data.split_first_chunk() {
        // The fourth format has a length, and the others a value of two bytes.
        let length = if format == 4 { usize::from(u16::from_le_bytes([low, high])) } else { 0 };
        let (value, rest) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        data = rest;
        let mut line = format!("{code:#x}");
        if format != 4 {
            let _ = write!(line, " {low} {high}");
        }
        for (i, word) in value.chunks(4).enumerate() {
            let is_symbol = code == OF_SYMBOLS || i == 0 && OF_A_SYMBOL.contains(&code);
            let _ = match <[u8; 4]>::try_from(word).ok().filter(|_| is_symbol) {
                Some(index) => write!(line, " {}", symbol(u32::from_le_bytes(index) as usize)),
                None => write!(line, " {word:?}"),
            };
        }
        lines.push(line);
    }
    lines.sort();
    lines
}

/// The relocations of a section, as sorted text, if it has any.
fn relocations(
    section: &SectionHeader64<Endianness>,
    endian: Endianness,
    cubin: &[u8],
    symbols: &Symbols<'_>,
) -> object::Result<Option<Vec<String>>> {
    let Some((relocations, _)) = section.rela(endian, cubin)? else { return Ok(None) };
    let mut lines = Vec::new();
    for relocation in relocations {
        let index = SymbolIndex(relocation.r_sym(endian, false) as usize);
        let symbol = if index.0 == 0 {
            String::new()
        } else {
            uncounted(symbols.symbol(index)?.name(endian, symbols.strings())?)
        };
        lines.push(format!(
            "{:#x} {} {symbol} {}",
            relocation.r_offset(endian),
            relocation.r_type(endian, false),
            relocation.r_addend(endian)
        ));
    }
    lines.sort();
    Ok(Some(lines))
}

/// The type of the symbols of variables before linking.
const STT_VARIABLE: u8 = elf::STT_LOPROC;

/// The variables: their sizes and, if they have any, their values; in shared memory, their offsets.
fn variables(
    sections: &Sections<'_>,
    symbols: &Symbols<'_>,
    endian: Endianness,
    cubin: &[u8],
    found: &mut BTreeMap<String, Vec<u8>>,
) -> object::Result<()> {
    for symbol in symbols.iter() {
        if !matches!(symbol.st_type(), elf::STT_OBJECT | STT_VARIABLE) {
            continue;
        }
        let name = uncounted(symbol.name(endian, symbols.strings())?);
        let Ok(section) = sections.section(SectionIndex(symbol.st_shndx(endian).into())) else {
            continue;
        };
        let place = String::from_utf8_lossy(sections.section_name(endian, section)?);
        let (at, size) = (symbol.st_value(endian), symbol.st_size(endian));
        let mut text = format!("{size} bytes");
        if place.starts_with(".nv.shared") {
            let _ = write!(text, " at {at}");
        } else if place.starts_with(".nv.global.init") {
            let _ = write!(text, " {:?}", stored(section, symbol, endian, cubin)?);
        }
        // Without their numbers, several names of bodies can be equal.
        found.entry(format!("{name} in {place}")).or_default().extend(text.bytes());
    }
    Ok(())
}

/// The name of a symbol; for a declaration of a body, without the number that ptxas appends, which counts
/// the earlier ones.
fn uncounted(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name).into_owned();
    match name.rsplit_once("__") {
        Some((before, count))
            if name.starts_with('$') && count.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            before.to_owned()
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_without_debug() {
        let ptx = ".version 9.0\n.target sm_90a, debug\n.address_size 64\n";
        assert_eq!(target(ptx), Some(Target::Sm90a));
        assert_eq!(without_debug(ptx), ".version 9.0\n.target sm_90a\n.address_size 64\n");
        assert_eq!(target(".target sm_1"), None);
    }

    #[test]
    fn cubins_differ_in_what_they_do() {
        let Some(ptxas) = crate::oracle() else { return };
        let contents = |name: &str, value: u32, bytes: u32| {
            let ptx = format!(
                ".version 8.0\n.target sm_90\n.address_size 64\n.global .u32 {name} = {value};\n\
                 .visible .entry k() {{ .shared .b8 s[{bytes}]; .reg .b32 %r<2>;\n\
                 mov.u32 %r0, %tid.x; ld.shared.u32 %r1, [s]; st.global.u32 [{name}], %r1; ret; }}\n"
            );
            let assembled = ptxas.assemble_text_with(&ptx, Target::Sm90, &["--compile-only"]);
            contents(&assembled.expect("ptxas accepts it").cubin).expect("a cubin")
        };
        let first = contents("a", 1, 4);
        assert!(first.contains_key(".text.k") && first.contains_key("a in .nv.global.init"));
        assert_eq!(first, contents("a", 1, 4));
        for other in [contents("b", 1, 4), contents("a", 2, 4), contents("a", 1, 8)] {
            assert_ne!(first, other);
        }
    }

    #[test]
    fn attributes_name_their_symbols() {
        let data =
            [4, 0x2f, 8, 0, 3, 0, 0, 0, 24, 0, 0, 0, 3, 0x50, 1, 0, 4, 0x0f, 4, 0, 5, 0, 0, 0];
        let lines = attributes(&data, |index| format!("s{index}"));
        assert_eq!(lines, ["0x2f s3 [24, 0, 0, 0]", "0x50 1 0", "0xf s5"]);
        for end in 0..data.len() {
            attributes(&data[..end], |_| String::new());
        }
    }

    #[test]
    fn numbers_after_local_names_are_ignored() {
        assert_eq!(uncounted(b"$k$tile__12"), "$k$tile");
        assert_eq!(uncounted(b"tile__12"), "tile__12");
    }
}
