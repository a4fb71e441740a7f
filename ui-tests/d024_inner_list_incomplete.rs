#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .const .u32 moved[3][3] = {{1}, {2}, {0, 0, 7}};
            .const .u32 fine[3][3] = {{1, 0, 0}, {2}};
            ret;
        }
    }
}

fn main() {}
