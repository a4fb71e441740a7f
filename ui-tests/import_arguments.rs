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
// The habits of `use`, of Rust's items, and of C.
ptx::import!("import/kernels.ptx", pub mod k);
ptx::import!("import/kernels.ptx" as l);
ptx::import!(mod m = "import/kernels.ptx", types(rows(a: u64)));
ptx::import!(mod n = "import/kernels.ptx", types(static TAPS: [f32; 5]));
ptx::import!(mod o = "import/kernels.ptx", types(fn rows(a: u64) { ptx! { ret; } }));

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
