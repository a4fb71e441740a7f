#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90, version = 8.2)]
mod m {
    use super::*;

    #[kernel]
    fn k(n: u32) {
        ptx! {
            .reg .b32 %r;
            ld.param::entry.u32 %r, [n];
            ret;
        }
    }
}

fn main() {}
