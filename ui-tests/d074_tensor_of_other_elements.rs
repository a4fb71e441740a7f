#![allow(unused)]
use ptx::prelude::*;

#[tensor_map(element = bf16, box = [64, 8], swizzle = B128)]
struct A;

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Named {
    count: [u32; 16],
    map: TensorMap<A>,
}

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(align = 16)]
    static FLOATS: [f32; 4096];
    #[global(align = 16)]
    static HALVES: [f16; 4096];
    #[global(align = 16)]
    static BYTES: [u8; 8192];

    #[global]
    static OF_FLOATS: TensorMap<A> = TensorMap::over(generic(FLOATS), [64, 64], [128]);
    #[global]
    static IN_A_STRUCT: Named =
        Named { count: [0; 16], map: TensorMap::over(generic(FLOATS), [64, 640], [128]) };
    #[global]
    static OF_HALVES: TensorMap<A> = TensorMap::over(generic(HALVES), [64, 64], [128]);
    #[global]
    static OF_BYTES: TensorMap<A> = TensorMap::over(generic(BYTES), [64, 64], [128]);
    #[global(allow(D074))]
    static MEANT: TensorMap<A> = TensorMap::over(generic(FLOATS), [64, 64], [128]);
}

fn main() {}
