//! Wrong place expressions, computed addresses, registers and repetition that the macro reports.
#![allow(unused)]
use ptx::prelude::*;

const fn rounds() -> usize {
    4
}

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    const ROUNDS: usize = rounds();

    #[derive(PtxType)]
    #[repr(C)]
    struct Stages {
        full: [Mbarrier; 4],
    }

    #[shared]
    static SMEM: Stages;

    #[kernel]
    fn places(src: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %stage, %x, %i;
            .reg .b64 %p;
            .reg .f32 %f;
            .reg .pred %q;
            mbarrier.init.shared.b64 [SMEM.full[%stage]], 1;
            ld.global.f32 %f, [src[2]];
            ld.global.f32 %f, [%p.x];
            ld.global.f32 %f, [%other[3]];
            mbarrier.init.shared.b64 [SMEM.full[]], 1;
            mbarrier.init.shared.b64 [SMEM.full[%stage + 1]], 1;
            ret;
        }
    }

    #[kernel]
    fn addresses(src: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %stage, %x;
            .reg .b64 %p, %wide;
            .reg .pred %q;
            lea %x, SMEM.full[%stage];
            lea.shared.u16 %x, SMEM.full[%stage];
            lea.smem.u32 %x, SMEM.full[%stage];
            lea.shared.u32 %x, SMEM.full[%stage] + 8;
            lea.shared.u32 %x, SMEM.full[%wide];
            lea.shared.u32 %x, SMEM.full[%q];
            lea.shared.u32 %x, SMEM.full[%unknown];
            lea.shared.u32 SMEM.full[%stage];
            ret;
        }
    }

    #[kernel]
    fn computed(src: Ptr<Global, f32>) {
        ptx! {
            .reg .f32 %f;
            .reg .b32 %i, %stage;
            .reg .b64 %p;
            .shared .b32 T[32];
            mbarrier.init.shared.b64 [SMEM.full[4 * %stage]], 1;
            mbarrier.init.shared.b64 [SMEM.full[1 +]], 1;
            mbarrier.init.shared.b64 [SMEM.full[1] + %stage], 1;
            mbarrier.init.shared.b64 [SMEM.self], 1;
            lea.global.u64 %p, T[%i];
            lea.shared.u32 %i, SMEM.full[%tid.x];
            .reg .é32 %x;
            ret;
        }
    }

    #[kernel]
    fn registers() {
        ptx! {
            .reg .f32 %d[8];
            .reg .b32 %i;
            let %r: Vec<u32>;
            let %s;
            let %t[4]: u32;
            let %u: f32 = 0.0;
            let mut %v: f32;
            let %w: V4<f32>;
            mov.f32 %w[0], %u;
            mov.f32 %d[8], %d[0];
            mov.f32 %d[%i], %d[0];
            st.local.v4.f32 [0], {%d[6..10]};
            ret;
        }
    }

    #[kernel]
    fn repeated() {
        ptx! {
            .reg .b32 %x;
            for i in 0..ROUNDS { add.u32 %x, %x, i; }
            for i in 0..%x { add.u32 %x, %x, i; }
            for i in 0..4 add.u32 %x, %x, i;
            for in 0..4 { add.u32 %x, %x, 1; }
            for i of 0..4 { add.u32 %x, %x, 1; }
            for i in 0..100000 { for j in 0..100000 { add.u32 %x, %x, 1; } }
            if %x == 3 { add.u32 %x, %x, 1; }
            if ROUNDS == 3 { add.u32 %x, %x, 1; } else { add.u32 %x, %x, 2; }
            ret;
        }
    }
}

fn main() {}
