#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static TEX: TexRef;
    #[kernel]
    fn k() {
        ptx! {
            .reg .b64 %d;
            mov.u64 %d, TEX + 8;
            ret;
        }
    }
}

fn main() {}
