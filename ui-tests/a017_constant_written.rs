#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[constant]
    pub static SCALE: f32 = 1.0;

    #[kernel]
    fn k() {
        ptx! {
            .const .b32 local = 1;
            st.const.f32 [SCALE], 0f40000000;
            st.const.b32 [local], 2;
            ret;
        }
    }
}

fn main() {}
