//! Declarations and splices cost nothing on the GPU. Each example with a kernel is compared with the same
//! instructions written without Rust, in `tests/by_hand`, with different names, formatting, radix and order:
//! ptxas generates the same code and data from both, byte for byte.

// Each example includes the code that they share.
#![allow(clippy::duplicate_mod)]

#[path = "../examples/limits/attention/mod.rs"]
mod attention;
#[path = "by_hand/attention.rs"]
mod attention_by_hand;
#[allow(dead_code)] // `main`, as in the others
#[path = "../examples/cluster.rs"]
mod cluster;
#[allow(dead_code)]
#[path = "../examples/fp8.rs"]
mod fp8;
#[path = "../examples/gemm/kernel.rs"]
mod gemm;
#[path = "../examples/limits/transpose.rs"]
mod limits;
#[path = "../examples/limits/product/mod.rs"]
mod product;
#[path = "by_hand/product.rs"]
mod product_by_hand;
#[path = "../examples/quickstart/kernel.rs"]
mod quickstart;
#[allow(dead_code)]
#[path = "../examples/ring.rs"]
mod ring;
#[path = "../examples/limits/rows.rs"]
mod rows;
#[path = "by_hand/rows.rs"]
mod rows_by_hand;
#[allow(dead_code)]
#[path = "../examples/saxpy.rs"]
mod saxpy;
#[allow(dead_code)]
#[path = "../examples/softmax.rs"]
mod softmax;
#[allow(dead_code)]
#[path = "../examples/transpose.rs"]
mod transpose;

#[path = "read_back/mod.rs"]
mod read_back;

use std::collections::BTreeMap;
use std::path::Path;

use attention_by_hand::Kernel as Attention;
use object::read::elf::ElfFile64;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionFlags};
use ptx::ptxas::Ptxas;

