//! Variables that are not managed, guards that are kept too long, and pinned buffers of the wrong type.

use cudarc::driver::CudaStream;
use ptx::cuda::{ManagedGuard, Pinned};

#[ptx::module(target = sm_80)]
mod count {
    #[global(managed)]
    pub static COUNTS: [u32; 4] = [0; 4];
    #[global]
    pub static PLAIN: [u32; 4] = [0; 4];
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn not_managed(count: &count::Loaded) -> Outcome {
    count.PLAIN.lock()?[0] = 1;
    Ok(())
}

fn outlives(count: count::Loaded) -> ManagedGuard<'static, [u32; 4]> {
    count.COUNTS.lock().unwrap()
}

fn wrong_type(count: &count::Loaded, stream: &CudaStream, buffer: &Pinned<[f32; 4]>) -> Outcome {
    count.COUNTS.set_async(stream, buffer)?;
    Ok(())
}

fn read_while_copied(
    count: &count::Loaded,
    stream: &CudaStream,
    mut buffer: Pinned<[u32; 4]>,
) -> Outcome {
    let counts = &buffer.as_slice()?[0];
    count.COUNTS.get_async(stream, &mut buffer)?;
    println!("{}", counts[0]);
    Ok(())
}

fn main() {}
