#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .global .u32 x;
            .global .b64 pointer = x;
            .global .s64 signed = generic(x);
            ret;
        }
    }

    #[global]
    static X: u32;
    #[global]
    static CHANGED: u64 = addr(X) | 1;
    #[global]
    static NOT_A_POINTER: i64 = addr(X);
    #[global]
    static WRONG_SPACE: Ptr<Const, u32> = addr(X);
}

fn main() {}
