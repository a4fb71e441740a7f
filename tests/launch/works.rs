//! Launches that work, on a GPU.

#![allow(clippy::float_cmp)] // the sums are exact

use std::error::Error;
use std::time::Instant;

use cudarc::driver::sys::CUevent_flags;
use ptx::cuda::{
    AccessPolicyWindow, AccessProperty, Aliased, ClusterScheduling, LoadOptions, MemorySyncDomain,
    RawPtr, load, load_cubin, load_with, warnings,
};
use ptx::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, PtxType)]
#[repr(C)]
struct Pair {
    left: u32,
    right: f32,
}

#[tensor_map(element = f32, box = [16, 8])]
struct Map;

/// Stages that exceed the shared memory of a block without an opt-in.
#[derive(PtxType)]
#[repr(C)]
struct Stages {
    words: [u32; 30_000],
}

#[ptx::module(target = sm_90a)]
mod kernels {
    use super::*;

    #[constant]
    pub static TAPS: [f32; 5] = [1.0, 2.0, 3.0, 4.0, 5.0];
    #[constant]
    static PRIVATE: f32 = 0.5;
    #[global]
    pub static PAIR: Pair = Pair { left: 7, right: 0.25 };
    #[global]
    pub static HALVES: [f16; 6] = [f16::ZERO; 6];
    #[shared(dynamic)]
    static STAGES: Stages;
    #[shared(dynamic)]
    static SLICE: [u64];

    /// Sums the constants, and swaps the pair.
    #[kernel(reqntid = 1)]
    pub fn constants(to: Ptr<Global, f32>) {
        ptx! {
            .reg .b64 %to;
            .reg .b32 %left;
            .reg .f32 %sum, %x;
            ld.param.u64 %to, [to];
            ld.const.f32 %sum, [PRIVATE];
            ld.const.f32 %x, [TAPS];
            add.f32 %sum, %sum, %x;
            ld.const.f32 %x, [TAPS + 4];
            add.f32 %sum, %sum, %x;
            ld.const.f32 %x, [TAPS + 8];
            add.f32 %sum, %sum, %x;
            ld.const.f32 %x, [TAPS + 12];
            add.f32 %sum, %sum, %x;
            ld.const.f32 %x, [TAPS + 16];
            add.f32 %sum, %sum, %x;
            st.global.f32 [%to], %sum;
            ld.global.u32 %left, [PAIR + #(offset_of!(Pair, left))];
            add.u32 %left, %left, 1;
            st.global.u32 [PAIR + #(offset_of!(Pair, left))], %left;
            ret;
        }
    }

    /// Every kind of parameter.
    #[kernel(reqntid = 1)]
    pub fn parameters(
        to: Ptr<Global, u32>,
        byte: u8,
        pair: Pair,
        vector: V4<u32>,
        packed: E4M3x4,
        array: [u32; 3],
        generic: Ptr<Generic, u32>,
        map: TensorMap<Map>,
        last: u32,
    ) {
        ptx! {
            .reg .b64 %to, %generic;
            .reg .b32 %x, %a, %b, %c, %d;
            .reg .b16 %h;
            ld.param.u64 %to, [to];
            ld.param.u8 %h, [byte];
            cvt.u32.u16 %x, %h;
            st.global.u32 [%to], %x;
            ld.param.u32 %x, [pair + #(offset_of!(Pair, left))];
            st.global.u32 [%to + 4], %x;
            ld.param.v4.u32 {%a, %b, %c, %d}, [vector];
            st.global.u32 [%to + 8], %d;
            ld.param.b32 %x, [packed];
            st.global.b32 [%to + 12], %x;
            ld.param.u32 %x, [array + 8];
            st.global.u32 [%to + 16], %x;
            ld.param.u64 %generic, [generic];
            ld.u32 %x, [%generic];
            st.global.u32 [%to + 20], %x;
            ld.param.u32 %x, [last];
            st.global.u32 [%to + 24], %x;
            ret;
        }
    }

    /// Writes to the ends of its dynamic shared memory and reads them back.
    #[kernel(reqntid = 1)]
    pub fn dynamic(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b64 %to;
            .reg .b32 %x, %size;
            ld.param.u64 %to, [to];
            mov.u32 %x, 17;
            st.shared.u32 [STAGES + 119996], %x;
            ld.shared.u32 %x, [STAGES + 119996];
            st.global.u32 [%to], %x;
            mov.u32 %size, %dynamic_smem_size;
            st.global.u32 [%to + 4], %size;
            ret;
        }
    }

    #[kernel(reqntid = 1)]
    pub fn slice(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b64 %to;
            .reg .b32 %size, %at;
            ld.param.u64 %to, [to];
            mov.u32 %at, SLICE;
            st.shared.u64 [%at], %to;
            mov.u32 %size, %dynamic_smem_size;
            st.global.u32 [%to], %size;
            ret;
        }
    }

    /// The rank in the cluster, and its size.
    #[kernel(reqntid = 32)]
    pub fn cluster(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b64 %to;
            .reg .b32 %size;
            ld.param.u64 %to, [to];
            mov.u32 %size, %cluster_nctarank;
            st.global.u32 [%to], %size;
            ret;
        }
    }

