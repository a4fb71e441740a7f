//! Kernels and statics under the names of what is generated, and of methods that everything has; a crate
//! that forbids unsafe code but for the launch.

#![deny(warnings, unsafe_code, missing_debug_implementations)]
#![allow(unused_variables)] // declared for their names

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::prelude::*;

/// All that a struct needs.
#[derive(Clone, Copy, Debug, PtxType)]
#[repr(C)]
pub struct Settings {
    /// A number.
    pub scale: f32,
}

/// A crate of its own, as far as unsafe code goes.
pub mod forbidden {
    #![forbid(unsafe_code)]

    use ptx::prelude::*;

    /// Unsafe code of ours, and none of theirs.
    #[derive(Clone, Copy, Debug, PtxType)]
    #[repr(C)]
    pub struct Pair {
        /// Left.
        pub left: u32,
        /// Right.
        pub right: f32,
    }

    /// A module.
    #[ptx::module(target = sm_90)]
    pub mod module {
        use super::Pair;

        /// A kernel.
        #[kernel(reqntid = 32, grid = 1, unsafe(safe_launch))]
        pub fn nothing(pair: Pair) {
            ptx! { ret; }
        }
    }

    /// Its launch is safe.
    pub fn launch(
        module: &module::Loaded,
        stream: &cudarc::driver::CudaStream,
    ) -> Result<(), ptx::cuda::LaunchError> {
        module.nothing().launch(stream, (Pair { left: 1, right: 2.0 },))
    }
}

/// Names that could collide.
#[allow(non_upper_case_globals, non_snake_case)]
#[ptx::module(target = sm_90)]
pub mod names {
    use super::*;

    /// Static.
    #[constant]
    pub static set: u32 = 1;
    /// Static.
    #[global]
    pub static get: u32 = 1;
    /// Static.
    #[global]
    pub static f: u32 = 1;
    /// Static.
    #[global]
    pub static module: u32 = 1;
    /// Static.
    #[global]
    pub static stream: u32 = 1;
    /// Static.
    #[global]
    pub static result: Settings = Settings { scale: 1.0 };

    /// Kernel.
    #[kernel]
    pub fn load() {
        ptx! { ret; }
    }
    /// Kernel.
    #[kernel]
    pub fn clone() {
        ptx! { ret; }
    }
    /// Kernel.
    #[kernel]
    pub fn resources() {
        ptx! { ret; }
    }
    /// Kernel.
    #[kernel]
    pub fn Loaded() {
        ptx! { ret; }
    }
    /// Kernel.
    #[kernel]
    pub fn Arguments() {
        ptx! { ret; }
    }
    /// Kernel.
    #[kernel]
    pub fn fmt() {
        ptx! { ret; }
    }
    /// Kernel.
    #[kernel]
    pub fn drop() {
        ptx! { ret; }
    }
    /// Kernel.
    #[kernel]
    pub fn r#match() {
        ptx! { ret; }
    }
    /// Kernel.
    #[kernel(reqntid = 32, requires(loader.len() >= grid, core % 2 == 0))]
    pub fn names(
        loader: Ptr<Global, Settings>,
        grid: u32,
        core: u32,
        ptx: f32,
        r#type: Settings,
        call: u64,
    ) {
        ptx! { ret; }
    }
    /// A parameter under the name of a module, numbers under other names, and floats.
    #[kernel(
        reqntid = 32,
        requires(limits <= limits::MOST, low < high, count as u64 > 1, limits & 7 == 0, -low < 1.0),
        grid = (count + 31) >> 5
    )]
    pub fn computes(limits: u32, low: f32, high: f32, count: Count) {
        ptx! { ret; }
    }

    /// A type under another name.
    pub type Count = u32;

    /// A module under the name of a parameter.
    pub mod limits {
        /// A constant.
        pub const MOST: u32 = 1024;
    }

    /// Kernel.
    #[cfg(any())]
    #[kernel]
    pub fn absent() {
        ptx! { ret; }
    }
}

/// Two kernels of one name in two modules.
#[ptx::module(target = sm_90)]
pub mod others {
    /// Kernel.
    #[kernel]
    pub fn load() {
        ptx! { ret; }
    }
}

fn is_send_and_sync<T: Send + Sync + 'static>(_: &T) {}

#[allow(unsafe_code)]
fn use_them(
    names: &names::Loaded,
    others: &others::Loaded,
    cu_stream: &CudaStream,
    mut buffer: CudaSlice<Settings>,
) -> Result<(), Box<dyn std::error::Error>> {
    names.set.set(cu_stream, &2)?;
    names.get.get(cu_stream)?;
    names.f.set(cu_stream, &3)?;
    let Settings { scale } = names.result.get(cu_stream)?;
    let kernel = names.load().kernel();
    is_send_and_sync(&kernel);
    is_send_and_sync(names);
    unsafe {
        kernel.configure().grid(1).block(1).launch(cu_stream, ())?;
        others.load().grid(1).block(1).launch(cu_stream, ())?;
        names.clone().grid((1, 2, 3)).block([1, 1, 1]).launch(cu_stream, ())?;
        names.resources().grid(1).block(1).launch(cu_stream, ())?;
        names.Loaded().grid(1).block(1).launch(cu_stream, ())?;
        names.Arguments().grid(1).block(1).launch(cu_stream, ())?;
        names.fmt().grid(1).block(1).launch(cu_stream, ())?;
        names.drop().grid(1).block(1).launch(cu_stream, ())?;
        names.r#match().grid(1).block(1).launch(cu_stream, ())?;
        let settings = Settings { scale };
        names.names().grid(1).launch(cu_stream, (&mut buffer, 1, 2, 1.0, settings, 5))?;
    }
    Ok(())
}

fn main() {
    let _ = (use_them, forbidden::launch);
}
