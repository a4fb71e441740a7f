use ptx::prelude::*;

pub const STAGES: usize = 2;

/// An image in global memory.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Image {
    pub data: Ptr<Global, f32>,
    pub width: u32,
    pub height: u32,
}

/// Tiles, and the barriers on which the copies to them arrive.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Ring {
    pub tiles: [[V4<f32>; 16]; STAGES],
    pub full: [Mbarrier; STAGES],
}
