#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings)]

use ::ptx::prelude::*;

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Config {
    gain: f32,
    offset: u32,
}

#[::ptx::module(target = sm_90a, version = 8.6)]
pub mod m {
    use super::*;

    #[constant]
    pub static TAPS: [f32; 3] = [0.25, 0.5, 0.25];
    #[constant]
    pub static CONFIG: Config = Config { gain: 1.0, offset: 2 };
    #[global]
    pub static COUNT: u32;
    #[shared(align = 128)]
    static ROW: [V4<f32>; 8];
    #[shared(dynamic)]
    static SCRATCH: [V2<f32>];

    #[kernel(maxntid = 128)]
    pub fn rows(src: Ptr<Global, V4<f32>>, config: Config, n: u32) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %rd<2>;
            ld.param.u64 %rd0, [src];
            ld.param.u32 %r0, [config + #(offset_of!(Config, offset))];
            ld.param.u32 %r1, [n];
            mov.b32 %r2, ROW;
            mov.b32 %r3, SCRATCH;
            ret;
        }
    }
}

// Handles can be read in constant code, and names of kernels stay free for variables.
const BYTES: usize = m::TAPS.bytes() + m::CONFIG.bytes();
const MIDDLE: f32 = match m::TAPS.initial() {
    ::core::option::Option::Some(taps) => taps[1],
    ::core::option::Option::None => 0.0,
};

fn main() {
    use m::*;
    let rows = 3;
    ::core::assert!(BYTES == 20 && MIDDLE == 0.5 && rows == 3);
    ::core::assert!(m::rows().name().len() == 4 && m::rows().param_bytes() == 20);
    ::core::assert!(::core::matches!(COUNT.initial(), ::core::option::Option::None));
}
