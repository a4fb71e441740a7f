#![allow(unused)]
use ptx::prelude::*;

#[tensor_map(element = f32, box = [32, 2, 2])]
struct A;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static TILE: Tile<A>;
    #[global(align = 128)]
    static BUFFER: [[f32; 64]; 64];
    #[global]
    static MAP: TensorMap<A> = TensorMap::over(generic(BUFFER), [64, 8, 8], [256, 2048]);

    #[kernel]
    fn k() {
        ptx! {
            .reg .b16 %h;
            .reg .b32 %r<3>;
            cp.async.bulk.prefetch.tensor.3d.L2.global.tile [MAP, {%r0, %r1, %r2}];
            cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [MAP, {%r0, %r1, %r2}], {%h};
            ret;
        }
    }

    #[kernel(allow(A027))]
    fn allowed() {
        ptx! {
            .reg .b16 %h;
            .reg .b32 %r<3>;
            cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [MAP, {%r0, %r1, %r2}], {%h};
            ret;
        }
    }
}

fn main() {}
