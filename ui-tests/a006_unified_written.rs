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
            st.global.f32 [F], 0f00000000;
            ret;
        }
    }
}

fn main() {}
