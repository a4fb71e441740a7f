//! Mistakes on the host: those that do not compile, and those that are an `Err` before anything runs.
//! Needs the feature `cuda`; tests that need a GPU are skipped, with a line that says so, where there is none.
#![allow(unsafe_code, reason = "an allocator counts, and launches without a contract are unsafe")]
#![allow(unused_variables, dead_code)] // kernels that are only launched
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

mod cache;
mod cubins;
#[path = "../device/mod.rs"]
mod device;
mod errors;
mod faults;
mod graphs;
mod libraries;
mod links;
mod managed;
mod order;
mod targets;
mod unchecked;
mod works;

/// Mistakes that do not compile. This test needs no driver.
#[test]
fn ui() {
    let programs = tests::Ui::new()
        .pass("tests/launch/ui/pass/*.rs")
        .pass("docs/diagnostics/*/host_mended.rs")
        .fail("tests/launch/ui/*.rs")
        .fail("docs/diagnostics/*/host.rs");
    programs.run("launch", &(tests::Project::ptx(&["cuda"]) + tests::Project::CUDARC));
}

/// The system's allocator, with a count of the allocations of each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The number of allocations of this thread.
fn allocations() -> usize {
    ALLOCATIONS.with(Cell::get)
}

// SAFETY: every call is forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // In a thread that ends, the counter may already be destroyed.
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
