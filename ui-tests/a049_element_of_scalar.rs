#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %tid, %r<4>;
            .reg .v4 .f32 %v;
            .reg .f32 %f;
            mov.u32 %tid, %tid.x;
            add.u32 %r0, %r1.x, 1;
            mov.f32 %f, %v.y;
            mov.u32 %r0, %ntid.x;
            ret;
        }
    }
}

fn main() {}