    /// Adds one to each element, in place.
    #[kernel(
        reqntid = 64,
        requires(from.len() >= n, to.len() >= n),
        grid = n.div_ceil(64),
        unsafe(safe_launch)
    )]
    pub fn increment(#[readonly] from: Ptr<Global, u32>, to: Ptr<Global, u32>, n: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %i, %block, %n, %x;
            .reg .b64 %from, %to;
            mov.u32 %i, %tid.x;
            mov.u32 %block, %ctaid.x;
            mad.lo.u32 %i, %block, 64, %i;
            ld.param.u32 %n, [n];
            setp.ge.u32 %p, %i, %n;
            @%p ret;
            ld.param.u64 %from, [from];
            mad.wide.u32 %from, %i, 4, %from;
            ld.param.u64 %to, [to];
            mad.wide.u32 %to, %i, 4, %to;
            ld.global.u32 %x, [%from];
            add.u32 %x, %x, 1;
            st.global.u32 [%to], %x;
            ret;
        }
    }
}

/// A call that the driver's linker resolves.
#[ptx::module(target = sm_90)]
mod prints {
    #[constant]
    static FORMAT: [u8; 9] = *b"from %u\n\0";

    #[device(extern)]
    fn vprintf(format: u64, arguments: u64) -> i32;

    #[kernel(reqntid = 1, grid = blocks, unsafe(safe_launch))]
    pub fn print(blocks: u32) {
        ptx! {
            .local .align 8 .b8 list[8];
            .reg .b64 %format, %list;
            .reg .b32 %block, %count;
            mov.u32 %block, %ctaid.x;
            st.local.u32 [list], %block;
            mov.u64 %format, FORMAT;
            cvta.const.u64 %format, %format;
            mov.u64 %list, list;
            cvta.local.u64 %list, %list;
            call (%count), vprintf, (%format, %list);
            ret;
        }
    }
}

#[test]
fn what_the_driver_defines_is_linked() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let prints = load::<prints::Loaded>(&context)?;
    prints.print().launch(&stream, (3,))?;
    prints.print().launch(&stream, (0,))?;
    Ok(stream.synchronize()?)
}

type Outcome = Result<(), Box<dyn Error>>;

