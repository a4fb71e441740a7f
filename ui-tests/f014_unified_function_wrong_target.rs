#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod m {
    use super::*;

    #[device(unified(1, 2))]
    fn f() {
        ptx! { ret; }
    }
}

fn main() {}
