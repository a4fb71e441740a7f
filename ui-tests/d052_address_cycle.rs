#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static HEAD: Ptr<Generic, u64> = generic(NEXT);
    #[global]
    static NEXT: Ptr<Generic, u64> = generic(HEAD);
    #[global]
    static ITSELF: u64 = addr(ITSELF);
}

fn main() {}
