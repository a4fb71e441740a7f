#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings)]
#![allow(unused_variables, dead_code)] // only declared

use ::ptx::prelude::*;

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Config {
    gain: f32,
    offset: u32,
}

#[::ptx::module(target = sm_90a, texmode = independent)]
pub mod more {
    use ::ptx::prelude::*;

    #[global]
    static TABLE: [f32; 3] = [0.25, 0.5, 0.25];
    #[global]
    pub static POINTERS: [Ptr<Generic, f32>; 2] = [generic(TABLE), generic(TABLE) + 4];
    #[global]
    static BYTES: [u8; 2] = [mask(0xFF, addr(TABLE)), mask(0xFF00, 1000)];
    #[constant]
    static OPERATIONS: [u64; 1] = [addr(twice)];
    #[global]
    static TEX: TexRef = TexRef::new().width(64);
    #[global]
    static SAMPLER: SamplerRef;
    #[shared]
    static TILE: Family<V3<f32>, 4>;
    #[global(unified(1, 2))]
    #[unsafe(export_name = "unified$name")]
    pub static UNIFIED: E4M3x4;

    #[device(returns(out))]
    pub fn twice(x: Reg<f32>, pair: [f32; 2]) -> Reg<f32> {
        ptx! {
            add.f32 out, x, x;
            ret;
        }
    }

    #[kernel]
    fn calls(tex: TexRef, n: Ptr<Generic, f32>) {
        ptx! {
            .reg .f32 %f<4>;
            .reg .b32 %r;
            .param .align 4 .b8 pair[#(size_of::<[f32; 2]>())];
            st.param.f32 [pair], #(0.5_f32);
            st.param.f32 [pair + 4], #(0.5_f32);
            call (%f0), twice, (1.0, pair);
            st.shared.f32 [TILE3 + 4], %f0;
            ld.global.b32 %r, [UNIFIED].unified;
            ret;
        }
    }
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

// Handles can be used in constants, and names of kernels can also be used for variables.
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
    ::core::assert!(more::POINTERS.bytes() == 16 && more::twice().params().len() == 2);
    ::core::assert!(::core::matches!(COUNT.initial(), ::core::option::Option::None));
}
