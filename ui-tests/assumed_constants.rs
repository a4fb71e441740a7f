#![allow(unused)]
use ptx::prelude::*;

/// Findings that depend on the values of constants are errors where the constants have the module's values.
#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    const SHIFT: u32 = 5;
    const SMALL: u32 = 2;

    #[shared]
    static ROW: [u32; 4];

    #[kernel]
    fn outside() {
        ptx! {
            .reg .b32 %r<4>;
            mov.u32 %r0, 1;
            shl.b32 %r0, %r0, #(SHIFT);
            mov.u32 %r1, ROW;
            add.u32 %r1, %r1, %r0;
            ld.shared.u32 %r2, [%r1];
            ret;
        }
    }

    #[kernel]
    fn inside() {
        ptx! {
            .reg .b32 %r<4>;
            mov.u32 %r0, 1;
            shl.b32 %r0, %r0, #(SMALL);
            mov.u32 %r1, ROW;
            add.u32 %r1, %r1, %r0;
            ld.shared.u32 %r2, [%r1];
            ret;
        }
    }

    /// A factor: only the executions of some threads go wrong.
    #[kernel(reqntid = 32)]
    fn factor() {
        ptx! {
            .reg .b32 %i, %x;
            .reg .b32 %at; mov.u32 %at, ROW; mov.u32 %i, %tid.x;
            mad.lo.u32 %i, %i, #(SMALL * 2), %at;
            ld.shared.u32 %x, [%i];
            ret;
        }
    }

    #[kernel(reqntid = 4)]
    fn fitting() {
        ptx! {
            .reg .b32 %i, %x;
            .reg .b32 %at; mov.u32 %at, ROW; mov.u32 %i, %tid.x;
            mad.lo.u32 %i, %i, #(SMALL * 2), %at;
            ld.shared.u32 %x, [%i];
            ret;
        }
    }

    #[kernel]
    fn own() {
        const SHIFT: u32 = SMALL;
        const FAR: u64 = 6;
        ptx! {
            .reg .b32 %r<4>;
            mov.u32 %r0, 1;
            shl.b32 %r0, %r0, #(SHIFT);
            mov.u32 %r1, ROW;
            add.u32 %r1, %r1, %r0;
            ld.shared.u32 %r2, [%r1];
            mov.u32 %r0, 1;
            shl.b32 %r0, %r0, #((FAR - 2) as u32);
            mov.u32 %r1, ROW;
            add.u32 %r1, %r1, %r0;
            #[allow(A020)]
            ld.shared.u32 %r2, [%r1];
            ld.shared.u32 %r2, [%r1];
            ret;
        }
    }
}

fn main() {}
