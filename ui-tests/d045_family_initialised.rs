#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .global .u32 x<2> = 1;
            ret;
        }
    }
}

fn main() {}
