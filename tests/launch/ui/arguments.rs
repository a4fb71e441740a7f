//! Arguments that do not match their parameters.

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::cuda::LaunchError;
use ptx::prelude::*;

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Image {
    width: u32,
    pitch: u32,
}

/// The same fields in another order.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Turned {
    pitch: u32,
    width: u32,
}

#[ptx::module(target = sm_90)]
mod blur {
    use super::*;

    #[kernel(reqntid = 64)]
    pub fn rows(
        #[readonly] src: Ptr<Global, V4<f32>>,
        dst: Ptr<Global, V4<f32>>,
        image: Image,
        gain: f32,
    ) {
        ptx! { ret; }
    }
}

/// The launch itself is correct.
fn launch(
    blur: &blur::Loaded,
    stream: &CudaStream,
    src: &CudaSlice<f32>,
    dst: &mut CudaSlice<f32>,
    doubles: &CudaSlice<f64>,
) -> Result<(), LaunchError> {
    let image = Image { width: 1, pitch: 1 };
    let turned = Turned { pitch: 1, width: 1 };
    let launch = blur.rows().grid(1);
    unsafe {
        launch.launch(stream, (src, &mut *dst, image))?;
        launch.launch(stream, (src, &mut *dst, image, 1.0, 2_u32))?;
        launch.launch(stream, src)?;
        launch.launch(stream, (src, &mut *dst, image, 1.0_f64))?;
        launch.launch(stream, (src, &mut *dst, image, 1_u32))?;
        launch.launch(stream, (src, &mut *dst, 1.0_f32, image))?;
        launch.launch(stream, (src, &mut *dst, turned, 1.0))?;
        launch.launch(stream, (doubles, &mut *dst, image, 1.0))?;
        launch.launch(stream, (&mut *dst, src, image, 1.0))?;
        launch.launch(stream, (src, &*dst, image, 1.0))?;
        launch.launch(stream, (7_u32, &mut *dst, image, 1.0))?;
        launch.launch(stream, (src, &mut *dst, image, src))?;
        launch.launch(stream, (&[1.0_f32; 4], &mut *dst, image, 1.0))?;
        launch.launch(stream, (Ptr::<Global, V4<f32>>::new(0x1000), &mut *dst, image, 1.0))?;
    }
    Ok(())
}

fn main() {}
