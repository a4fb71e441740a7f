//! Generic kernels and functions: their lists, their instances, and what is wrong in some of these.
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod lists {
    use super::*;

    #[kernel(for(T in [f32, String]))]
    fn no_suffix(dst: Ptr<Global, T>) {
        ptx! { ret; }
    }

    #[kernel(for(N in [64, 128]))]
    fn no_type() {
        ptx! { ret; }
    }

    #[kernel(for(N: u32 in [WIDTH]))]
    fn no_number() {
        ptx! { ret; }
    }

    #[kernel(for(T in []))]
    fn nothing() {
        ptx! { ret; }
    }

    #[kernel(for(T in [f32], T in [f16]))]
    fn twice() {
        ptx! { ret; }
    }

    #[kernel(for(T of [f32]))]
    fn no_list() {
        ptx! { ret; }
    }

    #[kernel(for(N: u32 in [1, 2]))]
    #[unsafe(export_name = "k")]
    fn named() {
        ptx! { ret; }
    }

    #[kernel(for(n: u32 in [1, 2]))]
    fn small() {
        ptx! { ret; }
    }

    /// What hides a parameter.
    #[kernel(for(N: u32 in [1, 2]))]
    fn hides(N: f32) {
        const N: u32 = 7;
        ptx! { ret; }
    }

    #[kernel(for(N: u32 in [1, 2]))]
    fn taken() {
        ptx! { ret; }
    }

    #[device]
    fn taken_2() {
        ptx! { ret; }
    }

    #[shared(for(N: u32 in [1, 2]))]
    static ROW: [f32; N];

    const WIDTH: u32 = 32;
}

#[ptx::module(target = sm_80)]
mod bodies {
    use super::*;

    /// Everywhere, and in one instance alone.
    #[kernel(for(T in [f32, u32, f16], N: u32 in [32, 64]))]
    pub fn k(src: Ptr<Global, T>) {
        ptx! {
            .shared .align 4 .b8 row[128];
            .reg .b32 %i;
            .reg .f32 %x;
            mov.u32 %i, %y;
            add.T %x, %x, %x;
            ld.shared.f32 %x, [row + #(N * 2)];
            call helper::<T>, (%i);
            ret;
        }
    }

    #[device(for(T in [f32]))]
    fn helper(unused: Reg<u32>) {
        ptx! { ret; }
    }
}

#[ptx::module(target = sm_80)]
mod right {
    use super::*;

    #[kernel(for(T in [f32, u32], N: u32 in [32, 64]))]
    pub fn k(src: Ptr<Global, T>) {
        ptx! {
            .reg .b32 %unused;
            .reg .b32 %used;
            if N == 32 { mov.b32 %used, 0; }
            ret;
        }
    }
}

/// A map for each type.
#[tensor_map(for(T in [bf16, f32]), element = T, box = [32, 8])]
pub struct Rows;

/// The box of one of them is too large.
#[tensor_map(for(N: u32 in [128, 512]), element = f32, box = [N, 8])]
pub struct Wide;

#[ptx::module(target = sm_90)]
mod storage {
    use super::*;

    #[shared(for(T in [f32, f64]))]
    static ROW: [T; 4];
    #[shared(for(N: usize in [4, 0]))]
    static COUNTED: [f32; N];

    #[kernel]
    pub fn k() {
        ptx! {
            .reg .b32 %x;
            ld.shared.b32 %x, [ROW::<u8>];
            ld.shared.b32 %x, [ROW];
            ret;
        }
    }
}

/// Fragments have parameters of Rust.
#[ptx::fragment(for(T in [f32, f64]))]
fn adds(x: &mut Reg<T>) {
    ptx! { add.T x, x, x; }
}

fn main() {
    let _ = Rows::<f32>::BYTES + Rows::<u8>::BYTES;
    right::k::<f32, 32>();
    right::k::<f32, 48>();
    right::k::<f64, 32>();
}
