//! Device functions for another crate.
use ::gpu::prelude::*;

/// Functions, and what they need.
#[::gpu::module(target = sm_80)]
pub mod numbers {
    use super::*;

    /// Added to each number.
    #[constant]
    pub static STEPS: [f32; 4] = [1.0, 2.0, 3.0, 4.0];

    #[shared]
    static LAST: [f32; 32];

    /// Which step.
    const STEP: usize = 1;

    #[device]
    fn step(x: Reg<f32>) -> Reg<f32> {
        ptx! {
            .reg .f32 %step;
            ld.const.f32 %step, [STEPS + #(STEP * size_of::<f32>())];
            add.f32 returned, x, %step;
            ret;
        }
    }

    /// A number with two steps added.
    #[device]
    pub fn two_steps(x: Reg<f32>) -> Reg<f32> {
        ptx! {
            st.shared.f32 [LAST], x;
            call (returned), step, (x);
            call (returned), step, (returned);
            ret;
        }
    }

    /// A function that calls itself.
    #[device]
    #[unsafe(export_name = "count$down")]
    pub fn count_down(n: Reg<u32>) -> Reg<u32> {
        ptx! {
            .reg .pred %p;
            .reg .b32 %n;
            mov.u32 returned, 0;
            setp.eq.u32 %p, n, 0;
            @%p ret;
            sub.u32 %n, n, 1;
            call (returned), count_down, (%n);
            ret;
        }
    }
}

/// A number with four steps added.
#[::gpu::fragment]
pub fn four_steps(x: Reg<f32>) -> Reg<f32> {
    ptx! {
        call (returned), numbers::two_steps, (x);
        call.uni (returned), numbers::two_steps, (returned);
    }
}
