#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(managed)]
    pub static X: Family<u32, 2>;
}

fn main() {}
