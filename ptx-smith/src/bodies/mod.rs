//! Bodies whose result can be computed: straight code, counted loops, branches, calls, and exchanges in a cluster, all of
//! which end. A seed, or a list of choices that a test can shrink, decides what they are.

mod accesses;
mod callees;
mod choices;
mod clusters;
mod computations;
mod counted_loops;
mod kernel;
mod programs;
mod signatures;
mod sums;
mod writer;

pub use choices::{Choices, mixed};
pub(crate) use kernel::module;
pub use kernel::{BLOCK, SHOWN, THREADS, Variant, WORDS, items, launched, shown};
pub use programs::{Features, computing, computing_function, exchanging, function, kernel, wild};
pub use signatures::{CALLEES, Callee, Formal};
pub use writer::{ARRAYS, Array, REGISTERS, SHARED};
