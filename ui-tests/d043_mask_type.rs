#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .global .u32 x;
            .global .u32 byte = 0xff(x);
            ret;
        }
    }
}

fn main() {}
