#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static TABLE: [u32; 3] = [2, 3, 5];
    #[global]
    static FIRST: u64 = addr(TABEL);
    #[global]
    static SECOND: Ptr<Generic, u32> = generic(OTHER) + 4;
}

fn main() {}
