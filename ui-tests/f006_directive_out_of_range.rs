#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel(reqntid = [64, 32])]
    fn k() {
        ptx! { ret; }
    }

    const MANY: u32 = 1025;
    #[kernel(reqntid = MANY)]
    fn late() {
        ptx! { ret; }
    }
}

fn main() {}
