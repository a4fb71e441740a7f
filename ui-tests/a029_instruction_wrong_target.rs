#![allow(unused)]
#[ptx::module(target = sm_80)]
mod older {
    #[global(align = 16)]
    static G: [f32; 64];
    #[shared(align = 16)]
    static S: [f32; 64];
    #[shared]
    static BARRIER: u64;

    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %f<4>;
            cp.async.cg.shared.global [S], [G], 16;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [S], [G], 256, [BARRIER];
            atom.global.v4.f32.add {%f0, %f1, %f2, %f3}, [G], {%f0, %f1, %f2, %f3};
            ret;
        }
    }
}

#[ptx::module(target = sm_90)]
mod baseline {
    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %f<4>;
            .reg .b64 %d<2>;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
                {%f0, %f1, %f2, %f3}, %d0, %d1, 1, 1, 1, 0, 0;
            ret;
        }
    }
}

#[ptx::module(target = sm_90a)]
mod specific {
    #[global(align = 32)]
    static G: [f32; 64];

    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %f<8>;
            .reg .b32 %r;
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r, 32;
            ld.global.v8.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [G];
            ret;
        }
    }
}

fn main() {}
