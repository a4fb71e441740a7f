//! Launches of which something is not set, or set although the declaration does.

use cudarc::driver::CudaStream;
use ptx::cuda::LaunchError;

#[ptx::module(target = sm_90)]
mod shapes {
    #[shared(dynamic)]
    static ROW: [f32];

    #[kernel(maxntid = 256)]
    pub fn open() {
        ptx! { .reg .b32 %row; mov.b32 %row, ROW; ret; }
    }

    #[kernel(explicitcluster, reqntid = 64)]
    pub fn clusters() {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64, reqnctapercluster = 2, grid = 2)]
    pub fn closed() {
        ptx! { ret; }
    }
}

/// What is set, and what is not, is in the types: a launch may wait in a variable.
unsafe fn launch(shapes: &shapes::Loaded, stream: &CudaStream) -> Result<(), LaunchError> {
    let open = shapes.open();
    let with_grid = open.grid(4);
    let with_block = with_grid.block(32);
    unsafe {
        open.block(32).dynamic(8).launch(stream, ())?;
        with_grid.dynamic(8).launch(stream, ())?;
        with_block.launch(stream, ())?;
        shapes.clusters().grid(2).launch(stream, ())?;
        shapes.closed().block(128).launch(stream, ())?;
        shapes.closed().cluster(4).launch(stream, ())?;
        shapes.closed().grid(2).launch(stream, ())?;
        shapes.closed().dynamic(2).launch(stream, ())?;
        // These are right.
        with_block.dynamic(8).launch(stream, ())?;
        with_block.dynamic(8).cluster(2).launch(stream, ())?;
        shapes.clusters().cluster(2).grid(2).launch(stream, ())?;
        shapes.closed().launch(stream, ())
    }
}

fn main() {}
