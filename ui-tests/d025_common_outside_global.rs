#![allow(unused)]
#[ptx::module(target = sm_90a)]
mod m {
    #[constant(common)]
    pub static TABLE: [u32; 4];
    #[shared(common)]
    static ROW: [u32; 4];
}

fn main() {}
