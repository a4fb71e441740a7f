#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel(maxntid = (16, 0))]
    fn k() {
        ptx! { ret; }
    }

    const NONE: u32 = 0;
    #[kernel(maxnreg = NONE)]
    fn late() {
        ptx! { ret; }
    }
}

fn main() {}
