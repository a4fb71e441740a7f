//! Types of other languages, and misspelt state spaces. A name that the module declares or imports is its own.

#![allow(unused, non_camel_case_types)]
use ptx::prelude::*;

type uint4 = [u32; 4];

#[ptx::module(target = sm_90a)]
mod wrong {
    use super::*;

    #[constant]
    static A: int = 5;
    #[global]
    static B: [half; 4];
    #[shared]
    static C: V4<float>;
    #[global]
    static D: Ptr<Globl, float4>;

    #[kernel]
    fn k(a: uint32_t, b: Ptr<global, f32>, c: Ptr<Global, float>) {
        ptx! { ret; }
    }

    #[kernel]
    fn registers(src: Ptr<Global, f32>) {
        ptx! {
            let %x: half;
            let %y: [uint; 2];
            let %z: float4;
            let %p: Ptr<Gobal, f32>;
            let %q: [Ptr<Global, float>; 2];
            ld.param.u64 %p, [src];
            ld.param.u64 %q[1], [src];
            ld.global.f32 %z[0], [%p[1]];
            ld.global.f32 %z[1], [%q[1][2]];
            ret;
        }
    }

    #[device]
    fn f(a: Reg<int>, b: float) -> Reg<double> {
        ptx! { ret; }
    }
}

#[ptx::module(target = sm_90a)]
mod right {
    use super::*;
    use super::uint4;

    type float = f32;

    #[global]
    static A: [float; 3];
    #[global]
    static B: uint4;

    type Gobal = Global;

    #[kernel]
    fn registers() {
        use super::Shared as Shred;
        ptx! {
            let %p: Ptr<Gobal, float>;
            let %q: Ptr<Shred, float>;
            let %x: f32;
            mov.u64 %p, A;
            ld.global.f32 %x, [%p[1]];
            ret;
        }
    }
}

fn main() {}
