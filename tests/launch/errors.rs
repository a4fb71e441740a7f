//! Mistakes that are an `Err` at run time: the text of each is compared with `tests/launch/errors.txt`.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaStream};
use ptx::cuda::{AccessPolicyWindow, AccessProperty, LoadOptions, load, load_cubin, load_with};
use ptx::prelude::*;

/// Kernels whose shared memory does not fit on any device: 40,000 bytes besides 200,000.
#[ptx::module(target = sm_90)]
pub(crate) mod kernels {
    use super::*;

    #[global]
    pub static TABLE: [u32; 8] = [0; 8];
    #[global]
    static UNUSED: u32 = 0;
    #[shared(dynamic)]
    static SLICE: [f32];
    #[shared]
    static FIXED: [f32; 10_000];

    #[kernel(
        reqntid = 64,
        requires(dst.len() >= n, n % 4 == 0, scale >= 0.0),
        grid = n.div_ceil(64),
        unsafe(safe_launch)
    )]
    pub fn contract(dst: Ptr<Global, f32>, n: u64, scale: f32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64, requires(dst.len() >= rows * columns), grid = (columns - 1, rows))]
    pub fn matrix(dst: Ptr<Global, f32>, rows: u64, columns: u64) {
        ptx! { ret; }
    }

    #[kernel(
        reqntid = 64,
        requires(dst.len() >= (rows as u32 * columns) as u64, dst.len() >= rows << 2),
        grid = (rows + 255) >> 8,
        unsafe(safe_launch)
    )]
    pub fn blocks(dst: Ptr<Global, f32>, rows: u64, columns: u32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64)]
    pub fn exact(dst: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .b32 %r;
            ld.global.b32 %r, [TABLE];
            ret;
        }
    }

    #[kernel(maxntid = 128)]
    pub fn most() {
        ptx! { ret; }
    }

    #[kernel]
    pub fn free() {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64, reqnctapercluster = (2, 2))]
    pub fn clusters() {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64, explicitcluster)]
    pub fn explicit() {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64, maxclusterrank = 4)]
    pub fn ranked() {
        ptx! { ret; }
    }

    #[kernel(reqntid = 1024)]
    pub fn slice() {
        ptx! {
            .reg .b32 %slice, %fixed, %x;
            mov.b32 %slice, SLICE;
            mov.b32 %fixed, FIXED;
            ld.shared.b32 %x, [%fixed];
            st.shared.b32 [%slice], %x;
            ret;
        }
    }
}

/// A tile of 16 x 8 floats.
#[tensor_map(element = f32, box = [16, 8])]
struct Tile;

/// One kernel that may store through its map, and one that only loads.
#[ptx::module(target = sm_90)]
mod maps {
    use super::*;

    #[kernel(reqntid = 64, grid = 1, unsafe(safe_launch))]
    pub fn stores(to: TensorMap<Tile>) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64, grid = 1, unsafe(safe_launch))]
    pub fn loads(#[readonly] from: TensorMap<Tile>) {
        ptx! { ret; }
    }
}

/// An instruction that does not exist, and one that lacks an operand.
#[ptx::module(target = sm_90)]
mod malformed {
    #[kernel]
    pub fn adds() {
        ptx! {
            .reg .b32 %r<2>;
            .reg .f32 %f;
            mov.b32 %r0, 1;
            add.rn.u32 %r1, %r0, %r0;
            _frobnicate.u32 %r1;
            ret;
        }
    }
}

/// For a driver that does not exist yet.
#[ptx::module(target = sm_90, version = 9.7)]
mod newer {
    #[kernel]
    pub fn nothing() {
        ptx! { ret; }
    }
}

/// For a different device.
#[ptx::module(target = sm_100a)]
mod other_device {
    #[kernel]
    pub fn nothing() {
        ptx! { ret; }
    }
}

/// The current declaration.
#[ptx::module(target = sm_90)]
mod drifted {
    use super::*;

    #[global]
    pub static TABLE: [u32; 16] = [0; 16];
    #[constant]
    pub static ADDED: f32 = 1.0;

    #[kernel(reqntid = 64)]
    pub fn scale(data: Ptr<Global, f32>, n: u64, factor: f32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64)]
    pub fn longer(data: Ptr<Global, f32>) {
        ptx! { ret; }
    }

    #[kernel]
    pub fn added() {
        ptx! { ret; }
    }
}

/// The declaration when the cubin was made.
#[ptx::module(target = sm_90)]
mod before {
    use super::*;

    #[global]
    pub static TABLE: [u32; 8] = [0; 8];

    #[kernel(reqntid = 64)]
    pub fn scale(data: Ptr<Global, f32>, n: u32, factor: f32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64)]
    pub fn longer(data: Ptr<Global, f32>, n: u32) {
        ptx! { ret; }
    }
}

/// Every mistake, with the text of its error.
#[derive(Default)]
pub(crate) struct Found(pub(crate) String);

