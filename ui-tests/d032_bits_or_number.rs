#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .global .b16 half = 1.5;
            .global .b32 sum[2] = {1, 0.5};
            ret;
        }
    }
}

fn main() {}
