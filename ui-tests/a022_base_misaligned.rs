#![allow(unused)]
use ptx::prelude::*;

const SIXTEEN: usize = 16;
type Late = [f32; 64];

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static ROW: [f32; 64];
    #[shared(align = SIXTEEN)]
    static ALIGNED: [f32; 64];
    #[shared]
    static LATE: Late;
    #[shared(align = 16)]
    static TILE: [f32; 1024];
    #[global(align = 64)]
    static MAP: [u8; 128];
    #[shared]
    static BARRIER: Mbarrier;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<4>;
            .reg .f32 %f<4>;
            .shared .b8 bytes[64];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [ROW];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [ALIGNED];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [LATE];
            st.shared.f32 [bytes], %f0;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [TILE], [MAP, {%r0, %r1}], [BARRIER];
            ret;
        }
    }

    #[kernel(allow(A022))]
    fn allowed() {
        ptx! {
            .reg .f32 %f<4>;
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [ROW];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [LATE];
            ret;
        }
    }
}

fn main() {}
