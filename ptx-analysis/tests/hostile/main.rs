//! Bodies that nobody writes, and a text may have all the same: they are judged without a panic, in the
//! stack of a thread, in memory and in steps that grow as they do.
#![allow(unsafe_code, reason = "an allocator counts what is allocated")]

mod cases;
mod source;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use ptx_analysis::check_module;

struct Counting;

thread_local! {
    /// How often something was allocated, how many bytes are, and the most that were, on this thread.
    static COUNTS: Cell<(usize, isize, isize)> = const { Cell::new((0, 0, 0)) };
}

/// Notes that so many bytes more are allocated.
fn count(times: usize, bytes: isize) {
    COUNTS.with(|counts| {
        let (all, now, most) = counts.get();
        counts.set((all + times, now + bytes, most.max(now + bytes)));
    });
}

fn signed(bytes: usize) -> isize {
    isize::try_from(bytes).unwrap_or(isize::MAX)
}

// SAFETY: hands everything on to the system's allocator, and counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, signed(layout.size()));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(1, signed(size) - signed(layout.size()));
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, -signed(layout.size()));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many statements, names, blocks and the like a case has.
const MANY: usize = if cfg!(debug_assertions) { 3_000 } else { 50_000 };

/// How often something may be allocated for each byte of the text.
const MOST_ALLOCATIONS: usize = 8;

/// How many bytes may be allocated at once for each byte of the text. Statements of ten bytes take the
/// most; what compilers write takes a third.
const MOST_BYTES: usize = 180;

#[test]
fn what_nobody_writes_is_judged_in_bounds() {
    let mut failures = Vec::new();
    for case in cases::all(MANY) {
        let bytes: usize = case.functions.iter().map(|it| it.body.len() + it.name.len() + 20).sum();
        let functions: &'static [source::Source] = Box::leak(case.functions.into());
        let module = source::module(functions);
        let (before, start, _) = COUNTS.get();
        COUNTS.set((before, start, start));
        let found = check_module(&module).len();
        let (allocations, _, most) = COUNTS.get();
        let (allocations, most) = (allocations - before, (most - start).unsigned_abs());
        let name = case.name;
        if allocations > bytes * MOST_ALLOCATIONS {
            failures.push(format!("{name}: {allocations} allocations for {bytes} bytes"));
        }
        if most > bytes * case.most_bytes.unwrap_or(MOST_BYTES) {
            failures.push(format!("{name}: {} bytes for each of {bytes}", most / bytes));
        }
        if found != case.found {
            failures.push(format!("{name}: {found} findings, not {}", case.found));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
