//! Fragments for another crate.
use ::gpu::prelude::*;

/// All lanes of a warp.
const ALL: u32 = 0xffff_ffff;

/// The value of the lane whose number differs in these bits.
#[::gpu::fragment]
pub fn exchange(x: Reg<f32>, bits: u32) -> Reg<f32> {
    const LAST: u32 = 31;
    ptx! { shfl.sync.bfly.b32 returned, x, bits, #(LAST), #(ALL); }
}

/// The sum of a warp, and half of it.
#[::gpu::fragment(returns(sum, half))]
pub fn sum(x: Reg<f32>) -> (Reg<f32>, Reg<f32>) {
    ptx! {
        let %other: f32;
        mov.f32 sum, x;
        for bits in [16, 8, 4, 2, 1] {
            exchange %other, sum, bits;
            add.f32 sum, sum, %other;
        }
        mul.f32 half, sum, #(0.5_f32);
    }
}

/// Waits until the phase of an mbarrier is over.
#[::gpu::fragment]
pub fn wait(bar: &Mbarrier, phase: Reg<u32>) {
    ptx! {
        .reg .pred %done;
    AGAIN:
        mbarrier.try_wait.parity.shared.b64 %done, [bar], phase;
        @!%done bra AGAIN;
    }
}

/// The larger of two numbers, times a constant.
#[::gpu::fragment]
pub fn larger<T, const TIMES: u32>(x: Reg<T>, y: Reg<T>) -> Reg<T> {
    const MORE: u32 = 2;
    ptx! {
        max.T returned, x, y;
        if TIMES > 1 { mul.lo.T returned, returned, #(TIMES * MORE); }
    }
}

/// Multiplies registers by a number.
#[::gpu::fragment]
pub fn scale(all: &mut Reg<[f32; 4]>, by: Reg<f32>) {
    ptx! { for i in 0..4 { mul.f32 all[i], all[i], by; } }
}
