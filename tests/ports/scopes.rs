//! Registers that are reused for different objects: in straight-line code, in loops, in branches, in scopes.

use ptx::prelude::*;

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod scopes {
    use super::*;

    #[shared(align = 16)]
    static SMALL: [u32; 4];

    #[shared(align = 128)]
    static LARGE: [f32; 1024];

    #[shared]
    static READY: [Mbarrier; 2];

    #[global(align = 16)]
    pub static TOTALS: [f64; 32];

    #[constant]
    static STEPS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

    /// `%at` is a table, a barrier, a number and a total.
    #[kernel]
    pub fn line(out: Ptr<Global, f64>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %at, %x, %t;
            .reg .b64 %wide;
            .reg .f32 %f;
            .reg .f64 %d;
            mov.u32         %t, %tid.x;
            setp.eq.u32     %p, %t, 0;
            mov.u32         %at, LARGE;
            add.u32         %at, %at, 4080;
            mov.f32         %f, 0f3F800000;
            st.shared.v4.f32 [%at], {%f, %f, %f, %f};
            mov.u32         %at, READY;
            @%p mbarrier.init.shared::cta.b64 [%at], 1;
            add.u32         %at, %at, 8;
            @%p mbarrier.init.shared::cta.b64 [%at], 1;
            mov.u32         %at, SMALL;
            ld.shared.u32   %x, [%at + 12];
            mov.u32         %at, %x;
            and.b32         %at, %at, 31;
            mul.wide.u32    %wide, %at, 8;
            {
                .reg .b64 %at;
                mov.u64     %at, TOTALS;
                add.u64     %at, %at, %wide;
                ld.global.f64 %d, [%at];
                {
                    .reg .b64 %at;
                    .reg .f64 %one;
                    mov.f64 %one, 0d3FF0000000000000;
                    ld.param.u64 %at, [out];
                    st.global.f64 [%at], %one;
                }
                st.global.f64 [%at], %d;
            }
            mov.u64         %wide, STEPS;
            ld.const.u32    %at, [%wide + 28];
            ret;
        }
    }

    /// A rotated loop body: the same register is a source, then a destination.
    #[kernel(reqntid = 128)]
    pub fn turns(steps: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %a, %b, %swap, %n, %i;
            .reg .f32 %x, %y;
            mov.u32         %t, %tid.x;
            shl.b32         %t, %t, 2;
            mov.u32         %a, LARGE;
            add.u32         %a, %a, %t;
            add.u32         %b, %a, 2048;
            ld.param.u32    %n, [steps];
            mov.f32         %x, 0f00000000;
            st.shared.f32   [%a], %x;
            mov.u32         %i, 0;
        TURN:
            setp.ge.u32     %p, %i, %n;
            @%p bra         END;
            bar.sync        0;
            ld.shared.f32   %x, [%a];
            ld.shared.f32   %y, [%a + 512];
            add.f32         %x, %x, %y;
            st.shared.f32   [%b], %x;
            st.shared.f32   [%b + 512], %y;
            mov.u32         %swap, %a;
            mov.u32         %a, %b;
            mov.u32         %b, %swap;
            add.u32         %i, %i, 1;
            bra             TURN;
        END:
            ret;
        }
    }

    /// Two paths to one store, with a different table on each.
    #[kernel]
    pub fn ways(which: u32, value: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %at, %which, %value, %i;
            ld.param.u32    %which, [which];
            ld.param.u32    %value, [value];
            setp.eq.u32     %p, %which, 0;
            @%p bra         FIRST;
            mov.u32         %at, LARGE;
            and.b32         %i, %value, 1020;
            add.u32         %at, %at, %i;
            bra             STORE;
        FIRST:
            mov.u32         %at, SMALL;
            add.u32         %at, %at, 12;
        STORE:
            st.shared.b32   [%at], %value;
            and.b32         %which, %which, 1;
        ends:
            .branchtargets LEFT, RIGHT;
            brx.idx         %which, ends;
        LEFT:
            mov.u32         %at, SMALL;
            st.shared.u32   [%at], %value;
            ret;
        RIGHT:
            mov.u32         %i, %tid.x;
            setp.eq.u32     %p, %i, 0;
            mov.u32         %at, READY;
            @%p mbarrier.init.shared::cta.b64 [%at], 32;
            ret;
        }
    }

    /// A chain of lookups: a table's entry is the next offset, in bytes, bounded by a mask.
    #[kernel]
    pub fn chase(data: Ptr<Global, u32>, out: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %x, %i;
            .reg .b64 %at, %base, %out;
            ld.param.u64    %base, [data];
            ld.param.u64    %out, [out];
            mov.u32         %i, 0;
            mov.u64         %at, %base;
        NEXT:
            ld.relaxed.gpu.global.u32 %x, [%at];
            and.b32         %x, %x, 0xFFC;
            cvt.u64.u32     %at, %x;
            add.u64         %at, %base, %at;
            add.u32         %i, %i, 1;
            setp.lt.u32     %p, %i, 64;
            @%p bra         NEXT;
            st.global.u32   [%out], %x;
            ret;
        }
    }
}
