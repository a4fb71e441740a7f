//! Names that are taken, and duplicate arguments.

use ptx::prelude::*;

// `rows` of the file keeps its name unless it is renamed.
ptx::import!(mod taken = "import/kernels.ptx", names(_Z5scalePff = rows, flags = TAPS));
ptx::import!(mod swapped = "import/kernels.ptx", names(rows = flags, flags = rows));
ptx::import!(mod chained = "import/kernels.ptx", names(rows = TAPS, flags = rows));

ptx::import!(mod itself = "import/kernels.ptx", names(rows = self));
ptx::import!(mod wildcard = "import/kernels.ptx", names(rows = _));
ptx::import!(mod edition = "import/kernels.ptx", names(rows = gen));

ptx::import!("import/kernels.ptx");
ptx::import!("import/kernels.ptx");

ptx::import!(
    mod twice = "import/kernels.ptx",
    types(
        fn rows(src: Ptr<Global, B8, U16>, config: _, n: _),
        fn rows(src: _, config: _, n: i32),
        #[kernel(grid = 1)]
        #[kernel(requires(to > 0))]
        fn scale(to: u64, to: f32),
        fn add(b: u32, _: u32),
    ),
);

ptx::import!(mod generic = "import/kernels.ptx", types(fn rows<T>(src: Ptr<Global, T>, config: _, n: _)));
ptx::import!(mod returns = "import/kernels.ptx", types(fn add(a: u32, b: u32) -> u32));

// Names in a contract.
ptx::import!(
    mod contract = "import/kernels.ptx",
    types(
        #[kernel(requires(src.len() >= most, flags < 9), grid = (flags as Count).div_ceil(256))]
        fn rows(src: Ptr<Global, B8, U16>, config: _, flags: _),
    ),
);

fn main() {
    let _ = (taken::rows(), swapped::flags(), swapped::rows.initial(), generic::rows());
}