#[test]
fn variables_are_set_and_read_back() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let kernels = load::<kernels::Loaded>(&context)?;
    let mut to = stream.alloc_zeros::<f32>(1)?;
    let constants = kernels.constants().grid(1);
    // SAFETY: the buffer has room for the sum.
    let mut sum = || -> Result<f32, Box<dyn Error>> {
        unsafe { constants.launch(&stream, (&mut to,))? };
        Ok(stream.clone_dtoh(&to)?[0])
    };
    assert_eq!(sum()?, 15.5);
    kernels.TAPS.set(&stream, &[0.5; 5])?;
    assert_eq!(sum()?, 3.0);
    kernels.TAPS.slice(1..3)?.set(&stream, &[10.0, 20.0])?;
    assert_eq!(sum()?, 32.0);
    kernels.TAPS.fill(&stream, &1.0)?;
    assert_eq!(sum()?, 5.5);
    let mut part = [0.0; 2];
    kernels.TAPS.slice(3..)?.get_into(&stream, &mut part)?;
    assert_eq!(part, [1.0; 2]);
    assert_eq!(kernels.PAIR.get(&stream)?, Pair { left: 11, right: 0.25 });
    kernels.PAIR.set(&stream, &Pair { left: 1, right: 2.0 })?;
    let mut pair = Pair { left: 0, right: 0.0 };
    kernels.PAIR.get_into(&stream, &mut pair)?;
    assert_eq!(pair, Pair { left: 1, right: 2.0 });
    kernels.HALVES.slice(2..=3)?.fill(&stream, &f16::ONE)?;
    let [zero, one] = [f16::ZERO, f16::ONE];
    assert_eq!(kernels.HALVES.get(&stream)?, [zero, zero, one, one, zero, zero]);
    // Pinned memory is copied asynchronously, in stream order.
    // SAFETY: the memory is written before it is read.
    let mut pinned = unsafe { context.alloc_pinned::<f32>(5)? };
    pinned.as_mut_slice()?.fill(3.0);
    kernels.TAPS.slice(..)?.set(&stream, &pinned)?;
    pinned.as_mut_slice()?.fill(0.0);
    kernels.TAPS.slice(..)?.get_into(&stream, &mut pinned)?;
    assert_eq!(pinned.as_slice()?, [3.0; 5]);
    // Each load has its own variables.
    let again = load::<kernels::Loaded>(&context)?;
    assert_eq!(again.TAPS.get(&stream)?, [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert!(kernels.PAIR.ptr()?.address() != again.PAIR.ptr()?.address());
    Ok(())
}

#[test]
fn every_kind_of_parameter_arrives() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let kernels = load::<kernels::Loaded>(&context)?;
    let mut to = stream.alloc_zeros::<u32>(7)?;
    let mut other = stream.clone_htod(&[77_u32])?;
    let matrix = stream.alloc_zeros::<f32>(128)?;
    let map = Map::over(&matrix, &stream).dims([16, 8]).encode()?;
    let packed = E4M3x4::from_bits(0x3840_3840);
    let (pair, vector) = (Pair { left: 5, right: 0.0 }, V4::new([1_u32, 2, 3, 4]));
    let parameters = kernels.parameters().grid(1);
    let arguments = (&mut to, 200_u8, pair, vector, packed, [7, 8, 9], &mut other, &map, 13);
    // SAFETY: the buffers have room for what the kernel writes.
    unsafe { parameters.launch(&stream, arguments)? };
    assert_eq!(stream.clone_dtoh(&to)?, [200, 5, 4, 0x3840_3840, 9, 77, 13]);

    // From another stream, with the map of this one.
    let fork = context.new_stream()?;
    let arguments = (&mut to, 1_u8, pair, vector, packed, [7, 8, 9], &mut other, &map, 14);
    // SAFETY: as above.
    unsafe { parameters.launch(&fork, arguments)? };
    assert_eq!(stream.clone_dtoh(&to)?[6], 14);
    Ok(())
}

/// Launches with maps, with attributes and with a contract do not allocate.
#[test]
fn a_launch_allocates_nothing() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let kernels = load::<kernels::Loaded>(&context)?;
    let mut to = stream.alloc_zeros::<u32>(64)?;
    let from = stream.alloc_zeros::<u32>(64)?;
    let mut other = stream.clone_htod(&[77_u32])?;
    let matrix = stream.alloc_zeros::<f32>(128)?;
    let map = Map::over(&matrix, &stream).dims([16, 8]).encode()?;
    let (pair, vector) = (Pair { left: 5, right: 0.0 }, V4::new([1_u32, 2, 3, 4]));
    let packed = E4M3x4::from_bits(0);
    let mut launch = || -> Result<(), ptx::cuda::LaunchError> {
        let parameters = kernels.parameters().grid(1);
        let arguments = (&mut to, 1_u8, pair, vector, packed, [7, 8, 9], &mut other, &map, 14);
        // SAFETY: the buffers have room for what the kernels write.
        unsafe {
            parameters.launch(&stream, arguments)?;
            let cluster = kernels.cluster().grid(4).cluster(2).priority(-1).cooperative();
            cluster.launch(&stream, (&mut to,))?;
        }
        kernels.increment().launch(&stream, (&from, &mut to, 64))
    };
    launch()?;
    let before = crate::allocations();
    for _ in 0..100 {
        launch()?;
    }
    assert_eq!(crate::allocations(), before);
    Ok(stream.synchronize()?)
}

