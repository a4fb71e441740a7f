#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .tex .u32 image;
            .sreg .b32 %clock;
            ret;
        }
    }
}

fn main() {}
