//! A124: multiplications by a part of a warpgroup.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel(reqntid = 96)]
    fn wrong() {
        ptx! {
            .reg .f32 %d<4>;
            .reg .b32 %a<4>;
            .reg .b64 %b;
            mov.b64 %b, 0x4000004000010000;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %b, %b, 1, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn right() {
        ptx! {
            .reg .f32 %d<4>;
            .reg .b32 %a<4>;
            .reg .b64 %b;
            mov.b64 %b, 0x4000004000010000;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %b, %b, 1, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            ret;
        }
    }
}

fn main() {}
