//! Mistakes in the grammar of statements and calls, and names that are nearly right.

#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod grammar {
    use super::*;

    #[shared]
    static ROW: [f32; 64];

    #[device]
    fn f(x: Ptr<Global, f32>) {
        ptx! { ret; }
    }

    #[kernel]
    fn ends() {
        ptx! {
            .reg .b32 %r<4>;
            .reg .pred %p;
            mov.u32 %r0, 1
            setp.eq.u32 %p, %r0, 0;
            mov.u32 %r1, 2;
            @%p ret
            add.u32 %r1, %r1, %r0;
            bar.sync 0
            ret;
        }
    }

    #[kernel]
    fn operands(a: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %rd<4>;
            .reg .f32 %f<4>;
            ld.shared.f32 %f0, [ROW + %r0];
            call f, %rd1;
            call f, %rd1, %r1, 3;
            ret
        }
    }
}

#[ptx::module(target = sm_90a)]
mod names {
    use super::*;

    #[kernel]
    fn k(a: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %rd<4>;
            mov.u32 %r0, threadIdx.x;
            mov.u32 %r0, tid.x;
            mov.u32 %r0, laneid;
            mov.u32 %r0, %tidx.x;
            mov.u32 %rr0, %r0;
            ld.param.u64 %rd0, [aa];
            bra LOOOP;
        LOOP:
            ret;
        }
    }
}

fn main() {}
