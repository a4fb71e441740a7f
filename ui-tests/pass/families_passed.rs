//! Registers of a family are passed with their type, also where the parameter's type is an alias and the
//! size of the family is a Rust constant.
#![allow(unused)]
use ptx::prelude::*;

type Number = f32;
const COUNT: usize = 4;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device]
    fn scale(x: Reg<Number>, by: Reg<f32>) -> Reg<Number> {
        ptx! { mul.f32 returned, x, by; ret; }
    }

    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %f<4>;
            .reg .f32 %g<#(COUNT)>;
            call (%f0), scale, (%f1, %f2);
            call (%g0), scale, (%g1, %g2);
            call (%f3), scale, (%g3, %f3);
            ret;
        }
    }
}

fn main() {
    assert!(m::MODULE.check().is_empty(), "{:?}", m::MODULE.check());
    assert!(m::MODULE.to_string().contains("call (%g0), scale, (%g1, %g2);"));
}
