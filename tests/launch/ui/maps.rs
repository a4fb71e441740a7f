//! Tensor maps that do not match the parameter.

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::prelude::*;

#[tensor_map(element = bf16, box = [64, 128], swizzle = B128)]
struct A;

/// The same with the other 16-bit type.
#[tensor_map(element = f16, box = [64, 128], swizzle = B128)]
struct OtherType;

/// The same with fewer rows.
#[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
struct SmallerBox;

#[ptx::module(target = sm_90a)]
mod tiles {
    use super::*;

    #[kernel(reqntid = 64)]
    pub fn load(a: TensorMap<A>) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64)]
    pub fn plain(a: Ptr<Global, bf16>) {
        ptx! { ret; }
    }
}

fn launch(
    tiles: &tiles::Loaded,
    stream: &CudaStream,
    mut data: CudaSlice<bf16>,
    halves: CudaSlice<f16>,
) -> Result<(), Box<dyn std::error::Error>> {
    let load = tiles.load().grid(1);
    let other_type = OtherType::over(&halves, stream).dims(&[64, 128]).encode()?;
    let smaller = SmallerBox::over(&data, stream).dims(&[64, 128]).encode()?;
    unsafe {
        load.launch(stream, (&other_type,))?;
        load.launch(stream, (&smaller,))?;
        load.launch(stream, (smaller.descriptor(),))?;
        load.launch(stream, (&data,))?;
    }
    drop(smaller);
    let a = A::over_mut(&mut data, stream).dims(&[64, 128]).encode()?;
    unsafe {
        load.launch(stream, (a,))?;
        tiles.plain().grid(1).launch(stream, (&a,))?;
    }
    Ok(())
}

fn main() {}
