#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static BYTE: u8 = 256;
    #[global]
    static NEGATIVE: u8 = -1;
    #[global]
    static SIGNED: i8 = 128;
    #[constant]
    pub static TABLE: [[i16; 2]; 2] = [[1, 40_000], [-32_769, 2]];

    // rustc reports it where the type is an alias.
    type Byte = u8;
    #[global]
    static LATE: Byte = 256;
}

fn main() {}
