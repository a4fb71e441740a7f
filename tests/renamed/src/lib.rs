//! A user who calls `ptx` something else in `Cargo.toml`, and has no prelude.
#![no_implicit_prelude]

use ::gpu::prelude::*;

/// A struct of their own.
#[derive(Clone, Copy, Debug, PtxType)]
#[repr(C)]
pub struct Config {
    /// Multiplies.
    pub gain: f32,
    /// Counts.
    pub count: u32,
}

/// A module of their own.
#[::gpu::module(target = sm_90a)]
pub mod storage {
    use super::*;

    /// A constant.
    #[constant]
    pub static CONFIG: Config = Config { gain: 0.5, count: 3 };

    /// A kernel.
    #[kernel(maxntid = 32)]
    #[allow(unused_variables)]
    pub fn kernel(n: u32, config: Config) {
        ptx! {
            .reg .b32 %r;
            ld.const.u32 %r, [CONFIG + #(offset_of!(Config, count))];
            ret;
        }
    }
}

#[cfg(test)]
#[test]
fn the_module_is_there() {
    let text = ::std::string::ToString::to_string(&storage::MODULE);
    ::std::assert!(text.contains(".visible .const .align 4 .b8 CONFIG[8]"), "{text}");
}
