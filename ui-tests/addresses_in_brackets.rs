#![allow(unused)]
use ptx::prelude::*;

const N: usize = 8;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static ROW: [u32; 4];

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<4>;
            mov.u32 %r0, ROW;
            ld.shared.u32 %r1, [ROW - 4];
            ld.shared.u32 %r1, [%r0 + %r2];
            ld.shared.u32 %r1, [%r0 - #(4)];
            ld.shared.u32 %r1, [ROW + N];
            ld.shared.u32 %r1, [ROW - N];
            ret;
        }
    }
}

fn main() {}
