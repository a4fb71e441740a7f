//! Emission itself does not allocate: neither per declaration nor per byte of a value. What a check allocates grows with
//! what it finds.
#![allow(unsafe_code, reason = "an allocator counts what is allocated")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::{self, Write as _};

use ptx::ir::{Extent, Function, Init, Location, Locations, Mark, Module, Type, Variable};
use ptx::text::Parsed;
use ptx::{ScalarType, Space, Target};

struct Counting;

thread_local! {
    /// Counts this thread only: the test runner has other threads.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is forwarded to the system's allocator, and counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        BYTES.with(|count| count.set(count.get() + layout.size()));
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

/// The bytes that are allocated to check a body with this many findings, each with its place.
fn bytes_to_check(findings: u32) -> usize {
    let mut text = String::from(
        ".version 8.0 .target sm_90a .address_size 64 .visible .entry k() { .shared .align 4 .b8 x[4]; .reg .b32 %r;\n",
    );
    for _ in 0..findings {
        text += "st.shared.u32 [x+4], %r;\n";
    }
    let parsed = Parsed::new(text + "ret; }");
    let mark = |line: u32| Mark {
        statement: line as usize,
        offset: 0,
        place: Location { file: "a.rs", line: line + 1, column: 1 },
    };
    let (files, table) = Locations::encode((0..findings + 2).map(mark));
    let places = &Locations::new(&files, &table);
    let function = Function { places, ..*parsed.module().functions[0] };
    let module = Module { source: None, functions: &[&function], ..*parsed.module() };
    let before = BYTES.get();
    let found = ptx::Module::new(module).check();
    let bytes = BYTES.get() - before;
    let is_placed = |found: &ptx::Finding<'_>| found.location().is_some_and(|it| it.line > 2);
    assert_eq!(found.iter().filter(|found| is_placed(found)).count(), findings as usize);
    let mut shown = String::new();
    let before = BYTES.get();
    for found in &found {
        writeln!(shown, "{found}").expect("a string takes all");
    }
    bytes + BYTES.get() - before
}

#[test]
fn findings_of_a_body_do_not_read_it_again() {
    let (few, many) = (bytes_to_check(300), bytes_to_check(1_200));
    assert!(many < 6 * few, "four times the findings take {many} bytes instead of {few}");
}
