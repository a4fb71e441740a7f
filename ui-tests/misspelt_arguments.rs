//! Misspelt arguments, which count as what was meant: nothing else is reported.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod arguments {
    use super::*;

    #[shared(algin = 16)]
    static ROW: [f32; 64];
    #[shared(dynmaic)]
    static MORE: [f32];
    #[global(alow(A034))]
    static BITS: [f32; 4];

    #[kernel(reqntdi = 64, alow(A020))]
    fn k(#[algin(16)] bytes: [u8; 32], #[Readonly] from: Ptr<Global, f32>) {
        ptx! {
            .reg .f32 %f<4>;
            .reg .u32 %x;
            let %p: Ptr<Global, f32>;
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [ROW];
            ld.shared.f32 %f0, [MORE];
            ld.global.u32 %x, [BITS];
            ld.param.v4.f32 {%f0, %f1, %f2, %f3}, [bytes];
            ld.shared.f32 %f0, [ROW + 256];
            ret;
        }
    }

    #[device(retruns(sum))]
    fn add(x: Reg<f32>) -> Reg<f32> {
        ptx! { add.f32 sum, x, x; ret; }
    }

    #[kernel]
    fn statements() {
        ptx! {
            .reg .f32 %f;
            #[alow(A020)]
            ld.shared.f32 %f, [ROW + 256];
            #[Allow(A020, A021)]
            ld.shared.f32 %f, [ROW + 258];
            #[allow(A20)]
            ld.shared.f32 %f, [ROW + 256];
            #[allow(a020)]
            ld.shared.f32 %f, [ROW + 256];
            ret;
        }
    }

    #[kernel(allow(A20))]
    fn of_the_kernel() {
        ptx! {
            .reg .f32 %f;
            ld.shared.f32 %f, [ROW + 256];
            ret;
        }
    }
}

#[ptx::module(taget = sm_90a, verison = 8.6)]
mod of_the_module {
    #[kernel]
    fn k() {
        ptx! { ret; }
    }
}

#[ptx::module(target = sm_90a)]
mod attributes {
    use super::*;

    #[shared]
    #[algin(16)]
    static ROW: [f32; 64];
    #[align(16)]
    #[shared]
    static COLUMN: [f32; 64];
    #[shared]
    #[align = 16]
    static TILE: [f32; 64];
    #[global(weak)]
    #[allow(A034)]
    pub static BITS: [f32; 4];

    #[kernel(maxntid = 64)]
    #[maxnrge(32)]
    #[alow(A020)]
    #[allow(unused)]
    fn k() {
        ptx! {
            .reg .f32 %f<4>;
            .reg .u32 %x;
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [ROW];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [COLUMN];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [TILE];
            ld.global.u32 %x, [BITS];
            ld.shared.f32 %f0, [ROW + 256];
            ret;
        }
    }

    #[kernel]
    #[maxntdi(16, 16, 70)]
    fn too_many() {
        ptx! { ret; }
    }
}

fn main() {}
