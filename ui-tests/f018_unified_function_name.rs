#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device(unified(1, 2))]
    #[unsafe(export_name = "%f")]
    fn f() {
        ptx! { ret; }
    }
}

fn main() {}
