#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device(noreturn)]
    fn fails(code: u32) -> u32 {
        ptx! { trap; }
    }
    #[device(noreturn)]
    fn ends(code: u32) {
        ptx! { trap; }
    }
    #[device(noreturn = true)]
    fn value(code: u32) {
        ptx! { trap; }
    }
    #[kernel(noreturn)]
    fn kernel() {
        ptx! { ret; }
    }
    #[kernel(explicitcluster = 2)]
    fn cluster() {
        ptx! { ret; }
    }
    #[kernel(extern, maxntid = 64)]
    fn child(p: Ptr<Global, f32>);
    #[kernel(extern)]
    fn with_body(p: Ptr<Global, f32>) {
        ptx! { ret; }
    }
    #[kernel]
    fn without_body(p: Ptr<Global, f32>);
}

fn main() {}
