#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90, version = 7.8)]
mod m {
    use super::*;

    #[device(unified(1, 2))]
    fn f() {
        ptx! { ret; }
    }
}

fn main() {}
