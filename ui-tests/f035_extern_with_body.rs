#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel(extern)]
    fn child(p: Ptr<Global, f32>) {
        ptx! { ret; }
    }
    #[device(extern, returns(sum))]
    fn add(a: u32, b: u32) -> u32 {
        ptx! { ret; }
    }
}

fn main() {}
