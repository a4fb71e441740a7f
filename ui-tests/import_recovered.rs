//! A misspelt name, or a signature with a wrong number of parameters, is one error: no other follows from it.

use ptx::prelude::*;

ptx::import!(
    mod function = "import/polynomial.ptx",
    types(
        #[kernel(requires(x.len() >= n, y.len() >= n))]
        fn honer(#[readonly] x: Ptr<Global, f32>, y: Ptr<Global, f32>, n: u32),
    ),
);
ptx::import!(
    mod parameter = "import/polynomial.ptx",
    types(
        #[kernel(requires(y.len() >= n))]
        fn horner(y: Ptr<Global, f32>, n: u32),
    ),
);
ptx::import!(
    mod another = "import/polynomial.ptx",
    types(fn horner(x: Ptr<Global, f32>, y: _, n: _, more: f64)),
);
ptx::import!(mod not_a_function = "import/polynomial.ptx", types(fn coefficients(n: u32)));
ptx::import!(mod named = "import/polynomial.ptx", names(coeficients = TAPS, honer = polynomial));
ptx::import!(mod variable = "import/polynomial.ptx", types(coefficient = [[f32; 2]; 2]));
ptx::import!(mod typed = "import/polynomial.ptx", types(honer.horner_param_2 = i32));

fn main() {
    let _: ptx::Kernel<(Ptr<Global, f32>, Ptr<Global, f32>, u32)> = function::horner();
    let _: ptx::Kernel<(Ptr<Global, f32>, u32)> = parameter::horner();
    let _: ptx::Kernel<(Ptr<Global, f32>, u64, u32, f64)> = another::horner();
    let _: Option<&[f32; 4]> = named::TAPS.initial();
    let _ = named::polynomial();
    let _: Option<&[[f32; 2]; 2]> = variable::coefficients.initial();
    let _: ptx::Kernel<(u64, u64, i32)> = typed::horner();
}
