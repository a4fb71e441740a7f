//! `ptx::lib`: its fragments assemble, and no rule says anything about kernels that use them.
#![allow(dead_code)] // launched on a GPU alone

#[path = "library/kernels.rs"]
mod library;

use std::collections::BTreeMap;

use library::kernels;
use ptx::lib::matrix;

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
    let fours = kernel("fours");
    assert_eq!((count(&fours, "shfl.sync"), count(&fours, "selp")), (2 + 2 + 1 + 4, 4 * 2 * 2));
    let weights = kernel("weights");
    assert_eq!((count(&weights, "ex2"), count(&weights, "selp")), (2 * (4 + 2), 2 * 4));
    let blocks = kernel("blocks");
    assert_eq!((count(&blocks, "bar.sync"), count(&blocks, "shfl.sync")), (2 * 2, 2 * 5));
    assert_eq!((count(&blocks, "ld.shared"), count(&blocks, "st.shared")), (2 * 4, 2));
    // One `add` stands between the two.
    assert_eq!(count(&blocks, "add.f32"), 2 * (5 + 3) + 1);
    let floats = kernel("floats");
    assert_eq!((count(&floats, "cvt."), count(&floats, "shl.b32")), (2 + 2 + 1, 1));
    let scans = kernel("scans");
    assert_eq!((count(&scans, "bar.sync"), count(&scans, "shfl.sync")), (2 * 2, 2 * 5));
    assert_eq!((count(&scans, "ld.shared"), count(&scans, "add.u32")), (2 * 3, 2 * (5 + 3)));
    let clusters = kernel("clusters");
    assert_eq!((count(&clusters, "barrier.cluster"), count(&clusters, "mapa")), (2 * 4, 2 * 2));
    assert_eq!(
        (count(&clusters, "ld.shared::cluster"), count(&clusters, "bar.sync")),
        (2 * 2 * 4, 2)
    );
    let order = kernel("order");
    assert_eq!((count(&order, "div.u32"), count(&order, "mul.lo")), (2, 4));
    let tiles = kernel("tiles");
    assert_eq!((count(&tiles, "mbarrier.init"), count(&tiles, "mbarrier.try_wait")), (2 * 2, 2));
    assert_eq!(count(&kernel("neighbours"), "barrier.cluster"), 2 * 2);
    assert_eq!(count(&kernel("warpgroups"), "mul.wide.u32"), 1);
    let portable = kernel("portable");
    // One for the numbers of `e5m2`, which are halves of `f16`.
    assert_eq!((count(&portable, "cvt."), count(&portable, "min.u32")), (1, 3));
    let matrices = kernel("matrices");
    assert_eq!((count(&matrices, "ldmatrix"), count(&matrices, "mma.sync")), (2, 2));
}

/// Each element of a matrix is held once, and the picture shows by whom.
#[test]
fn layouts_hold_each_element_once() {
    let layouts = [
        matrix::A_16X16,
        matrix::B_16X8,
        matrix::C_16X8,
        matrix::accumulators_of_warpgroup(8),
        matrix::accumulators_of_warpgroup(256),
    ];
    for layout in layouts {
        let mut held = BTreeMap::new();
        for lane in 0..layout.lanes {
            for n in 0..layout.elements {
                let (row, column) = layout.element(lane, n);
                assert!(row < layout.rows && column < layout.columns, "{layout:?}");
                assert_eq!(held.insert((row, column), (lane, n)), None, "{layout:?}");
            }
        }
        assert_eq!(held.len(), (layout.rows * layout.columns) as usize);
        assert!(held.iter().all(|((row, column), at)| layout.holder(*row, *column) == Some(*at)));
    }
    let picture = matrix::C_16X8.to_string();
    assert_eq!(picture.lines().count(), 16);
    let row = picture.lines().nth(9).expect("a row");
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words, ["4:2", "4:3", "5:2", "5:3", "6:2", "6:3", "7:2", "7:3"]);
}
