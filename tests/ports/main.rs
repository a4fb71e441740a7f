//! Bodies as people write them and compilers emit them: no rule reports anything, and every ptxas accepts them.
//! They guard against false positives.
#![allow(unused_variables, unused_labels, dead_code)] // declared for its own sake
#![allow(unreachable_pub)] // it is `.visible` in PTX

mod addresses;
mod agreements;
mod alignments;
mod arguments;
mod atomics;
mod barriers;
mod blocks;
mod bulk;
mod calls;
mod clusters;
mod compiled;
mod copies;
mod elements;
mod formats;
mod layouts;
mod loops;
mod pipelines;
mod pointers;
mod quiet;
mod reductions;
mod rings;
mod rounds;
mod scans;
mod scopes;
mod searches;
mod sparse;
mod swizzles;
mod tensors;
mod textures;
mod threads;
mod tiles;
mod transfers;
mod tricks;
mod walks;
mod warpgroups;

use std::collections::BTreeSet;

use ptx::instruction::{INSTRUCTIONS, Row};
use ptx::{Module, Target};

/// Every module with ports.
const MODULES: &[&Module<'_>] = &[
    &elements::elements::MODULE,
    &formats::formats::MODULE,
    &reductions::reductions::MODULE,
    &atomics::atomics::MODULE,
    &tiles::tiles::MODULE,
    &barriers::barriers::MODULE,
    &clusters::clusters::MODULE,
    &bulk::bulk::MODULE,
    &bulk::newer::MODULE,
    &tensors::tensors::MODULE,
    &tensors::modes::MODULE,
    &warpgroups::hopper::MODULE,
    &warpgroups::blackwell::MODULE,
    &warpgroups::ultra::MODULE,
    &sparse::hopper::MODULE,
    &sparse::ultra::MODULE,
    &textures::unified::MODULE,
    &textures::independent::MODULE,
    &addresses::addresses::MODULE,
    &calls::calls::MODULE,
    &calls::registers::MODULE,
    &scopes::scopes::MODULE,
    &walks::walks::MODULE,
    &loops::loops::MODULE,
    &quiet::quiet::MODULE,
    &agreements::agreements::MODULE,
    &searches::searches::MODULE,
    &threads::threads::MODULE,
    &swizzles::swizzles::MODULE,
    &rings::rings::MODULE,
    &pipelines::pipelines::MODULE,
    &scans::scans::MODULE,
    &blocks::blocks::MODULE,
    &layouts::layouts::MODULE,
    &copies::copies::MODULE,
    &rounds::rounds::MODULE,
    &pointers::pointers::MODULE,
    &transfers::transfers::MODULE,
    &alignments::alignments::MODULE,
    &tricks::tricks::MODULE,
    &arguments::arguments::MODULE,
    &compiled::nvcc::MODULE,
    &compiled::triton::MODULE,
    &compiled::several::MODULE,
    &compiled::indexed::MODULE,
];

/// The ports: kernels and functions with a body.
fn bodies() -> usize {
    let has_body = |module: &&Module<'_>| {
        module.functions.iter().filter(|function| function.body.is_some()).count()
    };
    MODULES.iter().map(has_body).sum()
}

#[test]
fn ptxas_assembles_every_port() {
    let mut refusals = Vec::new();
    for ptxas in xtask::oracles() {
        for module in MODULES {
            if let Err(refused) = ptxas.assemble(module) {
                refusals.push(format!("{}: {refused}", module.name));
            }
        }
    }
    assert!(refusals.is_empty(), "{}", refusals.join("\n"));
}

#[test]
fn ptxas_assembles_modules_for_linking() {
    let module = &compiled::linked::MODULE;
    for ptxas in xtask::oracles() {
        let text = module.to_string();
        if let Err(refused) = ptxas.assemble_text_with(&text, Target::Sm80, &["--compile-only"]) {
            panic!("{refused}\n{text}");
        }
    }
}

/// An index addresses the same element as the byte offset that the rules assume.
#[test]
fn indices_are_the_offsets_that_are_checked() {
    let indexed = compiled::indexed::MODULE.to_string();
    let offsets = [
        ("ROW[3]", "[ROW+12]"),
        ("ROW[%r0]", "[%scaled]"),
        ("ROW[%r0+1]", "[%scaled+4]"),
        ("ROW[62]", "[ROW+248]"),
        ("PIXELS[28]", "[PIXELS+112]"),
        ("BYTES[4]", "[BYTES+4]"),
        ("FULL[3]", "FULL+24"),
        ("TAPS[3]", "[TAPS+12]"),
        ("weights[3]", "[weights+12]"),
        ("own[3]", "[own+12]"),
    ];
    let mut by_bytes = String::new();
    for line in indexed.lines() {
        // The address itself is an operand without brackets.
        let is_taken = line.contains("mov.") || line.contains("cvta.");
        let mut line = line.to_owned();
        for (index, offset) in offsets {
            let offset = if is_taken { offset.trim_matches(['[', ']']) } else { offset };
            line = line.replace(index, offset);
        }
        line = line.replace("ROW[4]", "ROW+16").replace("ROW[1]", "ROW+4");
        by_bytes += &line;
        by_bytes += "\n";
        if line.contains("%tid.x") {
            by_bytes +=
                ".reg .b32 %scaled, %row; mov.u32 %row, ROW; mad.lo.u32 %scaled, %r0, 4, %row;\n";
        }
    }
    let is_left = |index: &str| by_bytes.contains(index);
    assert!(!offsets.iter().any(|(index, _)| is_left(index)), "{by_bytes}");
    for ptxas in xtask::oracles() {
        let assemble = |text: &str| match ptxas.assemble_text(text, Target::Sm80) {
            Ok(assembled) => assembled.cubin,
            Err(refused) => panic!("{refused}\n{text}"),
        };
        assert_eq!(code(&assemble(&indexed)), code(&assemble(&by_bytes)), "{by_bytes}");
    }
}

