//! Types that `#[ptx::padded]` does not accept.

use ptx::prelude::*;

#[ptx::padded]
#[derive(PtxType)]
#[repr(C)]
struct Generic<T> {
    x: u8,
    y: T,
}

#[ptx::padded]
#[derive(PtxType)]
#[repr(C)]
struct Tuple(u8, u32);

#[ptx::padded(4)]
#[derive(PtxType)]
#[repr(C)]
struct Argument {
    x: u32,
}

#[ptx::padded]
#[derive(PtxType)]
struct Unordered {
    x: u32,
}

#[derive(PtxType)]
#[ptx::padded]
#[repr(C)]
struct Below {
    x: u8,
    y: u32,
}

#[ptx::padded]
#[derive(PtxType)]
#[repr(C)]
struct Conditional {
    #[cfg(debug_assertions)]
    x: u8,
    y: u32,
}

#[ptx::padded]
enum Either {
    X,
}

/// A value does not leave the padding out.
#[ptx::padded]
#[derive(PtxType)]
#[repr(C)]
struct Left {
    x: u8,
    y: u32,
}

const LEFT: Left = Left { x: 1, y: 2 };

fn main() {}
