#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    static PLAIN: u32;

    #[global]
    static mut MUTABLE: u32;

    #[global]
    #[shared]
    static BOTH: u32;

    #[kernel]
    static STATIC: u32;

    #[global(algin = 16)]
    static TYPO: u32;

    #[global(dynamic)]
    static DYNAMIC: [u32];

    #[global]
    static BOOL: bool;

    #[global]
    static REFERENCE: &'static str;

    #[global]
    const CONSTANT: u32 = 1;

    #[kernel]
    fn pointers(a: &u32, b: *const f32, c: &mut [f32]) {
        ptx! { ret; }
    }

    mod nested {
        #[global]
        static DEEP: u32;
    }

    #[kernel(maxntd = 32)]
    fn typo() {
        ptx! { ret; }
    }

    #[kernel]
    fn returns() -> u32 {
        ptx! { ret; }
    }

    #[kernel]
    fn generic<T>() {
        ptx! { ret; }
    }

    #[kernel]
    fn tuple((a, b): (u32, u32)) {
        ptx! { ret; }
    }

    #[kernel]
    fn rust() {
        let x = 1;
        ptx! { ret; }
    }

    fn forgotten() {
        ptx! { ret; }
    }

    #[device]
    fn device(x: u32) -> u32 {
        ptx! { ret; }
    }

    fn bodiless(x: u32);
}

fn main() {}
