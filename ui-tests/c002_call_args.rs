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
    #[kernel]
    fn k() {
        ptx! {
            .reg .u32 %r;
            .reg .b64 %rd;
            call (%r), f, (%r, 1);
            call (%r), f;
        P:
            .callprototype (.reg .u32 _) _ (.reg .u32 _);
            call (%r), %rd, (%r), P;
            call (%r), %rd, (%r, 1), P;
            ret;
        }
    }
}

fn main() {}
