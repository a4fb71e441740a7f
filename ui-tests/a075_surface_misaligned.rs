//! A075: surface coordinates that count bytes.
#![allow(unused)]
use ptx::prelude::*;

const SIZE: usize = 16;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[kernel]
    fn k(image: u64) {
        ptx! {
            .reg .b32 %x, %y, %at, %v<4>;
            .reg .b64 %image;
            ld.param.u64 %image, [image];
            mov.u32 %x, %tid.x;
            mov.u32 %y, %tid.y;
            suld.b.2d.v4.b32.trap {%v0, %v1, %v2, %v3}, [%image, {8, %y}];
            sust.b.1d.b32.clamp [%image, {-3}], {%v0};
            // The second one is the byte, after the index of the surface.
            sust.b.a1d.v2.b32.zero [%image, {%y, 12}], {%v0, %v1};
            // Four bytes after each element.
            mad.lo.u32 %at, %x, 8, 4;
            sust.b.2d.v2.b32.trap [%image, {%at, %y}], {%v0, %v1};
            sured.b.add.1d.u64.trap [%image, {%at}], %image;
            // Multiples of the element size, and samples.
            mul.lo.u32 %at, %x, #(SIZE);
            suld.b.2d.v4.b32.trap {%v0, %v1, %v2, %v3}, [%image, {%at, %y}];
            sust.b.a1d.b32.zero [%image, {3, 12}], {%v0};
            sust.p.1d.b32.trap [%image, {3}], {%v0};
            ret;
        }
    }
}

fn main() {}
