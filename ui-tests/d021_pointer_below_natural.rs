#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k(p: Ptr<Global, V4<f32>, U4>) {
        ptx! { ret; }
    }

    type Pixel = V4<f32>;
    #[kernel]
    fn late(p: Ptr<Global, Pixel, U8>) {
        ptx! { ret; }
    }
}

fn main() {}
