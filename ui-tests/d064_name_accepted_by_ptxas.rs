#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .local .b32 %tid;
            ret;
        }
    }
}

fn main() {}
