//! Names in bodies that do not exist, one error each.

#![allow(unused)]
use ptx::prelude::*;

#[tensor_map(element = f32, boxx = [16, 16])]
struct A;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[repr(C)]
    #[derive(PtxType)]
    pub struct Pair {
        pub first: [u32; 4],
    }

    #[global]
    static OUT: [Pair; 4];
    #[global]
    static RESULT: [u32; 4];

    #[kernel]
    fn places() {
        ptx! {
            let %i, %x: u32;
            let %at: u64;
            mov.u32 %i, %tid.x;
            lea.global.u64 %at, RESULTT[%i];
            st.global.u32 [OUTT[2].first[%i]], %i;
            st.global.u32 [%at], %i;
            ret;
        }
    }

    #[kernel]
    fn types() {
        ptx! {
            let %a: Ptr<Gobal, u32>;
            let %b: Ptr<Global, Nonsense>;
            let %c: E4m3x2;
            let %d: Ptr<Global, Pair>;
            ret;
        }
    }

    #[kernel]
    fn widths() {
        ptx! {
            let %i, %at: u32;
            let %to: Ptr<Shared, u32>;
            mov.u32 %i, %tid.x;
            lea.global.u64 %at, RESULT[%i];
            lea.shared.u64 %to, RESULT[%i];
            ret;
        }
    }

    #[kernel]
    fn attributes(#[read_only] src: Ptr<Global, f32>) {
        ptx! { ret; }
    }
}

fn over(buffer: &CudaBuffer) {
    let _ = A::BYTES;
}

struct CudaBuffer;

fn main() {}