#[test]
fn dynamic_shared_memory_is_sized_by_its_type() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let kernels = load::<kernels::Loaded>(&context)?;
    let mut to = stream.alloc_zeros::<u32>(2)?;
    let dynamic = kernels.dynamic().grid(1);
    // SAFETY: the buffer has room for what the kernels write.
    unsafe { dynamic.launch(&stream, (&mut to,))? };
    assert_eq!(stream.clone_dtoh(&to)?, [17, 120_000]);
    for len in [1, 100, 29_000] {
        // SAFETY: as above.
        unsafe { kernels.slice().dynamic(len).grid(1).launch(&stream, (&mut to,))? };
        assert_eq!(stream.clone_dtoh(&to)?[0] as usize, 8 * len);
    }
    // The size does not shrink.
    // SAFETY: as above.
    unsafe { dynamic.launch(&stream, (&mut to,))? };
    assert_eq!(kernels::dynamic().dynamic_shared_bytes(), Some(120_000));
    let resources = dynamic.resources()?;
    assert_eq!(
        (resources.dynamic_shared, resources.blocks_per_multiprocessor),
        (Some(120_000), Some(1))
    );
    println!("{resources}");
    Ok(())
}

#[test]
fn attributes_reach_the_driver() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let kernels = load::<kernels::Loaded>(&context)?;
    let mut to = stream.alloc_zeros::<u32>(64)?;
    let (address, bytes) = {
        use cudarc::driver::DevicePtr as _;
        (to.device_ptr(&stream).0, 256)
    };
    let event = context.new_event(Some(CUevent_flags::CU_EVENT_DISABLE_TIMING))?;
    let window = AccessPolicyWindow {
        address,
        bytes,
        hit_ratio: 0.5,
        hit: AccessProperty::Persisting,
        miss: AccessProperty::Streaming,
    };
    let cluster = kernels.cluster().grid(16);
    let mut sizes = Vec::new();
    for launch in [
        cluster,
        cluster.cluster(2),
        cluster.cluster((2, 1, 1)).cluster_scheduling(ClusterScheduling::LoadBalancing),
        cluster.cluster(4).cluster_scheduling(ClusterScheduling::Spread),
        cluster.cluster(8).priority(-1),
        // More than any device with clusters can hold.
        cluster.cluster(16),
        cluster.cooperative(),
        cluster.programmatic_stream_serialization(),
        cluster.programmatic_event(&event, false),
        cluster.programmatic_event(&event, true),
        cluster.launch_completion_event(&event),
        cluster.memory_sync_domain(MemorySyncDomain::Remote),
        cluster.memory_sync_domain_map(0, 1),
        cluster.access_policy_window(window),
        cluster.shared_carveout(50),
    ] {
        // SAFETY: the buffer has room for what the kernel writes.
        unsafe { launch.launch(&stream, (&mut to,))? };
        sizes.push(stream.clone_dtoh(&to)?[0]);
    }
    assert_eq!(sizes, [1, 2, 2, 4, 8, 16, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert!(event.is_complete());
    println!("{}", cluster.cluster(16).resources()?);
    Ok(())
}

#[test]
fn buffers_updated_in_place_and_raw_addresses_are_unsafe() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let kernels = load::<kernels::Loaded>(&context)?;
    let data = stream.clone_htod(&vec![41_u32; 100])?;
    let increment = kernels.increment();
    // SAFETY: each thread reads and writes only its own element.
    let alias = || unsafe { Aliased::new(&data) };
    increment.launch(&stream, (alias(), alias(), 100))?;
    assert_eq!(stream.clone_dtoh(&data)?, [42; 100]);
    let mut to = stream.alloc_zeros::<u32>(2)?;
    let pair = kernels.PAIR.ptr()?;
    // SAFETY: the pair is two words.
    let words = unsafe { RawPtr::new(Ptr::<Global, u32>::new(pair.address()), 2) };
    increment.launch(&stream, (words, &mut to, 2))?;
    assert_eq!(stream.clone_dtoh(&to)?, [8, 0.25_f32.to_bits() + 1]);
    // From another thread, after the module's handle is dropped.
    let kernel = increment.kernel();
    drop(kernels);
    let (stream, thread_context) = (stream.clone(), context.clone());
    let handle = std::thread::spawn(move || {
        let mut to = stream.alloc_zeros::<u32>(3).expect("memory");
        let from = stream.clone_htod(&[1_u32, 2, 3]).expect("memory");
        kernel.configure().launch(&stream, (&from, &mut to, 3)).expect("a launch");
        drop(thread_context);
        stream.clone_dtoh(&to).expect("a copy")
    });
    assert_eq!(handle.join().expect("it ends"), [2, 3, 4]);
    Ok(())
}

