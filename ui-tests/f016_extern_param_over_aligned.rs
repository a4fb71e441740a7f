#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device(extern)]
    fn f(s: Aligned<[u8; 256], U256>);
}

fn main() {}
