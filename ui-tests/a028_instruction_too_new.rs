#![allow(unused)]
#[ptx::module(target = sm_90, version = 7.8)]
mod m {
    #[global(align = 32)]
    static G: [f32; 64];
    #[shared(align = 16)]
    static S: [f32; 64];
    #[shared]
    static BARRIER: u64;

    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %f<4>;
            ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [G];
            mbarrier.init.shared::cta.b64 [BARRIER], 1;
            // The instruction.
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [S], [G], 256, [BARRIER];
            // Its modifiers.
            cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [S], [G], 256, [BARRIER];
            atom.global.v4.f32.add {%f0, %f1, %f2, %f3}, [G], {%f0, %f1, %f2, %f3};
            ret;
        }
    }
}

/// Without a version, the lowest sufficient one is chosen.
#[ptx::module(target = sm_90)]
mod chosen {
    #[global(align = 16)]
    static G: [f32; 64];

    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %f<4>;
            atom.global.v4.f32.add {%f0, %f1, %f2, %f3}, [G], {%f0, %f1, %f2, %f3};
            ret;
        }
    }
}

fn main() {}
