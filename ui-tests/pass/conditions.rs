//! Conditional storage beside other storage, in one check; and Rust declarations in a body.

use ptx::prelude::*;

/// A tile.
#[tensor_map(element = f32, box = [8, 8])]
pub struct M;

#[ptx::module(target = sm_90a)]
pub mod kernels {
    use super::*;

    #[cfg(all())]
    #[global]
    static MAP: TensorMap<M>;
    #[cfg(any())]
    #[global]
    static NO_MAP: TensorMap<M>;
    #[shared]
    static T: Tile<M>;
    #[cfg(all())]
    #[shared]
    static T2: Tile<M>;
    #[cfg(all())]
    #[shared]
    static BAR: Mbarrier;
    #[shared]
    static BAR2: Mbarrier;

    #[kernel]
    pub fn copies() {
        const BYTES: usize = M::TRANSACTION_BYTES;
        const HALF: usize = 128;
        ptx! {
            .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>;
            mbarrier.init.shared.b64 [BAR], 1;
            mbarrier.init.shared.b64 [BAR2], 1;
            mbarrier.arrive.expect_tx.shared.b64 _, [BAR], #(2 * BYTES);
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [T], [MAP, {0, 0}], [BAR];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [T2], [MAP, {0, 0}], [BAR];
            mbarrier.arrive.expect_tx.shared.b64 _, [BAR2], #(BYTES);
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [T2], [MAP, {0, 0}], [BAR2];
        FULL:
            mbarrier.try_wait.parity.shared.b64 %p, [BAR], 0;
            @!%p bra FULL;
        FULL2:
            mbarrier.try_wait.parity.shared.b64 %p, [BAR2], 0;
            @!%p bra FULL2;
            mov.u32 %r0, T2;
            ld.shared.f32 %f0, [T + #(HALF)];
            ld.shared.f32 %f1, [T2 + #(HALF)];
            ld.shared.f32 %f2, [%r0 + #(HALF)];
            ret;
        }
    }
}

fn main() {
    assert!(kernels::MODULE.check().is_empty(), "{:?}", kernels::MODULE.check());
    assert!(kernels::MODULE.to_string().contains("T2"));
}