/// The examples' modules, and their handwritten versions.
const EXAMPLES: [(&str, &ptx::Module<'_>, &str); 9] = [
    ("cluster", &cluster::cluster::MODULE, include_str!("by_hand/cluster.ptx")),
    ("fp8", &fp8::quantize::MODULE, include_str!("by_hand/fp8.ptx")),
    ("gemm", &gemm::gemm::MODULE, include_str!("by_hand/gemm.ptx")),
    // The others of this example are compared below.
    ("limits", &limits::transpose::MODULE, include_str!("by_hand/limits.ptx")),
    ("quickstart", &quickstart::blur::MODULE, include_str!("by_hand/quickstart.ptx")),
    ("ring", &ring::ring::MODULE, include_str!("by_hand/ring.ptx")),
    ("saxpy", &saxpy::saxpy::MODULE, include_str!("by_hand/saxpy.ptx")),
    ("softmax", &softmax::softmax::MODULE, include_str!("by_hand/softmax.ptx")),
    ("transpose", &transpose::transpose::MODULE, include_str!("by_hand/transpose.ptx")),
];

/// Generic modules, fragments of fragments and loops: the handwritten versions of these are long, and some functions write what
/// repeats in them.
#[test]
fn kernels_at_the_limit_are_the_code_of_handwritten_ptx() {
    let (groups, stages) = (2, [1, 2]);
    let registers = [24, 240];
    let of_128 = Attention { dim: 128, groups, keys: 176, stages, registers, is_causal: false };
    let causal_of_128 = Attention { keys: 128, stages: [2, 2], is_causal: true, ..of_128 };
    let (groups, stages, registers) = (3, [2, 3], [32, 160]);
    let of_64 = Attention { dim: 64, groups, keys: 128, stages, registers, is_causal: false };
    let causal_of_64 = Attention { is_causal: true, ..of_64 };
    for (name, module, by_hand) in [
        ("attention", &attention::of_128::MODULE, of_128.text()),
        ("causal", &attention::causal_of_128::MODULE, causal_of_128.text()),
        ("attention of 64", &attention::of_64::MODULE, of_64.text()),
        ("causal of 64", &attention::causal_of_64::MODULE, causal_of_64.text()),
        ("bf16", &product::of_bf16::MODULE, product_by_hand::text("bf16", &[256, 224], &[0])),
        ("e4m3", &product::of_e4m3::MODULE, product_by_hand::text("e4m3", &[256, 224], &[1, 2])),
        ("rows", &rows::rows::MODULE, rows_by_hand::text()),
        ("blocks", &product::of_blocks::MODULE, product_by_hand::text("e4m3", &[256], &[3])),
    ] {
        for ptxas in xtask::oracles() {
            let [ours, by_hand] = assemble(&ptxas, module, &by_hand);
            assert_eq!(difference(&ours, &by_hand), None, "{name}: {}", ptxas.path().display());
        }
    }
}

#[test]
fn the_text_of_every_example_reads_back() {
    for (_, module, _) in EXAMPLES {
        read_back::assert_reads_back(module);
    }
}

/// The compared parts of a section.
#[derive(PartialEq, Eq)]
struct Section {
    size: u64,
    align: u64,
    flags: u64,
    bytes: Vec<u8>,
    /// Offset, addend, and target.
    relocations: Vec<(u64, i64, String)>,
}

/// The sections of a cubin: code, data, and the driver's metadata (`.nv.info` with the registers,
/// parameters and barriers, `.nv.compat`, `.nv.callgraph`, `.debug_frame`). Left out are
/// `.symtab`, `.strtab` and `.shstrtab`, which are about names and their order; `.note.nv.*`, about
/// the toolkit and how it was called; and tables of relocations, which number the symbols: the
/// relocations are compared with what they relocate, by the names of their targets.
fn sections(cubin: &[u8]) -> BTreeMap<String, Section> {
    let elf: ElfFile64 = ElfFile64::parse(cubin).expect("ptxas writes ELF");
    let target = |target| match target {
        RelocationTarget::Symbol(index) => {
            let symbol = elf.symbol_by_index(index).expect("the symbol exists");
            symbol.name().expect("UTF-8").to_owned()
        }
        other => format!("{other:?}"),
    };
    let mut found = BTreeMap::new();
    for section in elf.sections() {
        let name = section.name().expect("UTF-8");
        let is_table = [".symtab", ".strtab", ".shstrtab"].contains(&name);
        if is_table || [".note.", ".rela.", ".rel."].iter().any(|start| name.starts_with(start)) {
            continue;
        }
        let SectionFlags::Elf { sh_flags } = section.flags() else { unreachable!("it is ELF") };
        let relocations = section.relocations();
        let content = Section {
            size: section.size(),
            align: section.align(),
            flags: sh_flags,
            bytes: section.data().expect("the section has bytes").to_vec(),
            relocations: relocations
                .map(|(offset, to)| (offset, to.addend(), target(to.target())))
                .collect(),
        };
        found.insert(name.to_owned(), content);
    }
    found
}

/// The first difference between two cubins: the section, and the part of it that differs.
fn difference(ours: &[u8], by_hand: &[u8]) -> Option<String> {
    let (ours, by_hand) = (sections(ours), sections(by_hand));
    let only = |these: &BTreeMap<String, Section>, those: &BTreeMap<String, Section>| {
        these.keys().find(|name| !those.contains_key(*name)).cloned()
    };
    if let Some(name) = only(&ours, &by_hand) {
        return Some(format!("by hand there is no `{name}`"));
    }
    if let Some(name) = only(&by_hand, &ours) {
        return Some(format!("only by hand there is a `{name}`"));
    }
    // Code first, because its differences are the most informative.
    let mut names: Vec<&String> = ours.keys().collect();
    names.sort_by_key(|name| !name.starts_with(".text."));
    for name in names {
        let (mine, other) = (&ours[name], &by_hand[name]);
        if mine == other {
            continue;
        }
        let (size, size_by_hand) = (mine.size, other.size);
        let differs = mine.bytes.iter().zip(&other.bytes).position(|(a, b)| a != b);
        return Some(match differs {
            Some(at) => format!(
                "`{name}` differs from byte {at:#x} on: {:#04x}, and {:#04x} by hand; \
                 {size} bytes, and {size_by_hand} by hand",
                mine.bytes[at], other.bytes[at]
            ),
            None if size != size_by_hand => {
                format!("`{name}` has {size} bytes, and {size_by_hand} by hand")
            }
            None => format!(
                "`{name}` differs in alignment, flags or relocations: {:?}, and {:?} by hand",
                (mine.align, mine.flags, &mine.relocations),
                (other.align, other.flags, &other.relocations)
            ),
        });
    }
    None
}

/// The cubins of an example's module and of a text.
fn assemble(ptxas: &Ptxas, module: &ptx::Module<'_>, by_hand: &str) -> [Vec<u8>; 2] {
    let ours = ptxas.assemble(module).unwrap_or_else(|error| panic!("{error}\n{module}"));
    let by_hand = ptxas.assemble_text(by_hand, module.target);
    [ours.cubin, by_hand.unwrap_or_else(|error| panic!("by hand: {error}")).cubin]
}

#[test]
fn code_and_data_are_those_written_by_hand() {
    for ptxas in xtask::oracles() {
        for (name, module, by_hand) in EXAMPLES {
            let [ours, by_hand] = assemble(&ptxas, module, by_hand);
            let kernel = format!(".text.{}", module.functions[0].name);
            let code = sections(&ours).remove(&kernel).expect("the kernel's code");
            assert!(!code.bytes.is_empty(), "{name}: `{kernel}` is empty");
            if let Some(difference) = difference(&ours, &by_hand) {
                panic!("{name}, ptxas {}: {difference}", ptxas.release());
            }
        }
    }
}

/// A changed constant is detected: in an instruction, in data, in a size, and in the driver's metadata.
#[test]
fn changes_are_detected() {
    let changes = [
        ("cluster", "2, 1, 1", "4, 1, 1", "`.nv.info.normalize`"),
        ("cluster", "theirs, SUMS, 1", "theirs, SUMS, 0", "`.text.normalize`"),
        ("fp8", "in, lane, 16", "in, lane, 32", "`.text.rows`"),
        ("fp8", "lo, f1, f0", "lo, f0, f1", "`.text.rows`"),
        ("gemm", "high, high, 16", "high, high, 8", "`.text.multiply`"),
        ("gemm", "out, out, 0x30000", "out, out, 0x34000", "`.text.multiply`"),
        ("gemm", "tensorD[128]", "tensorD[192]", "`.text.multiply`"),
        ("quickstart", "bx, 0x40, tid", "bx, 0x80, tid", "`.text.rows`"),
        ("quickstart", "0.25, 0.375", "0.25, 0.376", "`.nv.constant3` differs from byte 0x8 on"),
        ("quickstart", "ROWS = 0;", "ROWS = 1;", "`.nv.global.init` differs from byte 0x0 on"),
        ("quickstart", "ROW[1056]", "ROW[1072]", "`.nv.shared.rows`"),
        ("quickstart", ".reqntid 64,", ".reqntid 96,", "`.nv.info.rows`"),
        ("ring", "[FULL+8], 0x2000", "[FULL+8], 0x4000", "`.text.add`"),
        ("ring", "map[128]", "map[192]", "`.text.add`"),
        ("saxpy", "block, 0x100, tid", "block, 0x80, tid", "`.text.saxpy`"),
        (
            "softmax",
            "TEMPERATURE = 1.0",
            "TEMPERATURE = 1.5",
            "`.nv.constant3` differs from byte 0x2 on",
        ),
        ("softmax", "[out+0x200]", "[out+0x400]", "`.text.rows`"),
        ("transpose", "PADDED[4224]", "PADDED[4096]", "`.nv.shared.transpose`"),
        ("transpose", "slot, ty, 132", "slot, ty, 128", "`.text.transpose`"),
    ];
    for ptxas in xtask::oracles() {
        for (name, from, to, expected) in changes {
            let example = EXAMPLES.into_iter().find(|(other, ..)| *other == name);
            let (_, module, by_hand) = example.expect("it is an example");
            let changed = by_hand.replacen(from, to, 1);
            assert_ne!(changed, by_hand, "{name}: `{from}` was not found");
            let [ours, changed] = assemble(&ptxas, module, &changed);
            let difference = difference(&ours, &changed).unwrap_or_default();
            assert!(difference.contains(expected), "{name}, `{to}`: {difference}");
        }
    }
}

/// Whether a file, or a file in a folder, declares a module.
fn has_module(path: &Path) -> std::io::Result<bool> {
    if path.is_file() {
        return Ok(std::fs::read_to_string(path)?.contains("#[ptx::module"));
    }
    for entry in std::fs::read_dir(path)? {
        if has_module(&entry?.path())? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Every example with a kernel is compared.
#[test]
fn every_example_is_compared() -> std::io::Result<()> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(tests::root().join("examples"))? {
        let path = entry?.path();
        if has_module(&path)? {
            let name = path.file_stem().expect("it has a name");
            found.push(name.to_string_lossy().into_owned());
        }
    }
    found.sort();
    assert_eq!(found, EXAMPLES.map(|(name, ..)| name));
    Ok(())
}
