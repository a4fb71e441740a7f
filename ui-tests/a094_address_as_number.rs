#![allow(unused)]
use ptx::prelude::*;

#[derive(PtxType)]
#[repr(C)]
pub struct Config {
    scale: f32,
    count: u32,
}

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k(n: u32, m: u32, wide: u64, config: Config, to: Ptr<Global, u64>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %r<8>;
            .reg .b64 %d<8>;
            mov.u32 %r0, n;
            mul.lo.u32 %r1, %r0, 3;
            mov.u32 %r1, m;
            add.u32 %r1, %r1, 1;
            ld.param.u64 %d0, [to];
            st.global.u32 [%d0], %r1;
            mov.u64 %d1, wide;
            setp.lt.u64 %p, %d1, 5;
            mov.u32 %r2, m;
            // Each parameter is reported once.
            mad.lo.u32 %r3, %r2, 3, %r1;
            // These are addresses.
            mov.u64 %d2, config;
            add.u64 %d2, %d2, 4;
            ld.param.u32 %r4, [%d2];
            mov.u64 %d3, wide;
            ld.param.u64 %d4, [%d3];
            mul.lo.u64 %d4, %d4, 3;
            mov.u64 %d5, n;
            cvta.param.u64 %d5, %d5;
            st.global.u64 [%d0], %d5;
            ret;
        }
    }

    // Each is a number in a place of its own.
    #[kernel]
    fn numbers(
        a: u32, b: u32, c: u32, d: u32, e: u32, f: u32, g: u32, h: u16, i: u32, j: u32, m: u32, l: u32, x: f32,
        to: Ptr<Global, u64>,
    ) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b16 %h;
            .reg .b64 %d<3>;
            .reg .f32 %f;
            ld.param.u64 %d0, [to];
            mov.u32 %r2, 0;
            mov.u32 %r0, a;
            min.u32 %r1, %r0, 7;
            mov.u32 %r0, b;
            sub.u32 %r1, 7, %r0;
            mov.u32 %r0, c;
            popc.b32 %r1, %r0;
            mov.u32 %r0, d;
            cvt.rn.f32.u32 %f, %r0;
            mov.u32 %r0, e;
            shfl.sync.idx.b32 %r1, %r2, %r0, 31, -1;
            mov.u32 %r0, f;
            red.global.add.u32 [%d0], %r0;
            mov.u32 %r0, g;
            st.global.v2.u32 [%d0], {%r2, %r0};
            mov.u16 %h, h;
            mov.u32 %r0, i;
            bar.sync %r0;
            mov.u32 %r0, j;
            add.u32 %r1, %r0, %r0;
            // ptxas takes these names.
            mul.lo.u32 %r1, m + 4, 2;
            mov.b64 %d1, {l, %r2};
            st.global.u64 [%d0], %d1;
            mov.b32 %f, x;
            add.f32 %f, %f, 0f3F800000;
            ret;
        }
    }

    #[device]
    fn in_function(n: u32, m: u32) {
        ptx! {
            .reg .b32 %r<2>;
            .reg .pred %p<2>;
            mov.b32 %r0, n;
            mul.lo.u32 %r1, %r0, 3;
            mov.b32 %r0, m;
            add.u32 %r0, %r0, 1;
            setp.lt.u32 %p0|%p1, %r0, 9;
            ret;
        }
    }

    // Here the address goes on as one.
    #[kernel]
    fn addresses(n: u32, m: u32, wide: u64, to: Ptr<Global, u64>) {
        ptx! {
            .reg .pred %p<2>;
            .reg .b32 %r<4>;
            .reg .b64 %d<6>;
            .param .b64 given;
            ld.param.u64 %d0, [to];
            mov.u32 %r0, 0;
            mov.u32 %r1, n;
            mov.b64 %d1, {%r1, %r0};
            ld.param.u32 %r2, [%d1];
            mov.u64 %d1, wide;
            mad.wide.u32 %d2, %r0, 4, %d1;
            add.u64 %d3, %d1, 8;
            and.b64 %d2, %d2, -8;
            setp.lt.u64 %p0, %d2, %d3;
            selp.b64 %d2, %d2, %d1, %p0;
            cvt.u32.u64 %r1, %d2;
            ld.param.u32 %r2, [%r1];
            sub.u64 %d4, %d3, %d1;
            st.global.u64 [%d0], %d4;
            mov.b64 {%r1, %r3}, %d1;
            ld.param.u32 %r2, [%r1];
            mov.u64 %d1, m;
            cvta.param.u64 %d1, %d1;
            st.param.b64 [given], %d1;
            atom.global.exch.b64 %d5, [%d0], %d1;
            ret;
        }
    }
}

fn main() {}
