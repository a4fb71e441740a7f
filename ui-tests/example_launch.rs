//! Examples of launches in kernels' attributes.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[kernel(launch(block = 128, blocks = 4, m = 3))]
    fn no_such_parameter(n: u32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64, launch(block = 128))]
    fn two_blocks() {
        ptx! { ret; }
    }

    #[kernel(launch(grid = 4))]
    fn no_block() {
        ptx! { ret; }
    }

    #[kernel(launch(block = (1, 2, 3, 4), grid = 0))]
    fn dimensions() {
        ptx! { ret; }
    }

    #[kernel(launch = 128)]
    fn no_list() {
        ptx! { ret; }
    }

    #[kernel(launch(block = 128, block = 64, 32))]
    fn twice() {
        ptx! { ret; }
    }

    #[kernel(launch(block = "128"))]
    fn text() {
        ptx! { ret; }
    }

    #[kernel(launch(block = 128, n.len() = 4, dst = 4))]
    fn kinds(n: u32, dst: Ptr<Global, u32>) {
        ptx! { .reg .b64 %d; ld.param.u64 %d, [dst]; .reg .b32 %r; ld.param.u32 %r, [n]; ret; }
    }

    #[kernel(maxntid = 256, reqnctapercluster = 2, launch(block = (16, 32), cluster = 2))]
    fn beyond() {
        ptx! { ret; }
    }

    #[kernel(maxclusterrank = 2, launch(block = (64, 4, 8), cluster = (2, 2)))]
    fn too_many() {
        ptx! { ret; }
    }

    #[kernel(launch(block = 128, x = 4))]
    fn float(x: f32) {
        ptx! { .reg .f32 %x; ld.param.f32 %x, [x]; ret; }
    }

    #[kernel(launch(block = 128, dst = [1 << 32]))]
    fn large_word(dst: Ptr<Global, u32>) {
        ptx! { .reg .b64 %d; ld.param.u64 %d, [dst]; ret; }
    }

    #[kernel(launch(block = 128, dst = [0; 4]))]
    fn repeated_words(dst: Ptr<Global, u32>) {
        ptx! { .reg .b64 %d; ld.param.u64 %d, [dst]; ret; }
    }

    #[kernel(launch(block = 128, n = [1, 2], dst = [1]))]
    fn words(n: u32, dst: Ptr<Global, u32>) {
        ptx! { .reg .b64 %d; ld.param.u64 %d, [dst]; .reg .b32 %r; ld.param.u32 %r, [n]; ret; }
    }

    #[kernel(launch(block = 128, dst.len() = [1, 2]))]
    fn words_as_a_length(dst: Ptr<Global, u32>) {
        ptx! { .reg .b64 %d; ld.param.u64 %d, [dst]; ret; }
    }

    #[kernel(extern, launch(block = 128))]
    fn elsewhere();

    #[device(launch(block = 128))]
    fn called() {
        ptx! { ret; }
    }
}

fn main() {}
