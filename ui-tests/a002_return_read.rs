#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device]
    fn f(a: f32, s: [f32; 4]) -> f32 {
        ptx! {
            .reg .f32 %f;
            ld.param.f32 %f, [returned];
            ret;
        }
    }
}

fn main() {}
