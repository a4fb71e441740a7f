//! Contracts that cannot be evaluated.

use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod contracts {
    use super::*;

    #[kernel(reqntid = 64, requires(scale > 0))]
    pub fn compares_a_float(scale: f32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64, grid = to.size())]
    pub fn no_such_method(to: Ptr<Global, f32>) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64, requires(to.len() >= m))]
    pub fn no_such_parameter(to: Ptr<Global, f32>, n: u32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64, requires(n.count_ones() > 0, u32::from_be(n * 2) > 1))]
    pub fn arithmetic_inside(n: u32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64, requires(to.len() >= n), grid = "many")]
    pub fn no_number(to: Ptr<Global, f32>, n: u32) {
        ptx! { ret; }
    }
}

fn main() {}
