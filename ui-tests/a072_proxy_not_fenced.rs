//! A072: stores that a bulk copy reads without a fence between the proxies.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 128)]
    static TILE: [u32; 256];
    #[global(align = 128)]
    static DATA: [u32; 256];

    #[kernel(reqntid = 128)]
    fn stored_and_copied() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            mov.u32 %r1, TILE;
            mad.lo.u32 %r1, %r0, 4, %r1;
            st.shared.u32 [%r1], %r0;
            bar.sync 0;
            @!%first bra DONE;
            cp.async.bulk.global.shared::cta.bulk_group [DATA], [TILE], 512;
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group 0;
        DONE:
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn fenced() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            mov.u32 %r1, TILE;
            mad.lo.u32 %r1, %r0, 4, %r1;
            st.shared.u32 [%r1], %r0;
            fence.proxy.async.shared::cta;
            bar.sync 0;
            @!%first bra DONE;
            cp.async.bulk.global.shared::cta.bulk_group [DATA], [TILE], 512;
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group 0;
        DONE:
            ret;
        }
    }
}

fn main() {}
