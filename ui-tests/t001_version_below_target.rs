#![allow(unused)]
#[ptx::module(target = sm_90a, version = 7.8)]
mod m {
}

fn main() {}
