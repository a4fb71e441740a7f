#![allow(unused)]
use ptx::prelude::*;

#[tensor_map(element = bf16, box = [64, 8], swizzle = B128)]
struct A;

#[ptx::module(target = sm_100a)]
mod m {
    use super::*;

    #[global(align = 16)]
    static MATRIX: [bf16; 64 * 64];

    #[global]
    static MAP: TensorMap<A> = TensorMap::over(generic(MATRIX), [64, 64], [128]);
    #[constant(allow(D073))]
    static MEANT: TensorMap<A> = TensorMap::over(generic(MATRIX), [64, 64], [128]);
}

fn main() {}
