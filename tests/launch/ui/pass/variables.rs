//! Variables in the hands of several threads, with pinned memory, and in place; the guide shows these lines.

#![deny(warnings)]

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use ptx::cuda::Pinned;
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod scale {
    use super::*;

    #[constant]
    pub static FACTOR: f32 = 2.0;
    #[global]
    pub static BLOCKS: u32 = 0;
    #[global(managed)]
    pub static COUNTS: [u32; 4] = [0; 4];

    #[kernel(reqntid = 32, requires(data.len() >= n), grid = n.div_ceil(32), unsafe(safe_launch))]
    pub fn scale(data: Ptr<Global, f32>, n: u32) {
        ptx! {
            .reg .f32 %x;
            ld.const.f32 %x, [FACTOR];
            st.global.u32 [BLOCKS], 1;
            ret;
        }
    }

    #[kernel(reqntid = 32, requires(data.len() >= n), grid = n.div_ceil(32), unsafe(safe_launch))]
    pub fn count(#[readonly] data: Ptr<Global, f32>, n: u32) {
        ptx! {
            st.global.u32 [COUNTS], 1;
            ret;
        }
    }
}

fn one_of_several_threads(
    module: &scale::Loaded,
    stream: &CudaStream,
    mut data: CudaSlice<f32>,
    n: u32,
) -> Result<(), Box<dyn Error>> {
    let held = module.FACTOR.set(&stream, &10.0)?;
    module.scale().launch(&stream, (&mut data, n))?; // by 10, whatever other threads set
    drop(held);
    Ok(())
}

fn without_waiting(
    context: &Arc<CudaContext>,
    module: &scale::Loaded,
    stream: &CudaStream,
    mut data: CudaSlice<f32>,
    n: u32,
) -> Result<(), Box<dyn Error>> {
    let mut blocks = Pinned::zeroed(&context, 1)?; // a buffer of one value of the variable's type
    module.scale().launch(&stream, (&mut data, n))?;
    module.BLOCKS.get_async(&stream, &mut blocks)?; // returns before the kernel has run
    println!("{}", blocks.as_slice()?[0]);
    Ok(())
}

fn in_place(
    module: &scale::Loaded,
    stream: &CudaStream,
    data: CudaSlice<f32>,
    n: u32,
) -> Result<(), Box<dyn Error>> {
    module.COUNTS.lock()?.fill(0);
    module.count().launch(&stream, (&data, n))?;
    println!("{:?}", *module.COUNTS.lock()?);
    Ok(())
}

fn main() {
    let _ = (one_of_several_threads, without_waiting, in_place);
}
