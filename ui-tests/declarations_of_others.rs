//! Attributes, arguments and types as other tools and languages have them.

#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod attributes {
    use super::*;

    #[local]
    static STACK: [u32; 16];
    #[reg]
    static REGISTER: u32;
    #[texture]
    static IMAGE: TexRef;
    #[align(16)]
    #[shared]
    static ALIGNED: [f32; 4];
    #[repr(align(16))]
    #[shared]
    static REPRESENTED: [f32; 4];
    #[shared(16)]
    static NUMBER: [f32; 4];

    struct S;
    impl S {
        #[kernel]
        fn method() {
            ptx! { ret; }
        }

        fn of_rust() {}
    }

    #[kernel(256)]
    fn number() {
        ptx! { ret; }
    }

    #[kernel(reqntid = 16, 16)]
    fn list() {
        ptx! { ret; }
    }

    #[kernel(block = 256)]
    fn block() {
        ptx! { ret; }
    }

    #[kernel(launch_bounds(256, 2))]
    fn bounds() {
        ptx! { ret; }
    }

    #[kernel(cluster_dims = (2, 1, 1))]
    fn cluster() {
        ptx! { ret; }
    }

    #[kernel(safe)]
    fn safe() {
        ptx! { ret; }
    }
}

#[ptx::module(arch = sm_90)]
mod arch {}

#[ptx::module(target = sm_90, ptx = 8.0)]
mod version {}

#[tensor_map(dtype = f32, shape = [32, 32])]
struct Named;

#[tensor_map(element = half, box = [32, 32], swizzle = CU_TENSOR_MAP_SWIZZLE_64B, oob_fill = nan)]
struct Valued;

#[ptx::module(target = sm_90a)]
mod types {
    use super::*;

    #[global]
    static FLAG: bool = true;
    #[global]
    static TUPLE: (f32, u32) = (1.0, 2);
    #[global]
    static TF32: [tf32; 4];
    #[global]
    static E4M3FN: [fp8e4nv; 4];

    #[kernel]
    fn k(
        a: Ptr<f32, Global>,
        b: Ptr<Constant, f32>,
        c: Ptr<Global, [f32]>,
        d: cudaTextureObject_t,
        e: bool,
        f: float32,
    ) {
        ptx! { ret; }
    }
}

#[ptx::module(target = sm_90a)]
mod untyped {
    use super::*;

    #[global]
    static X = 5;
}

fn main() {}
