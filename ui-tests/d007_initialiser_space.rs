#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static ROW: [f32; 2] = [1.0, 2.0];

    #[kernel]
    fn k() {
        ptx! {
            .local .b32 x = 1;
            .shared .b32 y[2] = {1, 2};
            .reg .b32 z = 1;
            .param .b32 w = 1;
            ret;
        }
    }
}

fn main() {}
