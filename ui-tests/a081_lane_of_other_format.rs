//! A081: numbers of two formats in one register, which an instruction reads in one format.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[kernel]
    fn k(left: Ptr<Global, f16>, right: Ptr<Global, bf16>, dst: Ptr<Global, F16x2>) {
        ptx! {
            .reg .b16 %l, %r, %a, %b;
            .reg .b32 %x, %y;
            .reg .b64 %left, %right, %dst;
            ld.param.u64 %left, [left];
            ld.param.u64 %right, [right];
            ld.param.u64 %dst, [dst];
            ld.global.b16 %l, [%left];
            ld.global.b16 %r, [%right + 2];
            mov.b32 %x, {%l, %r};
            mul.f16x2 %y, %x, %x;
            // Each one alone has the right format.
            mov.b32 {%a, %b}, %x;
            mul.f16 %a, %a, %a;
            mul.bf16 %b, %b, %b;
            st.global.b32 [%dst], %y;
            ret;
        }
    }
}

fn main() {}
