#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device]
    fn f(a: Reg<u32>) -> Reg<u32> {
        ptx! {
            mov.u32 returned, a;
            ret;
        }
    }
    #[device]
    fn takes_struct(s: [u64; 2]) {
        ptx! { ret; }
    }
    const N: usize = 3;
    #[kernel]
    fn k() {
        ptx! {
            .reg .u32 %r;
            .reg .b64 %d;
            .reg .f32 %f;
            .param .align 8 .b8 s[12], late[#(N * 4)];
            call (%r), f, (%d);
            call (%f), f, (%r);
            call (%r), f, (1.5);
            call takes_struct, (s);
            call takes_struct, (late);
        P:
            .callprototype (.reg .u32 _) _ (.reg .f32 _, .param .align 8 .b8 _[#(N * 4)]);
            call (%r), %d, (%d, late), P;
            ret;
        }
    }
}

fn main() {}
