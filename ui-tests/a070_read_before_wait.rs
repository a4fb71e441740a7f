//! A070: the destination of `cp.async`, read before a wait.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 128)]
    static TILE: [f32; 256];
    #[global(align = 128)]
    static DATA: [f32; 256];

    #[kernel(reqntid = 128)]
    fn no_wait() {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<4>;
            .reg .f32 %f;
            mov.u32 %r0, %tid.x;
            shl.b32 %r0, %r0, 2;
            mov.u32 %r1, TILE;
            add.u32 %r1, %r1, %r0;
            mov.u64 %d0, DATA;
            cvt.u64.u32 %d1, %r0;
            add.u64 %d0, %d0, %d1;
            cp.async.ca.shared.global [%r1], [%d0], 4;
            cp.async.commit_group;
            bar.sync 0;
            ld.shared.f32 %f, [TILE + 16];
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn no_group() {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<4>;
            .reg .f32 %f;
            mov.u32 %r0, %tid.x;
            shl.b32 %r0, %r0, 2;
            mov.u32 %r1, TILE;
            add.u32 %r1, %r1, %r0;
            mov.u64 %d0, DATA;
            cvt.u64.u32 %d1, %r0;
            add.u64 %d0, %d0, %d1;
            cp.async.ca.shared.global [%r1], [%d0], 4;
            cp.async.wait_group 0;
            bar.sync 0;
            ld.shared.f32 %f, [TILE + 16];
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn a_wait_for_another_group() {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<4>;
            .reg .f32 %f;
            mov.u32 %r0, %tid.x;
            shl.b32 %r0, %r0, 2;
            mov.u32 %r1, TILE;
            add.u32 %r1, %r1, %r0;
            mov.u64 %d0, DATA;
            cvt.u64.u32 %d1, %r0;
            add.u64 %d0, %d0, %d1;
            cp.async.ca.shared.global [%r1], [%d0], 4;
            cp.async.commit_group;
            cp.async.wait_group 1;
            bar.sync 0;
            ld.shared.f32 %f, [TILE + 16];
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn in_the_first_round() {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<4>;
            .reg .f32 %f;
            .reg .pred %more;
            mov.u32 %r2, 0;
        NEXT:
            mov.u32 %r0, %tid.x;
            shl.b32 %r0, %r0, 2;
            mov.u32 %r1, TILE;
            add.u32 %r1, %r1, %r0;
            mov.u64 %d0, DATA;
            cvt.u64.u32 %d1, %r0;
            add.u64 %d0, %d0, %d1;
            cp.async.ca.shared.global [%r1], [%d0], 4;
            cp.async.commit_group;
            cp.async.wait_group 1;
            bar.sync 0;
            ld.shared.f32 %f, [TILE + 16];
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
            .reg .b32 %r<8>;
            .reg .b64 %d<4>;
            .reg .f32 %f;
            mov.u32 %r0, %tid.x;
            shl.b32 %r0, %r0, 2;
            mov.u32 %r1, TILE;
            add.u32 %r1, %r1, %r0;
            mov.u64 %d0, DATA;
            cvt.u64.u32 %d1, %r0;
            add.u64 %d0, %d0, %d1;
            cp.async.ca.shared.global [%r1], [%d0], 4;
            cp.async.commit_group;
            cp.async.wait_group 0;
            bar.sync 0;
            ld.shared.f32 %f, [TILE + 16];
            ret;
        }
    }
}

fn main() {}
