#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(align = 16, align = 8)]
    static TWICE: u32;
    #[shared(dynamic)]
    static INFER: [f32; _];
    #[global]
    static NO_VALUE: [f32; _];
    #[global]
    static MODULE: u32;

    #[kernel(maxntid = 99_999_999_999)]
    unsafe fn modifiers(mut n: u32) {
        ptx! { ret; }
    }

    #[kernel(maxntid = 32, maxntid = 64)]
    const fn twice() {}

    const ODD: usize = 6;
    #[kernel]
    fn parameters(#[align(3)] a: u32, #[inline] b: u32, #[align(2)] c: u32, #[align(ODD)] d: u32) {
        ptx! { ret; }
    }
}

fn main() {}
