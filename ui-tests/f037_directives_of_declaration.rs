#![allow(unused)]
use ptx::prelude::*;

const THREADS: u32 = 64;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel(extern, maxntid = 64, maxnreg = 32)]
    fn child(p: Ptr<Global, f32>);
    #[kernel(extern, reqntid = THREADS)]
    fn sized(p: Ptr<Global, f32>);
}

fn main() {}
