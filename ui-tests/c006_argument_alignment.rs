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
            .param .align 4 .b8 s[16];
            call takes_struct, (s);
            ret;
        }
    }
}

fn main() {}
