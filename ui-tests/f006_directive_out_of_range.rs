#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel(maxntid = [64, 32])]
    fn k() {
        ptx! { ret; }
    }

    const MANY: u32 = 256;
    #[kernel(maxnreg = MANY)]
    fn late() {
        ptx! { ret; }
    }
}

fn main() {}
