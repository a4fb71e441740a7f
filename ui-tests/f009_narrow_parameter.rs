#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device]
    fn f(byte: u8, flag: Reg<ptx::Pred>) {
        ptx! { ret; }
    }
}

fn main() {}
