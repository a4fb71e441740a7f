#![allow(unused)]
use ptx::prelude::*;

type Scale = f32;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant]
    pub static SCALE: f32 = 1.0;
    #[constant]
    pub static LATE: Scale = 1.0;
    #[shared]
    static ROW: [f32; 64];

    #[kernel]
    fn k(n: u32) {
        ptx! {
            .reg .b32 %r;
            .reg .f32 %f;
            ld.f32 %f, [ROW];
            ld.f32 %f, [SCALE];
            ld.f32 %f, [LATE];
            ld.u32 %r, [n];
            ret;
        }
    }
}

fn main() {}
