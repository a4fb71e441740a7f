//! A user who renames `ptx` in `Cargo.toml` and does not import the prelude.
#![no_implicit_prelude]

use ::gpu::prelude::*;

pub mod fragments;
pub mod functions;

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

/// A struct whose padding is filled.
#[::gpu::padded]
#[derive(Clone, Copy, Debug, PtxType)]
#[repr(C)]
pub struct Gaps {
    /// One byte.
    pub gain: u8,
    /// After seven bytes of padding.
    pub count: u64,
}

/// Modules and their tests from a macro.
macro_rules! assembled {
    ($name:ident, $ty:ty, $most:expr) => {
        /// A module.
        #[::gpu::module(target = sm_80)]
        pub mod $name {
            use super::*;

            /// A constant.
            #[constant]
            pub static VALUE: $ty = Gaps { gain: 1, count: 2, ..Gaps::PADDING };

            /// A kernel.
            #[kernel]
            pub fn kernel() {
                ptx! { ret; }
            }
        }

        ::gpu::assembles!($name => [sm_90a] where registers <= $most, spills = 0);
    };
}

assembled!(gaps, Gaps, 255);
::gpu::assembles!(storage where registers < 256);
