#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_60, version = 5.0)]
mod m {
    use super::*;

    #[device]
    fn f(a: f32, s: [f32; 4]) -> f32 {
        ptx! {
            .reg .b64 %d;
            mov.b64 %d, returned;
            ret;
        }
    }
}

fn main() {}
