//! Mistakes of the host's side: what does not compile, and what is an `Err` before anything runs.
//! Needs the feature `cuda`; what needs a GPU says so where there is none.
#![allow(unsafe_code, reason = "an allocator counts, and launches without a contract are unsafe")]
#![allow(unused_variables, dead_code)] // kernels that are only launched
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

#[path = "../device/mod.rs"]
mod device;
mod errors;
mod unchecked;
mod works;

/// What does not compile. No driver is needed for it.
#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    // A case that passes makes the others be built, not only checked.
    cases.pass("tests/launch/ui/pass/*.rs");
    cases.compile_fail("tests/launch/ui/*.rs");
}

/// The system's allocator, which counts the allocations of each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// How often this thread has allocated.
fn allocations() -> usize {
    ALLOCATIONS.with(Cell::get)
}

// SAFETY: the system's, whose answers are passed on.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that ends may be past its counter.
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
