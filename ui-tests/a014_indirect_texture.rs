#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a, texmode = independent)]
mod m {
    use super::*;

    #[global]
    static SAMPLER: SamplerRef;
    #[global]
    static TEX: TexRef;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b64 %d;
            .reg .f32 %f<4>;
            .reg .s32 %i<2>;
            mov.u64 %d, TEX;
            tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [TEX, SAMPLER, {%i0, %i1}];
            tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d, SAMPLER, {%i0, %i1}];
            ret;
        }
    }
}

fn main() {}
