//! Files that do not exist, or are not PTX.

const PATH: &str = "import/kernels.ptx";

ptx::import!("import/kernel.ptx");
ptx::import!(mod none = "none/at/all.ptx");
ptx::import!("import");
ptx::import!("");
ptx::import!("..");
ptx::import!(mod cubin = "import/kernels.cubin");
ptx::import!("import/latin1.ptx");
ptx::import!("import/empty.ptx");
ptx::import!(mod named = PATH);
ptx::import!(mod number = 12);
ptx::import!(mod unset = env!("NO_SUCH_VARIABLE_IS_SET"));
ptx::import!("import/large.ptx");

fn main() {
    let _ = (&kernel::MODULE, &none::MODULE, &latin1::MODULE, latin1::x.initial(), large::MODULE.check());
}
