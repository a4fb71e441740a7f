//! A name of the module whose name in PTX is that of something in the body.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[global]
    #[unsafe(export_name = "count")]
    static TOTAL: u32;

    #[kernel]
    fn k(at: u64) {
        ptx! {
            .reg .b64 count;
            ld.param.u64 count, [at];
            st.global.u32 [count], 1;
            st.global.u32 [TOTAL], 1;
            ret;
        }
    }
}

fn main() {}
