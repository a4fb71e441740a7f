#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel(maxntid = 128, reqntid = 128)]
    fn k() {
        ptx! { ret; }
    }
}

fn main() {}
