#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    const NONE: usize = 0;
    const THREE: u32 = 3;
    const LESS: i32 = -1;

    #[kernel]
    fn k(n: Ptr<Global, V4<f32>, U4>, late: [f32; NONE]) {
        ptx! {
            .shared .b8 empty[#(NONE)];
            .local .align #(THREE) .b8 odd[3];
            .shared .b8 fewer[#(LESS)];
            bra NOWHERE;
            ret;
        }
    }

    #[kernel(allow(D021))]
    fn allowed(n: Ptr<Global, V4<f32>, U4>) {
        ptx! { ret; }
    }

    #[kernel(allow(D006))]
    fn not_here() {
        ptx! { ret; }
    }

    #[device(extern)]
    fn i(a: [u8; NONE]) -> u32;
}

fn main() {}
