use ptx::prelude::*;
use crate::types::{Image, Ring};

#[ptx::module(target = sm_90, version = 8.0)]
pub mod fill {
    use super::*;

    #[shared(dynamic)]
    static smem: Ring;

    /// Copies the second tile.
    #[kernel(reqntid = 1)]
    pub fn fill(fill_param_0: Image, fill_param_1: u32) {
        ptx! {
            .reg .pred %p<3>;
            .reg .b32 %r<4>;
            .reg .f32 %f<5>;
            .reg .b64 %rd<3>;

            ld.param.u64 %rd1, [fill_param_0.data];
            ld.param.u32 %r1, [fill_param_0.width];
            ld.param.u32 %r2, [fill_param_1];
            setp.ge.u32 %p1, %r2, %r1;
            @%p1 ret;
            cvta.to.global.u64 %rd2, %rd1;
            mbarrier.init.shared.b64 [smem.full[1]], 1;
            ld.global.f32 %f1, [%rd2];
            st.shared.f32 [smem.tiles[1][0].y], %f1;
            ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [smem.tiles[1][0]];
            st.global.f32 [%rd2+4], %f2;
            ret;
        }
    }
}
