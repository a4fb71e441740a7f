//! Opcodes and modifiers that are spelled like others.

use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod misspelt {
    use super::*;

    #[shared]
    static ROW: [f32; 32];
    #[shared]
    static BAR: Mbarrier;

    #[kernel]
    fn words(src: Ptr<Global, f32>) {
        ptx! {
            .reg .f32 %f<4>;
            .reg .b64 %rd<4>;
            ld.sahred.f32 %f0, [ROW];
            add.f23 %f0, %f0, %f0;
            addd.f32 %f0, %f0, %f0;
            ld.param.u64 %rd0, [src];
            cp.asnyc.ca.shared.global [ROW], [%rd0], 4;
            mbarrier.inti.shared::cta.b64 [BAR], 1;
            mbarrier.init.shared::ctaa.b64 [BAR], 1;
            st.shraed.f32 [ROW + 256], %f0;
            lda.shared.f32 %f0, [ROW];
            ret;
        }
    }

    #[kernel]
    fn allowed() {
        ptx! {
            .reg .f32 %f<4>;
            #[allow(A084)] mov.f33 %f0, 0f00000000;
            #[allow(A084)] mov.f32 %f1, 0f00000000;
            fused_multiply.quantised %f0, %f1;
            ret;
        }
    }
}

fn main() {}
