#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static TILE: [f32; 10_000];
    #[shared(dynamic)]
    static STAGES: [f32; 58_000];

    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %f;
            ld.shared.f32 %f, [TILE];
            st.shared.f32 [STAGES], %f;
            ret;
        }
    }
}

fn main() {}
