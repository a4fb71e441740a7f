//! `ptx::lib`: its fragments assemble, and no rule says anything about kernels that use them.
#![allow(dead_code)] // launched on a GPU alone

#[path = "library/kernels.rs"]
mod library;

use library::kernels;

#[test]
fn kernels_of_the_library_are_right() {
    let found: Vec<String> = kernels::MODULE.check().iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    for ptxas in xtask::oracles() {
        if let Err(refused) = ptxas.assemble(&kernels::MODULE) {
            panic!("{refused}\n{}", kernels::MODULE);
        }
    }
}

/// The instructions between two labels or declarations of a text, by opcode.
fn count(text: &str, opcode: &str) -> usize {
    text.lines().filter(|line| line.contains(opcode)).count()
}

/// What the pages of the fragments say of their cost.
#[test]
fn the_documented_costs_are_right() {
    let text = kernels::MODULE.to_string();
    let kernel = |name: &str| {
        let (_, rest) = text.split_once(&format!(".entry {name}(")).expect(name);
        rest.split_once("\n}\n").map_or(rest, |(kernel, _)| kernel).to_owned()
    };
    let warps = kernel("warps");
    assert_eq!(count(&warps, "shfl.sync"), 4 * 5 + 1);
    assert_eq!(count(&warps, " add.u32"), 2 * 5);
    assert_eq!((count(&warps, "max.u32"), count(&warps, "min.u32")), (5, 5));
    let blocks = kernel("blocks");
    assert_eq!((count(&blocks, "bar.sync"), count(&blocks, "shfl.sync")), (2 * 2, 2 * 5));
    assert_eq!((count(&blocks, "ld.shared"), count(&blocks, "st.shared")), (2 * 4, 2));
    // One `add` stands between the two.
    assert_eq!(count(&blocks, "add.f32"), 2 * (5 + 3) + 1);
    let floats = kernel("floats");
    assert_eq!((count(&floats, "cvt."), count(&floats, "shl.b32")), (2 + 2 + 1, 1));
}
