//! Alignment tests in the forms that compilers and people write, and unreachable code.
#![allow(unused)]
use ptx::prelude::*;

const MASK: u32 = 15;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static ROW: [f32; 32];
    #[shared(align = 16)]
    static LOW: [f32; 1024];

    /// A flag is stored as a number, and tested later.
    #[kernel]
    fn flags(p: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p<4>;
            .reg .b16 %rs<4>;
            .reg .b32 %r<4>;
            .reg .b64 %rd<4>;
            .reg .f32 %f<4>;
            ld.param.u64 %rd0, [p];
            and.b64 %rd1, %rd0, 15;
            setp.eq.s64 %p0, %rd1, 0;
            selp.u16 %rs0, 1, 0, %p0;
            and.b16 %rs1, %rs0, 1;
            setp.eq.b16 %p1, %rs1, 1;
            @%p1 ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];
            selp.b32 %r0, -1, 0, %p0;
            setp.ne.s32 %p2, %r0, 0;
            @!%p2 bra END;
            ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0 + 16];
        END:
            ret;
        }
    }

    #[kernel]
    fn comparisons(p: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p<4>;
            .reg .b32 %r<4>;
            .reg .b64 %rd<4>;
            .reg .f32 %f<4>;
            ld.param.u64 %rd0, [p];
            and.b64 %rd1, %rd0, 15;
            setp.gt.u64 %p0, %rd1, 0;
            @!%p0 ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];
            setp.lt.u64 %p0, %rd1, 1;
            @%p0 ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];
            rem.u64 %rd1, %rd0, 16;
            setp.eq.u64 %p1, %rd1, 0;
            @%p1 ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];
            shl.b64 %rd1, %rd0, 60;
            setp.ne.s64 %p2, %rd1, 0;
            @!%p2 ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];
            cvt.u32.u64 %r0, %rd0;
            and.b32 %r0, %r0, #(MASK);
            setp.eq.s32 %p3, %r0, 0;
            @%p3 ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];
            or.b64 %rd2, %rd0, %rd0;
            or.b64 %rd2, %rd2, %rd2;
            ret;
        }
    }

    /// Only the caller knows the value of a register that is a parameter.
    #[device]
    fn clamped(n: Reg<u32>, s: Reg<u32>) -> Reg<f32> {
        ptx! {
            .reg .pred %p<2>;
            .reg .b32 %r<4>;
            setp.ne.u32 %p0, s, 0;
            @%p0 bra KEEP;
            mov.u32 n, 33;
        KEEP:
            mov.u32 %r0, ROW;
            shl.b32 %r1, n, 2;
            add.u32 %r0, %r0, %r1;
            @%p0 ld.shared.f32 returned, [%r0];
            ret;
        }
    }

    #[kernel]
    fn narrowed(x: f32) {
        ptx! {
            .reg .pred %p<2>;
            .reg .b32 %r<4>;
            .reg .f32 %f<4>;
            mov.u32 %r0, 200;
            cvt.u8.u32 %r1, %r0;
            setp.gt.u32 %p0, %r1, 1000;
            @%p0 ld.shared.f32 %f0, [ROW + 132];
            // The bits of a Rust float are unknown.
            mov.b32 %r2, #(0.5_f32);
            setp.ne.b32 %p1, %r2, 0;
            @%p1 ld.shared.f32 %f0, [ROW + 132];
            // A hazard that occurs only with other constants may be allowed.
            setp.gt.u32 %p0, #(MASK), 20;
            #[allow(A020)]
            @%p0 ld.shared.f32 %f0, [ROW + 136];
            ret;
        }
    }
}

fn main() {
    assert!(m::MODULE.check().is_empty(), "{:?}", m::MODULE.check());
}
