#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(align = 12)]
    static TWELVE: [u8; 24];
    #[global(align = 0)]
    static ZERO: u32;

    const LINE: usize = 48;
    #[shared(align = LINE)]
    static LATE: [f32; 12];

    #[kernel]
    fn k() {
        ptx! {
            .shared .align 3 .b8 s[3];
            ret;
        }
    }
}

fn main() {}
