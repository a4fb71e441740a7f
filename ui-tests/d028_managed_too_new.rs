#![allow(unused)]
#[ptx::module(target = sm_50, version = 3.2)]
mod m {
    #[global(managed)]
    pub static X: u32;
}

fn main() {}
