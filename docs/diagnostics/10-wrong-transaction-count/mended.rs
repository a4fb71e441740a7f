use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
pub mod m {
    use super::*;

    #[global(align = 128)]
    static DATA: [f32; 256];
    #[shared(align = 128)]
    static ROW: [f32; 256];
    #[shared]
    static FULL: Mbarrier;

    #[kernel(reqntid = 1)]
    fn k() {
        ptx! {
            let %done: bool;
            let %x: f32;
            mbarrier.init.shared::cta.b64 [FULL], 1;
            fence.mbarrier_init.release.cluster;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [FULL], 1024;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [DATA], 1024, [FULL];
            WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ld.shared.f32 %x, [ROW];
            ret;
        }
    }
}

fn main() {}
