#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static X: SurfRef = SurfRef::new()
        .width(1)
        .width(2)
        .width(3)
        .width(4)
        .width(5)
        .width(6)
        .width(7)
        .width(8);
}

fn main() {}
