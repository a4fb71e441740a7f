#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a, texmode = indepedent)]
mod m {
    use super::*;

    #[device(maxntid = 3)]
    fn limits(a: Reg<f32>) {
        ptx! { ret; }
    }
    #[device]
    fn rust_body(a: Reg<f32>) -> Reg<f32> {
        a + 1.0
    }
    #[device]
    fn types(a: usize, b: &f32) -> bool {
        ptx! { ret; }
    }
    #[device(return(x))]
    fn word() -> f32 {
        ptx! { ret; }
    }
    #[device]
    fn no_body(x: u32);
    #[device(extern)]
    fn two_bodies(x: u32) {
        ptx! { ret; }
    }
    #[device(extern, returns(a, b))]
    fn names(x: f32) -> f32;
    #[kernel]
    fn registers(x: Reg<f32>) -> f32 {
        ptx! { ret; }
    }
    #[device(returns(a))]
    fn same_name(a: u32) -> u32 {
        ptx! { ret; }
    }
}

fn main() {}
