#![allow(unused)]
use ptx::prelude::*;

type Late = [f32; 4];

#[derive(PtxType)]
#[repr(C)]
pub struct Config {
    scale: f32,
    count: u32,
}

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(align = 8)]
    static COUNTS: [u32; 64];
    #[global]
    static ADDED: u32;
    #[global(align = 8)]
    static LATE: Late;
    #[global(align = 8)]
    static BITS: [B32; 4];
    #[global(allow(A034))]
    static MEANT: u32;
    #[shared(align = 4)]
    static HALVES: [F16x2; 64];
    #[shared(align = 4)]
    static SCRATCH: [F16x2; 64];
    #[shared]
    static BRAINS: [Bf16x2; 64];
    #[shared]
    static MOST: u32;
    #[global]
    static NARROW: [E4M3x4; 4];

    #[kernel]
    fn k(
        p: Ptr<Global, V4<f64>>,
        config: Config,
        head: Ptr<Global, Config>,
        flag: B32,
        #[allow(A034)] meant: u32,
    ) {
        ptx! {
            .reg .pred %q;
            .reg .b16 %h;
            .reg .b32 %r<4>;
            .reg .b64 %d<4>;
            .reg .f32 %f<4>;
            .reg .f64 %e;
            mov.f32 %f1, 0f3F800000;
            ld.global.f32 %f0, [COUNTS];
            mul.f32 %f1, %f0, %f1;
            // Through copies, and past what always goes on.
            ld.global.f32 %f0, [COUNTS + 4];
            mov.b32 %r0, %f0;
            bra ON;
        ON:
            mov.b32 %f2, %r0;
            cvt.rzi.u32.f32 %r1, %f2;
            ld.global.f64 %e, [LATE + 8];
            add.f64 %e, %e, %e;
            red.global.add.f32 [ADDED], %f1;
            ld.param.f32 %f0, [config + #(offset_of!(Config, count))];
            add.f32 %f0, %f0, %f1;
            ld.param.u32 %r1, [p];
            cvt.u64.u32 %d1, %r1;
            ld.global.b32 %r1, [%d1];
            ld.param.u64 %d1, [p];
            ld.global.f32 %f0, [%d1 + 8];
            fma.rn.f32 %f1, %f0, %f0, %f1;
            ld.param.u64 %d2, [head];
            ld.global.f32 %f0, [%d2 + 4];
            sqrt.rn.f32 %f1, %f0;
            add.f32 %f1, %f0, %f0;
            // Results of other formats.
            add.f32 %f1, %f1, %f1;
            st.shared.f32 [HALVES], %f1;
            st.shared.f32 [BRAINS], %f1;
            mov.b32 %r0, %f1;
            st.shared.b32 [HALVES + 4], %r0;
            cvt.rn.satfinite.e5m2x2.f32 %h, %f1, %f1;
            st.global.b16 [NARROW], %h;
            // The data after the head may have another type.
            ld.global.f32 %f0, [%d2 + 12];
            add.f32 %f1, %f0, %f0;
            // What is used as bits, or as integers, may be meant.
            ld.param.u32 %r1, [p];
            and.b32 %r1, %r1, 15;
            ld.global.u32 %r0, [LATE + 4];
            add.u32 %r0, %r0, 0x800000;
            ld.global.f32 %f0, [COUNTS];
            st.global.f32 [BITS], %f0;
            ld.global.b32 %r0, [COUNTS];
            mov.b32 %f0, %r0;
            add.f32 %f1, %f0, %f0;
            // Other code may not use it.
            ld.global.f32 %f0, [COUNTS];
            setp.ne.u32 %q, %r0, 0;
            @%q bra END;
            add.f32 %f1, %f0, %f0;
            // Scratch memory holds what is read from it.
            add.f32 %f1, %f1, %f1;
            st.shared.f32 [SCRATCH], %f1;
            ld.shared.f32 %f1, [SCRATCH];
            // A maximum of the bits of positive numbers.
            mov.b32 %r0, %f1;
            red.shared.max.s32 [MOST], %r0;
            ld.shared.f32 %f1, [MOST];
            add.f32 %f1, %f1, %f1;
            // These are allowed explicitly.
            #[allow(A034)]
            ld.global.f32 %f0, [COUNTS];
            add.f32 %f1, %f0, %f0;
            ld.global.f32 %f0, [BITS + 4];
            add.f32 %f1, %f0, %f0;
            ld.global.f32 %f0, [MEANT];
            add.f32 %f1, %f0, %f0;
            ld.param.f32 %f0, [meant];
            add.f32 %f1, %f0, %f0;
        END:
            ret;
        }
    }
}

fn main() {}
