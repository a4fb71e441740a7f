#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device]
    fn f() -> (f32, Reg<f32>) {
        ptx! { ret; }
    }
}

fn main() {}
