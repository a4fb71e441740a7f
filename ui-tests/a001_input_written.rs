#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device]
    fn f(a: f32, s: [f32; 4]) -> f32 {
        ptx! {
            st.param.f32 [a], 0f00000000;
            ret;
        }
    }
    #[kernel]
    fn k(n: u32) {
        ptx! {
            st.param.u32 [n], 1;
            ret;
        }
    }
}

fn main() {}
