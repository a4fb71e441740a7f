#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k(n: u32) {
        ptx! {
            .reg .b32 %r;
            ld.param::func.u32 %r, [n];
            ret;
        }
    }
    #[device]
    fn f(a: f32, s: [f32; 4]) -> f32 {
        ptx! {
            .reg .f32 %f;
            ld.param::entry.f32 %f, [a];
            ret;
        }
    }
}

fn main() {}
