#![allow(unused)]
#[ptx::module(target = sm_50, version = 4.3)]
mod m {
    #[global(common)]
    static TABLE: [u32; 4];
}

fn main() {}
