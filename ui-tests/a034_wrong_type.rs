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
    #[global(align = 8)]
    static LATE: Late;
    #[global]
    static MOST: f32;
    #[global(align = 8)]
    static BITS: [B32; 4];
    #[global(allow(A034))]
    static MEANT: f32;
    #[shared(align = 4)]
    static HALVES: [f16; 64];

    #[kernel]
    fn k(
        p: Ptr<Global, V4<f32>>,
        config: Config,
        head: Ptr<Global, Config>,
        flag: B32,
        #[allow(A034)] meant: u32,
    ) {
        ptx! {
            .reg .b16 %h;
            .reg .b32 %r<4>;
            .reg .b64 %d<4>;
            .reg .f32 %f<4>;
            ld.global.f32 %f0, [COUNTS];
            ld.global.u64 %d0, [COUNTS + 8];
            ld.global.u32 %r0, [LATE + 4];
            ld.shared.u16 %h, [HALVES];
            red.global.add.f32 [COUNTS], %f0;
            ld.param.f32 %f0, [config + #(offset_of!(Config, count))];
            ld.param.u32 %r1, [p];
            ld.param.u64 %d1, [p];
            ld.global.u32 %r0, [%d1 + 4];
            ld.global.u32 %r0, [%d1 + 20];
            ld.param.u64 %d2, [head];
            ld.global.u32 %r0, [%d2];
            // The data after the head may have another type.
            ld.global.u32 %r0, [%d2 + 8];
            mad.wide.u32 %d2, %r2, 8, %d2;
            ld.global.u32 %r0, [%d2 + 8];
            // These read bits, or the declared type.
            ld.global.b32 %r0, [LATE + 4];
            ld.global.s32 %r0, [COUNTS];
            ld.param.f32 %f0, [config + #(offset_of!(Config, scale))];
            #[allow(A034)]
            ld.global.f32 %f0, [COUNTS];
            red.global.max.s32 [MOST], %r0;
            // Bits may be read as any type, and these accesses are allowed explicitly.
            ld.param.s8 %h, [flag];
            ld.global.f32 %f0, [BITS + 4];
            ld.global.u64 %d0, [BITS + 8];
            red.global.max.s32 [MEANT], %r0;
            ld.global.u32 %r0, [MEANT];
            ld.param.f32 %f0, [meant];
            ret;
        }
    }
}

fn main() {}
