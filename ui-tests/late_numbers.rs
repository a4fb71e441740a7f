//! Numbers that only rustc can check.
#![allow(unused)]
use ptx::prelude::*;

const LESS: i64 = 64 - 65;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared(align = -16)]
    static A: [f32; 4];
    #[global(align = 16.0)]
    static B: [f32; 4];
    #[global]
    static OFFSET: u64 = addr(B) + 1.5;
    #[global]
    static BYTES: [u8; 2] = [mask(0xff, 1.5), mask(255.0, addr(B))];

    #[kernel(maxntid = -1)]
    fn negative() {
        ptx! { ret; }
    }
    #[kernel(reqntid = [LESS, 2.9])]
    fn fraction() {
        ptx! { ret; }
    }
    #[kernel(maxntid = 5_000_000_000_u64)]
    fn large() {
        ptx! { ret; }
    }
    #[device]
    fn aligned(#[align(-8)] b: [B8; 64]) {
        ptx! { ret; }
    }
    #[kernel]
    fn registers() {
        ptx! {
            .reg .b32 %r<#(LESS)>;
            ret;
        }
    }
}

fn main() {}
