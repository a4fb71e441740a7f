//! Wrong place expressions that rustc reports.
#![allow(unused)]
use ptx::prelude::*;

mod other {
    pub const ROUNDS: usize = 3;
    pub const IS_WIDE: bool = false;
}

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    const STAGES: usize = 4;
    const ROUNDS: usize = 2;
    const IS_WIDE: bool = ROUNDS > 1;

    #[derive(PtxType)]
    #[repr(C)]
    struct Stages {
        rows: [[f32; 33]; 32],
        full: [Mbarrier; STAGES],
    }

    #[shared]
    static SMEM: Stages;
    #[constant]
    static TAPS: [f32; 5] = [1.0; 5];

    #[derive(PtxType, Clone, Copy)]
    #[repr(C)]
    pub struct Image {
        data: Ptr<Global, f32>,
        width: u32,
        height: u32,
    }

    #[kernel]
    fn element() {
        ptx! {
            .reg .f32 %f;
            ld.const.f32 %f, [TAPS[5]];
            ret;
        }
    }

    #[kernel]
    fn of_field() {
        ptx! {
            mbarrier.init.shared.b64 [SMEM.full[STAGES]], 1;
            ret;
        }
    }

    #[kernel]
    fn in_a_loop() {
        ptx! {
            .reg .f32 %f;
            for i in 31..33 { ld.shared.f32 %f, [SMEM.rows[i][0]]; }
            ret;
        }
    }

    /// Not the constant that the macro sees.
    #[kernel]
    fn taken() {
        use super::other::{IS_WIDE, ROUNDS};
        ptx! {
            .reg .b32 %x;
            for i in 0..ROUNDS { mov.b32 %x, i; }
            if IS_WIDE { mov.b32 %x, 1; }
            ret;
        }
    }

    #[kernel]
    fn field(image: Image) {
        ptx! {
            .reg .b32 %w, %x;
            mbarrier.init.shared.b64 [SMEM.fulll[0]], 1;
            ld.param.u32 %w, [image.witdh];
            ret;
        }
    }

    #[kernel]
    fn width(image: Image) {
        ptx! {
            .reg .f32 %w;
            ld.param.f32 %w, [image.width];
            add.f32 %w, %w, %w;
            ret;
        }
    }

    #[kernel]
    fn space(src: Ptr<Shared, f32>) {
        ptx! {
            .reg .b32 %i;
            .reg .b64 %p;
            lea.global.u64 %p, SMEM.full[%i];
            lea.global.u64 %p, src[%i];
            lea.shared.u32 %i, SMEM.full;
            lea.shared.u32 %i, SMEM[%i];
            ret;
        }
    }
}

fn main() {}
