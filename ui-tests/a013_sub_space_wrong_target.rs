#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<2>;
            ld.shared::cta.u32 %r0, [%r1];
            ld.shared::cluster.u32 %r0, [%r1];
            ret;
        }
    }
}

fn main() {}
