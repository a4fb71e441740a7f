#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(unified(19, 95))]
    pub static F: f32;
    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %f;
            ld.global.f32 %f, [F];
            ld.global.f32 %f, [F].unified;
            ret;
        }
    }

    #[kernel(allow(A005))]
    fn allowed() {
        ptx! {
            .reg .f32 %f;
            ld.global.f32 %f, [F];
            ret;
        }
    }
}

fn main() {}
