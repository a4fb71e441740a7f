//! The cost of a launch on the host, compared with cudarc's `launch_builder` with the same arguments, and of the launch of a
//! graph and the load of a cubin, compared with cudarc's:
//! `cargo bench --features cuda --bench launch`, on a GPU of `sm_90`, and with a ptxas for the cubin.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]
#![allow(
    unused_unsafe,
    reason = "a macro writes `unsafe` around each launch, and that with a contract is safe"
)]
#![allow(unused_variables)] // kernels that are only launched
#![allow(missing_docs)] // the kernels' module

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaStream, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;
use ptx::cuda::{Cubin, Cubins, LoadOptions, Over as _, capture, load_cubins};
use ptx::prelude::*;
use ptx::ptxas::Ptxas;

#[tensor_map(element = f32, box = [16, 8])]
struct Map;

#[ptx::module(target = sm_90)]
mod kernels {
    use super::*;

    #[kernel(reqntid = 32)]
    pub fn one(n: u32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 32)]
    pub fn four(to: Ptr<Global, f32>, #[readonly] from: Ptr<Global, f32>, n: u32, scale: f32) {
        ptx! { ret; }
    }

    #[constant]
    pub static TAPS: [f32; 4] = [0.0; 4];

    /// A variable beside the arguments.
    #[kernel(reqntid = 32)]
    pub fn four_with_variable(
        to: Ptr<Global, f32>,
        #[readonly] from: Ptr<Global, f32>,
        n: u32,
        scale: f32,
    ) {
        ptx! {
            .reg .f32 %x;
            ld.const.f32 %x, [TAPS];
            ret;
        }
    }

    /// A buffer in its place.
    #[kernel(reqntid = 32)]
    pub fn five(
        to: Ptr<Global, f32>,
        #[readonly] from: Ptr<Global, f32>,
        n: u32,
        scale: f32,
        #[readonly] taps: Ptr<Global, f32>,
    ) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 32, requires(to.len() >= n, from.len() >= n), grid = n.div_ceil(32))]
    pub fn four_with_contract(
        to: Ptr<Global, f32>,
        #[readonly] from: Ptr<Global, f32>,
        n: u32,
        scale: f32,
    ) {
        ptx! { ret; }
    }

    /// A safe launch asks whether its stream is being captured, unless that is the default stream.
    #[kernel(
        reqntid = 32,
        requires(to.len() >= n, from.len() >= n),
        grid = n.div_ceil(32),
        unsafe(safe_launch)
    )]
    pub fn four_with_safe_launch(
        to: Ptr<Global, f32>,
        #[readonly] from: Ptr<Global, f32>,
        n: u32,
        scale: f32,
    ) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 32)]
    #[allow(clippy::too_many_arguments)]
    pub fn sixteen(
        to: Ptr<Global, f32>,
        #[readonly] from: Ptr<Global, f32>,
        p0: u32,
        p1: u32,
        p2: u32,
        p3: u32,
        p4: u32,
        p5: u32,
        p6: u32,
        p7: u32,
        p8: u32,
        p9: u32,
        p10: u32,
        p11: u32,
        p12: u32,
        p13: u32,
    ) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 32)]
    pub fn one_map(map: TensorMap<Map>) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 32)]
    pub fn four_with_map(map: TensorMap<Map>, to: Ptr<Global, f32>, n: u32, scale: f32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 32)]
    #[allow(clippy::too_many_arguments)]
    pub fn sixteen_with_map(
        map: TensorMap<Map>,
        to: Ptr<Global, f32>,
        p0: u32,
        p1: u32,
        p2: u32,
        p3: u32,
        p4: u32,
        p5: u32,
        p6: u32,
        p7: u32,
        p8: u32,
        p9: u32,
        p10: u32,
        p11: u32,
        p12: u32,
        p13: u32,
    ) {
        ptx! { ret; }
    }
}

/// Consecutive launches, which are timed as one round.
const LAUNCHES: usize = 100;
const ROUNDS: usize = 400;

