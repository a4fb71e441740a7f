//! Operands that an instruction of this shape cannot have.

#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod wrong {
    use super::*;

    #[shared]
    static ROW: [V4<f32>; 64];
    #[shared]
    static FULL: Mbarrier;
    #[global]
    static COUNT: u32 = 0;

    #[kernel]
    fn addresses(src: Ptr<Global, V4<f32>>, n: u32) {
        ptx! {
            let %at: Ptr<Global, V4<f32>>;
            let %i: u32;
            let %x: f32;
            ld.param.u64 %at, [src];
            ld.shared.f32 %x, ROW;
            ld.param.u32 %i, n;
            mbarrier.init.shared.b64 FULL, 1;
            ld.global.f32 [%at], %x;
            st.global.f32 %x, [%at];
            atom.global.add.u32 [COUNT], 1;
            red.global.add.u32 %i, [COUNT], 1;
            cp.async.ca.shared.global [ROW], [%at], 12;
            cp.async.cg.shared.global [ROW], [%at], 32;
            ret;
        }
    }

    #[kernel]
    fn vectors(src: Ptr<Global, V4<f32>>) {
        ptx! {
            let %at: Ptr<Global, V4<f32>>;
            let %x: [f32; 8];
            ld.param.u64 %at, [src];
            ld.global.v4.f32 %x[0], [%at];
            ld.global.v4.f32 {%x[0..3]}, [%at];
            ld.global.f32 {%x[0..4]}, [%at];
            st.global.v2.f32 [%at], {%x[0..4]};
            ret;
        }
    }

    #[kernel]
    fn values(src: Ptr<Global, u32>) {
        ptx! {
            let %at: Ptr<Global, u32>;
            let %i: u32;
            let %p: bool;
            add.u32 %i, %tid.x, 1;
            mov.u32 %i, %tid;
            add.u32 %i, [%at], 1;
            add.u32 %i, {%i}, 1;
            add.u32 %i, !%i, 1;
            add.u32 _, %i, 1;
            add.u32 %i, _, 1;
            add.u32 %i|%p, %i, 1;
            ld.shared.u32 %i, [16];
            ret;
        }
    }

    #[kernel]
    fn predicates() {
        ptx! {
            let %p: bool;
            let %x: f32;
            setp.eq.u32 %p, 0, 0;
            ld.global.f32 %x, [%p];
            ret;
        }
    }
}

#[ptx::module(target = sm_90a)]
mod right {
    use super::*;

    #[shared]
    static ROW: [V4<f32>; 64];
    #[global]
    static COUNT: u32 = 0;

    #[kernel]
    fn k(src: Ptr<Global, V4<f32>>, n: u32) {
        ptx! {
            .reg .v4 .f32 %v;
            .reg .f32 %f<4>;
            let %at: Ptr<Global, V4<f32>>;
            let %i: u32;
            let %x: [f32; 4];
            ld.param.u64 %at, [src];
            ld.shared.f32 %x[0], ROW[0];
            ld.global.v4.f32 %v, [%at];
            ld.global.v4.f32 {%x[0..4]}, [%at];
            st.global.v2.f32 [%at], {%x[0..2]};
            atom.global.add.u32 %i, [COUNT], 1;
            red.global.add.u32 [COUNT], 1;
            cp.async.cg.shared.global [ROW], [%at], 16;
            cp.async.ca.shared.global [ROW], [%at], 8;
            let %p, %q: bool;
            mov.u32 %i, %tid.x;
            setp.eq.u32 %p|%q, %i, 0;
            setp.eq.u32 _|%q, %i, 0;
            atom.global.add.u32 _, [COUNT], 1;
            selp.u32 %i, 1, 0, !%p;
            .local .b32 slots[2];
            ld.local.u32 %i, [4];
            ret;
        }
    }
}

fn main() {}
