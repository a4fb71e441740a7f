#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(align = 12)]
    static ALIGN: [u8; 24];

    #[shared]
    static VALUE: [f32; 2] = [1.0, 2.0];

    #[global]
    static WIDE: [V4<f64>; 8];

    #[global]
    static BYTE: u8 = 300;

    const N: usize = 20_000;
    #[constant]
    pub static LATE: [f32; N];

    #[kernel(maxntid = 64)]
    fn k(n: u32) {
        ptx! {
            .reg .b32 %r<2>;
            ld.param.u32 %r2, [n];
            ret;
        }
    }
}

fn main() {}
