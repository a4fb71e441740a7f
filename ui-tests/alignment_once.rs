//! One error for each declaration, wherever the accesses are.
#![allow(unused)]
use ptx::prelude::*;

type Late = [f32; 64];
type Pointer = Ptr<Global, f32>;
const STRIDE: usize = 16;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(dynamic, align = 16)]
    static SMEM: [B8];
    #[shared]
    static LATE: Late;
    #[shared(align = 4, allow(A022))]
    static ALLOWED: [B8; 64];
    #[global(align = 64)]
    static MAP: [u8; 128];
    #[shared]
    static FULL: Mbarrier;

    #[kernel(allow(A053, A066))]
    fn one(p: Ptr<Global, f32>, unknown: Ptr<Global, f32, U1>, #[allow(A036)] meant: Pointer) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %d;
            .reg .f32 %f<4>;
            .shared .align 4 .b8 own[64];
            #[allow(A022)]
            .shared .align 4 .b8 own_allowed[64];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [SMEM], [MAP, {%r0, %r1}], [FULL];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [SMEM + 1024], [MAP, {%r0, %r1}], [FULL];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [LATE];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [LATE + 16];
            ld.shared.v2.f32 {%f0, %f1}, [own];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [own + 16];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [own_allowed];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [ALLOWED];
            ld.param.u64 %d, [p];
            ld.global.v2.f32 {%f0, %f1}, [%d];
            ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d + 16];
            ld.param.u64 %d, [unknown];
            ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d + 4];
            ld.param.u64 %d, [meant];
            ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d];
            ret;
        }
    }

    #[shared(align = 4)]
    static MIXED: [f32; 64];

    // For one declaration, some accesses are known from tokens and others from Rust constants: one error.
    #[kernel]
    fn mixed() {
        ptx! {
            .reg .f32 %f<4>;
            ld.shared.v2.f32 {%f0, %f1}, [MIXED];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [MIXED + #(STRIDE)];
            ret;
        }
    }

    #[kernel]
    fn other() {
        ptx! {
            .reg .f32 %f<4>;
            ld.shared.v2.f32 {%f0, %f1}, [LATE + 8];
            #[allow(A022)]
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [LATE + 32];
            ret;
        }
    }
}

fn main() {}
