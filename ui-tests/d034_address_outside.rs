#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    const LAST: usize = 16;

    #[global]
    static BAR: [u32; 3] = [2, 3, 5];
    #[global]
    static END: Ptr<Generic, u32> = generic(BAR) + 12;
    #[global]
    static BEFORE: Ptr<Global, u32> = addr(BAR) - 4;
    #[global]
    static LATE: u64 = addr(BAR) + LAST;
    #[global(allow(D034))]
    static ALLOWED: u64 = addr(BAR) + 12;
}

fn main() {}
