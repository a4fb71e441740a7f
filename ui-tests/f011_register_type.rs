#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device]
    fn f(s: Reg<[u32; 2]>) {
        ptx! { ret; }
    }
}

fn main() {}
