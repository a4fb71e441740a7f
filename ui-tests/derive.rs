#![allow(unused)]
use ptx::prelude::*;

#[derive(PtxType)]
struct NoRepr {
    a: u32,
}

#[derive(PtxType)]
#[repr(C, packed)]
struct Packed {
    a: u8,
    b: u32,
}

#[derive(PtxType)]
#[repr(C)]
struct Empty;

#[derive(PtxType)]
#[repr(u8)]
enum Choice {
    A,
    B,
}

#[derive(PtxType)]
#[repr(C)]
struct Holds {
    flag: bool,
    text: String,
}

fn main() {}