impl Found {
    pub(crate) fn err<T, E: Error>(&mut self, title: &str, outcome: Result<T, E>) {
        let text = match outcome {
            Ok(_) => panic!("{title}: no error"),
            Err(error) => error.to_string(),
        };
        // The address of a buffer differs from run to run.
        let text = match text.split_once("starts at 0x") {
            Some((before, after)) => {
                let digits = after.trim_start_matches(|digit: char| digit.is_ascii_hexdigit());
                format!("{before}starts at 0x..{digits}")
            }
            None => text,
        };
        let _ = write!(self.0, "## {title}\n\n{text}\n\n");
    }
}

/// Another context on the same device.
pub(crate) fn other_context(context: &CudaContext) -> Result<Arc<CudaContext>, Box<dyn Error>> {
    use std::ffi::{c_int, c_void};

    type Create = unsafe extern "C" fn(*mut *mut c_void, u32, c_int) -> u32;
    // SAFETY: this is the driver's library, and its function has this type.
    unsafe {
        let driver = libloading::Library::new("libcuda.so.1")?;
        let create = driver.get::<Create>(b"cuCtxCreate_v2\0")?;
        let mut made = std::ptr::null_mut();
        assert_eq!(create(&raw mut made, 0, context.cu_device()), 0);
        std::mem::forget(driver);
        Ok(CudaContext::from_raw_context(0, context.cu_device(), made.cast())?)
    }
}

#[test]
fn every_error_gives_its_values() -> Result<(), Box<dyn Error>> {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let mut found = Found::default();
    let stream = context.default_stream();
    let kernels = load::<kernels::Loaded>(&context)?;
    launches(&mut found, &kernels, &stream)?;
    loads(&mut found, &context)?;
    contexts(&mut found, &context, &kernels)?;
    variables(&mut found, &kernels, &stream)?;
    expect_test::expect_file!["errors.txt"].assert_eq(&found.0);
    // None of this ran or harmed the context.
    stream.synchronize()?;
    assert_eq!(kernels.TABLE.get(&stream)?, [0; 8]);
    Ok(())
}

fn launches(
    found: &mut Found,
    kernels: &kernels::Loaded,
    stream: &Arc<CudaStream>,
) -> Result<(), Box<dyn Error>> {
    let mut data = stream.alloc_zeros::<f32>(100)?;
    let contract = kernels.contract();
    found.err("A destination that is too short", contract.launch(stream, (&mut data, 10_240, 1.0)));
    found.err("A number that is not a multiple", contract.launch(stream, (&mut data, 30, 1.0)));
    found.err("A number that is negative", contract.launch(stream, (&mut data, 32, -1.0)));
    let blocks = kernels.blocks();
    found.err("A product that wraps in its own type", {
        blocks.launch(stream, (&mut data, 1 << 16, 1 << 16))
    });
    found.err("A cast that does not fit", blocks.launch(stream, (&mut data, u64::MAX, 1)));
    // An empty grid is not launched.
    contract.launch(stream, (&mut data, 0, 1.0))?;
    contract.launch(stream, (&mut data, 100, 1.0))?;

    // SAFETY: no kernel here does anything.
    unsafe {
        let matrix = kernels.matrix();
        let huge = u64::MAX;
        found.err("A product that exceeds 64 bits", matrix.launch(stream, (&mut data, huge, huge)));
        found.err("A grid that comes out negative", matrix.launch(stream, (&mut data, 4, 0)));

        let exact = kernels.exact();
        found.err("A grid of zero", exact.grid(0).launch(stream, (&mut data,)));
        found.err(
            "A grid taller than the device allows",
            exact.grid((1, 70_000)).launch(stream, (&mut data,)),
        );
        let exact = exact.grid(1);
        found.err("A buffer of 98 scalars for vectors of 4", {
            let mut part = data.slice_mut(..98);
            exact.launch(stream, (&mut part,))
        });
        found.err("A view that starts at an odd element", {
            let mut part = data.slice_mut(1..97);
            exact.launch(stream, (&mut part,))
        });

        let most = kernels.most().grid(1);
        found.err("A block over `maxntid`", most.block((64, 4)).launch(stream, ()));
        let free = kernels.free().grid(1);
        found.err("A block of zero", free.block((32, 0)).launch(stream, ()));
        found.err("A block larger than the device allows", free.block(2048).launch(stream, ()));
        found.err(
            "A block deeper than the device allows",
            free.block((1, 1, 128)).launch(stream, ()),
        );

        let clusters = kernels.clusters();
        found.err(
            "A grid that is not made of whole clusters",
            clusters.grid((4, 3)).launch(stream, ()),
        );
        found.err(
            "A cluster over `maxclusterrank`",
            kernels.ranked().grid(8).cluster(8).launch(stream, ()),
        );
        found.err("A cluster of zero", kernels.explicit().grid(8).cluster(0).launch(stream, ()));
        found.err(
            "A cluster larger than the device holds",
            free.block(1).grid(64).cluster(64).launch(stream, ()),
        );

        let slice = kernels.slice().grid(1);
        found.err(
            "More dynamic shared memory than a block can have",
            slice.dynamic(50_000).launch(stream, ()),
        );
        found.err(
            "A cooperative grid that does not fit",
            slice.dynamic(40_000).cooperative().grid(1_000).launch(stream, ()),
        );

        let free = free.block(32);
        let window = AccessPolicyWindow {
            address: 0,
            bytes: 1 << 40,
            hit_ratio: 1.0,
            hit: AccessProperty::Persisting,
            miss: AccessProperty::Streaming,
        };
        found.err(
            "An access-policy window larger than the device allows",
            free.access_policy_window(window).launch(stream, ()),
        );
        let ratio = AccessPolicyWindow { bytes: 1024, hit_ratio: 1.5, ..window };
        found.err("A hit ratio above 1", free.access_policy_window(ratio).launch(stream, ()));
        let missing =
            AccessPolicyWindow { hit_ratio: 0.5, miss: AccessProperty::Persisting, ..ratio };
        found.err("Misses that persist", free.access_policy_window(missing).launch(stream, ()));
        found.err("A carveout above 100 percent", free.shared_carveout(150).launch(stream, ()));
    }

    let maps = load::<maps::Loaded>(stream.context())?;
    let mut matrix = stream.alloc_zeros::<f32>(16 * 8)?;
    let loads = Tile::over(&matrix, stream).dims([16, 8]).encode()?;
    found.err(
        "A map that only loads, for a safe launch that may store",
        maps.stores().launch(stream, (&loads,)),
    );
    maps.loads().launch(stream, (&loads,))?;
    drop(loads);
    let stores = Tile::over_mut(&mut matrix, stream).dims([16, 8]).encode()?;
    maps.stores().launch(stream, (&stores,))?;
    maps.loads().launch(stream, (&stores,))?;
    Ok(())
}

