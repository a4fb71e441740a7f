#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static WIDE: [V4<f64>; 2];
    #[shared]
    static BITS: V2<B128>;

    #[kernel]
    fn k(v: V4<u64>) {
        ptx! {
            .reg .v4 .f64 %v;
            ret;
        }
    }

    type Double = f64;
    #[global]
    static LATE: V4<Double>;
}

fn main() {}
