use ptx::prelude::*;

#[ptx::tensor_map(element = f32, box = [32, 8], swizzle = B128)]
pub struct A;

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Stages {
    pub a: [Tile<A>; 2],
    pub full: [Mbarrier; 2],
    pub count: u32,
    pub r#type: u32,
}

pub mod inner {
    #[derive(Clone, Copy, PtxType)]
    #[repr(C)]
    pub struct Ring {
        pub half: [f16; 2],
        pub points: [super::Point; 2],
    }
}

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Point(pub f32, pub f32);

pub struct Plain {
    pub a: u32,
}

#[repr(C)]
pub struct Around {
    pub plain: [Plain; 2],
}

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Small(pub u64);
