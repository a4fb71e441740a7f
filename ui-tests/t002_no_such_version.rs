#![allow(unused)]
#[ptx::module(target = sm_80, version = 7.9)]
mod m {
}

fn main() {}
