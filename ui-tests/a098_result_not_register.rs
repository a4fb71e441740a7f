#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static SUM: u32;

    #[kernel]
    fn k(n: u32) {
        ptx! {
            .reg .b32 %r<2>;
            ld.param.u32 SUM, [n];
            add.u32 n, %r0, 1;
            mov.u32 4, %r0;
            atom.shared.add.u32 _, [SUM], 1;
            ret;
        }
    }
}

fn main() {}
