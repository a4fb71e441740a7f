#![allow(unused)]
use ptx::prelude::*;

type Late = Ptr<Global, f32>;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k(p: Ptr<Global, f32>, q: Late, right: Ptr<Global, f32, U16>) {
        ptx! {
            .reg .b32 %r;
            .reg .b64 %d<8>;
            .reg .f32 %f<4>;
            mov.u32 %r, %tid.x;
            mul.wide.u32 %d0, %r, 16;
            ld.param.u64 %d1, [p];
            add.u64 %d1, %d1, %d0;
            ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d1];
            ld.param.u64 %d2, [q];
            ld.global.v2.f32 {%f0, %f1}, [%d2 + 8];
            ld.param.u64 %d3, [right];
            add.u64 %d3, %d3, %d0;
            ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d3];
            ret;
        }
    }
}

fn main() {}
