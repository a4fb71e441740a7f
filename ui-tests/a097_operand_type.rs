#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static TABLE: [u64; 4];

    #[kernel]
    fn k(src: u64) {
        ptx! {
            .reg .pred %p;
            .reg .b16 %h;
            .reg .b32 %r<4>;
            .reg .b64 %rd<4>;
            .reg .f32 %f<4>;
            ld.param.u64 %rd0, [src];
            ld.global.u64 %r0, [%rd0];
            ld.global.v2.u32 {%r0, %h}, [%rd0];
            st.global.u64 [TABLE], %r0;
            add.u32 %rd1, %r1, %r2;
            add.u32 %r0, %f1, 1;
            add.u32 %r0, %r1, %p;
            add.u32 %r0, %r1, 1.5;
            add.u32 %r0, %r1, 1.0 + 1.0;
            add.f32 %f0, %f1, 1;
            add.f32 %f0, %f1, (1 + 1);
            mov.b32 %r0, 1.5;
            mov.b64 %rd1, 0f3F800000;
            mov.b16 %h, 1.5;
            mul.wide.u32 %r0, %r1, 4;
            shl.b64 %rd1, %rd1, %rd2;
            setp.eq.u32 %r0, %r1, %r2;
            selp.b32 %r0, %r1, %r2, %r3;
            cvt.u64.u32 %r0, %r1;
            mov.b64 %rd1, {%h, %h};
            @%r0 ret;
            atom.global.add.L2::cache_hint.u32 %r0, [%rd0], 1, %r2;
            // These are right.
            ld.global.u8 %r0, [%rd0];
            ld.global.b32 %f0, [%rd0];
            mov.b32 %r0, %f0;
            mov.b32 %r0, 0f3F800000;
            mov.b64 %rd1, 1.5;
            add.f32 %f0, %f1, 1.0 + 1.0;
            add.u32 %r0, %r1, 1.0 < 2.0;
            mov.b64 %rd1, {%r0, %r1};
            setp.eq.u32 %p, %r1, %r2;
            @%p ret;
            ret;
        }
    }
}

fn main() {}
