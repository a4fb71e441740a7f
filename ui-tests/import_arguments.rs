//! The arguments of the macro.

ptx::import!();
ptx::import!(pub "import/kernels.ptx");
ptx::import!(mod kernels "import/kernels.ptx");
ptx::import!(mod a = "import/kernels.ptx", type(TAPS = u32));
ptx::import!(mod b = "import/kernels.ptx" names(x = y));
ptx::import!(mod c = "import/kernels.ptx", names(rows));
ptx::import!(mod d = "import/kernels.ptx", names(rows = match));
ptx::import!(mod e = "import/kernels.ptx", types(TAPS));
ptx::import!(mod f = "import/kernels.ptx", types(#[inline] rows.n = u32));
ptx::import!(mod g = "import/kernels.ptx", types(fn rows));
ptx::import!(mod h = "import/kernels.ptx", types(fn rows(a: u64, b, c: u32)));
ptx::import!(mod i = "import/kernels.ptx", types(), types());
ptx::import!(mod j = "import/kernels.ptx", crate = ptx, 12);

ptx::import!(
    mod names = "import/kernels.ptx",
    names(
        row = r,
        scale = MODULE,
        rows = columns,
        rows = lines,
        flags = columns,
        whatever_that_is = x,
    ),
);

fn main() {
    let _ = (i::rows(), j::rows(), names::columns());
}