/// The median nanoseconds of a launch, for both sides measured in turn, and the median of their ratios.
fn compare(
    stream: &CudaStream,
    mut ours: impl FnMut() -> Result<(), Box<dyn Error>>,
    mut theirs: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<[f64; 3], Box<dyn Error>> {
    let timed = |launch: &mut dyn FnMut() -> Result<(), Box<dyn Error>>| {
        stream.synchronize()?;
        let start = Instant::now();
        for _ in 0..LAUNCHES {
            launch()?;
        }
        #[allow(clippy::cast_precision_loss)] // small number
        Ok::<f64, Box<dyn Error>>(start.elapsed().as_secs_f64() * 1e9 / LAUNCHES as f64)
    };
    let (mut a, mut b, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS + 20 {
        let (x, y) = if round % 2 == 0 {
            let x = timed(&mut ours)?;
            (x, timed(&mut theirs)?)
        } else {
            let y = timed(&mut theirs)?;
            (timed(&mut ours)?, y)
        };
        // The first rounds warm up.
        if round >= 20 {
            a.push(x);
            b.push(y);
            ratios.push(x / y);
        }
    }
    Ok([median(&mut a), median(&mut b), median(&mut ratios)])
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn main() -> Result<(), Box<dyn Error>> {
    let context = ptx::cuda::context(0)?;
    println!("in the default stream alone, where buffers have no events to wait for:");
    run(&context, &context.default_stream())?;
    println!("in a stream of its own, where each buffer has two:");
    run(&context, &context.new_stream()?)?;
    println!("graphs of three launches with the same two buffers:");
    run_graphs(&context, &context.new_stream()?)?;
    println!("loads of a cubin with eleven kernels and a variable:");
    run_loads(&context)
}

/// A cubin with all that is in it, by name.
fn run_loads(context: &Arc<CudaContext>) -> Result<(), Box<dyn Error>> {
    const LOADS: usize = 300;
    let target = ptx::cuda::current_target().ok_or("an unknown device")?;
    let image = Ptxas::find()?.assemble_for(&kernels::MODULE, target)?.cubin;
    let all: &'static [Cubin] = vec![Cubin::new(target, image.clone().leak())].leak();
    // SAFETY: it was made from this text.
    let cubins = unsafe { Cubins::new(ptx::Fingerprint::of(&kernels::MODULE), all) };
    let names: Vec<&str> = kernels::MODULE.functions.iter().map(|function| function.name).collect();
    let stream = context.default_stream();
    let (mut a, mut b, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..LOADS + 20 {
        let ours = || -> Result<f64, Box<dyn Error>> {
            let start = Instant::now();
            let loaded = load_cubins::<kernels::Loaded>(context, &cubins, LoadOptions::new())?;
            let time = start.elapsed().as_secs_f64() * 1e9;
            drop(loaded);
            Ok(time)
        };
        let theirs = || -> Result<f64, Box<dyn Error>> {
            let image = Ptx::from_binary(image.clone());
            let start = Instant::now();
            let module = context.load_module(image)?;
            let mut functions = Vec::new();
            for name in &names {
                functions.push(module.load_function(name)?);
            }
            let taps = module.get_global("TAPS", &stream)?;
            let time = start.elapsed().as_secs_f64() * 1e9;
            drop((functions, taps));
            Ok(time)
        };
        let (x, y) = if round % 2 == 0 {
            let x = ours()?;
            (x, theirs()?)
        } else {
            let y = theirs()?;
            (ours()?, y)
        };
        if round >= 20 {
            a.push(x);
            b.push(y);
            ratios.push(x / y);
        }
    }
    let [ours, theirs, ratio] = [median(&mut a), median(&mut b), median(&mut ratios)];
    println!("  load_cubins                  {ours:7.0} ns, cudarc {theirs:7.0} ns, {ratio:.3}");
    Ok(())
}

/// Graphs that own their buffers and that borrow them; cudarc's graph does not know its buffers.
fn run_graphs(context: &Arc<CudaContext>, stream: &Arc<CudaStream>) -> Result<(), Box<dyn Error>> {
    let kernels = ptx::cuda::load::<kernels::Loaded>(context)?;
    let launch = kernels.four_with_contract();
    let (mut to, from) = (stream.alloc_zeros::<f32>(128)?, stream.alloc_zeros::<f32>(128)?);
    let (mut owns, ()) = capture(stream, |scope| {
        let mut to = scope.write(stream.alloc_zeros::<f32>(128)?)?;
        let from = scope.write(stream.alloc_zeros::<f32>(128)?)?;
        for _ in 0..3 {
            // SAFETY: the kernel does nothing.
            unsafe { launch.capture(scope, (&mut to, &from, 7, 1.0))? };
        }
        Ok(())
    })?;
    let (mut borrows, (mut bound_to, bound_from, node)) = capture(stream, |scope| {
        let (mut to, from) = (scope.write(&mut to)?, scope.read(&from)?);
        // SAFETY: the kernel does nothing.
        let node = unsafe {
            launch.capture(scope, (&mut to, &from, 7, 1.0))?;
            launch.capture(scope, (&mut to, &from, 7, 1.0))?;
            launch.capture(scope, (&mut to, &from, 7, 1.0))?
        };
        Ok((to, from, node))
    })?;

    // cudarc captures only launches of buffers without events.
    // SAFETY: these buffers are used in one stream.
    unsafe { context.disable_event_tracking() };
    let (mut their_to, their_from) =
        (stream.alloc_zeros::<f32>(128)?, stream.alloc_zeros::<f32>(128)?);
    stream.synchronize()?;
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
    for _ in 0..3 {
        // SAFETY: the kernel does nothing, and the buffers outlive the graph.
        unsafe { launch.launch(stream, (&mut their_to, &their_from, 7, 1.0))? };
    }
    let theirs = stream.end_capture(CUgraphInstantiate_flags(0))?.ok_or("an empty graph")?;
    // SAFETY: as above.
    unsafe { context.enable_event_tracking() };

    let print = |name: &str, [ours, theirs, ratio]: [f64; 3]| {
        println!("  {name:<28} {ours:7.0} ns, cudarc {theirs:7.0} ns, {ratio:.3}");
    };
    print("owns its buffers", compare(stream, || Ok(owns.launch()?), || Ok(theirs.launch()?))?);
    print("borrows them", compare(stream, || Ok(borrows.launch()?), || Ok(theirs.launch()?))?);
    let separately = || {
        for _ in 0..3 {
            // SAFETY: the kernel does nothing.
            unsafe { launch.launch(stream, (&mut their_to, &their_from, 7, 1.0))? };
        }
        Ok(())
    };
    print("three launches", compare(stream, separately, || Ok(theirs.launch()?))?);
    let mut update = || {
        // SAFETY: the kernel does nothing.
        unsafe { launch.update(&mut borrows, &node, (&mut bound_to, &bound_from, 8, 1.0))? };
        Ok(())
    };
    let [update, ..] = compare(stream, &mut update, || Ok(()))?;
    println!("  an update of one node        {update:7.0} ns");
    Ok(())
}

fn run(context: &Arc<CudaContext>, stream: &Arc<CudaStream>) -> Result<(), Box<dyn Error>> {
    let kernels = ptx::cuda::load::<kernels::Loaded>(context)?;
    // The same kernels loaded with cudarc alone, for comparison.
    let module = context.load_module(Ptx::from_src(kernels::MODULE.to_string()))?;
    let config = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (32, 1, 1), shared_mem_bytes: 0 };
    let (mut to, mut their_to) = (stream.alloc_zeros::<f32>(128)?, stream.alloc_zeros::<f32>(128)?);
    let from = stream.alloc_zeros::<f32>(128)?;
    let map = Map::over(&from, stream).dims([16, 8]).encode()?;

    let taps = stream.alloc_zeros::<f32>(4)?;
    kernels.TAPS.set(stream, &[1.0; 4])?;

    macro_rules! case {
        ($name:literal, $kernel:ident $(.$grid:ident($blocks:literal))?, ($($ours:expr),*), ($($theirs:expr),*)) => {
            case!($name, $kernel beside $kernel $(.$grid($blocks))?, ($($ours),*), ($($theirs),*))
        };
        ($name:literal, $kernel:ident beside $their:ident $(.$grid:ident($blocks:literal))?, ($($ours:expr),*), ($($theirs:expr),*)) => {{
            let function = module.load_function(stringify!($their))?;
            let [ours, theirs, ratio] = compare(
                stream,
                || {
                    // SAFETY: the kernels do nothing.
                    unsafe { kernels.$kernel()$(.$grid($blocks))?.launch(stream, ($($ours,)*))? };
                    Ok(())
                },
                || {
                    let mut launch = stream.launch_builder(&function);
                    launch$(.arg($theirs))*;
                    // SAFETY: the kernels do nothing.
                    unsafe { launch.launch(config)? };
                    Ok(())
                },
            )?;
            println!("  {:<28} {ours:7.0} ns, cudarc {theirs:7.0} ns, {ratio:.3}", $name);
        }};
    }
    case!("1 argument", one.grid(1), (7), (&7_u32));
    case!(
        "4 arguments",
        four.grid(1),
        (&mut to, &from, 7, 1.0),
        (&mut their_to, &from, &7_u32, &1.0_f32)
    );
    case!(
        "4 arguments, a variable",
        four_with_variable beside five.grid(1),
        (&mut to, &from, 7, 1.0),
        (&mut their_to, &from, &7_u32, &1.0_f32, &taps)
    );
    case!(
        "4 arguments, a contract",
        four_with_contract,
        (&mut to, &from, 7, 1.0),
        (&mut their_to, &from, &7_u32, &1.0_f32)
    );
    case!(
        "4 arguments, a safe launch",
        four_with_safe_launch,
        (&mut to, &from, 7, 1.0),
        (&mut their_to, &from, &7_u32, &1.0_f32)
    );
    case!(
        "16 arguments",
        sixteen.grid(1),
        (&mut to, &from, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
        (
            &mut their_to,
            &from,
            &0_u32,
            &1_u32,
            &2_u32,
            &3_u32,
            &4_u32,
            &5_u32,
            &6_u32,
            &7_u32,
            &8_u32,
            &9_u32,
            &10_u32,
            &11_u32,
            &12_u32,
            &13_u32
        )
    );
    case!("1 argument, a map", one_map.grid(1), (&map), (&map));
    case!(
        "4 arguments, one a map",
        four_with_map.grid(1),
        (&map, &mut to, 7, 1.0),
        (&map, &mut their_to, &7_u32, &1.0_f32)
    );
    case!(
        "16 arguments, one a map",
        sixteen_with_map.grid(1),
        (&map, &mut to, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
        (
            &map,
            &mut their_to,
            &0_u32,
            &1_u32,
            &2_u32,
            &3_u32,
            &4_u32,
            &5_u32,
            &6_u32,
            &7_u32,
            &8_u32,
            &9_u32,
            &10_u32,
            &11_u32,
            &12_u32,
            &13_u32
        )
    );
    Ok(())
}
