//! Variables that are set to values of the wrong type, or that the host cannot access.

use cudarc::driver::CudaStream;
use ptx::cuda::VariableError;

#[ptx::module(target = sm_90)]
mod filter {
    #[constant]
    pub static TAPS: [f32; 5] = [0.0; 5];
    #[constant]
    pub static SCALE: f64 = 1.0;
    #[constant]
    static PRIVATE: u32 = 1;
    #[shared]
    pub static ROW: [f32; 64];

    #[kernel]
    fn private() {
        ptx! {
            .reg .b32 %r;
            ld.const.b32 %r, [PRIVATE];
            mov.b32 %r, ROW;
            ret;
        }
    }
}

fn set(filter: &filter::Loaded, stream: &CudaStream) -> Result<(), VariableError> {
    filter.TAPS.set(stream, &[1.0; 4])?;
    filter.TAPS.set(stream, &[1.0_f64; 5])?;
    filter.SCALE.set(stream, &0x3c00_u16)?;
    filter.SCALE.set(stream, &1.0_f32)?;
    let taps: Vec<f32> = filter.TAPS.get(stream)?;
    filter.TAPS.slice(1..3)?.set(stream, &[1.0_f64; 2])?;
    filter.PRIVATE.set(stream, &2)?;
    filter.ROW.set(stream, &[0.0; 64])?;
    filter.private();
    drop(taps);
    Ok(())
}

fn main() {}
