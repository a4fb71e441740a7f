#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
    pub struct A;

    #[kernel]
    fn k(a: TensorMap<A>) {
        ptx! {
            .reg .b64 %d<2>;
            ld.param.u64 %d0, [a];
            mov.b64 %d1, a;
            cvta.param.u64 %d1, %d1;
            ld.u64 %d0, [%d1 + 8];
            // It can be copied as bits.
            ld.b64 %d0, [%d1 + 8];
            ret;
        }
    }
}

fn main() {}
