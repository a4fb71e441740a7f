#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static COUNTER: u32;

    #[kernel]
    pub fn scale(data: Ptr<Global, f32>, n: u32) {
        ptx! { ret; }
    }

    #[kernel]
    pub fn reads_the_host(data: &[f32]) {
        ptx! { ret; }
    }
}

fn main() {
    // Private items of a module stay private.
    println!("{}", m::COUNTER.name());
}
