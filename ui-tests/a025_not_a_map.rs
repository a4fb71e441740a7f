#![allow(unused)]
use ptx::prelude::*;

type Late = [f32; 64];

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 128)]
    static TILE: [f32; 1024];
    #[global(align = 64)]
    static BUFFER: [f32; 64];
    #[global(align = 64)]
    static LATE: Late;
    #[global(align = 64)]
    static MAP: [u8; 128];

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<2>;
            cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [MAP, {%r0, %r1}], [TILE];
            cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [BUFFER, {%r0, %r1}], [TILE];
            cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [LATE, {%r0, %r1}], [TILE];
            ret;
        }
    }

    #[kernel(allow(A025))]
    fn allowed() {
        ptx! {
            .reg .b32 %r<2>;
            cp.async.bulk.prefetch.tensor.2d.L2.global [BUFFER, {%r0, %r1}];
            ret;
        }
    }
}

fn main() {}
