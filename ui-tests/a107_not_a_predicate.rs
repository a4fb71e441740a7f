//! Guards that are not predicates.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            @END bra END;
            @WARP_SZ ret;
            END: ret;
        }
    }
}

fn main() {}
