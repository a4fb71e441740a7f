//! An interpreter of PTX functions, following PTX ISA: each thread has its own registers and control flow.
//! The caller supplies the results of loads and handles stores, with real memory or made-up values.
//!
//! Tests compare the analysis with it, and compare it with a GPU; it depends only on `ptx-isa`.

#![allow(dead_code, unused_imports)] // each of both tests needs another part

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
pub(crate) mod measured;
mod program;
mod programs;
mod signatures;
mod sums;
mod writer;

pub(crate) use blocks::{WINDOWS, block_of};
pub(crate) use choices::{Choices, mixed};
pub(crate) use encode::{encode, is_directive};
pub(crate) use program::{
    Access, At, Definition, End, Execution, Launch, Load, Moment, NamedBlock, Program, Store,
    Thread,
};
pub(crate) use programs::{
    Features, computing, computing_function, exchanging, function, kernel, wild,
};
pub(crate) use signatures::{CALLEES, Callee, Formal};
pub(crate) use writer::{ARRAYS, Array, REGISTERS, SHARED};
