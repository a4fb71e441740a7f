//! Types and numbers that the tokens show differently from rustc.
#![allow(unused, non_camel_case_types)]
use ptx::prelude::*;

type u32 = Family<f32, 4>;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static MEMBERS: u32;
    #[global(align = 18446744073709551616)]
    static ALIGN: i16;
    #[global]
    static judged: u16 = 1;
}

fn main() {}
