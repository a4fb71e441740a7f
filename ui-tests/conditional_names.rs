#![allow(unused)]
//! A name of Rust that has another name in PTX where a condition holds.

use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
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

    #[cfg(all())]
    #[unsafe(export_name = "lane")]
    #[global]
    static ITEMS: Family<u32, 4>;
    #[cfg(any())]
    #[unsafe(export_name = "warp")]
    #[global]
    static ITEMS: Family<u32, 2>;

    #[cfg(all())]
    #[unsafe(export_name = "near")]
    #[device]
    fn place() {
        ptx! { ret; }
    }
    #[cfg(any())]
    #[unsafe(export_name = "far")]
    #[device]
    fn place() {
        ptx! { ret; }
    }

    /// One name in PTX.
    #[cfg(all())]
    #[unsafe(export_name = "same")]
    #[global]
    static SAME: u32;
    #[cfg(any())]
    #[unsafe(export_name = "same")]
    #[global]
    static SAME: f32;

    #[global]
    static TABLE: [u64; 3] = [addr(SAME), addr(ITEM), generic(place)];

    #[kernel]
    pub fn uses() {
        ptx! {
            .reg .b32 %r<2>;
            ld.global.u32 %r1, [ITEM];
            st.global.u32 [ITEM], %r1;
            st.global.u32 [ITEMS1], %r1;
            st.global.u32 [SAME], %r1;
            call place;
            ret;
        }
    }

    #[kernel]
    pub fn hides(ITEM: u32) {
        ptx! {
            .reg .b32 %r<2>, place;
            ld.param.u32 %r1, [ITEM];
            mov.u32 place, %r1;
            ret;
        }
    }
}

fn main() {}
