//! Offsets in tiles, as the error for an index into one advises.
#![deny(warnings)]
use ptx::prelude::*;

#[tensor_map(element = f32, box = [32, 8], swizzle = B128)]
pub struct Swizzled;

#[tensor_map(element = f32, box = [32, 8])]
pub struct Dense;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static LOADED: Tile<Swizzled>;
    #[shared]
    static RING: [Tile<Swizzled>; 2];
    #[shared(align = 128)]
    static ROWS: [[f32; 32]; 8];
    #[shared]
    static FULL: Mbarrier;

    #[kernel]
    pub fn offsets(from: TensorMap<Dense>) {
        ptx! {
            let %x: f32;
            let %i, %at: u32;
            let %map: u64;
            cvta.param.u64 %map, from;
            mbarrier.init.shared.b64 [FULL], 1;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], #(Dense::TRANSACTION_BYTES);
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [ROWS], [%map, {0, 0}], [FULL];
            mov.u32 %i, %tid.x;
            ld.shared.f32 %x, [LOADED + #(Swizzled::element_offset([3, 1]).unwrap())];
            ld.shared.f32 %x, [RING[1] + #(Swizzled::element_offset([3, 1]).unwrap())];
            lea.shared.u32 %at, RING[1];
            mad.lo.u32 %at, %i, 4, %at;
            ld.shared.f32 %x, [%at];
            lea.shared.u32 %at, ROWS[3][%i];
            st.shared.f32 [%at], %x;
            ret;
        }
    }
}

fn main() {
    let text = m::MODULE.to_string();
    // Row 1 starts at byte 128, and the swizzle exchanges its first two chunks of 16 bytes.
    assert!(text.contains("[LOADED+156]"), "{text}");
    assert!(text.contains("[RING+1180]"), "{text}");
    assert!(m::MODULE.check().is_empty());
}
