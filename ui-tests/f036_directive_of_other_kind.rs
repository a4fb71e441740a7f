#![allow(unused)]
use ptx::prelude::*;

const THREADS: u32 = 64;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device(maxntid = 64)]
    fn limited() {
        ptx! { ret; }
    }
    #[device(noreturn, reqntid = (16, THREADS))]
    fn sized() {
        ptx! { trap; }
    }
    #[device(extern, explicitcluster)]
    fn elsewhere();
    #[kernel(maxntid = 64, noreturn)]
    fn kernel() {
        ptx! { exit; }
    }
}

fn main() {}
