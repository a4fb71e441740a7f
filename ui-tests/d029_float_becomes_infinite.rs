#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .const .f32 x[2] = {1.0, -1.0e39};
            ret;
        }
    }
}

fn main() {}
