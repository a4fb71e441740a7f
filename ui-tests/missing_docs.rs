//! `missing_docs` reports only the user's items of a module.

#![deny(missing_docs)]

/// What a module needs.
pub mod documented {
    use ptx::prelude::*;

    #[tensor_map(element = bf16, box = [64, 8], swizzle = B128)]
    pub struct Map;

    #[ptx::padded]
    #[derive(PtxType)]
    #[repr(C)]
    pub struct Config {
        /// Documented.
        pub rounds: u8,
        pub scale: f64,
    }

    #[ptx::module(target = sm_90a)]
    pub mod storage {
        use super::*;

        #[constant]
        pub static CONFIG: Config;

        #[shared]
        pub static TILE: Tile<Map>;

        #[device]
        pub fn twice(x: Reg<f32>) -> Reg<f32> {
            ptx! { add.f32 returned, x, x; ret; }
        }

        #[kernel]
        pub fn kernel(n: u32) {
            ptx! { ret; }
        }
    }
}

fn main() {}
