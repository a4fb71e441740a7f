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
    #[global]
    static X: u32;
    #[kernel]
    fn k(n: u32) {
        ptx! {
            .reg .u32 %r;
            call (%r), f, (n);
            call (%r), f, (X);
            call (%r), f, (%tid);
            call (_), f, (_);
            call (1), f, (%r);
            call takes_struct, (%r);
            ret;
        }
    }
}

fn main() {}
