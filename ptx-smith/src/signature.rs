//! Kernels with random parameters, for tests of where they lie.

use ptx_isa::{Target, Version};

use crate::Rng;

/// The PTX version from which on a kernel's parameters may have more than 4,352 bytes.
const LARGE: Version = Version::new(8, 1);

/// A kernel's parameters: 1 to 8 scalars, short arrays, arrays of bytes at alignments up to 1,024, and, where they
/// may, large ones, for which a target from `sm_70` on and PTX 8.1 have room.
pub fn params(may_be_large: bool, rng: &mut Rng) -> String {
    let has_large = may_be_large && rng.one_in(8);
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

/// The text of a module with one kernel.
pub(crate) fn module(rng: &mut Rng, target: Target, version: Option<Version>) -> String {
    let version = version.unwrap_or_else(|| target.since().newer(LARGE));
    let may_be_large = target.arch() >= 70 && !version.is_below(LARGE);
    let params = params(may_be_large, rng).replace(", ", ",\n    ");
    let head = format!(".version {version}\n.target {target}\n.address_size 64\n\n");
    format!("{head}.visible .entry kernel(\n    {params}\n)\n{{\n    ret;\n}}\n")
}
