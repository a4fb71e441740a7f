#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 a[4][2];
            ret;
        }
    }
}

fn main() {}