/// The instructions of the only kernel in a cubin.
fn code(cubin: &[u8]) -> Vec<u8> {
    use object::{Object as _, ObjectSection as _};
    let file = object::File::parse(cubin).expect("a cubin is an ELF file");
    let text = file.sections().find(|section| section.name().is_ok_and(|name| name == ".text.k"));
    text.expect("the kernel's code").data().expect("its bytes").to_vec()
}

/// The hazards that ports allow, of which their text says nothing: the module and the code.
const ALLOWED: &[(&str, &str)] = &[("nvcc", "A022"), ("nvcc", "D006")];

/// The text of a module is read and judged without anything that the macro knew: what it let pass and its text does
/// not is reported here.
#[test]
fn no_rule_is_broken_in_the_text() {
    let (mut reported, mut allowed) = (Vec::new(), BTreeSet::new());
    for module in MODULES {
        assert!(module.check().is_empty(), "{}: {:?}", module.name, module.check());
        for found in Module::parse(module.to_string()).check() {
            let hazard = (module.name, found.code.unwrap_or_default());
            if ALLOWED.contains(&hazard) {
                allowed.insert(hazard);
            } else {
                reported.push(format!("{} {}: {found}", hazard.0, hazard.1));
            }
        }
    }
    assert!(reported.is_empty(), "{}", reported.join("\n"));
    assert_eq!(allowed, ALLOWED.iter().copied().collect());
}

/// The rules are quiet about the ports because the ports are right, not because they cannot see into them: an access
/// that is moved by a byte is reported.
#[test]
fn an_access_that_is_moved_is_reported() {
    let (mut moved, mut silent) = (0, Vec::new());
    for module in MODULES {
        let text = module.to_string();
        let Some((line, wrong)) =
            text.lines().find_map(|line| Some((line, moved_by_a_byte(line)?)))
        else {
            continue;
        };
        moved += 1;
        if Module::parse(text.replacen(line, &wrong, 1)).check().is_empty() {
            silent.push(format!("{}: {wrong}", module.name));
        }
    }
    assert!(moved >= 20, "only {moved} accesses were moved");
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// A line that loads or stores more than a byte at a name, whatever runs before, with the address behind it.
fn moved_by_a_byte(line: &str) -> Option<String> {
    let instruction = line.trim_start().split(' ').next()?;
    let is_large = ["32", "64"].iter().any(|bits| instruction.ends_with(bits));
    if !(is_large && (instruction.starts_with("ld.") || instruction.starts_with("st."))) {
        return None;
    }
    let (before, rest) = line.split_once('[')?;
    let (name, after) = rest.split_once(']')?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| format!("{before}[{name}+1]{after}"))
}

#[test]
fn there_are_enough() {
    assert!(bodies() >= 190, "{} bodies", bodies());
}

/// The row of the instruction that a line of PTX starts with.
fn row(line: &str) -> Option<&'static Row> {
    let mut rest = line.trim_start();
    if rest.starts_with('@') {
        rest = rest.split_once(' ')?.1;
    }
    let opcode = rest.split([' ', ';']).next()?;
    let (mut words, mut separator) = (Vec::new(), ".");
    for (n, part) in opcode.split("::").enumerate() {
        for (m, word) in part.split('.').enumerate() {
            if n > 0 && m == 0 {
                separator = "::";
            }
            words.push((separator, word));
            separator = ".";
        }
    }
    let (opcode, modifiers) = words.split_first()?;
    Row::find(opcode.1, modifiers)
}

/// Rows that the tested releases of ptxas do not know.
const NEWER_THAN_PTXAS: &[&str] = &["multimem.cp.async.bulk", "multimem.cp.reduce.async.bulk"];

#[test]
fn every_row_is_used() {
    let texts: Vec<String> = MODULES.iter().map(ToString::to_string).collect();
    let used: Vec<_> = texts.iter().flat_map(|text| text.lines()).filter_map(row).collect();
    let missing: Vec<_> = INSTRUCTIONS
        .iter()
        .filter(|row| row.is_of_memory)
        .filter(|row| {
            let is =
                |other: &&Row| other.opcode == row.opcode && other.first_space == row.first_space;
            used.iter().any(is) == NEWER_THAN_PTXAS.contains(&row.opcode)
        })
        .map(|row| (row.opcode, row.first_space))
        .collect();
    assert!(
        missing.is_empty(),
        "rows without a port, or with one although ptxas does not know them: {missing:?}"
    );
}