fn loads(found: &mut Found, context: &Arc<CudaContext>) -> Result<(), Box<dyn Error>> {
    found.err("PTX that the driver's compiler refuses", load::<malformed::Loaded>(context));
    found.err("PTX newer than the driver", load::<newer::Loaded>(context));
    found.err("A target that does not match the device", load::<other_device::Loaded>(context));
    let level = LoadOptions::new().optimization_level(9);
    found.err(
        "An optimisation level that does not exist",
        load_with::<kernels::Loaded>(context, level),
    );
    // SAFETY: nothing is launched.
    unsafe {
        found.err("Bytes that are not a cubin", load_cubin::<kernels::Loaded>(context, b"PTX"));
    }
    let ptxas = ptx::ptxas::Ptxas::find()?;
    let cubin = ptxas.assemble(&before::MODULE)?.cubin;
    // SAFETY: as above.
    unsafe {
        found.err("A truncated cubin", load_cubin::<drifted::Loaded>(context, &cubin[..900]));
        found
            .err("A cubin of an older declaration", load_cubin::<drifted::Loaded>(context, &cubin));
    }
    Ok(())
}

fn contexts(
    found: &mut Found,
    context: &Arc<CudaContext>,
    kernels: &kernels::Loaded,
) -> Result<(), Box<dyn Error>> {
    let stream = context.default_stream();
    let other = other_context(context)?;
    let other_stream = other.new_stream()?;
    let mut data = other_stream.alloc_zeros::<f32>(64)?;
    let exact = kernels.exact().grid(1);
    // SAFETY: the kernel does nothing.
    unsafe {
        found.err("A stream of another context", exact.launch(&other_stream, (&mut data,)));
        found.err("A buffer of another context", exact.launch(&stream, (&mut data,)));
    }
    let captured = context.new_stream()?;
    captured.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED)?;
    let mut here = stream.alloc_zeros::<f32>(64)?;
    let vouched = kernels.contract().launch(&captured, (&mut here, 64, 1.0));
    let set = kernels.TABLE.set(&captured, &[1; 8]);
    let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    drop(captured.end_capture(flags)?);
    found.err("A safe launch in a stream that is being captured", vouched);
    found.err("A variable set in a stream that is being captured", set);
    found.err(
        "A variable set in a stream of another context",
        kernels.TABLE.set(&other_stream, &[1; 8]),
    );
    Ok(())
}

fn variables(
    found: &mut Found,
    kernels: &kernels::Loaded,
    stream: &CudaStream,
) -> Result<(), Box<dyn Error>> {
    found.err("A range outside the array", kernels.TABLE.slice(4..9));
    found.err("More values than elements", kernels.TABLE.slice(4..)?.set(stream, &[1; 5]));
    found.err("Room for fewer values than elements", {
        kernels.TABLE.slice(..)?.get_into(stream, &mut [0; 7])
    });
    Ok(())
}

/// A missing driver or device is an error and not a panic.
#[test]
fn without_a_driver_there_is_an_error() {
    match ptx::cuda::context(0) {
        Ok(context) => {
            let none = ptx::cuda::context(1000).expect_err("so many devices");
            assert!(none.to_string().starts_with("there is no device 1000: "), "{none}");
            drop(context);
        }
        Err(error) => {
            let text = error.to_string();
            assert!(
                text == "there is no CUDA driver on this machine"
                    || text.starts_with("there is no device 0: "),
                "{text}"
            );
        }
    }
}
