//! The memory map has each parameter of a kernel where ptxas puts it, for every target.

use std::collections::BTreeSet;

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection};
use ptx::emit::ptxas::Ptxas;
use ptx::{Target, Version};
use ptx_smith::Rng;

/// The number of signatures in the file that is assembled for each target.
const SIGNATURES: usize = 500;

/// The attributes in `.nv.info` that say where the parameters of a kernel are: each with its ordinal, offset and
/// size, and the same for those of kernels with more than 4,352 bytes; the address and size of them all in constant
/// bank 0.
const KPARAM_INFO: u8 = 0x17;
const LARGE_KPARAM_INFO: u8 = 0x45;
const PARAM_CBANK: u8 = 0x0a;

/// The address of a kernel's first parameter in a cubin, the size of all, and the offset and size of each.
#[derive(PartialEq, Eq, Debug)]
struct Signature {
    base: usize,
    bytes: usize,
    params: Vec<(usize, usize)>,
}

impl Signature {
    /// What the section `.nv.info.KERNEL` says.
    fn read(section: &[u8]) -> Self {
        let half = |bytes: &[u8], at| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let mut read = Self { base: 0, bytes: 0, params: Vec::new() };
        let mut rest = section;
        while let &[format, attribute, ..] = rest {
            // A value of 4 is a size, and bytes that follow; others have their value in two bytes.
            let (value, after) = match format {
                4 => rest[4..].split_at(half(rest, 2)),
                _ => rest[2..].split_at(2),
            };
            match attribute {
                // An index, ordinal, offset, and flags, of which the upper 14 bits are the size.
                KPARAM_INFO => {
                    let ordinal = half(value, 4);
                    read.params.resize(read.params.len().max(ordinal + 1), (0, 0));
                    read.params[ordinal] = (half(value, 6), half(value, 10) >> 2);
                }
                // The size has other bits there.
                LARGE_KPARAM_INFO => {
                    let ordinal = half(value, 4);
                    read.params.resize(read.params.len().max(ordinal + 1), (0, 0));
                    read.params[ordinal] = (half(value, 6), half(value, 8));
                }
                PARAM_CBANK => (read.base, read.bytes) = (half(value, 4), half(value, 6)),
                _ => {}
            }
            rest = after;
        }
        read
    }

    /// What the memory map says.
    fn of(kernel: &ptx::emit::KernelMap<'_>, total: &ptx::emit::Budget<'_>) -> Self {
        let place = |placed: &ptx::emit::Placed<'_>| {
            (placed.offset.expect("known"), placed.variable.bytes.expect("known"))
        };
        Self {
            base: kernel.param_base,
            bytes: total.bytes.expect("known"),
            params: kernel.parameters.iter().map(place).collect(),
        }
    }
}

/// A kernel's parameters: 1 to 8 scalars, short arrays, arrays of bytes at alignments up to 1,024, and, where the
/// target has room for them, large ones.
fn signature(target: Target, rng: &mut Rng) -> String {
    let has_large = target.arch() >= 70 && rng.one_in(8);
    let params: Vec<String> = (0..rng.within(1, 8))
        .map(|n| {
            let align = 1 << rng.below(11);
            if has_large && rng.one_in(3) {
                format!(".param .align {align} .b8 p{n}[{}]", rng.within(1000, 3000))
            } else if rng.one_in(3) {
                format!(".param .align 64 .b8 p{n}[128]")
            } else if rng.one_in(2) {
                format!(".param .align {align} .b8 p{n}[{}]", rng.within(1, 200))
            } else {
                let ty = rng.pick(&["u8", "u16", "f32", "u64", "align 2 .u64", "u64 .align 64"]);
                // An array, too, is aligned to its elements.
                let extent = rng.pick(&["", "", "[3]"]);
                format!(".param .{ty} p{n}{extent}")
            }
        })
        .collect();
    params.join(", ")
}

/// A file with kernels of random signatures for a target.
fn kernels(target: Target, rng: &mut Rng) -> String {
    let kernels = (0..SIGNATURES)
        .map(|n| format!(".visible .entry k{n}({}) {{ ret; }}", signature(target, rng)))
        .collect::<Vec<String>>()
        .join("\n");
    // Parameters of more than 4,352 bytes need PTX 8.1.
    let version = target.since().newer(Version::new(8, 1));
    format!(".version {version}\n.target {target}\n.address_size 64\n{kernels}\n")
}

/// Whether this release generates code for the target.
fn is_known(ptxas: &Ptxas, target: Target) -> bool {
    let text = format!(".version {}\n.target {target}\n.address_size 64\n", target.since());
    match ptxas.assemble_text(text, target) {
        Ok(_) => true,
        Err(error) => {
            let error = error.to_string();
            let is_unknown =
                error.contains("is not defined") || error.contains("Unsupported .version");
            assert!(is_unknown, "{target}: {error}");
            false
        }
    }
}

#[test]
fn ptxas_places_parameters_the_same() {
    let oracles = xtask::oracles();
    if oracles.is_empty() {
        return;
    }
    let mut unknown: BTreeSet<&str> = Target::ALL.iter().map(|target| target.name()).collect();
    // Each target is asked about once, by the first release that knows it.
    for ptxas in &oracles {
        for (n, target) in Target::ALL.iter().enumerate() {
            if !unknown.contains(target.name()) || !is_known(ptxas, *target) {
                continue;
            }
            unknown.remove(target.name());
            let text = kernels(*target, &mut Rng::new(0x5054_5831, n));
            let assembled = ptxas.assemble_text(&text, *target);
            let cubin = assembled.unwrap_or_else(|error| panic!("{target}: {error}")).cubin;
            let cubin = ElfFile64::<Endianness>::parse(&*cubin).expect("an ELF file");
            let parsed = ptx::Module::parse(text);
            let map = ptx::MemoryMap::of(parsed.module());
            assert_eq!(map.kernels.len(), SIGNATURES);
            let totals = map.budgets.iter().filter(|total| total.what == "parameters");
            for (kernel, total) in map.kernels.iter().zip(totals) {
                assert_eq!(total.kernel, Some(kernel.name));
                let section = cubin.section_by_name(&format!(".nv.info.{}", kernel.name));
                let section = section.expect("the kernel has one").data().expect("it has bytes");
                let declared = Signature::of(kernel, total);
                assert_eq!(Signature::read(section), declared, "{target}: {}", kernel.name);
            }
        }
    }
    // Targets of releases that are newer than the oracles.
    assert_eq!(unknown.into_iter().collect::<Vec<_>>(), ["sm_107", "sm_107a", "sm_107f"]);
}
