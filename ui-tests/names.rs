#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static ROW: [f32; 32];

    #[device(extern)]
    fn vprintf(format: u64, arguments: u64) -> i32;

    #[kernel]
    fn k(src: Ptr<Global, f32>, count: u32) {
        ptx! {
            .reg .b32 %r<4>, %total;
            .reg .b64 %rd<2>;
            ld.param.u64 %rd0, [scr];
            ld.param.u32 %r4, [count];
            mov.b32 %r1, ROV;
            mov.u32 %r2, %tidx.x;
            @%p bra LOPP;
            add.u32 %totle, %r1, %r2;
            mov.b32 %r3, %later;
            .reg .b32 %later;
            {
                .reg .b32 %inner;
            }
            mov.b32 %inner, %r1;
            call vprint, (%rd0, %rd1);
        LOOP:
            ret;
        }
    }
}

fn main() {}
