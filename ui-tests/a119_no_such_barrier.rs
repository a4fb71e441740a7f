//! A119: barrier numbers that a block does not have.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[kernel(reqntid = 64)]
    fn wrong() {
        ptx! {
            .reg .b32 %n;
            mov.u32 %n, 16;
            bar.sync %n;
            ret;
        }
    }

    #[kernel(reqntid = 64)]
    fn right() {
        ptx! {
            .reg .b32 %n;
            mov.u32 %n, 15;
            bar.sync %n;
            ret;
        }
    }
}

fn main() {}
