#![allow(unused)]
use ptx::prelude::*;
use ptx::{AddressMode, FilterMode};

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static SURFACE: SurfRef = SurfRef::new().width(64).filter_mode(FilterMode::Linear);
    #[global]
    static TEX: TexRef = TexRef::new().memory_layout(true);
}

fn main() {}
