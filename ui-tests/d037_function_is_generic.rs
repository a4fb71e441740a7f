#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device]
    fn f() {
        ptx! { ret; }
    }
    #[global]
    static TABLE: [u64; 1] = [generic(f)];
}

fn main() {}
