//! A083: block scales in a format other than that of `mma`.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_120a)]
mod m {
    use super::*;

    #[kernel]
    fn k(left: Ptr<Global, E4M3x4>, right: Ptr<Global, V2<Ue8m0x2>>, a: Ptr<Global, V4<E2M1x4>>) {
        ptx! {
            .reg .b16 %zero;
            .reg .b32 %a<4>, %b<2>, %l, %r;
            .reg .b64 %left, %right, %pa;
            .reg .f32 %d<4>;
            ld.param.u64 %left, [left];
            ld.param.u64 %right, [right];
            ld.param.u64 %pa, [a];
            ld.global.v2.b32 {%a0, %a1}, [%pa];
            ld.global.v2.b32 {%a2, %a3}, [%pa + 8];
            ld.global.v2.b32 {%b0, %b1}, [%pa];
            ld.global.b32 %l, [%left];
            ld.global.b32 %r, [%right];
            mov.b16 %zero, 0;
            mov.f32 %d0, 0f00000000;
            mov.f32 %d1, 0f00000000;
            mov.f32 %d2, 0f00000000;
            mov.f32 %d3, 0f00000000;
            mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%d0, %d1, %d2, %d3}, {%l}, {%zero, %zero}, {%r}, {%zero, %zero};
            ret;
        }
    }
}

fn main() {}
