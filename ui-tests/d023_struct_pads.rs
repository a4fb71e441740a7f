#![allow(unused)]
use ptx::prelude::*;

#[derive(PtxType)]
#[repr(C)]
struct Gap {
    small: u8,
    large: u32,
}

#[derive(PtxType)]
#[repr(C)]
struct Tail {
    large: u64,
    small: u16,
}

#[derive(PtxType)]
#[repr(C)]
struct Generic<T> {
    small: u8,
    large: T,
}

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static FINE: Generic<u8>;
    #[global]
    static PADDED: Generic<u32>;
}

fn main() {}
