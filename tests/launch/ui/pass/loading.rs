//! A module for several targets, and a cache on disk; the guide shows these lines.

#![deny(warnings)]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use ptx::Target;
use ptx::cuda::{Cache, LaunchError, LoadOptions, load, load_cached, origin, target_of};
use ptx::prelude::*;
use ptx::ptxas::Ptxas;

const TILE: usize = 64;

#[ptx::module(targets = [sm_80, sm_90a])]
pub mod sum {
    use super::*;

    #[shared]
    #[target(sm_80)]
    static PART: [f32; super::TILE];

    #[shared]
    #[target(sm_90a)]
    static PART: [f32; 4 * self::WIDTH];

    const WIDTH: usize = super::TILE;

    /// For devices of compute capability 9.0.
    #[kernel(reqntid = 256, requires(to.len() >= n), grid = n.div_ceil(1024), unsafe(safe_launch))]
    #[target(sm_90a)]
    pub fn sum(to: Ptr<Global, f32>, n: u32) {
        ptx! {
            wgmma.fence.sync.aligned;
            st.shared.f32 [PART], #(super::TILE as f32);
            ret;
        }
    }

    /// For any other since 8.0.
    #[kernel(reqntid = 128, requires(to.len() >= n), grid = n.div_ceil(1024), unsafe(safe_launch))]
    #[target(sm_80)]
    pub fn sum(to: Ptr<Global, f32>, n: u32) {
        ptx! {
            st.shared.f32 [PART], #(WIDTH as f32);
            ret;
        }
    }

    /// For this target alone.
    #[kernel(
        reqntid = 128,
        requires(to.len() >= n, n >= super::TILE, n >= self::WIDTH),
        grid = n.div_ceil(1024),
        unsafe(safe_launch)
    )]
    #[target(sm_90a)]
    pub(super) fn fast(to: Ptr<Global, f32>, n: u32) {
        ptx! {
            wgmma.fence.sync.aligned;
            ret;
        }
    }

    pub(super) mod inside {
        pub const COUNT: usize = super::WIDTH;
    }
}

fn program(
    context: &Arc<CudaContext>,
    folder: &Path,
    to: &mut CudaSlice<f32>,
) -> Result<(), Box<dyn Error>> {
    let stream = context.default_stream();
    let module = load::<sum::Loaded>(context)?;
    println!("{}", target_of(&module)); // sm_90a on an H100, sm_80 on an A100 or a B200
    module.sum().launch(&stream, (to, 1000))?;

    let cache = Cache::open(folder)?.ptxas(Ptxas::find()?);
    let module = load_cached::<sum::Loaded>(context, &cache, LoadOptions::new())?;
    println!("{:?}", origin(&module)); // Cache(Stored), and the next time Cache(Found)
    println!("{}", module.sum().resources()?);
    Ok(())
}

fn faster(
    module: &sum::Loaded,
    stream: &CudaStream,
    to: &mut CudaSlice<f32>,
) -> Result<(), LaunchError> {
    match module.fast() {
        Ok(fast) => fast.launch(stream, (to, 1000)),
        Err(_) => module.sum().launch(stream, (to, 1000)),
    }
}

fn main() {
    let _ = faster;
    let _ = program;
    let targets: Vec<Target> = sum::MODULE.each_target().map(|module| module.target).collect();
    assert_eq!(targets, [Target::Sm80, Target::Sm90a]);
    let texts: Vec<String> = sum::MODULE.each_target().map(ToString::to_string).collect();
    assert!(texts[0].contains("PART[64]") && texts[1].contains("PART[256]"));
    assert_eq!(sum::inside::COUNT, TILE);
}
