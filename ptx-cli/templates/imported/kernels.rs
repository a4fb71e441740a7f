//! Kernels that another compiler wrote.

use ptx::prelude::*;

/// Which elements: the kernel's own struct, whose size and alignment are compared with the file's.
#[derive(PtxType, Clone, Copy, Debug)]
#[repr(C)]
pub struct Range {
    /// The first element.
    pub first: u32,
    /// How many.
    pub count: u32,
}

// The file has numbers and bytes: names and types are given here, once. Its code is checked as any other.
ptx::import!(
    /// `saxpy`, as nvcc compiled it.
    pub mod saxpy = "../kernels/saxpy.ptx",
    types(
        // Adds `a * x + OFFSET` to the elements of `y` in a range.
        #[kernel(
            requires(
                x.len() >= range.first as u64 + range.count as u64,
                y.len() >= range.first as u64 + range.count as u64,
            ),
            grid = range.count.div_ceil(256),
            unsafe(safe_launch),
        )]
        fn saxpy(a: f32, #[readonly] x: Ptr<Global, f32>, y: Ptr<Global, f32>, range: Range),
    ),
);

// A test of the module: the rules, and then ptxas.
ptx::assembles!(saxpy);
