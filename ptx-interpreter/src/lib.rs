//! An interpreter of PTX functions, following PTX ISA: each thread has its own registers and control flow.
//! The caller supplies the results of loads and handles stores, with real memory or made-up values.
//!
//! Tests compare the analysis with the interpreter, and the interpreter with a GPU, on programs of `ptx_smith::bodies`; it
//! depends only on `ptx-isa`.

#![allow(missing_docs, reason = "the names of fields say it, and only tests read them")]
#![forbid(unsafe_code)]
#![no_std]

extern crate alloc;

mod arithmetic;
mod blocks;
mod buffers;
mod carries;
mod decode;
mod encode;
mod execution;
mod fields;
mod frame;
mod integer;
pub mod measured;
mod program;

pub use blocks::{WINDOWS, block_of};
pub use buffers::Buffers;
pub use encode::{encode, is_directive};
pub use program::{
    Access, At, Definition, End, Execution, Launch, Load, Moment, NamedBlock, Program, Store,
    Thread,
};
