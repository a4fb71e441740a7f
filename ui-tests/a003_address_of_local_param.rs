#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .param .b32 x;
            .reg .b64 %d;
            mov.b64 %d, x;
            ret;
        }
    }
}

fn main() {}
