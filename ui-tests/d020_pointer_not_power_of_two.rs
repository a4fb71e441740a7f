#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k(p: Ptr<Global, f32, ptx::__private::typenum::U12>) {
        ptx! { ret; }
    }

    type Twelve = ptx::__private::typenum::U12;
    #[kernel]
    fn late(p: Ptr<Global, f32, Twelve>) {
        ptx! { ret; }
    }
}

fn main() {}
