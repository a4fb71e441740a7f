#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .global .u32 whole = 1.5;
            .const .f32 half[2] = {0.5, 1};
            ret;
        }
    }
}

fn main() {}
