#![allow(unused)]
use ptx::prelude::*;
use ptx::{AddressMode, FilterMode};

#[ptx::module(target = sm_90a, texmode = independent)]
mod m {
    use super::*;

    #[global]
    static TEX: TexRef = TexRef::new().filter_mode(FilterMode::Linear);
    #[global]
    static OTHER: TexRef = TexRef::new().addr_mode_0(AddressMode::Wrap);
}

fn main() {}
