#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device]
    fn both() -> (Reg<u32>, Reg<u32>) {
        ptx! { ret; }
    }
    #[device]
    fn one() {
        ptx! { ret; }
    }
    #[global]
    static TABLE: [u64; 1] = [addr(one)];
}

fn main() {}
