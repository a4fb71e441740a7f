//! The kernels: storage and parameters are Rust, bodies are PTX.

use ptx::prelude::*;

/// Arithmetic on vectors.
#[ptx::module(target = sm_80)]
pub mod vector {
    use super::*;

    /// The threads of a block.
    pub const BLOCK: u32 = 256;

    /// What every number is multiplied by; the host may replace it before a launch.
    #[constant]
    pub static FACTOR: f32 = 2.0;

    /// Multiplies the first `n` numbers of `data` by `FACTOR`, in place.
    #[kernel(
        reqntid = BLOCK,
        requires(data.len() >= n),  // checked at each launch
        grid = n.div_ceil(BLOCK),   // so a launch need not give it
        unsafe(safe_launch),        // the author vouches for the rest of the body
    )]
    pub fn scale(data: Ptr<Global, f32>, n: u32) {
        ptx! {
            let %outside: bool;
            let %i, %block, %n: u32;
            let %at: Ptr<Global, f32>;
            let %x, %factor: f32;

            mov.u32 %i, %tid.x;
            mov.u32 %block, %ctaid.x;
            mad.lo.u32 %i, %block, #(BLOCK), %i;
            ld.param.u32 %n, [n];
            setp.ge.u32 %outside, %i, %n;
            @%outside ret;

            lea.global.u64 %at, data[%i];
            ld.global.f32 %x, [%at];
            ld.const.f32 %factor, [FACTOR];
            mul.f32 %x, %x, %factor;
            st.global.f32 [%at], %x;
            ret;
        }
    }
}

// A test of the module: the rules with every constant known, and then ptxas.
ptx::assembles!(vector);
