//! Emission itself does not allocate: neither per declaration nor per byte of a value.
#![allow(unsafe_code, reason = "an allocator counts what is allocated")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt;

use ptx::ir::{Extent, Init, Module, Type, Variable};
use ptx::{ScalarType, Space, Target};

struct Counting;

thread_local! {
    /// Counts this thread only: the test runner has other threads.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is forwarded to the system's allocator, and counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Counts what is written, and discards it.
#[derive(Default)]
struct Length(usize);

impl fmt::Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

#[test]
fn emission_allocates_nothing() {
    let bytes: Vec<u8> = (0..1 << 16).map(|i: u32| (i % 251) as u8).collect();
    let types = [
        Type::Array(Extent::Known(1 << 14), &Type::Scalar(ScalarType::F32)),
        Type::Array(Extent::Known(1 << 16), &Type::Scalar(ScalarType::U8)),
        Type::Array(Extent::Known(1 << 12), &Type::Vector(4, ScalarType::B32)),
    ];
    let variables: Vec<Variable<'_>> = (0..1000)
        .map(|i| {
            let init = if i < 3 { Init::Bytes(&bytes) } else { Init::None };
            Variable { init, ..Variable::new(Space::Global, "name", &types[i % 3]) }
        })
        .collect();
    let variables: Vec<&Variable<'_>> = variables.iter().collect();
    let module = Module { variables: &variables, ..Module::new("m", Target::Sm90a) };
    let mut length = Length::default();
    let before = ALLOCATIONS.get();
    ptx::emit::write(&module, &mut length).expect("counting never fails");
    let allocations = ALLOCATIONS.get() - before;
    assert_eq!(allocations, 0);
    assert!(length.0 > 500_000, "{}", length.0);
}
