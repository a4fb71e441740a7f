//! A module from a macro, surrounded by the user's names.

use ptx::prelude::*;

#[derive(PtxType, Clone, Copy)]
#[repr(C)]
pub struct Config {
    a: [u64; 2],
    b: [u32; 2],
}

macro_rules! imported {
    ($name:ident, $path:literal, $ty:ty) => {
        ptx::import!(
            /// A module of this name.
            pub mod $name = $path,
            types(rows.config = $ty),
        );
    };
}

imported!(first, "../import/kernels.ptx", Config);

// A struct with the name of an item that modules have.
mod inner {
    pub(super) struct Loaded;

    ptx::import!(pub(super) mod second = "../import/kernels.ptx");

    pub(super) fn loaded() -> Loaded {
        Loaded
    }
}

// Paths that start in this module or a parent.
mod paths {
    use ptx::prelude::*;

    pub(super) type Same = super::Config;
    pub(super) const MOST: u32 = 8;

    ptx::import!(
        mod here = "../import/kernels.ptx",
        types(
            #[kernel(requires(n <= self::MOST), grid = super::BLOCKS)]
            fn rows(src: Ptr<Global, V4<f32>>, config: self::Same, n: u32),
        ),
    );
    ptx::import!(mod above = "../import/kernels.ptx", types(rows.config = super::Config));

    pub(super) fn handles() -> bool {
        here::rows().param_bytes() == above::rows().param_bytes()
    }
}

const BLOCKS: u32 = 4;

// A module in a function.
fn third() -> &'static str {
    ptx::import!("../import/kernels.ptx");
    kernels::rows().name()
}

fn main() {
    const SCALE: ptx::Kernel<(u64, f32)> = inner::second::scale();
    let _ = (first::rows(), inner::loaded(), third(), SCALE, BLOCKS, paths::MOST);
    assert!(paths::handles());
}
