//! A059: a rank that no cluster has.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static SUMS: [u32; 4];

    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    fn k() {
        ptx! {
            .reg .b32 %r<4>;
            mov.u32 %r0, SUMS;
            mapa.shared::cluster.u32 %r1, %r0, 1;
            mov.u32 %r3, 2;
            mapa.shared::cluster.u32 %r1, %r0, %r3;
            ld.shared::cluster.u32 %r2, [%r1];
            ret;
        }
    }
}

fn main() {}
