#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(dynamic)]
    static X: [V4<f64>];
    #[kernel]
    fn k(wide: V4<f64>) {
        ptx! { ret; }
    }
}

fn main() {}
