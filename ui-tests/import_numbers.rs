//! Numbers of one kind that are given the type of another.

use ptx::prelude::*;

#[derive(PtxType)]
#[repr(C)]
pub struct Words {
    a: [u32; 4],
}

// Bits can be anything, the host chooses signedness, and small floats are integers to C++.
ptx::import!(
    mod right = "import/numbers.ptx",
    types(
        taps = [B32; 4],
        halves = V2<F16x2>,
        words = Words,
        small = [bf16; 2],
        count = E4M3x4,
        pairs = [V2<f32>; 2],
        rows = [B32],
        scale.n = i32,
    ),
);

ptx::import!(
    mod numbers = "import/numbers.ptx",
    types(count = f32, scale.n = f32, scale.by = u32, scale.to = f64),
);
ptx::import!(
    mod elements = "import/numbers.ptx",
    types(taps = Words, halves = [bf16; 4], words = [f64; 2], rows = [i32]),
);

fn main() {
    let _ = (right::scale(), numbers::scale(), elements::scale());
}
