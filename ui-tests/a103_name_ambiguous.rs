//! A name of the module that has several names in PTX, as conditions decide.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[cfg(all())]
    #[unsafe(export_name = "one")]
    #[global]
    static ITEM: u32;
    #[cfg(any())]
    #[unsafe(export_name = "two")]
    #[global]
    static ITEM: u32;

    #[kernel]
    fn k() {
        ptx! {
            st.global.u32 [ITEM], 1;
            ret;
        }
    }
}

fn main() {}
