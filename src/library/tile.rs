//! Loads of tiles through tensor maps (PTX ISA 9.7.9.27; `sm_90` or newer), by one thread.

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
