#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant]
    pub static TEX: TexRef;
    #[device]
    fn f(t: TexRef) {
        ptx! { ret; }
    }
}

fn main() {}
