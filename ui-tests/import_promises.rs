//! The types that are given for pointers, and `#[readonly]`, are promises that the bodies of the file have to keep.

use ptx::prelude::*;

ptx::import!(
    mod fits = "import/polynomial.ptx",
    types(fn horner(#[readonly] x: Ptr<Global, f32>, y: Ptr<Global, f32>, n: u32)),
);
ptx::import!(
    mod read_only = "import/polynomial.ptx",
    types(fn horner(x: Ptr<Global, f32>, #[readonly] y: Ptr<Global, f32>, n: u32)),
);
ptx::import!(
    mod other_types = "import/polynomial.ptx",
    types(fn horner(x: Ptr<Global, f64>, y: Ptr<Global, f64>, n: u32)),
);
ptx::import!(mod one = "import/polynomial.ptx", types(horner.param_0 = Ptr<Global, f64>));

// Bits may be of any type, and of these types nothing is known here.
type Unseen = u32;
ptx::import!(
    mod unknown = "import/polynomial.ptx",
    types(fn horner(x: Ptr<Global, B32>, y: Ptr<Global, Unseen>, n: u32)),
);
// nvcc loads the bits of an integer as a number.
ptx::import!(
    mod bits = "import/polynomial.ptx",
    types(fn horner(x: Ptr<Global, u32>, y: Ptr<Global, i32>, n: u32)),
);
// Vectors copy data of any type, and the alignment is compared at the launch.
ptx::import!(
    mod copied = "import/polynomial.ptx",
    types(fn vectors(x: Ptr<Global, u32>, y: Ptr<Global, V4<u32>>)),
);
ptx::import!(
    mod allowed = "import/polynomial.ptx",
    types(fn horner(x: Ptr<Global, f64>, #[readonly] y: Ptr<Global, f32>, n: u32)),
    allow(A034, A035),
);
ptx::import!(mod unneeded = "import/polynomial.ptx", types(horner.param_0 = Ptr<Global, f32>), allow(A034));

fn main() {}
