#![allow(unused)]
use ptx::prelude::*;

#[tensor_map(element = bf16, box = [64, 8], swizzle = B128)]
struct A;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(align = 16)]
    static MATRIX: [bf16; 64 * 64];

    #[global]
    static WHOLE: TensorMap<A> = TensorMap::over(generic(MATRIX), [64, 64], [128]);
    #[global]
    static ROWS: TensorMap<A> = TensorMap::over(generic(MATRIX), [64, 65], [128]);
    #[global]
    static OFFSET: [TensorMap<A>; 2] = [
        TensorMap::over(generic(MATRIX), [64, 64], [128]),
        TensorMap::over(generic(MATRIX) + 128, [64, 64], [128]),
    ];
    #[global(allow(D072))]
    static MEANT: TensorMap<A> = TensorMap::over(generic(MATRIX), [64, 65], [128]);
}

fn main() {}
