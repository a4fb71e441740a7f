//! Findings that hold only where control reaches, and their messages.
#![allow(unused)]
use ptx::prelude::*;

const STAGES: usize = 4;
type Late = [f32; 32];

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static ROW: [f32; 32];
    #[shared]
    static LATE: Late;

    #[kernel]
    fn reached() {
        ptx! {
            .reg .b32 %r<4>;
            .reg .pred %p<4>;
            mov.u32 %r0, %ntid.x;
            setp.gt.u32 %p0, %r0, 480;
            @%p0 ld.shared.b32 %r1, [ROW + 128];
            @%p0 ld.shared.b32 %r1, [LATE + 128];
            mov.u32 %r2, %tid.x;
            mad.lo.u32 %r2, %r0, 16, %r2;
            setp.ge.u32 %p1, %r2, 7680;
            @%p1 bra END;
            ld.shared.b32 %r1, [ROW + 132];
        END:
            // Rust constants decide: four stages are more than three.
            setp.gt.u32 %p2, #(STAGES), 3;
            @%p2 ld.shared.b32 %r1, [ROW + 136];
            @!%p2 ld.shared.b32 %r1, [ROW + 140];
            // ptxas refuses it whatever the constant is.
            @!%p2 ld.global.b32 %r1, [ROW];
            // Aligned down, it is still an address.
            mov.u32 %r3, ROW;
            add.u32 %r3, %r3, 127;
            and.b32 %r3, %r3, #(!127_i32);
            ld.const.b32 %r1, [%r3];
            ret;
        }
    }

    #[device]
    fn parameter(n: Reg<u32>) {
        ptx! {
            .reg .b32 %r;
            .reg .pred %p<2>;
            setp.gt.u32 %p0, n, 7;
            @%p0 mov.u32 n, 1;
            setp.eq.u32 %p1, n, 1;
            @%p1 bra ONE;
            ld.shared.b32 %r, [ROW + 128];
        ONE:
            ret;
        }
    }

    #[kernel(maxntid = 256)]
    fn not_reached() {
        ptx! {
            .reg .b32 %r<4>;
            .reg .pred %p<4>;
            mov.u32 %r0, %ntid.x;
            setp.gt.u32 %p0, %r0, 480;
            @%p0 ld.shared.b32 %r1, [ROW + 128];
            // ptxas also checks unreachable code.
            ret;
            ld.global.b32 %r1, [ROW];
        }
    }
}

fn main() {}
