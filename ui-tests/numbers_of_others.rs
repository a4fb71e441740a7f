//! Numbers of Rust and C that PTX does not have.

#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn wrong(n: u32) {
        ptx! {
            let %i: u32;
            let %l: u64;
            let %x: f32;
            let %d: f64;
            mov.f32 %x, 1.0f;
            mov.f32 %x, 1e3f;
            mov.f32 %x, 1.0f32;
            mov.f32 %x, 0f3F80;
            mov.f32 %x, 0f3F8000000;
            mov.f64 %d, 0d3FF0;
            mov.u64 %l, 10ull;
            mov.u64 %l, 10L;
            mov.u32 %i, 5u;
            mov.u32 %i, 5u32;
            mov.u32 %i, 0o17;
            mov.u32 %i, 1_000;
            mov.u32 %i, #(n);
            mov.u32 %i, #(%i);
            ret;
        }
    }

    #[kernel]
    fn right() {
        ptx! {
            let %i: u32;
            let %x: f32;
            let %d: f64;
            mov.f32 %x, 1.0;
            mov.f32 %x, 1e3;
            mov.f32 %x, #(1.0f32);
            mov.f32 %x, 0F3f800000;
            mov.f64 %d, 0d3FF0000000000000;
            mov.u32 %i, 10U;
            mov.u32 %i, 0x1F;
            mov.u32 %i, 017;
            for n in [-1, 0] {
                add.s32 %i, %i, n;
            }
            ret;
        }
    }
}

fn main() {}
