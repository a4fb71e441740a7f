#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b8 %b<3>;
            .reg .b16 %h;
            .reg .b32 %r;
            ld.shared.u8 %h, [%r];
            cvt.u32.u8 %r, %h;
            add.u8 %b0, %b1, %b2;
            setp.eq.s8 %b0, %b1, %b2;
            ret;
        }
    }
}

fn main() {}
