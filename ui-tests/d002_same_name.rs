#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static TWICE: u32;
    #[shared]
    static TWICE: u32;

    #[kernel]
    fn k(n: u32, n: u64) {
        ptx! {
            .reg .b32 n, %r<4>;
            .reg .b64 %r2;
        here:
            bra here;
        here:
            ret;
        }
    }
}

fn main() {}
