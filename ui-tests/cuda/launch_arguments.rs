//! Launches with other arguments than the kernel declares.
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[tensor_map(element = f32, box = [16, 8])]
    pub(super) struct A;

    #[tensor_map(element = f32, box = [8, 8])]
    pub(super) struct B;

    #[kernel(reqntid = 128)]
    pub(super) fn scale(data: Ptr<Global, f32>, n: u32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 128)]
    pub(super) fn load(a: TensorMap<A>) {
        ptx! { ret; }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = ptx::cuda::context(0)?;
    let stream = context.default_stream();
    let module = ptx::cuda::load::<m::Loaded>(&context)?;
    let mut data = stream.alloc_zeros::<f32>(1000)?;
    let mut numbers = stream.alloc_zeros::<u32>(1000)?;
    let tiles = m::B::over(&data, &stream).dims(&[8, 8]).encode()?;
    unsafe {
        // A count of 64 bits.
        module.scale().grid(1).launch(&stream, (&mut data, 1000_u64))?;
        // Elements of another type.
        module.scale().grid(1).launch(&stream, (&mut numbers, 1000))?;
        // In the other order.
        module.scale().grid(1).launch(&stream, (1000, &mut data))?;
        // One too few.
        module.scale().grid(1).launch(&stream, (&mut data,))?;
        // The host's memory.
        module.scale().grid(1).launch(&stream, (&mut [0.0_f32; 1000], 1000))?;
        // What the kernel may write to is borrowed to be read.
        module.scale().grid(1).launch(&stream, (&data, 1000))?;
        // A map with other tiles.
        module.load().grid(1).launch(&stream, (&tiles,))?;
        // No dynamic shared memory.
        module.scale().grid(1).dynamic(100).launch(&stream, (&mut data, 1000))?;
    }
    Ok(())
}
