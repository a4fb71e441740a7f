//! The examples of PTX ISA 5.1 to 5.4, by section: ptxas generates the same cubin from the chapter's text and
//! from our DSL.
//!
//! The chapter's examples are fragments, which are completed in their text: a line that ends in `//+` was
//! added, one that ends in `// was: ..` was changed, and every `...` is left out. In addition, each text gets
//! the three header lines of our module. The general changes are:
//!
//!
//! - Addresses have 64 bits: a `.u32` that holds one became a `.u64`.
//! - Fragments got a kernel that uses their declarations, and bodies got a use of the values that they load,
//!   because ptxas drops unused ones.
//! - Each file has one variable, with the variables that its initial value names.
//!
//! All sections of the cubin are compared, with their sizes, alignments, bytes, relocations and symbols:
//! `.nv.global`, `.nv.global.init`, `.nv.constant3` and `.nv.shared.*` hold variables, `.nv.constant0.*` and
//! `.nv.info.*` describe the parameters, and identical machine code accesses shared and local memory at the
//! same offsets.
//!
//! The names are the chapter's, and do not follow Rust's conventions.
#![allow(non_upper_case_globals, non_snake_case)]
#![allow(unused_variables, unused_labels, dead_code)] // declared for its own sake
mod attributes;
mod initializers;
mod opaque;
mod spaces;
mod variables;

use std::collections::BTreeMap;

use object::read::elf::ElfFile64;
use object::{
    Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionFlags,
    SectionIndex, SectionKind, SymbolFlags, SymbolIndex,
};
use ptx::ptxas::Ptxas;

/// An example of the chapter.
struct Example<'a> {
    /// The section, the number of its example, and the declaration, if the example has several.
    place: &'a str,
    /// The chapter's text, completed, without its header.
    original: &'a str,
    /// The same in our DSL.
    ours: &'a ptx::Module<'a>,
    /// Lines of our module's text that show the subject of the example.
    declares: &'a [&'a str],
    /// Sections of the cubin that show it, which must exist and not be empty.
    sections: &'a [&'a str],
}

/// Assembles both texts of each example with every ptxas, and compares the cubins.
fn check(examples: &[Example<'_>]) {
    for Example { place, original, ours, declares, sections } in examples {
        let emitted = ours.to_string();
        assert!(ours.check().is_empty(), "{place}: {:?}\n{emitted}", ours.check());
        for line in *declares {
            let found = emitted.lines().any(|emitted| emitted.trim() == *line);
            assert!(found, "{place}: the line `{line}` is missing in\n{emitted}");
        }
        let original = completed(original, ours);
        for ptxas in xtask::oracles() {
            let release = ptxas.release();
            let links = original.contains(".unified");
            let options: &[&str] = if links { &["--compile-only"] } else { &[] };
            let theirs = match ptxas.assemble_text_with(&original, ours.target, options) {
                Ok(assembled) => contents(&assembled.cubin),
                Err(error) => panic!("{place}: {error}\n{original}"),
            };
            let ours = match ptxas.assemble(ours) {
                Ok(assembled) => contents(&assembled.cubin),
                Err(error) => panic!("{place}: {error}\n{emitted}"),
            };
            for name in *sections {
                let section = theirs.get(*name);
                let names: Vec<&String> = theirs.keys().collect();
                assert!(
                    section.is_some_and(|section| section.size > 0),
                    "{place}, ptxas {release}: there is nothing in `{name}`, only {names:?}\n{original}"
                );
            }
            let names = |cubin: &Contents| cubin.keys().cloned().collect::<Vec<_>>();
            assert_eq!(
                names(&ours),
                names(&theirs),
                "{place}, ptxas {release}: ours and the chapter's\n{emitted}\n{original}"
            );
            for (name, section) in &theirs {
                assert_eq!(
                    &ours[name], section,
                    "{place}, ptxas {release}: `{name}`, ours and the chapter's\n{emitted}\n{original}"
                );
            }
        }
    }
}

/// The text with the header of our module.
fn completed(text: &str, ours: &ptx::Module<'_>) -> String {
    let emitted = ours.to_string();
    let header = emitted.lines().take_while(|line| !line.is_empty());
    let mut completed = String::new();
    for line in header.chain(text.lines()) {
        completed += line;
        completed += "\n";
    }
    completed
}

/// Checks that every ptxas refuses a text that older versions of PTX allowed.
fn check_refused(place: &str, text: &str, ours: &ptx::Module<'_>, expected: &str) {
    let text = completed(text, ours);
    let refuses = |ptxas: Ptxas| match ptxas.assemble_text(&text, ours.target) {
        Ok(_) => panic!("{place}: ptxas {} accepts it\n{text}", ptxas.release()),
        Err(error) => assert!(error.to_string().contains(expected), "{place}: {error}\n{text}"),
    };
    xtask::oracles().into_iter().for_each(refuses);
}

/// A cubin's sections by name.
type Contents = BTreeMap<String, Section>;

/// The compared parts of a section.
#[derive(PartialEq, Eq, Debug, Default)]
struct Section {
    size: u64,
    align: u64,
    flags: u64,
    bytes: Vec<u8>,
    /// Offset, type, addend, and target.
    relocations: Vec<(u64, u32, i64, String)>,
    symbols: Vec<Symbol>,
}

/// The compared parts of a symbol: name, address, size, binding and type, and visibility with CUDA's flags,
/// such as whether it is managed.
type Symbol = (String, u64, u64, u8, u8);

/// The sections that hold the declarations: without the assembler's notes, and without tables that are
/// compared together with their subjects.
fn contents(cubin: &[u8]) -> Contents {
    let elf: ElfFile64 = ElfFile64::parse(cubin).expect("ptxas writes ELF");
    let name = |index: SymbolIndex| {
        let symbol = elf.symbol_by_index(index).expect("the symbol exists");
        symbol.name().expect("UTF-8").to_owned()
    };
    let symbols = |section: Option<SectionIndex>| {
        let there = elf.symbols().filter(|symbol| symbol.section_index() == section);
        let mut found: Vec<Symbol> = there
            .map(|symbol| {
                let SymbolFlags::Elf { st_info, st_other } = symbol.flags() else {
                    unreachable!("it is ELF")
                };
                (name(symbol.index()), symbol.address(), symbol.size(), st_info, st_other)
            })
            .collect();
        found.sort_unstable();
        found
    };
    let mut found = Contents::new();
    for section in elf.sections() {
        let kind = section.kind();
        if matches!(kind, SectionKind::Note | SectionKind::Metadata) {
            continue;
        }
        let SectionFlags::Elf { sh_flags } = section.flags() else { unreachable!("it is ELF") };
        let mut relocations: Vec<_> = section
            .relocations()
            .map(|(offset, relocation)| {
                let RelocationFlags::Elf { r_type } = relocation.flags() else {
                    unreachable!("it is ELF")
                };
                let RelocationTarget::Symbol(symbol) = relocation.target() else {
                    unreachable!("addresses are of symbols")
                };
                (offset, r_type, relocation.addend(), name(symbol))
            })
            .collect();
        relocations.sort_unstable();
        let section_name = section.name().expect("UTF-8").to_owned();
        let content = Section {
            size: section.size(),
            align: section.align(),
            flags: sh_flags,
            bytes: section.data().expect("the section has bytes").to_vec(),
            relocations,
            symbols: symbols(Some(section.index())),
        };
        found.insert(section_name, content);
    }
    // Symbols without a section, such as textures, which the driver binds.
    found.insert("undefined".to_owned(), Section { symbols: symbols(None), ..Section::default() });
    found
}
