use ptx::prelude::*;

#[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
pub struct A;

#[ptx::module(target = sm_90a)]
pub mod m {
    use super::*;

    #[kernel]
    fn k(a: TensorMap<A>) {
        ptx! {
            let %a: u64;
            let %x: i32;
            cvta.param.u64 %a, a;
            mov.b32 %x, 0;
            cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%a, {%x, %x}];
            ret;
        }
    }
}

fn main() {}
