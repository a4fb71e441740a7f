//! Types that the user gives to bytes, bits and addresses of PTX.

use ptx::prelude::*;

#[derive(PtxType)]
#[repr(C)]
pub struct Config {
    a: u64,
    b: u64,
    c: u32,
}

#[derive(PtxType)]
#[repr(C)]
pub struct Narrow {
    a: [u32; 6],
}

pub struct Foreign;

// The default types.
ptx::import!(
    mod right = "import/kernels.ptx",
    types(
        TAPS = [f32; 5],
        smem = [V4<f32>],
        flags = [i32; 4],
        fn rows(#[readonly] src: Ptr<Global, V4<f32>>, config: [u64; 3], n: _),
        scale.param_0 = Ptr<Global, f32>,
        add.a = i32,
    ),
);

// Other sizes and alignments.
ptx::import!(
    mod sizes = "import/kernels.ptx",
    types(
        TAPS = [f32; 4],
        flags = V4<u32>,
        smem = [Aligned<[f32; 8], U32>],
        rows.src = Ptr<Shared, f32>,
        rows.config = Narrow,
        rows.n = [B8],
        scale.param_1 = f64,
    ),
);

ptx::import!(mod padded = "import/kernels.ptx", types(rows.config = Config));
ptx::import!(mod low = "import/kernels.ptx", types(rows.src = Ptr<Global, f32>));
ptx::import!(mod foreign = "import/kernels.ptx", types(rows.config = Foreign));
ptx::import!(mod unknown = "import/kernels.ptx", types(rows.config = Confg));

// Other names.
ptx::import!(
    mod names = "import/kernels.ptx",
    types(
        TAP = u32,
        rows.confg = u32,
        rows = u32,
        TAPS.first = f32,
        TAPS = [f32; 5],
        TAPS = [u32; 5],
        image = u32,
        lane = u32,
        flags = #[readonly] [u32; 4],
        rows.n = #[readonly] u32,
        fn scales(to: u64, by: f32),
        #[kernel(maxntid = 32)]
        fn scale(to: u64, by: f32),
        #[kernel(requires(a > 0))]
        fn add(a: u32, b: u32),
    ),
);

fn main() {
    let _ = (right::rows(), sizes::rows(), names::rows());
}
