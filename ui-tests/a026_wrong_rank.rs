#![allow(unused)]
use ptx::prelude::*;

#[tensor_map(element = f32, box = [32, 8])]
struct A;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static TILE: Tile<A>;
    #[global(align = 128)]
    static BUFFER: [[f32; 64]; 64];
    #[global]
    static MAP: TensorMap<A> = TensorMap::over(generic(BUFFER), [64, 64], [256]);

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<3>;
            cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [MAP, {%r0, %r1}], [TILE];
            cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [MAP, {%r0, %r1, %r2}], [TILE];
            ret;
        }
    }

    // One mistake has one error.
    #[kernel]
    fn as_many_coordinates_as_the_map_has_dimensions() {
        ptx! {
            .reg .b32 %r<2>;
            cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [MAP, {%r0, %r1}], [TILE];
            ret;
        }
    }

    #[kernel(allow(A026))]
    fn allowed() {
        ptx! {
            .reg .b32 %r;
            cp.async.bulk.prefetch.tensor.1d.L2.global [MAP, {%r}];
            ret;
        }
    }
}

fn main() {}
