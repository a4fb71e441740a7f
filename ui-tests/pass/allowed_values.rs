//! What the value of a variable in a body breaks is allowed on the variable or on the function.

use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[kernel]
    fn on_the_variable() {
        ptx! {
            .global .u32 x;
            #[allow(D040)] .global .u32 f[2] = {x, 1};
            #[allow(D040)] .global .u32 g = x;
            ret;
        }
    }

    #[kernel(allow(D040))]
    fn on_the_kernel() {
        ptx! {
            .global .u32 x;
            .global .u32 f[2] = {x, 1};
            ret;
        }
    }
}

fn main() {
    assert!(m::MODULE.check().is_empty());
}
