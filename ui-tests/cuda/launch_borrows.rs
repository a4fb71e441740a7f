//! Launches that borrow one buffer twice or that nobody vouches for.
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel(reqntid = 128)]
    pub(super) fn copy(#[readonly] src: Ptr<Global, f32>, dst: Ptr<Global, f32>) {
        ptx! { ret; }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = ptx::cuda::context(0)?;
    let stream = context.default_stream();
    let module = ptx::cuda::load::<m::Loaded>(&context)?;
    let src = stream.alloc_zeros::<f32>(1000)?;
    let mut dst = stream.alloc_zeros::<f32>(1000)?;
    // One buffer as two arguments.
    unsafe { module.copy().grid(1).launch(&stream, (&dst, &mut dst))? };
    // Nobody vouches for the kernel.
    module.copy().grid(1).launch(&stream, (&src, &mut dst))?;
    Ok(())
}
