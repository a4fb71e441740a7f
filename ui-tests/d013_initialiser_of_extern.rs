#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(extern)]
    static SCALE: f32 = 1.0;
}

fn main() {}
