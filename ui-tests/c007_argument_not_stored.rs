//! C007: an argument that nothing stores.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[device]
    fn twice(x: u32) -> u32 {
        ptx! {
            .reg .b32 %x;
            ld.param.u32 %x, [x];
            add.u32 %x, %x, %x;
            st.param.u32 [twice], %x;
            ret;
        }
    }

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %x;
            {
                .param .b32 x;
                .param .b32 y;
                call (y), twice, (x);
                // What one returns is passed on.
                call (x), twice, (y);
            }
            {
                .param .b32 x;
                .param .b32 y;
                st.param.b32 [x], 7;
                call (y), twice, (x);
                ld.param.b32 %x, [y];
            }
            {
                .param .b32 x;
                .param .b32 y;
                call (y), twice, (x);
                ld.param.b32 %x, [y];
            }
            ret;
        }
    }
}

fn main() {}
