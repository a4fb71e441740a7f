//! An interpreter of PTX functions, following PTX ISA: each thread has its own registers and control flow.
//! The caller supplies the results of loads and handles stores, with real memory or made-up values.
//!
//! Beside it stands a generator of programs. Tests compare the analysis with the interpreter, and the interpreter
//! with a GPU; it depends only on `ptx-isa`.

#![allow(missing_docs, reason = "the names of fields say it, and only tests read them")]
#![forbid(unsafe_code)]
#![no_std]

extern crate alloc;

mod accesses;
mod arithmetic;
mod blocks;
mod callees;
mod carries;
mod choices;
mod clusters;
mod computations;
mod counted_loops;
mod decode;
mod encode;
mod execution;
mod fields;
mod frame;
mod integer;
pub mod measured;
mod program;
mod programs;
mod signatures;
mod sums;
mod writer;

pub use blocks::{WINDOWS, block_of};
pub use choices::{Choices, mixed};
pub use encode::{encode, is_directive};
pub use program::{
    Access, At, Definition, End, Execution, Launch, Load, Moment, NamedBlock, Program, Store,
    Thread,
};
pub use programs::{Features, computing, computing_function, exchanging, function, kernel, wild};
pub use signatures::{CALLEES, Callee, Formal};
pub use writer::{ARRAYS, Array, REGISTERS, SHARED};
