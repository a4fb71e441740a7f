//! Loads of tiles through tensor maps (PTX ISA 9.7.9.27; `sm_90` or newer), by one thread, and the order of tiles.

use ptx_macros::fragment;
use ptx_types::{Mbarrier, Reg};

/// Expects `BYTES` bytes at an mbarrier and loads a tile of two dimensions, with `x` along the innermost one:
/// `tile::load_2d::<{A::TRANSACTION_BYTES}> SMEM.a[1], %map, %x, %y, SMEM.full[1];`, where `%map` is the address of the map.
///
/// 1 `mbarrier.arrive.expect_tx`, 1 `cp.async.bulk.tensor`.
#[fragment]
pub fn load_2d<const BYTES: u32>(
    tile: &[u8; 128],
    map: Reg<u64>,
    x: Reg<u32>,
    y: Reg<u32>,
    bar: &Mbarrier,
) {
    ptx! {
        mbarrier.arrive.expect_tx.shared.b64 _, [bar], BYTES;
        cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
            [tile], [map, {x, y}], [bar];
    }
}

/// The column and the row of a tile, by its number, in a matrix of `rows` by `columns` tiles: `GROUP` rows go through all
/// columns before the next rows do, so that what tiles of about the same number read stays in the L2 cache:
/// `tile::grouped::<16> %column, %row, %tile, %rows, %columns;`.
///
/// 2 `div`, 9 others; 5 registers.
#[fragment(returns(column, row))]
pub fn grouped<const GROUP: u32>(
    tile: Reg<u32>,
    rows: Reg<u32>,
    columns: Reg<u32>,
) -> (Reg<u32>, Reg<u32>) {
    ptx! {
        let %width, %group, %first, %height, %i: u32;
        mul.lo.u32 %width, columns, GROUP;
        div.u32 %group, tile, %width;
        mul.lo.u32 %first, %group, GROUP;
        sub.u32 %height, rows, %first;
        min.u32 %height, %height, GROUP;
        mul.lo.u32 %i, %group, %width;
        sub.u32 %i, tile, %i;
        div.u32 column, %i, %height;
        mul.lo.u32 row, column, %height;
        sub.u32 row, %i, row;
        add.u32 row, row, %first;
    }
}
