#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .global .u8 b = 0xf(1546);
            ret;
        }
    }

    #[global]
    static X: u32;
    #[global]
    static BYTES: [u8; 2] = [mask(0xff, addr(X)), mask(0xfff, addr(X))];
    #[global]
    static OF_A_NUMBER: [u8; 1] = [mask(0x1fe, 1000 + 546)];
}

fn main() {}
