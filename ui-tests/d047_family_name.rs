#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static TILE2: Family<f32, 10>;
    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 r1<4>;
            ret;
        }
    }
}

fn main() {}
