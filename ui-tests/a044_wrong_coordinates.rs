#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
    pub struct A;
    #[tensor_map(
        element = bf16, mode = im2col, lower = [0, 0], upper = [0, 0],
        channels_per_pixel = 64, pixels_per_column = 64, swizzle = B128
    )]
    pub struct Image;

    #[shared]
    static TILE: Tile<A>;
    #[shared]
    static FULL: Mbarrier;

    #[kernel]
    fn k(a: TensorMap<A>, image: TensorMap<Image>) {
        ptx! {
            .reg .b16 %h<4>;
            .reg .b32 %r<8>;
            .reg .b64 %d<8>;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [TILE], [%d0, {%r0, %r1, %r2}], [FULL];
            cp.async.bulk.prefetch.tensor.3d.L2.global.tile [%d0, {%r0}];
            cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes
                [TILE], [%d0, {%r0, %r1, %r2, %r3}], [FULL], {%h0};
            cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [%d0, {%r0, %r1, %r2, %r3}];
            ret;
        }
    }
}

fn main() {}
