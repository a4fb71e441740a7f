#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .param .v2 .f32 pair;
            .param .f16x2 halves;
            ret;
        }
    }
}

fn main() {}
