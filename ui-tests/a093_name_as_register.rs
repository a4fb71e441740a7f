#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static SUM: u32;
    #[shared]
    static BAR: Mbarrier;
    #[global]
    static COUNTS: [u64; 4];
    #[global]
    static ROW: [f32; 4];

    #[kernel]
    fn k(n: u32, x: f32, at: u64) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %r<2>;
            .reg .b64 %d<2>;
            .reg .f32 %f;
            add.u32 %r0, n, 1;
            setp.lt.f32 %p, x, 0f00000000;
            ld.param.u64 %d0, [at];
            st.global.u32 [%d0], n;
            add.u32 %r0, SUM, 1;
            cvt.u64.u32 %d0, n;
            add.f32 %f, ROW, ROW;
            // So they do as a guard, in the places of a mask, a size, a count or a policy, and behind `!`.
            @n ret;
            shfl.sync.idx.b32 %r0, n, 0, 31, -1;
            vote.sync.any.pred %p, %p, n;
            redux.sync.add.u32 %r0, n, -1;
            elect.sync %r0|%p, n;
            bar.sync n;
            nanosleep.u32 n;
            atom.global.add.u64 %d0, [COUNTS], n;
            red.global.add.u64 [COUNTS], n;
            mbarrier.init.shared.b64 [BAR], n;
            cp.async.ca.shared.global [SUM], [COUNTS], 4, n;
            dp4a.u32.u32 %r0, n, %r0, 0;
            testp.finite.f32 %p, x;
            mov.f32 %f, x;
            setp.lt.and.u32 %p, %r0, 1, !n;
            ld.global.L2::cache_hint.u64 %d0, [COUNTS], at;
            cvta.to.global.u64 %d0, at;
            // Arrays have no place in vectors.
            mov.b64 %d0, {ROW, %r0};
            // These copy or convert addresses.
            mov.u64 %d0, ROW;
            mov.u32 %r0, SUM;
            cvta.global.u64 %d0, ROW;
            ret;
        }
    }
}

fn main() {}
