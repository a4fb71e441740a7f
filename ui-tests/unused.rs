//! Unused items, reported by rustc's own lints.
#![deny(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static USED: [f32; 32];
    #[shared]
    static UNUSED: [u32; 32];
    #[shared]
    static _MEANT: [u32; 32];
    #[allow(dead_code)]
    #[shared]
    static ALLOWED: [u32; 32];
    #[constant]
    static SPLICED: [u32; 2] = [1, 2];

    #[kernel]
    fn kernel(n: u32, _meant: u32, src: Ptr<Global, f32>) {
        ptx! {
            .reg .f32 %f, %g;
            .reg .b32 %r<4>, %q<8>, %_meant, %i;
            .reg .b64 %p;
        LOOP:
            lea.global.u64 %p, src[2];
            ld.shared.f32 %f, [USED];
            mov.u32 %q4, #(SPLICED.initial().is_some() as u32);
            for i in 0..2 {
                .reg .b32 %once, %twice;
            AGAIN:
                mov.b32 %twice, i;
            }
            ret;
        }
    }

    #[kernel]
    #[allow(unused)]
    fn allowed(n: u32) {
        ptx! {
            .reg .f32 %f, %g;
        LOOP:
            ret;
        }
    }
}

fn main() {
    println!("{}", m::MODULE);
}
