#![allow(unused)]
#[ptx::module(target = sm_90a)]
mod m {
    #[constant(managed)]
    pub static TABLE: [u32; 4];
}

fn main() {}
