#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant]
    pub static X: [TexRef; 2];
}

fn main() {}
