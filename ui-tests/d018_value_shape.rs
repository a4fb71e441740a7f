#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .global .u32 many[2] = {1, 2, 3};
            .const .u32 flat[2][2] = {1, 2, 3, 4};
            .const .v4 .f32 few = {1.0, 2.0};
            .global .u32 one = {1};
            ret;
        }
    }
}

fn main() {}
