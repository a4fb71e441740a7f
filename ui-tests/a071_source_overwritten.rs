//! A071: the source of a bulk copy, written before a wait for the copy.
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
    fn at_once() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            mov.u32 %r1, TILE;
            mad.lo.u32 %r1, %r0, 4, %r1;
            @%first cp.async.bulk.global.shared::cta.bulk_group [DATA], [TILE], 512;
            bar.sync 0;
            st.shared.u32 [%r1], 7;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn in_the_next_round() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            .reg .pred %more;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            mov.u32 %r1, TILE;
            mad.lo.u32 %r1, %r0, 4, %r1;
            mov.u32 %r2, 0;
        NEXT:
            st.shared.u32 [%r1], %r2;
            fence.proxy.async;
            bar.sync 0;
            @!%first bra COPIED;
            cp.async.bulk.global.shared::cta.bulk_group [DATA], [TILE], 512;
            cp.async.bulk.commit_group;
        COPIED:
            bar.sync 0;
            add.u32 %r2, %r2, 1;
            setp.lt.u32 %more, %r2, 4;
            @%more bra NEXT;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn waited_for() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            .reg .pred %more;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            mov.u32 %r1, TILE;
            mad.lo.u32 %r1, %r0, 4, %r1;
            mov.u32 %r2, 0;
        NEXT:
            st.shared.u32 [%r1], %r2;
            fence.proxy.async;
            bar.sync 0;
            @!%first bra COPIED;
            cp.async.bulk.global.shared::cta.bulk_group [DATA], [TILE], 512;
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group.read 0;
        COPIED:
            bar.sync 0;
            add.u32 %r2, %r2, 1;
            setp.lt.u32 %more, %r2, 4;
            @%more bra NEXT;
            ret;
        }
    }
}

fn main() {}
