#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<4>;
            mov.b32 %r0 %r1;
            mov.b32 %r1, #();
            mov.b32 %r1, #(1 +);
            mov.b32 %r1, #(true);
            mov.b32 %r1, #("text");
            ;
            .visible .global .b32 x;
            .loc 1 2 3;
            .sahred .b32 y;
            .shared .f33 z;
            .reg .v8 .b32 w;
            .reg .e4m3x4 packed;
            .reg .bf16 brain;
            .reg .e2m1 four;
            .global .texref texture;
            .reg .b32 a[4][2];
            .reg .b32 b1<4>;
            mov.b32 %r1, 'a';
            mov.b32 %r1, %r2 @;
            reg .b32 %dotless;
            mov.b32 %dotless, #N;
            ret
        }
    }
}

fn main() {}
