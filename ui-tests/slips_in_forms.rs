//! Slips in `let`, `lea`, `for` and `if`.

#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant]
    static TAPS: [f32; 5] = [0.0; 5];

    #[kernel]
    fn registers(n: u32) {
        ptx! {
            let %a = 5;
            let %b u32;
            let %c: u32, %d: f32;
            let %e: pred;
            let %f: [f32; n];
            ret;
        }
    }

    #[kernel]
    fn addresses(src: Ptr<Global, f32>) {
        ptx! {
            let %i: u32;
            let %at: Ptr<Global, f32>;
            mov.u32 %i, %tid.x;
            lea %at, src[%i];
            lea.global %at, src[%i];
            lea.global.u64 %at, &src[%i];
            lea.global.u64 %at, [src + %i];
            lea.global.u64 src[%i], %at;
            ret;
        }
    }

    #[kernel]
    fn loops(n: u32) {
        ptx! {
            let %i: u32;
            let %p: bool;
            for t in 0..n { mov.u32 %i, t; }
            for t in 0..%i { mov.u32 %i, t; }
            for t in (0..4).rev() { mov.u32 %i, t; }
            if %p { mov.u32 %i, 1; }
            if %i < 4 { mov.u32 %i, 1; }
            ret;
        }
    }
}

fn main() {}
