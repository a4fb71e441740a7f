//! Buffers and maps that are borrowed too often, or not long enough.

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::prelude::*;

#[tensor_map(element = f32, box = [16, 8])]
struct A;

#[ptx::module(target = sm_90a)]
mod copies {
    use super::*;

    #[kernel(reqntid = 64)]
    pub fn plain(#[readonly] src: Ptr<Global, f32>, dst: Ptr<Global, f32>) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64)]
    pub fn tiles(a: TensorMap<A>) {
        ptx! { ret; }
    }
}

fn in_place(
    copies: &copies::Loaded,
    stream: &CudaStream,
    mut data: CudaSlice<f32>,
) -> Result<(), ptx::cuda::LaunchError> {
    unsafe { copies.plain().grid(1).launch(stream, (&data, &mut data)) }
}

fn dropped(
    copies: &copies::Loaded,
    stream: &CudaStream,
    data: CudaSlice<f32>,
) -> Result<(), Box<dyn std::error::Error>> {
    let map = A::over(&data, stream).dims(&[16, 8]).encode()?;
    drop(data);
    unsafe { copies.tiles().grid(1).launch(stream, (&map,))? };
    Ok(())
}

fn outlives(copies: copies::Loaded) -> ptx::cuda::Launch<'static, impl Sized> {
    copies.plain().grid(1)
}

fn main() {}
