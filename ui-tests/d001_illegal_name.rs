#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static WARP_SZ: u32;
    #[global]
    static größe: u32;

    #[kernel]
    fn k() {
        ptx! {
            .shared .b32 %tid;
            ret;
        }
    }
}

fn main() {}
