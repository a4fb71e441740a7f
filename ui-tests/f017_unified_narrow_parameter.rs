#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device(unified(1, 2))]
    fn f(x: u8) -> (Reg<u32>, Reg<u32>) {
        ptx! { ret; }
    }
}

fn main() {}
