#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .param .align 256 .b8 s[256];
            ret;
        }
    }
}

fn main() {}
