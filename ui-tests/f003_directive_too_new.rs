#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90, version = 7.7)]
mod m {
    use super::*;

    #[kernel(reqnctapercluster = 2)]
    fn k() {
        ptx! { ret; }
    }
}

fn main() {}
