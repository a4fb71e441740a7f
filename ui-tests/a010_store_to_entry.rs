#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device]
    fn f(a: f32, s: [f32; 4]) -> f32 {
        ptx! {
            st.param::entry.f32 [returned], 0f00000000;
            ret;
        }
    }
}

fn main() {}
