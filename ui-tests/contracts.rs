//! Contracts of launches that are malformed, or on functions that are not launched.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel(requires)]
    fn bare(n: u32) {
        ptx! { ret; }
    }

    #[kernel(requires = n > 0, grid)]
    fn value(n: u32) {
        ptx! { ret; }
    }

    #[kernel(requires(), grid = ())]
    fn empty(n: u32) {
        ptx! { ret; }
    }

    #[kernel(grid = (n, n, n, n), unsafe)]
    fn four(n: u32) {
        ptx! { ret; }
    }

    #[kernel(grid(n), unsafe())]
    fn listed(n: u32) {
        ptx! { ret; }
    }

    #[kernel(grid = [n, n], unsafe(launch))]
    fn array(n: u32) {
        ptx! { ret; }
    }

    #[kernel(unsafe(safe_launch, no_mangle))]
    fn two_words(n: u32) {
        ptx! { ret; }
    }

    #[kernel(unsafe(safe_launch, safe_launch))]
    fn one_word_twice(n: u32) {
        ptx! { ret; }
    }

    #[kernel(unsafe = safe_launch)]
    fn assigned(n: u32) {
        ptx! { ret; }
    }

    #[kernel(safe_launch)]
    fn safe(n: u32) {
        ptx! { ret; }
    }

    #[kernel(requires(n > 0), requires(n < 9))]
    fn twice(n: u32) {
        ptx! { ret; }
    }

    #[kernel(require(n > 0), grids = n, unsafe_launch)]
    fn typos(n: u32) {
        ptx! { ret; }
    }

    #[kernel(frobnicate)]
    fn unknown(n: u32) {
        ptx! { ret; }
    }

    #[kernel(extern, requires(n > 0), grid = n, unsafe(safe_launch))]
    fn elsewhere(n: u32);

    #[device(requires(n > 0), grid = n, unsafe(safe_launch))]
    fn called(n: Reg<u32>) {
        ptx! { ret; }
    }

    #[device(safe_launch)]
    fn safe_called(n: Reg<u32>) {
        ptx! { ret; }
    }
}

fn main() {}
