#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant]
    static SCALE: f32;
    #[constant]
    pub static FROM_THE_HOST: f32;
    #[constant(allow(D057))]
    static ZERO: f32;
}

fn main() {}
