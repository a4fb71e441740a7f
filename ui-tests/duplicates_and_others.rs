#![allow(unused)]
//! Items of one name that break other rules, too: the second is reported as such alone, unless a condition may remove it.

use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod twice {
    use super::*;

    #[shared(align = 12)]
    static TWICE: [u32; 4];
    #[shared(align = 20)]
    static TWICE: [u32; 4];
    #[constant]
    static TWICE: [f32; 70_000] = [0.0; 70_000];

    #[kernel(maxntid = 0)]
    fn kernel(n: u32) {
        ptx! {
            .reg .b32 %r<2>;
            ld.shared.b32 %r0, [TWICE + 16];
            ret;
        }
    }
    #[kernel(reqntid = 4096)]
    fn kernel(n: u32, n: u32) {
        ptx! {
            .reg .b32 %r<2>;
            ld.global.b32 %r0, [TWICE];
            ret;
        }
    }
    #[device]
    fn TWICE(kernel: u32) {
        ptx! { mov.b32 %r0, nothing; ret; }
    }

    #[global]
    static HOLDER: [u64; 2] = [addr(TWICE), addr(kernel) + 9];
}

#[ptx::module(target = sm_90a)]
mod conditional {
    use super::*;

    #[cfg(all())]
    #[shared(align = 12)]
    static ITEM: [u32; 4];
    #[cfg(any())]
    #[shared(align = 20)]
    static ITEM: [u32; 2];
    #[shared]
    static OTHER: [u32; 2];

    #[cfg(any())]
    #[kernel(maxntid = 0)]
    fn kernel(n: u32) {
        ptx! {
            .reg .b32 %r<2>;
            ld.shared.b32 %r0, [ITEM + 8];
            ld.shared.b32 %r0, [ITEM + 16];
            ld.shared.b32 %r0, [OTHER + 8];
            ret;
        }
    }
    #[cfg(all())]
    #[kernel(reqntid = 4096)]
    fn kernel(n: u32, n: u32) {
        ptx! {
            .reg .b32 %r<2>;
            ld.global.b32 %r0, [ITEM];
            ret;
        }
    }
    #[kernel]
    fn certain(kernel: u32) {
        ptx! {
            .reg .b64 %rd<2>;
            ld.shared.b64 %rd0, [ITEM];
            ret;
        }
    }
}

fn main() {}
