#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k(n: u32) {
        ptx! {
            L: .global .u64 label = L;
            .reg .b32 %r;
            .global .u64 register = %r;
            .global .u64 parameter = n;
            ret;
        }
    }
}

fn main() {}
