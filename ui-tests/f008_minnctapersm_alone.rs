#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel(minnctapersm = 2)]
    fn k() {
        ptx! { ret; }
    }

    #[kernel(minnctapersm = 2, reqntid = 64)]
    fn fine() {
        ptx! { ret; }
    }
}

fn main() {}
