#![allow(unused)]
use ptx::prelude::*;
use ptx::{AddressMode, FilterMode};

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static FLAG: TexRef = TexRef::new().normalized_coords(2);
    #[global]
    static FILTER: TexRef = TexRef::new().filter_mode(AddressMode::Wrap);
}

fn main() {}
