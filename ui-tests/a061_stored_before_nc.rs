//! A061: non-coherent loads from memory that the thread has stored to.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[global(align = 16)]
    static SUMS: [u32; 64];

    #[kernel(reqntid = 64)]
    fn k(p: Ptr<Global, u32>, q: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %t, %x, %y;
            .reg .b64 %p, %q, %at, %wide;
            mov.u32 %t, %tid.x;
            mul.wide.u32 %wide, %t, 4;
            mov.u64 %at, SUMS;
            add.u64 %at, %at, %wide;
            st.global.u32 [%at], %t;
            bar.sync 0;
            ld.global.nc.u32 %x, [%at];
            ld.param.u64 %p, [p];
            ld.param.u64 %q, [q];
            atom.global.add.u32 %x, [%p + 4], 1;
            ld.global.nc.u32 %y, [%p + 4];
            // Elsewhere, or only possibly there.
            ld.global.nc.u32 %x, [%p + 8];
            ld.global.nc.u32 %x, [%q + 4];
            ret;
        }
    }

    /// In the same iteration of a loop.
    #[kernel(reqntid = 64)]
    fn rounds(p: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %more;
            .reg .b32 %x;
            .reg .b64 %p, %end;
            ld.param.u64 %p, [p];
            add.u64 %end, %p, 256;
        NEXT:
            st.global.u32 [%p], 0;
            ld.global.nc.u32 %x, [%p];
            add.u64 %p, %p, 4;
            setp.lt.u64 %more, %p, %end;
            @%more bra NEXT;
            ret;
        }
    }
}

fn main() {}
