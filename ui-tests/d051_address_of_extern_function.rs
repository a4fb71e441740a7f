#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device(extern)]
    fn f();
    #[global]
    static TABLE: [u64; 1] = [addr(f)];
}

fn main() {}
