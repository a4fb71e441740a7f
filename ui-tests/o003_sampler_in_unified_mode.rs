#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static SAMPLER: SamplerRef;
    #[kernel]
    fn k(sampler: SamplerRef) {
        ptx! { ret; }
    }
}

fn main() {}