#[test]
fn loading_again_needs_no_compiler() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let options = LoadOptions::new().max_registers(64).line_info();
    let timed = || -> Result<f64, Box<dyn Error>> {
        let start = Instant::now();
        let kernels = load_with::<kernels::Loaded>(&context, options)?;
        let time = start.elapsed().as_secs_f64() * 1e3;
        assert!(warnings(&kernels).is_empty());
        Ok(time)
    };
    let first = timed()?;
    let again: Vec<f64> = (0..5).map(|_| timed()).collect::<Result<_, _>>()?;
    println!("loaded in {first:.2} ms, again in {again:.2?} ms");
    let debug = LoadOptions::new().optimization_level(0).debug();
    let kernels = load_with::<kernels::Loaded>(&context, debug)?;
    println!("{}", kernels.increment().resources()?);
    let cubin = ptx::ptxas::Ptxas::find()?.assemble(&kernels::MODULE)?.cubin;
    // SAFETY: the cubin was made from the module.
    let kernels = unsafe { load_cubin::<kernels::Loaded>(&context, &cubin)? };
    assert_eq!(kernels.PAIR.get(&context.default_stream())?.left, 7);
    Ok(())
}

/// 64 parameters, of which the first points to the sum.
#[ptx::module(target = sm_90)]
mod many {
    use super::*;

    #[kernel(reqntid = 1)]
    #[allow(clippy::too_many_arguments)]
    pub fn sum(
        p0: Ptr<Global, u32>,
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
        p14: u32,
        p15: u32,
        p16: u32,
        p17: u32,
        p18: u32,
        p19: u32,
        p20: u32,
        p21: u32,
        p22: u32,
        p23: u32,
        p24: u32,
        p25: u32,
        p26: u32,
        p27: u32,
        p28: u32,
        p29: u32,
        p30: u32,
        p31: u32,
        p32: u32,
        p33: u32,
        p34: u32,
        p35: u32,
        p36: u32,
        p37: u32,
        p38: u32,
        p39: u32,
        p40: u32,
        p41: u32,
        p42: u32,
        p43: u32,
        p44: u32,
        p45: u32,
        p46: u32,
        p47: u32,
        p48: u32,
        p49: u32,
        p50: u32,
        p51: u32,
        p52: u32,
        p53: u32,
        p54: u32,
        p55: u32,
        p56: u32,
        p57: u32,
        p58: u32,
        p59: u32,
        p60: u32,
        p61: u32,
        p62: u32,
        p63: u32,
    ) {
        ptx! {
            .reg .b64 %to;
            .reg .b32 %sum, %x;
            mov.u32 %sum, 0;
            ld.param.u64 %to, [p0];
            ld.param.u32 %x, [p1];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p2];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p3];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p4];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p5];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p6];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p7];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p8];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p9];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p10];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p11];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p12];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p13];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p14];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p15];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p16];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p17];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p18];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p19];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p20];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p21];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p22];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p23];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p24];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p25];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p26];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p27];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p28];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p29];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p30];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p31];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p32];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p33];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p34];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p35];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p36];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p37];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p38];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p39];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p40];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p41];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p42];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p43];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p44];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p45];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p46];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p47];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p48];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p49];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p50];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p51];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p52];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p53];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p54];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p55];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p56];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p57];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p58];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p59];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p60];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p61];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p62];
            add.u32 %sum, %sum, %x;
            ld.param.u32 %x, [p63];
            add.u32 %sum, %sum, %x;
            st.global.u32 [%to], %sum;
            ret;
        }
    }
}

#[test]
fn there_may_be_64_parameters() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let many = load::<many::Loaded>(&context)?;
    let mut to = stream.alloc_zeros::<u32>(1)?;
    #[rustfmt::skip]
    let arguments = (
        &mut to, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    );
    // SAFETY: the buffer has room for the sum.
    unsafe { many.sum().grid(1).launch(&stream, arguments)? };
    assert_eq!(stream.clone_dtoh(&to)?, [63 * 64 / 2]);
    Ok(())
}
