#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[global]
    static BYTES: [u8; 64];
    #[global]
    static FLOATS: [f32; 16];
    #[global(align = 16)]
    static ALIGNED: [f32; 16];
    #[global]
    static ODD: Ptr<Global, f32> = addr(FLOATS) + 6;
    #[global]
    static WIDE: [Ptr<Generic, V4<f32>>; 3] =
        [generic(ALIGNED) + 32, generic(ALIGNED) + 4, generic(FLOATS)];
    #[global(allow(D070))]
    static MEANT: Ptr<Global, u32> = addr(BYTES);
    #[global]
    static SMALLER: Ptr<Global, f32, ptx::__private::typenum::U8> = addr(FLOATS) + 4;
}

fn main() {}
