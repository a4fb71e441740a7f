#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_60)]
mod m {
    use super::*;

    #[global]
    static BITS: B128;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b128 %q;
            ret;
        }
    }

    type Bits = B128;
    #[global]
    static LATE: [Bits; 2];
}

fn main() {}
